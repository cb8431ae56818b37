import Engine
import Localization

extension ActionFailure {
  /// The surrounding task was cancelled.
  static let cancelled = ActionFailure(.cancelled, LocalizedText("cancelled", de: "abgebrochen"))
}

public import Engine
import Localization

extension ActionFailure.Kind {
  /// A program has done its work, but what it has written is not what the recipe expects. Permanent: to run it again
  /// would do its work twice.
  public static let badOutput = ActionFailure.Kind(rawValue: "bad_output")
}

extension ActionFailure {
  /// The surrounding task was cancelled.
  static let cancelled = ActionFailure(.cancelled, LocalizedText("cancelled", de: "abgebrochen"))
}

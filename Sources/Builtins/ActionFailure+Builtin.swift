public import Engine
import Localization

extension ActionFailure.Kind {
  /// The action was carried out and came to a bad end, for all to see: a program ended with a status that is none of
  /// success, a condition did not hold. Permanent, and nothing about it is uncertain.
  public static let failed = ActionFailure.Kind(rawValue: "failed")
}

extension ActionFailure {
  /// The surrounding task was cancelled.
  static let calledOff = ActionFailure(.cancelled, LocalizedText("called off", de: "abgebrochen"))
}

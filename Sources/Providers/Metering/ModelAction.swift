import Engine
import Expressions
import PluginHost

/// The actions of models.
enum ModelAction {
  /// The contracts whose calls are counted.
  static let contracts: Set<String> = ["chat", "embed", "transcribe", "speak"]

  /// Whether calls of an action are counted: those that ask a model, and not those that ask for the list of models.
  static func isCounted(_ name: String) -> Bool {
    guard let dot = name.firstIndex(of: "."), contracts.contains(String(name[..<dot])) else { return false }
    return !name.hasSuffix(".models") && !name.hasSuffix(".voices")
  }
}

extension Timestamp {
  /// The day in the local time zone: `2026-11-23`.
  var localDay: String { String(spokenLocalTime.prefix(10)) }
}

import Localization
import Plans

extension PlanStep.Phase {
  /// The phase's place among all phases, from 0.
  var rank: Int {
    switch self {
    case .main: 0
    case .undo: 1
    case .onFailure: 2
    case .finally: 3
    }
  }

  /// What recipes and machine-readable output call it.
  var name: String {
    switch self {
    case .main: "main"
    case .undo: "undo"
    case .onFailure: "on_failure"
    case .finally: "finally"
    }
  }

  /// Why steps of earlier phases cannot wait for a step of this one; `nil` for the first phase.
  func reason(_ id: String) -> LocalizedText? {
    switch self {
    case .main: nil
    case .undo:
      LocalizedText(
        "the step '\(id)' runs only to take another one back ('undo')",
        de: "der Schritt '\(id)' läuft nur, um einen anderen zurückzunehmen ('undo')")
    case .onFailure:
      LocalizedText(
        "the step '\(id)' runs only after a failure ('on_failure')",
        de: "der Schritt '\(id)' läuft nur nach einem Fehlschlag ('on_failure')")
    case .finally:
      LocalizedText(
        "the step '\(id)' runs at the end ('finally')", de: "der Schritt '\(id)' läuft am Ende ('finally')")
    }
  }
}

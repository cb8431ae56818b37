internal import Recipes

extension PlanStep.Phase {
  /// The phase as the run log spells it.
  var recordedName: String {
    switch self {
    case .main: "main"
    case .undo: "undo"
    case .onFailure: "on_failure"
    case .finally: "finally"
    }
  }
}

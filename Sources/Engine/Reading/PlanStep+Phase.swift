package import Plans

extension PlanStep.Phase {
  /// The phase as run logs spell it.
  package var recordedName: String {
    switch self {
    case .main: "main"
    case .undo: "undo"
    case .onFailure: "on_failure"
    case .finally: "finally"
    }
  }
}

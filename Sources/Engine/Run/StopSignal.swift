import Synchronization

/// Tells the units of a run that no new attempt may begin; what is under way may end.
final class StopSignal: Sendable {
  private let isStopping = Atomic(false)
  private let isOverdue = Atomic(false)

  /// Whether no new attempt may begin.
  var isSet: Bool { isStopping.load(ordering: .acquiring) }
  /// Whether the run's own deadline has called off what was under way, rather than the process's end.
  var isDeadline: Bool { isOverdue.load(ordering: .acquiring) }

  func set(deadline: Bool = false) {
    if deadline { isOverdue.store(true, ordering: .releasing) }
    isStopping.store(true, ordering: .releasing)
  }
}

import Synchronization

/// Tells the units of a run that no new attempt may begin; what is under way may end.
final class StopSignal: Sendable {
  private let isStopping = Atomic(false)
  private let hasCalledOff = Atomic(false)

  /// Whether no new attempt may begin.
  var isSet: Bool { isStopping.load(ordering: .acquiring) }
  /// Whether the run itself has cancelled what was under way, at its deadline or because somebody asked, rather than
  /// the process's end.
  var callsOff: Bool { hasCalledOff.load(ordering: .acquiring) }

  func set(callsOff: Bool = false) {
    if callsOff { hasCalledOff.store(true, ordering: .releasing) }
    isStopping.store(true, ordering: .releasing)
  }
}

/// Tells that something has happened.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

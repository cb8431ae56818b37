import Synchronization

/// Asks those who work on runs to come to an end in good order: no run is taken and no attempt begins any more, what is
/// under way may end, and runs are parked where they then stand.
public final class DrainSignal: Sendable {
  private struct State {
    var isSet = false
    var listeners: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// Creates a signal that is not set.
  public init() {}

  /// Whether somebody has asked.
  public var isSet: Bool { state.withLock { $0.isSet } }

  /// Asks; there is no way back. Again, it does nothing.
  public func set() {
    let listeners = state.withLock { state in
      state.isSet = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener() }
  }

  /// Does work whose task is cancelled once the signal is set, or once the surrounding task is cancelled.
  ///
  /// Where the signal is set already, the work begins cancelled.
  public func interrupt(_ work: @escaping @Sendable () async -> Void) async {
    let task = Task { await work() }
    let id = state.withLock { state -> Int? in
      guard !state.isSet else { return nil }
      state.next += 1
      state.listeners[state.next] = { task.cancel() }
      return state.next
    }
    if id == nil { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if let id { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }
  }
}

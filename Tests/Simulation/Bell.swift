import Synchronization

/// Wakes those who sleep before their time, as something is to do.
final class Bell: Sendable {
  private struct State {
    var rings = 0
    var losses = 0
    var sleepers: [Int: Task<Void, Never>] = [:]
    var number = 0
  }

  private let state = Mutex(State())

  /// How often it has rung.
  var rings: Int { state.withLock { $0.rings } }
  /// How often it has rung for a process that may have left something behind.
  var losses: Int { state.withLock { $0.losses } }

  /// Rings as a process has ended in the middle of its work: somebody else may claim what it leaves.
  func ringForLoss() {
    state.withLock { $0.losses += 1 }
    ring()
  }

  func ring() {
    let sleepers = state.withLock { state in
      state.rings += 1
      defer { state.sleepers = [:] }
      return state.sleepers.sorted { $0.key < $1.key }.map(\.value)
    }
    for sleeper in sleepers { sleeper.cancel() }
  }

  func sleep(_ seconds: Double) async {
    let sleeper = Task.detached { _ = await Scheduler.shared.sleep(seconds) }
    let number = state.withLock { state in
      state.number += 1
      state.sleepers[state.number] = sleeper
      return state.number
    }
    await withTaskCancellationHandler {
      await sleeper.value
    } onCancel: {
      sleeper.cancel()
    }
    state.withLock { $0.sleepers[number] = nil }
  }
}

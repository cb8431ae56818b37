import Expressions
import Synchronization

/// When waits of this process end by the clock that never jumps: a `sleep` of ten minutes lasts ten minutes, whatever
/// happens to the time of day.
///
/// The run log keeps the time of day at which a wait ends; that counts for whoever comes later.
final class WaitDeadlines: Sendable {
  /// A wait. Its beginning tells it from the ones of the same unit that another process may have begun meanwhile.
  private struct Wait: Hashable {
    let run: RunID
    let step: Int
    let item: Int?
    let at: Timestamp

    init(_ wait: WaitStart) {
      (run, step, item) = (wait.run, wait.step, wait.item)
      at = wait.at.wholeMilliseconds
    }
  }

  /// A run that was parked.
  private struct Parked {
    /// The time of day at which it is due.
    let due: Timestamp
    /// When that is by the clock that never jumps.
    let deadline: Double
    let isPart: Bool
  }

  private struct State {
    var waits: [Wait: Double] = [:]
    var parked: [RunID: Parked] = [:]
  }

  private let state = Mutex(State())

  /// Takes in a wait for a duration.
  ///
  /// - Parameter deadline: When it ends.
  func begin(_ wait: WaitStart, deadline: Double) {
    state.withLock { $0.waits[Wait(wait)] = deadline }
  }

  /// When a wait ends; `nil` where it began in another process, or waits for a time of day.
  func deadline(of wait: WaitStart) -> Double? { state.withLock { $0.waits[Wait(wait)] } }

  /// Forgets a wait that has ended.
  func end(_ wait: WaitStart) { state.withLock { $0.waits[Wait(wait)] = nil } }

  /// Takes in that a run was parked.
  func park(_ start: RunStart, due: Timestamp, deadline: Double) {
    state.withLock { $0.parked[start.run] = Parked(due: due, deadline: deadline, isPart: start.parent != nil) }
  }

  /// Forgets a parked run: it is worked on again, or somebody else has it.
  func wake(_ run: RunID) { state.withLock { $0.parked[run] = nil } }

  /// Forgets all of a run that has ended.
  func forget(_ run: RunID) {
    state.withLock { state in
      state.parked[run] = nil
      if !state.waits.isEmpty { state.waits = state.waits.filter { $0.key.run != run } }
    }
  }

  /// The time of day to claim a run with: that at which it is due, where it has waited long enough and the time of day was
  /// set back.
  func claimTime(of run: RunID, at now: Timestamp, monotonic: Double) -> Timestamp {
    guard let parked = state.withLock({ $0.parked[run] }), parked.deadline <= monotonic else { return now }
    return max(now, parked.due)
  }

  /// Whole runs that have waited long enough, though the time of day does not say so.
  func overdue(at now: Timestamp, monotonic: Double) -> [RunID] {
    state.withLock { state in
      guard !state.parked.isEmpty else { return [] }
      return state.parked.filter { !$0.value.isPart && $0.value.deadline <= monotonic && $0.value.due > now }.keys
        .sorted()
    }
  }
}

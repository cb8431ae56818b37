/// The deadlines of calls, without a clock: returns when to wake and which actions are due then.
struct DeadlineQueue {
  /// The purpose of a deadline; a call has at most one of each.
  enum Purpose: Sendable, Hashable {
    /// `start` has to return.
    case start
    /// The call has to end.
    case end
    /// A cancelled call has to end.
    case grace
  }

  /// A timer that is to run: of several the latest counts.
  struct Timer: Equatable {
    let number: Int
    let wake: Double
  }

  private struct Key: Hashable {
    let call: UInt64
    let purpose: Purpose
  }

  private struct Entry {
    let time: Double
    let action: @Sendable () -> Void
  }

  private var entries: [Key: Entry] = [:]
  private var timer: Timer?
  private var lastNumber = 0

  /// Adds a deadline, in place of an earlier one of the same call and purpose.
  ///
  /// - Returns: The timer to start; `nil` if the running one wakes early enough.
  mutating func set(
    _ purpose: Purpose, of call: UInt64, at time: Double, _ action: @escaping @Sendable () -> Void
  ) -> Timer? {
    entries[Key(call: call, purpose: purpose)] = Entry(time: time, action: action)
    if let timer, timer.wake <= time { return nil }
    return makeTimer(time)
  }

  /// Takes a deadline back. The timer goes on: to stop and start it would cost more.
  mutating func remove(_ purpose: Purpose, of call: UInt64) {
    entries[Key(call: call, purpose: purpose)] = nil
  }

  /// A timer has woken.
  ///
  /// - Returns: The actions that are due, and the timer to start; neither if the timer has been replaced.
  mutating func fire(_ number: Int, at time: Double) -> (due: [@Sendable () -> Void], next: Timer?) {
    guard number == timer?.number else { return ([], nil) }
    timer = nil
    let due = entries.filter { $0.value.time <= time }
    for key in due.keys { entries[key] = nil }
    let next = entries.values.map(\.time).min().map { makeTimer($0) }
    return (due.values.sorted { $0.time < $1.time }.map(\.action), next)
  }

  private mutating func makeTimer(_ wake: Double) -> Timer {
    lastNumber += 1
    let made = Timer(number: lastNumber, wake: wake)
    timer = made
    return made
  }
}

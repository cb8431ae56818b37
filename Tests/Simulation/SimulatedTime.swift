import Engine
import Expressions
import Synchronization

/// The clocks of the simulated machine: the time of day may jump, the other one does not.
final class Clocks: Sendable {
  private let jumps = Mutex<[(at: Double, offset: Double)]>([(at: 0, offset: 0)])

  private static let start = Timestamp(seconds: 1_795_000_000)

  var now: Timestamp { time(at: Scheduler.shared.clock) }
  /// Whether the time of day has ever jumped.
  var hasJumped: Bool { jumps.withLock { $0.count > 1 } }

  /// The time of day at a moment of the clock that does not jump.
  func time(at moment: Double) -> Timestamp {
    let offset = jumps.withLock { $0.last { $0.at <= moment }?.offset ?? 0 }
    return Self.start.adding(seconds: moment + offset)
  }

  /// Sets the time of day forwards, or backwards.
  func jump(by seconds: Double) {
    let moment = Scheduler.shared.clock
    jumps.withLock { $0.append((at: moment, offset: ($0.last?.offset ?? 0) + seconds)) }
  }

  /// The first moment, from another on, at which the time of day has reached a point.
  func moment(reaching time: Timestamp, from begin: Double) -> Double {
    let jumps = jumps.withLock { $0 }
    for (index, jump) in jumps.enumerated() {
      let ends = index + 1 < jumps.count ? jumps[index + 1].at : Double.infinity
      guard ends > begin else { continue }
      let reached = max(jump.at, begin, time.seconds(since: Self.start) - jump.offset)
      if reached < ends { return reached }
    }
    return .infinity
  }
}

/// Time as one simulated process sees it. In a process that has died, nobody wakes up any more.
struct SimulatedTime: TimeSource {
  let clocks: Clocks
  let life: Life

  var now: Timestamp { clocks.now }
  var monotonic: Double { Scheduler.shared.clock }

  func sleep(seconds: Double) async throws {
    await life.check()
    let isOver = await Scheduler.shared.sleep(seconds)
    await life.check()
    if !isOver { throw CancellationError() }
  }
}

/// Whether a simulated process is alive.
final class Life: Sendable {
  let name: String
  private let hasEnded = Mutex(false)
  private let mourner = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ name: String) { self.name = name }

  var isDead: Bool { hasEnded.withLock { $0 } }

  /// Calls something as soon as the process dies.
  func whenDead(_ body: @escaping @Sendable () -> Void) { mourner.withLock { $0 = body } }

  /// Ends the process in the middle of whatever it does, as SIGKILL would.
  func die() {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { mourner.withLock { $0 }?() }
  }

  /// Stands still for ever where the process is dead.
  func check() async {
    guard isDead else { return }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}

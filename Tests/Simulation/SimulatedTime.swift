import Engine
import Expressions
import RunStore
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

  /// When, between two moments, the time of day has reached a point; where the clock is set back, it has not again.
  func spans(from time: Timestamp, between begin: Double, and end: Double) -> [(begin: Double, end: Double)] {
    let jumps = jumps.withLock { $0 }
    return jumps.enumerated().compactMap { index, jump in
      let ends = min(index + 1 < jumps.count ? jumps[index + 1].at : .infinity, end)
      let reached = max(jump.at, begin, time.seconds(since: Self.start) - jump.offset)
      return reached < ends ? (reached, ends) : nil
    }
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

/// Time as the run log of a simulated process sees it: what it does when it wakes up, on a thread of its own, is over before
/// anything else happens.
final class StoreTime: TimeSource {
  private let clocks: Clocks
  private let life: Life
  private let world: World
  private let store = Mutex<RunStore?>(nil)

  init(clocks: Clocks, life: Life, world: World) {
    self.clocks = clocks
    self.life = life
    self.world = world
  }

  var now: Timestamp { clocks.now }
  var monotonic: Double { Scheduler.shared.clock }

  /// The run log, or `nil` once the process is over.
  func serve(_ store: RunStore?) { self.store.withLock { $0 = store } }

  func sleep(seconds: Double) async throws {
    await life.check()
    let isOver = await Scheduler.shared.sleep(seconds)
    await life.check()
    guard isOver, let store = store.withLock({ $0 }) else { throw CancellationError() }
    var chance = world.chance("disk of \(life.name)")
    if chance.happens(world.weather.brokenDisk) { Disk.fail() }
    Scheduler.shared.callApart { [life, world] in
      do {
        try await store.flush()
      } catch let error as RunStoreError where error.code == .entryRefused {
        world.violate("the journal refuses what \(life.name) writes: \(error)")
      } catch {}
      Disk.mend()
    }
  }
}

/// Whether a simulated process is alive.
final class Life: Sendable {
  let name: String
  private let hasEnded = Mutex(false)
  private let stop = Mutex<(count: Int, since: Double, until: Double)>((0, 0, 0))
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

  /// Lets the process stand still, as SIGSTOP and SIGCONT would.
  func standStill(_ seconds: Double) {
    let now = Scheduler.shared.clock
    // Who stands still already does so for longer, at most.
    stop.withLock { $0 = ($0.count + 1, now < $0.until ? $0.since : now, max($0.until, now + seconds)) }
  }

  /// How often it has stood still.
  var stops: Int { stop.withLock { $0.count } }
  /// The longest it may have stood still up to now, in seconds of which nobody has seen a sign of life.
  var silence: Double { stop.withLock { $0.count == 0 ? 0 : min($0.until, Scheduler.shared.clock) - $0.since } }

  /// Stands still for ever where the process is dead, and for the time being where it is stopped.
  func check() async {
    while true {
      if isDead { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      let left = stop.withLock { $0.until } - Scheduler.shared.clock
      guard left > 0 else { return }
      // Apart from this task, which may have been cancelled.
      await Task.detached { _ = await Scheduler.shared.sleep(left) }.value
    }
  }
}

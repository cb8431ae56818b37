import Engine
import Expressions
import Synchronization

/// Watches whether waits end when they should, and who works on which run.
final class Timers: Sendable {
  private struct Place: Hashable {
    var run: RunID
    var step: Int
    var item: Int?
  }

  private struct State {
    var begun: [Place: (wait: WaitStart, moment: Double, written: Int?)] = [:]
    var working: [RunID: String] = [:]
    /// How many processes were up, from which moment on.
    var up: [(moment: Double, count: Int)] = [(0, 0)]
  }

  private let world: World
  private let clocks: Clocks
  private let state = Mutex(State())
  /// Seconds of working time that a wait may end late.
  let slack: Double

  init(_ world: World, _ clocks: Clocks, slack: Double) {
    self.world = world
    self.clocks = clocks
    self.slack = slack
  }

  var working: [RunID: String] { state.withLock { $0.working } }
  func work(_ runs: [RunID], by process: String) {
    state.withLock { state in for run in runs { state.working[run] = process } }
  }

  /// One process more, or less, that would notice when something is due.
  func change(_ count: Int) {
    let moment = Scheduler.shared.clock
    state.withLock { $0.up.append((moment, ($0.up.last?.count ?? 0) + count)) }
  }

  func begin(_ wait: WaitStart) {
    let place = Place(run: wait.run, step: wait.step, item: wait.item)
    let moment = Scheduler.shared.clock
    state.withLock { state in
      // The first one that was on the disk counts: whoever goes on keeps to it.
      if state.begun[place]?.written == nil { state.begun[place] = (wait, moment, nil) }
    }
  }

  /// A wait is on record, after a commit; 0 where it is on the disk.
  func confirm(_ wait: WaitStart, after commit: Int) {
    state.withLock { $0.begun[Place(run: wait.run, step: wait.step, item: wait.item)]?.written = commit }
  }

  /// All that came after a commit is gone; waits that have ended may have to end again.
  func losePower(after commit: Int) {
    let moment = Scheduler.shared.clock
    state.withLock { state in
      for (place, wait) in state.begun {
        state.begun[place]?.moment = moment
        if let written = wait.written, written > commit { state.begun[place]?.written = nil }
      }
    }
  }

  /// A wait ends: because it is over, or because its step is.
  func end(_ run: RunID, _ step: Int, _ item: Int?, isOver: Bool) {
    let place = Place(run: run, step: step, item: item)
    guard let (wait, began, _) = state.withLock({ isOver ? $0.begun[place] : $0.begun.removeValue(forKey: place) }),
      isOver, let until = wait.until
    else { return }
    let unit = World.unit(world.name(of: run), "\(step)", item)
    let now = clocks.now
    // A process that has lived since the wait began goes by the clock that does not jump, others by the time of day.
    let deadline = began + until.seconds(since: wait.at)
    let early = min(until.seconds(since: now), deadline - Scheduler.shared.clock)
    if early > 0.002 { world.violate("\(unit) ends its wait \(early) s too early") }
    let due = clocks.spans(from: until, between: max(began, deadline), and: Scheduler.shared.clock)
    let late = due.reduce(0) { $0 + uptime(from: $1.begin, to: $1.end) }
    if late > slack { world.violate("\(unit) ends its wait \(late) s of working time too late") }
  }

  private func uptime(from begin: Double, to end: Double) -> Double {
    guard begin < end else { return 0 }
    let up = state.withLock { $0.up }
    var sum = 0.0
    for (index, span) in up.enumerated() where span.count > 0 {
      let ends = index + 1 < up.count ? up[index + 1].moment : end
      sum += max(0, min(ends, end) - max(span.moment, begin))
    }
    return sum
  }
}

import Engine
import Expressions
import Plans
import RecipeModel
import Synchronization

/// Watches how often and when units are tried again: as their policies say, whatever happens to processes meanwhile.
final class Attempts: Sendable {
  /// What became of a call.
  struct Call: Sendable {
    var process: String
    var number: Int
    var began: Double
    var ended: Double?
    var retryAfter: Double?
    var hasAnswered = false
  }

  /// What the engine has noted of an attempt.
  private struct Note {
    var process: String
    var isFailure: Bool
    /// After which commit it is on record; 0 where that is on the disk, `nil` where it may not be.
    var written: Int?
  }

  private struct State {
    var calls: [String: [Call]] = [:]
    var notes: [String: [Int: Note]] = [:]
    /// When attempts began, by the time of day on record, and after which commit.
    var starts: [String: [Int: (at: Timestamp, commit: Int)]] = [:]
    /// Units with a result on record, and after which commit.
    var outputs: [String: Int] = [:]
  }

  private let state = Mutex(State())
  // MARK: - What the engine notes

  /// The intent of an attempt is on record, after a commit; 0 where it is on the disk.
  func confirm(_ start: AttemptStart, after commit: Int, of world: World) {
    guard let unit = world.unit(start.run, start.step, start.item) else { return }
    state.withLock { $0.starts[unit, default: [:]][start.number] = (start.at, commit) }
  }

  /// Seconds that an attempt may take; `nil` for any.
  ///
  /// What is left of the budget when it begins. Where that was used up meanwhile, one has as long as the first.
  private func limit(_ unit: String, _ number: Int, _ step: PlanStep?, hasClockJumped: Bool) -> Double? {
    let starts = state.withLock { $0.starts[unit] ?? [:] }
    guard let within = step?.retry.within else { return step?.timeout }
    var budget = within
    // What only looks may have begun without leaving a trace.
    if !hasClockJumped, let step, step.action.effect > .read, let first = starts.values.map(\.at).min(),
      let start = starts[number]?.at
    {
      let left = within - start.seconds(since: first)
      if left > 0.001 { budget = left }
    }
    return min(budget, step?.timeout ?? .infinity)
  }

  /// The end of an attempt is handed to the journal.
  func end(_ end: AttemptEnd, in process: String, of world: World) {
    guard let unit = world.unit(end.run, end.step, end.item) else { return }
    let isFailure = end.failure.map { $0.kind != .cancelled } ?? false
    state.withLock { $0.notes[unit, default: [:]][end.number] = Note(process: process, isFailure: isFailure) }
  }

  /// The end of an attempt is on record.
  func confirm(_ end: AttemptEnd, after commit: Int, of world: World) {
    guard let unit = world.unit(end.run, end.step, end.item) else { return }
    state.withLock { $0.notes[unit]?[end.number]?.written = commit }
  }

  /// A person has found out that a unit has taken effect.
  func settle(_ unit: String) { state.withLock { $0.outputs[unit] = 0 } }

  /// A result is on record.
  func confirmOutput(_ run: RunID, _ step: Int, _ item: Int?, after commit: Int, of world: World) {
    guard let unit = world.unit(run, step, item) else { return }
    state.withLock { $0.outputs[unit] = commit }
  }

  /// All that came after a commit is gone.
  func losePower(after commit: Int) {
    state.withLock { state in
      state.starts = state.starts.mapValues { $0.filter { $0.value.commit <= commit } }
      state.outputs = state.outputs.filter { $0.value <= commit }
      for unit in state.notes.keys {
        for (number, note) in state.notes[unit] ?? [:] where note.written.map({ $0 > commit }) == true {
          state.notes[unit]?[number]?.written = nil
        }
      }
    }
  }

  // MARK: - Calls

  /// A call begins.
  func begin(
    _ unit: String, _ call: Call, _ step: PlanStep?, hasStopped: Bool, hasClockJumped: Bool, hasBeenSettled: Bool,
    in world: World
  ) {
    let (earlier, notes, isDone, intent) = state.withLock { state in
      defer { state.calls[unit, default: []].append(call) }
      return (
        state.calls[unit] ?? [], state.notes[unit] ?? [:], state.outputs[unit] != nil, state.starts[unit]?[call.number]
      )
    }
    if let step, step.action.effect > .read, intent?.commit != 0 {
      world.violate("\(unit) is called before the intent of attempt \(call.number) is on the disk")
    }
    // Who has stood still may look at something, before it learns that its runs have gone.
    let isLook = step.map { $0.action.effect <= .read } ?? false
    if isDone, !(isLook && hasStopped) { world.violate("\(unit) is called again, though its result is on record") }
    guard let step, !earlier.isEmpty, !hasBeenSettled else { return }
    // What is known for certain to whoever makes the call.
    let known = earlier.filter { earlier in
      guard let note = notes[earlier.number], note.process == earlier.process else { return false }
      return note.isFailure && (note.written != nil || note.process == call.process)
    }
    if known.count >= step.retry.attempts * step.providers.count {
      world.violate("\(unit) is called once more after \(known.count) failures of \(step.retry.attempts) allowed ones")
    }
    if earlier.contains(where: { $0.hasAnswered && $0.process == call.process && notes[$0.number]?.isFailure != true })
    {
      world.violate("\(unit) is called again by \(call.process), which has its answer")
    }
    if !hasClockJumped, let within = step.retry.within, step.action.effect > .read, let first = earlier.first,
      let last = known.last, last.began > first.began + within + 0.05
    {
      world.violate("\(unit) is called again \(call.began - first.began) s after its first attempt, within \(within) s")
    }
    guard !hasClockJumped, step.providers.count == 1, let last = earlier.last, let ended = last.ended,
      known.last?.number == last.number
    else { return }
    var pause = step.retry.backoff
    for _ in 1..<known.count { pause *= step.retry.factor }
    pause = max(min(pause, step.retry.maximum) * (1 - step.retry.jitter), last.retryAfter ?? 0)
    if call.began - ended < pause - 0.01 {
      world.violate("\(unit) is called again after \(call.began - ended) s instead of \(pause) s")
    }
  }

  /// A call ends.
  func finish(
    _ unit: String, _ number: Int, process: String, retryAfter: Double?, hasAnswered: Bool, step: PlanStep?,
    hasStopped: Bool, hasClockJumped: Bool, in world: World
  ) {
    let now = Scheduler.shared.clock
    let limit = hasStopped ? nil : limit(unit, number, step, hasClockJumped: hasClockJumped)
    state.withLock { state in
      guard let index = state.calls[unit]?.lastIndex(where: { $0.number == number && $0.process == process }) else {
        return
      }
      if let limit, let began = state.calls[unit]?[index].began, now - began > limit + 0.05 {
        world.violate("a call of \(unit) takes \(now - began) s instead of \(limit) s at most")
      }
      state.calls[unit]?[index].ended = now
      state.calls[unit]?[index].retryAfter = retryAfter
      state.calls[unit]?[index].hasAnswered = hasAnswered
    }
  }

  /// The calls of each unit, in order.
  var calls: [String: [Call]] { state.withLock { $0.calls } }
}

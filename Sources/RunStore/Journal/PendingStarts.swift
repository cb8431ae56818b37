internal import Engine
internal import Expressions

/// The beginning of a step, as `JournalEntry.stepStarted` has it.
struct StepStart: Sendable, Hashable {
  let run: RunID
  let step: Int
  let itemCount: Int?
  let at: Timestamp
}

/// The end of a wait, as `JournalEntry.waitEnded` has it.
struct WaitEnd: Sendable, Hashable {
  let run: RunID
  let step: Int
  let item: Int?
  let at: Timestamp
}

/// Steps of runs that begin in a transaction, and steps and attempts that begin in it and whose end has not come yet; and
/// waits that end in it.
///
/// Most of them end in the transaction that they begin in, as everything does that touches nothing outside: such a row
/// is then written once rather than twice or three times.
struct PendingStarts {
  private struct Unit: Hashable {
    let run: RunID
    let step: Int
    var item: Int?
    var number = 0
  }

  private var steps: [Unit: StepStart] = [:]
  private var attempts: [Unit: AttemptStart] = [:]
  /// Waits that have ended: whether what came for them was of use shows once everything is written.
  var endedWaits: [WaitEnd] = []
  private var planned: [RunID: [RunStart.Step?]] = [:]

  // MARK: - Steps that have not begun

  /// Whether there are steps whose rows are not written.
  var hasPlannedSteps: Bool { !planned.isEmpty }

  /// Takes in the steps of a run that begins.
  mutating func plan(_ steps: [RunStart.Step], of run: RunID) { planned[run] = steps }

  /// Gives up a step whose row is to be written now; `nil` where it is written already.
  mutating func takePlannedStep(_ step: Int, of run: RunID) -> RunStart.Step? {
    guard let index = planned.index(forKey: run), planned.values[index].indices.contains(step) else {
      return nil
    }
    defer { planned.values[index][step] = nil }
    return planned.values[index][step]
  }

  /// Gives up all steps whose rows are not written, by their positions.
  mutating func takePlannedSteps() -> [RunID: [RunStart.Step?]] {
    if planned.isEmpty { return [:] }
    defer { planned = [:] }
    return planned
  }

  // MARK: - What has begun

  /// Takes the beginning of a step in.
  ///
  /// - Returns: An earlier one of the same step, which is to be written first.
  mutating func begin(_ start: StepStart) -> StepStart? {
    steps.updateValue(start, forKey: Unit(run: start.run, step: start.step))
  }

  /// Takes the beginning of an attempt in.
  ///
  /// - Returns: An earlier one with the same number, which is to be written first.
  mutating func begin(_ start: AttemptStart) -> AttemptStart? {
    attempts.updateValue(
      start, forKey: Unit(run: start.run, step: start.step, item: start.item, number: start.number))
  }

  /// Gives up the beginning that an end belongs to; `nil` where it is in the database already, or nowhere.
  mutating func start(of end: StepEnd) -> StepStart? {
    if steps.isEmpty { return nil }
    return steps.removeValue(forKey: Unit(run: end.run, step: end.step))
  }

  /// Gives up the beginning that an end belongs to; `nil` where it is in the database already, or nowhere.
  mutating func start(of end: AttemptEnd) -> AttemptStart? {
    if attempts.isEmpty { return nil }
    return attempts.removeValue(forKey: Unit(run: end.run, step: end.step, item: end.item, number: end.number))
  }

  /// Gives up everything that has not ended.
  mutating func takeAll() -> (steps: [StepStart], attempts: [AttemptStart]) {
    if steps.isEmpty, attempts.isEmpty { return ([], []) }
    defer {
      steps.removeAll(keepingCapacity: true)
      attempts.removeAll(keepingCapacity: true)
    }
    return (Array(steps.values), Array(attempts.values))
  }
}

internal import Engine
internal import Expressions

/// The beginning of a step (`JournalEntry.stepStarted`).
struct StepStart: Sendable, Hashable {
  let run: RunID
  let step: Int
  let itemCount: Int?
  let at: Timestamp
}

/// The end of a wait (`JournalEntry.waitEnded`).
struct WaitEnd: Sendable, Hashable {
  let run: RunID
  let step: Int
  let item: Int?
  let at: Timestamp
}

/// The steps and attempts that begin in a transaction and have not ended yet, and the waits that end in it.
///
/// Most of them end in the same transaction, as all steps without effects do: their row is then written once instead of twice or
/// three times.
struct PendingStarts {
  private struct Unit: Hashable {
    let run: RunID
    let step: Int
    var item: Int?
    var number = 0
  }

  private var steps: [Unit: StepStart] = [:]
  private var attempts: [Unit: AttemptStart] = [:]
  /// Waits that have ended: whether their answers were used is known once all entries are written.
  var endedWaits: [WaitEnd] = []
  private var planned: [RunID: [RunStart.Step?]] = [:]

  // MARK: - Steps that have not begun

  /// Whether rows of steps are not written yet.
  var hasPlannedSteps: Bool { !planned.isEmpty }

  /// Adds the steps of a run that begins.
  mutating func plan(_ steps: [RunStart.Step], of run: RunID) { planned[run] = steps }

  /// Removes a step whose row is to be written now; `nil` if it is written already.
  mutating func takePlannedStep(_ step: Int, of run: RunID) -> RunStart.Step? {
    guard let index = planned.index(forKey: run), planned.values[index].indices.contains(step) else {
      return nil
    }
    defer { planned.values[index][step] = nil }
    return planned.values[index][step]
  }

  /// Removes all steps whose rows are not written, by their positions.
  mutating func takePlannedSteps() -> [RunID: [RunStart.Step?]] {
    if planned.isEmpty { return [:] }
    defer { planned = [:] }
    return planned
  }

  // MARK: - What has begun

  /// Adds the beginning of a step.
  ///
  /// - Returns: An earlier one of the same step, which is to be written first.
  mutating func begin(_ start: StepStart) -> StepStart? {
    steps.updateValue(start, forKey: Unit(run: start.run, step: start.step))
  }

  /// Adds the beginning of an attempt.
  ///
  /// - Returns: An earlier one with the same number, which is to be written first.
  mutating func begin(_ start: AttemptStart) -> AttemptStart? {
    attempts.updateValue(
      start, forKey: Unit(run: start.run, step: start.step, item: start.item, number: start.number))
  }

  /// Removes the beginning that an end belongs to; `nil` if it is in the database already, or was never recorded.
  mutating func start(of end: StepEnd) -> StepStart? {
    if steps.isEmpty { return nil }
    return steps.removeValue(forKey: Unit(run: end.run, step: end.step))
  }

  /// Removes the beginning that an end belongs to; `nil` if it is in the database already, or was never recorded.
  mutating func start(of end: AttemptEnd) -> AttemptStart? {
    if attempts.isEmpty { return nil }
    return attempts.removeValue(forKey: Unit(run: end.run, step: end.step, item: end.item, number: end.number))
  }

  /// Removes all beginnings without an end.
  mutating func takeAll() -> (steps: [StepStart], attempts: [AttemptStart]) {
    if steps.isEmpty, attempts.isEmpty { return ([], []) }
    defer {
      steps.removeAll(keepingCapacity: true)
      attempts.removeAll(keepingCapacity: true)
    }
    return (Array(steps.values), Array(attempts.values))
  }
}

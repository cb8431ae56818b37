import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

/// One run while it is being worked on: carries out the actions of ``RunMachine`` and tells it what happens.
struct RunExecution {
  /// How the work on a run has ended.
  enum Ending: Sendable {
    /// With the run's own end.
    case ended(RunEnd)
    /// With nothing left to do until then; `nil` where only something from outside ends the wait.
    case parked(until: Timestamp?)
  }

  private enum Report: Sendable {
    case unit(step: Int, item: Int?, UnitOutcome)
    case deadline
    case cancel
    case tick
    case nothing
  }

  private struct Unit: Hashable {
    var step: Int
    var item: Int?
  }

  /// The items of a loop and what became of them so far.
  private struct LoopState {
    var items: [Value]
    var outcomes: [UnitOutcome?]
  }

  private let context: RunContext
  private var machine: RunMachine
  private var values: RunValues
  private var loops: [Int: LoopState] = [:]
  private var outputs: [Int: Value] = [:]
  private var ending: Ending?
  /// Whether what was under way has been cancelled, so that what begins now begins apart from it.
  private var isApart = false
  /// What begins once all that was cancelled has ended.
  private var held: [Unit] = []
  /// Units that had begun when the run was left.
  private var resumed: [Unit: UnitSnapshot] = [:]
  /// Units that wait, and until when.
  private var waits: [Unit: Timestamp?] = [:]
  private var isTicking = false
  /// How many units have tasks of their own.
  private var tasks = 0
  /// When each step that works began: what `now()` gives in it.
  private var beginnings: [Timestamp?]
  /// The outputs, as far as they are evaluated.
  private var runOutputs = ValueMap()
  /// Whether the machine knows that somebody has cancelled the run, and that its deadline has passed.
  private var hasToldCancel = false
  private var hasToldDeadline = false

  init(context: RunContext, snapshot: RunSnapshot?) async throws {
    self.context = context
    let plan = context.plan
    beginnings = Array(repeating: nil, count: plan.steps.count)
    if let snapshot {
      machine = RunMachine(
        steps: plan.steps, resuming: snapshot.steps, turn: snapshot.turn?.reason, hasOutputs: !plan.outputs.isEmpty)
      context.observer.observe(.resumed(snapshot))
    } else {
      machine = RunMachine(steps: plan.steps, hasOutputs: !plan.outputs.isEmpty)
      // At once, so that a run whose process dies is known to have begun; one that asks nobody outside is known soon.
      try await context.record([.runStarted(context.start)], plan.isPure ? .accepted : .committed)
    }
    do {
      values = try RunValues(plan: plan, request: context.start.request, now: context.start.at)
    } catch {
      let failure = ActionFailure(
        .invalidInput, LocalizedText("keywords: ", de: "Schlüsselwörter: ") + error.message)
      let end = RunEnd(
        run: context.run, status: .failed, outputs: .map([:]), failure: failure, at: context.time.now)
      try await context.record([.runFinished(end)], .committed)
      throw EngineError(.unknownKeyword, failure.message, cause: error)
    }
    guard let snapshot else { return }
    do {
      try restore(snapshot)
    } catch let error as ExpressionError {
      throw EngineError.cannotGoOn(context.run, error)
    }
  }

  mutating func execute() async throws -> Ending {
    if context.control.isCancelled {
      hasToldCancel = true
      context.stopSignal.set(callsOff: true)
      _ = machine.handle(.stop(.cancelled))
    }
    if let left = secondsLeft, left <= 0 {
      hasToldDeadline = true
      _ = machine.handle(.stop(.failed(deadlineFailure)))
    }
    try await executeUnits(isFirst: true)
    // What was under way has been cancelled; steps that run at the end begin apart from that.
    while ending == nil, !held.isEmpty { try await executeUnits(isFirst: false) }
    if let ending { return ending }
    let stuck = ActionFailure(
      .invalidInput, .init("the plan cannot continue", de: "der Plan kann nicht weitergehen"))
    return .ended(finish(status: .failed, failure: stuck))
  }

  /// Executes units until none is under way any more.
  private mutating func executeUnits(isFirst: Bool) async throws {
    try await withThrowingTaskGroup(of: Report.self) { group in
      isApart = false
      isTicking = false
      tasks = 0
      context.isShared = false
      if isFirst {
        watch(in: &group)
        try await carryOut(machine.handle(.start), in: &group)
      } else {
        let units = held
        held = []
        for unit in units { try await start(unit, in: &group) }
      }
      while ending == nil, let report = try await group.next() {
        if isInterrupted { try await carryOut(machine.handle(.stop(.interrupted)), in: &group) }
        try await take(report, in: &group)
      }
      group.cancelAll()
    }
  }

  /// Whether the run is to be left to whoever resumes it.
  private var isInterrupted: Bool { Task.isCancelled || context.isDraining }

  /// Seconds until the run's deadline, which counts from the run's beginning in whatever process; `nil` without one.
  private var secondsLeft: Double? {
    context.plan.timeout.map { $0 - max(0, context.time.now.seconds(since: context.start.at)) }
  }

  /// Looks out for the run's deadline and for somebody who cancels it.
  private func watch(in group: inout ThrowingTaskGroup<Report, any Error>) {
    let control = context.control
    if !control.isCancelled { group.addTask { await control.waitForCancel() ? .cancel : .nothing } }
    guard let left = secondsLeft, left > 0 else { return }
    let time = context.time
    group.addTask {
      do { try await time.sleep(seconds: left) } catch { return .nothing }
      return .deadline
    }
  }

  private mutating func take(_ report: Report, in group: inout ThrowingTaskGroup<Report, any Error>) async throws {
    switch report {
    case .unit(let step, let item, let outcome):
      tasks -= 1
      if tasks == 0 { context.isShared = false }
      try await carryOut(take(outcome, step: step, item: item), in: &group)
    case .deadline, .cancel:
      var isDeadline = false
      if case .deadline = report { isDeadline = true }
      let actions = try await tellStops(isDeadline: isDeadline, in: group)
      try await carryOut(actions, in: &group)
    case .tick:
      isTicking = false
      try await wakeUnits(in: &group)
    case .nothing:
      break
    }
  }

  /// Whether the run was cancelled, or its time is up, and the machine does not know yet.
  private var hasStopToTell: Bool {
    !hasToldCancel && context.control.isCancelled || !hasToldDeadline && secondsLeft.map { $0 <= 0 } == true
  }

  /// Tells the machine where somebody has cancelled the run, or its time is up: before anything begins, since nobody else
  /// looks while one quick step follows another.
  private mutating func tellStops(
    isDeadline: Bool = false, in group: ThrowingTaskGroup<Report, any Error>
  ) async throws -> [RunMachine.Action] {
    var actions: [RunMachine.Action] = []
    if !hasToldCancel, context.control.isCancelled {
      hasToldCancel = true
      // On record before anything is closed: whoever resumes the run after a crash must know why.
      try await context.engine.queue.requestCancel(of: context.run)
      actions += cancelUnits(for: .cancelled, in: group)
    }
    if !hasToldDeadline, isDeadline || secondsLeft.map({ $0 <= 0 }) == true {
      hasToldDeadline = true
      actions += cancelUnits(for: .failed(deadlineFailure), in: group)
    }
    return actions
  }

  /// Cancels what is under way and stops the run.
  private mutating func cancelUnits(
    for reason: RunMachine.Stop, in group: ThrowingTaskGroup<Report, any Error>
  ) -> [RunMachine.Action] {
    // Steps that undo, or run at the end, are not cut short by it.
    if machine.worksOnMainSteps {
      isApart = true
      context.stopSignal.set(callsOff: true)
      group.cancelAll()
    }
    return machine.handle(.stop(reason))
  }

  /// Feeds the machine what became of a unit.
  private mutating func take(_ outcome: UnitOutcome, step: Int, item: Int?) -> [RunMachine.Action] {
    let outcome = outcome.recorded
    if case .waits(let progress, let until) = outcome {
      waits[Unit(step: step, item: item)] = .some(until)
      resumed[Unit(step: step, item: item)] = progress
      return machine.handle(.unitWaits(step: step, item: item))
    }
    loops[step]?.outcomes[item ?? 0] = outcome
    if item == nil { outputs[step] = outcome.output }
    switch outcome {
    case .success, .failure, .waits:
      return machine.handle(.unitFinished(step: step, item: item, failure: outcome.failure))
    case .suspended:
      return machine.handle(.unitSuspended(step: step, item: item))
    case .left:
      return machine.handle(.unitLeft(step: step, item: item))
    case .inDoubt(let failure):
      return machine.handle(.stop(.needsAttention(failure)))
        + machine.handle(.unitSuspended(step: step, item: item))
    }
  }

  private var deadlineFailure: ActionFailure {
    ActionFailure(
      .timeout,
      .init(
        "the run took longer than its timeout of \((context.plan.timeout ?? 0).spokenSeconds.english)",
        de: "der Lauf hat länger gedauert als sein timeout von \((context.plan.timeout ?? 0).spokenSeconds.german)"))
  }

  // MARK: - Resuming

  /// Makes what earlier steps have given visible again, in the order in which it came about.
  private mutating func restore(_ snapshot: RunSnapshot) throws {
    let plan = context.plan.steps
    if let turn = snapshot.turn { restore(turn) }
    for (index, recorded) in snapshot.steps.enumerated() where recorded.status == .pending {
      // Its beginning may have been lost in a write that failed, and that of its units not; or it has keys of the run that
      // this one repeats.
      for unit in recorded.units { resumed[Unit(step: index, item: unit.item)] = unit }
    }
    var isDone = [Bool](repeating: false, count: plan.count)
    var isOpen = true
    while isOpen {
      isOpen = false
      for (index, step) in plan.enumerated() where !isDone[index] && snapshot.steps.indices.contains(index) {
        guard step.needs.allSatisfy({ !isDone.indices.contains($0) || isDone[$0] }) else { continue }
        let recorded = snapshot.steps[index]
        guard recorded.status != .pending else { continue }
        try restore(index, recorded)
        // Nothing that comes later may rest on a step that still works.
        guard recorded.status != .running else { continue }
        isDone[index] = true
        isOpen = true
      }
    }
  }

  private mutating func restore(_ index: Int, _ recorded: StepSnapshot) throws {
    let step = context.plan.steps[index]
    beginnings[index] = recorded.startedAt
    var items: [Value] = []
    if let count = recorded.itemCount {
      items = try values.items(of: step, at: recorded.startedAt)
      guard items.count == count else { throw EngineError.listDiffers(step.id, run: context.run) }
      var outcomes = [UnitOutcome?](repeating: nil, count: count)
      for unit in recorded.units {
        guard let item = unit.item, outcomes.indices.contains(item) else { continue }
        outcomes[item] = unit.progress.outcome
        if outcomes[item] == nil { resumed[Unit(step: index, item: item)] = unit }
      }
      loops[index] = LoopState(items: items, outcomes: outcomes)
    } else if step.loop != nil, recorded.status == .running {
      // It is prepared again.
      for unit in recorded.units { resumed[Unit(step: index, item: unit.item)] = unit }
      return
    } else if let unit = recorded.units.first {
      if let output = unit.output { outputs[index] = output }
      resumed[Unit(step: index, item: nil)] = unit
    }
    guard recorded.status != .running else { return }
    resumed[Unit(step: index, item: nil)] = nil
    close(index, status: recorded.status, failure: recorded.failure)
  }

  private mutating func restore(_ turn: RunTurn) {
    if case .failed(let failure, let step) = turn.reason { showReason(failure, step: step) }
    guard case .map(let outputs) = turn.outputs else { return }
    for (name, _) in context.plan.outputs { runOutputs[name] = outputs[name] }
  }

  // MARK: - Waiting

  /// Wakes the units whose time has come, or for which something may have come from outside.
  private mutating func wakeUnits(in group: inout ThrowingTaskGroup<Report, any Error>) async throws {
    let now = context.time.now
    for (unit, until) in waits where isDue(unit, until, at: now) {
      let actions = machine.handle(.wake(step: unit.step, item: unit.item))
      // A run that stops keeps its waits.
      guard !actions.isEmpty else { continue }
      waits[unit] = nil
      try await carryOut(actions, in: &group)
    }
    tick(in: &group)
  }

  /// Whether a unit that waits is to be looked at again.
  private func isDue(_ unit: Unit, _ until: Timestamp?, at now: Timestamp) -> Bool {
    if let until, until <= now { return true }
    let deadline = resumed[unit]?.wait.flatMap(context.engine.deadlines.deadline)
    if let deadline, deadline <= context.time.monotonic { return true }
    switch resumed[unit]?.wait?.kind {
    case .time, .retry: return false
    case .event, .approval, .recipe, nil: return true
    }
  }

  /// While something else is being worked on, waits are looked at from time to time.
  private mutating func tick(in group: inout ThrowingTaskGroup<Report, any Error>) {
    guard !isTicking, !waits.isEmpty, !machine.isIdle else { return }
    isTicking = true
    let now = context.time.now
    // One that begins meanwhile may end sooner than all others.
    var pause = 1.0
    for until in waits.values.compactMap({ $0 }) { pause = min(pause, max(0.01, until.seconds(since: now))) }
    let time = context.time
    group.addTask { [pause] in
      do { try await time.sleep(seconds: pause) } catch { return .nothing }
      return .tick
    }
  }

  // MARK: - The machine's actions

  private mutating func carryOut(
    _ actions: [RunMachine.Action], in group: inout ThrowingTaskGroup<Report, any Error>
  ) async throws {
    var queue = actions[...]
    while true {
      if hasStopToTell { queue.append(contentsOf: try await tellStops(in: group)) }
      if machine.isStopping { context.stopSignal.set() }
      guard let action = queue.popFirst() else { break }
      switch action {
      case .prepare(let step):
        let now = context.time.now.wholeMilliseconds
        beginnings[step] = now
        let preparation = prepare(step)
        var count: Int?
        if case .loop(let items) = preparation { count = items }
        try await context.note(.stepStarted(run: context.run, step: step, itemCount: count, at: now))
        queue.append(contentsOf: machine.handle(.prepared(step: step, preparation)))
      case .startUnit(let step, let item):
        let unit = Unit(step: step, item: item)
        waits[unit] = nil
        if isApart {
          held.append(unit)
        } else if runsInPlace(unit) {
          let outcome = try await execute(unit)
          // A run of nothing but quick steps is interrupted between two of them.
          if isInterrupted { queue.append(contentsOf: machine.handle(.stop(.interrupted))) }
          queue.append(contentsOf: take(outcome, step: step, item: item))
        } else {
          try await start(unit, isAlone: tasks == 0 && queue.isEmpty, in: &group)
        }
      case .finishStep(let step, let status, let succeeded, let failed, let failure):
        try await finish(step: step, status: status, succeeded: succeeded, failed: failed, failure: failure)
      case .conclude:
        let failure = evaluateOutputs(late: false)
        queue.append(contentsOf: machine.handle(.concluded(failure)))
      case .turn(let reason):
        if case .failed(let failure, let step) = reason { showReason(failure, step: step) }
        // Where the run ends with it, its end says all.
        if case .finishRun = queue.first { continue }
        try await note(reason)
      case .park:
        var dates = waits.values.compactMap { $0 }
        // Once the deadline has passed, only steps that run at the end are left, and their waits count alone.
        if let limit = context.plan.timeout, let left = secondsLeft, left > 0 {
          dates.append(context.start.at.adding(seconds: limit))
        }
        ending = .parked(until: dates.min())
      case .finishRun(let status, let failure):
        ending = .ended(finish(status: status, failure: failure))
      }
    }
    tick(in: &group)
  }

  /// Shows the steps that deal with a failure why the run has turned.
  private mutating func showReason(_ failure: ActionFailure, step: Int?) {
    let steps = context.plan.steps
    let id = step.flatMap { steps.indices.contains($0) ? steps[$0].id : nil } ?? ""
    values.fail(failure, step: id, isReason: true)
  }

  /// Records why the run turns, together with what depends on it.
  private func note(_ reason: RunTurn.Reason) async throws {
    var turn = RunTurn(run: context.run, reason: reason, at: context.time.now)
    if case .succeeded = reason { turn.outputs = .map(runOutputs) }
    try await context.note(.runTurned(turn))
  }

  /// Whether this task executes a unit itself: nothing else is under way, and the unit soon ends.
  private func runsInPlace(_ unit: Unit) -> Bool {
    let step = context.plan.steps[unit.step]
    return tasks == 0 && step.isComputation && !step.action.isWait && step.child == nil && step.cache == nil
  }

  /// Evaluates a step's condition and list.
  private mutating func prepare(_ step: Int) -> RunMachine.Preparation {
    let plan = context.plan.steps[step]
    var field = plan.condition == nil ? "for_each" : "when"
    do throws(ExpressionError) {
      let bindings = try values.bindings(beforeItemsOf: plan, at: beginnings[step])
      if let condition = plan.condition {
        let answer: Value
        do throws(ExpressionError) {
          answer = try condition.evaluate(bindings)
        } catch {
          throw error.explained(by: condition.references, condition.source, bindings)
        }
        guard case .bool(let holds) = answer else {
          throw ExpressionError(
            .wrongType, .init("'when' must be true or false", de: "'when' muss true oder false ergeben"))
        }
        if !holds { return .skip }
      }
      guard plan.loop != nil else { return .single }
      field = "for_each"
      let items = try values.items(of: plan, at: beginnings[step])
      loops[step] = LoopState(items: items, outcomes: Array(repeating: nil, count: items.count))
      return .loop(count: items.count)
    } catch {
      return .failed(ActionFailure(evaluating: field, of: plan.id, error))
    }
  }

  /// Begins a unit in a task of its own.
  ///
  /// - Parameter isAlone: Whether nothing else is under way or begins now.
  private mutating func start(
    _ unit: Unit, isAlone: Bool = false, in group: inout ThrowingTaskGroup<Report, any Error>
  ) async throws {
    tasks += 1
    try await context.share(flushing: !isAlone)
    let values = values
    let began = beginnings[unit.step]
    let work = UnitWork(context: context, step: unit.step, item: unit.item, resumed: resumed.removeValue(forKey: unit))
    let element = element(of: unit)
    // What is alone begins on this thread; what has company may need another one.
    if isAlone {
      group.addImmediateTask {
        .unit(step: work.step, item: work.item, try await Self.execute(work, values, element, began))
      }
    } else {
      group.addTask {
        .unit(step: work.step, item: work.item, try await Self.execute(work, values, element, began))
      }
    }
  }

  /// Executes a unit in place.
  private mutating func execute(_ unit: Unit) async throws -> UnitOutcome {
    let work = UnitWork(context: context, step: unit.step, item: unit.item, resumed: resumed.removeValue(forKey: unit))
    return try await Self.execute(work, values, element(of: unit), beginnings[unit.step])
  }

  private func element(of unit: Unit) -> (index: Int, value: Value)? {
    guard let index = unit.item, let items = loops[unit.step]?.items, items.indices.contains(index) else { return nil }
    return (index, items[index])
  }

  private static func execute(
    _ work: UnitWork, _ values: RunValues, _ element: (index: Int, value: Value)?, _ began: Timestamp?
  ) async throws -> UnitOutcome {
    let bindings: Bindings
    do throws(ExpressionError) {
      bindings = try values.bindings(for: work.plan, item: element, at: began)
    } catch {
      return .failure(ActionFailure(evaluating: "keywords", of: work.plan.id, error))
    }
    return try await work.execute(bindings)
  }

  private mutating func finish(
    step: Int, status: StepStatus, succeeded: Int, failed: Int, failure: ActionFailure?
  ) async throws {
    let isLoop = close(step, status: status, failure: failure)
    let end = StepEnd(
      run: context.run, step: step, status: status, itemsSucceeded: isLoop ? succeeded : nil,
      itemsFailed: isLoop ? failed : nil, failure: failure, at: context.time.now)
    if status == .succeeded {
      try await context.note(.stepFinished(end))
    } else {
      try await context.note(await close(unitsOf: step) + [.stepFinished(end)])
    }
  }

  /// Ends what is left of a step that ends before its units do: their waits, so that nothing from outside goes to them
  /// any more, and attempts whose end was lost with an earlier process.
  private mutating func close(unitsOf step: Int) async -> [JournalEntry] {
    let units = resumed.filter { $0.key.step == step }.sorted { ($0.key.item ?? -1) < ($1.key.item ?? -1) }
    var entries: [JournalEntry] = []
    let now = context.time.now
    for (unit, recorded) in units {
      waits[unit] = nil
      resumed[unit] = nil
      if recorded.wait != nil { entries.append(.waitEnded(run: context.run, step: step, item: unit.item, at: now)) }
      guard let last = recorded.lastAttempt, last.endedAt == nil, !recorded.progress.isFinal else { continue }
      _ = await context.endPrograms(of: last, step: step, item: unit.item)
      entries.append(
        .attemptFinished(
          AttemptEnd(
            run: context.run, step: step, item: unit.item, number: last.number, failure: .lost(.cancelled),
            outputBytes: 0, duration: 0, retryDelay: nil, at: now)))
    }
    return entries
  }

  /// Makes the end of a step visible to later ones.
  ///
  /// - Returns: Whether it had a loop.
  @discardableResult
  private mutating func close(_ step: Int, status: StepStatus, failure: ActionFailure?) -> Bool {
    let loop = loops.removeValue(forKey: step)
    beginnings[step] = nil
    let items = loop.map { loop in
      loop.items.indices.map { RunValues.item(index: $0, value: loop.items[$0], outcome: loop.outcomes[$0]) }
    }
    let output =
      loop.map { .list($0.outcomes.compactMap { $0?.output }) } ?? outputs.removeValue(forKey: step) ?? .null
    values.finish(context.plan.steps[step].id, status: status, output: output, items: items, failure: failure)
    if status == .failed, let failure, context.plan.steps[step].onError == .fail {
      values.fail(failure, step: context.plan.steps[step].id)
    }
    return loop != nil
  }

  /// Evaluates the outputs: those that speak of the steps at the end when those have ended, the others before they begin.
  ///
  /// - Returns: Why they cannot be evaluated.
  private mutating func evaluateOutputs(late: Bool) -> ActionFailure? {
    do throws(ExpressionError) {
      let bindings = values.bindings(at: context.time.now)
      for (name, value) in context.plan.outputs where context.plan.speaksOfLastSteps(value) == late {
        runOutputs[name] = try value.evaluate(bindings)
      }
      return nil
    } catch {
      // A child run is retried with its parent.
      let retry = context.start.parent == nil ? "sous retry \(context.run)" : "sous retry"
      return ActionFailure(
        .outputs, LocalizedText("outputs: ", de: "Ausgaben (outputs): ") + error.message,
        advice: .init(
          "all steps have done their work and nothing was undone: correct 'outputs' in the recipe, then '\(retry)' "
            + "evaluates them again and repeats no step that succeeded",
          de: "Alle Schritte haben ihre Arbeit getan, und nichts wurde zurückgenommen: 'outputs' im Rezept "
            + "berichtigen; '\(retry)' wertet sie dann neu aus und wiederholt keinen Schritt, der gelungen ist"))
    }
  }

  private mutating func finish(status: RunStatus, failure: ActionFailure?) -> RunEnd {
    var end = RunEnd(run: context.run, status: status, outputs: .map([:]), failure: failure, at: context.time.now)
    guard status == .succeeded else { return end }
    if let failure = evaluateOutputs(late: true) {
      end.status = .failed
      end.failure = failure
      return end
    }
    var outputs = ValueMap()
    for (name, _) in context.plan.outputs { outputs[name] = runOutputs[name] }
    end.outputs = .map(outputs)
    return end
  }
}

extension Plan {
  /// Whether a declared output speaks of steps that deal with a failure or run at the end.
  fileprivate func speaksOfLastSteps(_ output: BoundValue) -> Bool {
    let last = Set(steps.filter { $0.phase != .main }.map(\.id))
    guard !last.isEmpty else { return false }
    return output.references.contains { reference in
      guard !reference.isKeyword, reference.path.first == "steps" else { return false }
      return reference.path.count < 2 || last.contains(reference.path[1])
    }
  }
}

extension Timestamp {
  /// The point in time as the run log keeps it.
  var wholeMilliseconds: Timestamp {
    Timestamp(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
  }
}

extension EngineError {
  fileprivate static func cannotGoOn(_ run: RunID, _ error: ExpressionError) -> EngineError {
    EngineError(
      .planDiffers,
      LocalizedText(
        "the recipe does not fit what run \(run) has done: ",
        de: "das Rezept passt nicht zu dem, was Lauf \(run) getan hat: ")
        + error.message, cause: error)
  }

  fileprivate static func listDiffers(_ step: String, run: RunID) -> EngineError {
    EngineError(
      .planDiffers,
      .init(
        "the list of step '\(step)' now has another length than when run \(run) began",
        de: "die Liste von Schritt '\(step)' hat jetzt eine andere Länge als zu Beginn von Lauf \(run)"))
  }
}

extension PlanStep {
  /// Whether the step runs code of Sous that touches nothing outside. Its attempts need no intent on the disk: the journal writes
  /// them with the next entry that somebody waits for, and whoever resumes the run computes again what is missing.
  var isComputation: Bool { action.isBuiltin && action.effect == .pure && repetition == nil }
}

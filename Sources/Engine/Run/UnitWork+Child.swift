import Expressions
import Localization
import Plans
import RecipeModel
import Synchronization

extension UnitWork {
  /// A recipe that a step runs.
  private struct Child {
    /// Its plan, with the keywords of the step.
    var plan: Plan
    /// The keywords in force at the step.
    var outer: [String: Value]
  }

  /// Runs another recipe as a run of its own and waits for its end.
  ///
  /// Its steps have their own retries, so the step that starts it makes one attempt. A run that was begun before goes on;
  /// one that an earlier run of the recipe has begun, and that has ended, is repeated like that run.
  ///
  /// - Parameters:
  ///   - recipe: The other recipe.
  ///   - bindings: The variables of the step's expressions.
  ///   - input: What it is given.
  func runRecipe(_ recipe: Plan, _ bindings: Bindings, input: Value) async throws -> UnitOutcome {
    var work = self
    while true {
      if let outcome = try await work.pauseBeforeRepetition() { return outcome }
      let outcome = try await work.runRecipeOnce(recipe, bindings, input: input)
      // Not true yet: another run of the recipe follows.
      guard case .waits(let progress, _) = outcome, progress.wait == nil else { return outcome }
      work = UnitWork(context: context, step: step, item: item, resumed: progress)
    }
  }

  private func runRecipeOnce(_ recipe: Plan, _ bindings: Bindings, input: Value) async throws -> UnitOutcome {
    let outer = bindings.keywords
    let child = Child(plan: bounded(recipe, outer), outer: outer)
    let earlier = try await earlierChild()
    let begun = earlier == nil ? begunAttempt : nil
    let number = begun?.number ?? (resumed?.attempts ?? 0) + 1
    let id: RunID
    var intent: [JournalEntry] = []
    var repetition: RunEngine.Repetition?
    if let begun {
      id = RunID(rawValue: begun.key)
    } else {
      id = context.engine.options.newRun(context.time.now)
      var start = AttemptStart(
        run: context.run, step: step, item: item, number: number, kind: .recipe, key: id.rawValue,
        inputBytes: input.jsonSize, at: context.time.now)
      intent = [.attemptStarted(start)]
      let found: Result<RunEngine.Repetition, ActionFailure>?
      if let earlier { found = try await self.repetition(of: earlier, child, as: id) } else { found = nil }
      switch found {
      case nil: try await context.record(intent, .accepted)
      case .success(let found): repetition = found
      case .failure(let failure):
        // What was to be repeated stays known to whoever tries again.
        start.key = earlier?.start.run.rawValue ?? start.key
        try await context.record([.attemptStarted(start)], .accepted)
        return try await end(.failure(failure), number, context.time.monotonic)
      }
    }
    let began = context.time.monotonic
    let startedAt = context.time.now
    let result: RunResult
    do {
      switch try await run(child, as: id, input: input, isBegun: begun != nil, again: repetition, intent) {
      case .success(let ended): result = ended
      case .failure(let failure): return try await end(.failure(failure), number, began)
      }
    } catch let error as EngineError where error.code != .journal {
      // It could not begin, or not go on.
      return try await end(.failure(ActionFailure(.invalidInput, error.message)), number, began)
    }
    var progress = resumed ?? UnitSnapshot(item: item)
    if progress.lastAttempt?.number != number || progress.lastAttempt?.kind == .carried {
      progress.begin(
        AttemptStart(
          run: context.run, step: step, item: item, number: number, kind: .recipe, key: id.rawValue,
          inputBytes: 0, at: startedAt))
    }
    switch result.status {
    case .succeeded:
      guard let unmet = unmet(result.outputs, progress: progress, bindings) else {
        return try await end(.success(result.outputs), number, began)
      }
      return try await end(unmet, &progress, number, began)
    case .failed, .skipped: return try await end(.failure(await failure(of: result, child.plan)), number, began)
    case .cancelled where !context.stopSignal.isSet || plan.phase != .main:
      return try await end(.failure(await failure(of: result, child.plan)), number, began)
    case .needsAttention:
      var failure = await failure(of: result, child.plan)
      // A person settles it by the run that they know.
      failure.advice = .settling(context.run)
      return try await end(.inDoubt(failure), number, began)
    case .waiting:
      let wait = WaitStart(
        run: context.run, step: step, item: item, kind: .recipe, until: result.due, at: context.time.now)
      try await context.record([.waitStarted(wait)], .accepted)
      // The repetitions that have ended, and when the first one began, count on.
      progress.lastAttempt?.endedAt = nil
      progress.lastAttempt?.failure = nil
      progress.wait = wait
      return .waits(progress, until: result.due)
    case .cancelled: return try await end(.suspended, number, began)
    case .interrupted, .running, .queued: return try await end(.left, number, began)
    }
  }

  /// A plan of the other recipe, as it is now or as it was, with the keywords, permissions, budgets and time of this step.
  private func bounded(_ recipe: Plan, _ outer: [String: Value]) -> Plan {
    var bounded = recipe.inheriting(outer)
    if recipe.block != nil {
      // A keyword keeps its type: a block has the keywords of the recipe around it.
      bounded.keywords = bounded.keywords.map { ($0.name, outer[$0.name].map { .literal($0) } ?? $0.value) }
    }
    // A child run has no more permissions than its parent.
    if let allowed = context.permissions {
      bounded.permissions = bounded.permissions?.intersection(allowed) ?? allowed
    }
    bounded.outerBudgets = context.plan.budgets(of: context.run)
    if let limit = plan.timeout { bounded.timeout = min(limit, bounded.timeout ?? limit) }
    return bounded
  }

  private func end(_ outcome: UnitOutcome, _ number: Int, _ began: Double) async throws -> UnitOutcome {
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: number, failure: outcome.failure, outputBytes: 0,
      duration: context.time.monotonic - began, retryDelay: nil, at: context.time.now)
    switch outcome {
    case .success(let output):
      end.outputBytes = output.jsonSize
      try await context.record(
        [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)], .soon)
    case .suspended, .left, .waits:
      end.failure = .cancelledByRun
      try await context.record([.attemptFinished(end)], .accepted)
    case .inDoubt:
      end.isUncertain = true
      try await context.record([.attemptFinished(end)], .synced)
    case .failure:
      try await context.record([.attemptFinished(end)], .soon)
    }
    return outcome
  }

  /// Records that a run of the recipe succeeded without making `until` true.
  ///
  /// - Returns: The progress, without a wait, if another run follows.
  private func end(
    _ unmet: Unmet, _ progress: inout UnitSnapshot, _ number: Int, _ began: Double
  ) async throws -> UnitOutcome {
    let end = AttemptEnd(
      run: context.run, step: step, item: item, number: number, failure: unmet.failure, outputBytes: 0,
      duration: context.time.monotonic - began, retryDelay: unmet.pause, at: context.time.now)
    try await context.record([.attemptFinished(end)], .soon)
    progress.end(end)
    progress.wait = nil
    return unmet.pause == nil ? .failure(unmet.failure) : .waits(progress, until: nil)
  }

  /// The attempt whose run this unit resumes.
  private var begunAttempt: AttemptSnapshot? {
    switch resumed?.progress {
    case .cancelled(let last), .outcomeUnknown(let last): last
    case .waiting(let wait): wait.kind == .recipe ? resumed?.lastAttempt : nil
    case .open(let last): last.kind == .carried ? last : nil
    case .notBegun, .succeeded, .failed, nil: nil
    }
  }

  /// The run that the repeated run has begun for this unit, where it has ended.
  private func earlierChild() async throws -> RunSnapshot? {
    guard let last = resumed?.lastAttempt, last.kind == .carried else { return nil }
    let queue = context.engine.queue
    let id = RunID(rawValue: last.key)
    return try await queue.result(of: id) == nil ? nil : try await queue.snapshot(of: id)
  }

  /// Works on the other recipe's run.
  ///
  /// - Parameters:
  ///   - isBegun: Whether it was begun before.
  ///   - repetition: What it is where it repeats another one.
  ///   - intent: What says that this unit begins it, where that is to be written together with the run's beginning: of a
  ///     run that repeats another one, nobody must forget which.
  private func run(
    _ child: Child, as id: RunID, input: Value, isBegun: Bool, again repetition: RunEngine.Repetition?,
    _ intent: [JournalEntry]
  ) async throws -> Result<RunResult, ActionFailure> {
    let observer = ChildObserver(context: context, step: step, item: item, total: child.plan.steps.count)
    let control = CancelToken()
    // Whoever calls the parent off calls the child off as well. Its own last steps run all the same, so it does not stand
    // below the task that is cancelled.
    // An interruption stops the run as well, but only for now.
    let isInterrupted = (Task.isCancelled || context.isDraining) && !context.stopSignal.callsOff
    let isCalledOff = isBegun && isStopped && !isInterrupted
    if isCalledOff { control.cancel() }
    let work = Task { () async throws -> Result<RunResult, ActionFailure> in
      if isCalledOff { try? await context.engine.queue.requestCancel(of: id) }
      if isBegun, let begun = try await resume(child, id, observer, control) { return .success(begun) }
      if isBegun, resumed?.lastAttempt?.kind == .carried,
        try await context.engine.queue.hasLostOrigin(context.run)
      {
        return .failure(.isForgotten(id, context.start, step: plan.id))
      }
      if let repetition { return .success(try await begin(repetition, child, intent, observer, control)) }
      let inputs: Value
      do throws(EngineError) {
        inputs = try child.plan.inputs(from: input.jsonForm.fields)
      } catch {
        return .failure(ActionFailure(.invalidInput, error.message))
      }
      let keywords = context.start.keywords.filter { child.plan.keywordNames.contains($0.key) }
      var request = RunRequest(id: id, inputs: inputs, keywords: keywords, trigger: "\(context.run).\(plan.id)")
      request.parent = context.run
      request.startedBy = context.start.startedBy
      guard child.plan.concurrency != nil else {
        return .success(try await context.engine.run(child.plan, request, observer: observer, control: control))
      }
      try await context.engine.line(up: child.plan, request)
      let queued = try await resume(child, id, observer, control)
      return .success(queued ?? RunResult(id: id, status: .interrupted, outputs: .map([:]), failure: nil))
    }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      if context.stopSignal.callsOff { control.cancel() } else { work.cancel() }
    }
  }

  /// What repeats a run with what it has done already, or why that cannot be.
  private func repetition(
    of earlier: RunSnapshot, _ child: Child, as id: RunID
  ) async throws -> Result<RunEngine.Repetition, ActionFailure> {
    let whole = try await outermost()
    do {
      // As it is now, so that what was wrong could be mended, where what it has done still fits.
      let fits = child.plan.steps.map(\.id) == earlier.start.steps.map(\.id)
      let original = fits ? try? await plan(of: earlier.start, child) : try await plan(of: earlier.start, child)
      var request = RunRequest(id: id, trigger: "\(context.run).\(self.plan.id)")
      request.parent = context.run
      request.startedBy = context.start.startedBy
      let repetition = try await context.engine.repetition(
        of: earlier, fits ? child.plan : original ?? child.plan, from: nil, request, original: original, within: whole)
      if !fits { try await context.record([.log(isOlder(child.plan, than: earlier.start))], .accepted) }
      return .success(repetition)
    } catch let error as ActionFailure {
      return .failure(.cannotBeRepeated(earlier.start.run, child.plan, error.message, whole))
    } catch let error as EngineError where error.code != .journal {
      return .failure(ActionFailure(.invalidInput, error.message))
    }
  }

  /// The run that this unit works for in the end, and its step that does.
  private func outermost() async throws -> (run: RunID, step: String) {
    var start = context.start
    var step = plan.id
    while let parent = start.parent {
      step = String(start.trigger.dropFirst(parent.rawValue.count + 1))
      start = try await context.engine.queue.snapshot(of: parent).start
    }
    return (start.run, step)
  }

  /// Begins a run that repeats another one; nobody must forget which, so the intent is written together with it.
  private func begin(
    _ repetition: RunEngine.Repetition, _ child: Child, _ intent: [JournalEntry], _ observer: ChildObserver,
    _ control: CancelToken
  ) async throws -> RunResult {
    let result = try await context.engine.begin(
      repetition, after: context.together(intent), observer: observer, control: control)
    guard result.status == .queued else { return result }
    return try await resume(child, repetition.start.run, observer, control) ?? result
  }

  /// The plan by which a run was begun.
  private func plan(of start: RunStart, _ child: Child) async throws -> Plan {
    guard start.fingerprint != child.plan.fingerprint, let plans = context.engine.options.plans else {
      return child.plan
    }
    let recorded = try await plans.plan(
      ofPart: start, isBlock: child.plan.block != nil, in: context.engine.queue)
    var plan = bounded(recorded, child.outer)
    plan.timeout = child.plan.timeout
    return plan
  }

  /// Says that a recipe is repeated as an earlier run had it.
  private func isOlder(_ child: Plan, than start: RunStart) -> LogLine {
    LogLine(
      run: context.run, step: step, item: item, level: .warning,
      message: "recipe '\(child.name)' has other steps now: it is taken as run \(start.run) had it",
      at: context.time.now)
  }

  /// Goes on with a run that this unit has begun before; `nil` where it had not yet been written down.
  private func resume(
    _ child: Child, _ id: RunID, _ observer: ChildObserver, _ control: CancelToken
  ) async throws -> RunResult? {
    if resumed?.wait?.kind == .recipe {
      try await context.record([.waitEnded(run: context.run, step: step, item: item, at: context.time.now)], .accepted)
    }
    return try await RunClaimLoop(context.engine, observer: observer, control: control).lookAfter(
      id, child.plan, isAncestor: isAncestor, plan: { try await plan(of: $0, child) })
  }

  /// Whether a run waits, through this unit, for the other recipe's run.
  private func isAncestor(_ run: RunID) async throws -> Bool {
    var ancestor: RunID? = context.run
    while let id = ancestor {
      if id == run { return true }
      ancestor = id == context.run ? context.start.parent : try await context.engine.queue.snapshot(of: id).start.parent
    }
    return false
  }

  private func failure(of result: RunResult, _ child: Plan) async -> ActionFailure {
    let calledOff = LocalizedText("it was cancelled", de: "er wurde abgebrochen")
    let cause = result.failure ?? ActionFailure(.invalidInput, calledOff)
    let inner = child.block == nil ? nil : await failedStep(of: result)
    let place =
      child.block.map { block in
        LocalizedText("block '\(block)'", de: "Block '\(block)'")
          + (inner.map { LocalizedText(", step '\($0)'", de: ", Schritt '\($0)'") } ?? LocalizedText(verbatim: ""))
          + LocalizedText(" (run \(result.id)): ", de: " (Lauf \(result.id)): ")
      }
      ?? LocalizedText(
        "recipe '\(child.name)' (run \(result.id)): ", de: "Rezept '\(child.name)' (Lauf \(result.id)): ")
    var failure = ActionFailure(cause.kind, place + cause.message, advice: cause.advice)
    failure.output = cause.output
    return failure
  }

  /// The step whose failure ended a run; `nil` if the run did not fail because of a step.
  private func failedStep(of result: RunResult) async -> String? {
    guard let failure = result.failure, let snapshot = try? await context.engine.queue.snapshot(of: result.id) else {
      return nil
    }
    return zip(snapshot.start.steps, snapshot.steps).first { $1.failure?.message == failure.message }?.0.id
  }
}

extension ActionFailure {
  fileprivate static func cannotBeRepeated(
    _ earlier: RunID, _ child: Plan, _ reason: LocalizedText, _ whole: (run: RunID, step: String)
  ) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      LocalizedText(
        "recipe '\(child.name)' has other steps now, and as run \(earlier) had it, it cannot be used: ",
        de: "das Rezept '\(child.name)' hat jetzt andere Schritte, und wie Lauf \(earlier) es hatte, ist es nicht "
          + "brauchbar: ") + reason,
      advice: .init(
        "'sous retry \(whole.run) --from \(whole.step)' does all of it anew",
        de: "'sous retry \(whole.run) --from \(whole.step)' tut alles neu"))
  }

  /// What the earlier run has begun here was removed with it, so nobody knows what it has done.
  fileprivate static func isForgotten(_ child: RunID, _ start: RunStart, step: String) -> ActionFailure {
    let run = start.parent == nil ? start.run.rawValue : "RUN"
    return ActionFailure(
      .notFound,
      .init(
        "run \(child), which was to be repeated, is not in the run log any more, so what it has done is not known",
        de:
          "Lauf \(child), der zu wiederholen war, steht nicht mehr im Laufprotokoll; was er getan hat, ist nicht bekannt"
      ),
      advice: .init(
        "look what is left to do; 'sous retry \(run) --from \(step)' does all of it anew",
        de: "nachsehen, was noch zu tun ist; 'sous retry \(run) --from \(step)' tut alles neu"))
  }
}

extension Value {
  /// The entries of a map with names as keys.
  fileprivate var fields: [String: Value] {
    guard case .map(let map) = self else { return [:] }
    var fields: [String: Value] = [:]
    for (key, value) in map.entries {
      if case .string(let name) = key { fields[name] = value }
    }
    return fields
  }
}

/// Shows how far a child run has come as the progress of the step that started it.
private final class ChildObserver: RunObserver {
  private let context: RunContext
  private let step: Int
  private let item: Int?
  private let total: Int
  private let done = Mutex(0)

  init(context: RunContext, step: Int, item: Int?, total: Int) {
    self.context = context
    self.step = step
    self.item = item
    self.total = total
  }

  func observe(_ event: RunEvent) {
    guard case .journal(.stepFinished) = event else { return }
    let count = done.withLock { done in
      done += 1
      return done
    }
    context.observer.observe(
      .progress(step: step, item: item, done: UInt64(count), total: UInt64(total), label: ""))
  }
}

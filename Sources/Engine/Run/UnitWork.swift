import Expressions
import Localization
import Recipes
import Synchronization

/// Works one unit (a step, or one item of a loop): evaluates its input and goes through its attempts.
final class UnitWork: Sendable {
  /// Pauses of more seconds park a run where nothing else is left to do in it.
  static let longestPauseInPlace = 10.0
  /// Seconds after which a process is no longer sure that its runs are its own: it may have stood still, and others take
  /// them over after a minute of silence.
  static let longestUnseen = 10.0
  /// Seconds in which it has to be found out whether an action took effect.
  static let longestVerdict = 60.0

  let context: RunContext
  let step: Int
  let item: Int?
  /// How far it had come when the run was left.
  let resumed: UnitSnapshot?
  let plan: PlanStep

  init(context: RunContext, step: Int, item: Int?, resumed: UnitSnapshot?) {
    self.context = context
    self.step = step
    self.item = item
    self.resumed = resumed
    plan = context.plan.steps[step]
  }

  /// Works the unit to its end, or until nothing is left but to wait.
  ///
  /// - Throws: What the recorder throws; the unit's own failures are its outcome.
  func execute(_ bindings: Bindings) async throws -> UnitOutcome {
    if let outcome = resumed?.progress.outcome { return outcome }
    if let replayed = context.replayed, isReplayed { return try await replay(replayed) }
    let input: Value
    switch evaluateInput(bindings) {
    case .success(let value): input = value
    case .failure(let failure): return .failure(failure)
    }
    if plan.action.isWait { return try await wait(for: input) }
    if let child = plan.child { return try await runRecipe(child, bindings.keywords, input: input) }
    var cacheKey: String?
    if let cache = plan.cache, context.runner.options.cache != nil {
      do throws(ExpressionError) {
        cacheKey = try self.cacheKey(cache, input: input, bindings)
      } catch {
        return .failure(.init(evaluating: "cache", of: plan.id, error))
      }
      if let cacheKey, let output = await cached(cacheKey) { return try await take(cached: output, input) }
    }
    let outcome = try await makeAttempts(with: input, bindings)
    if let cacheKey, case .success(let output) = outcome { await keep(output, cacheKey) }
    return outcome
  }

  // MARK: - Attempts

  /// Makes attempts until one succeeds, or no other is allowed.
  ///
  /// - Parameter bindings: What the step's expressions see.
  private func makeAttempts(with input: Value, _ bindings: Bindings) async throws -> UnitOutcome {
    let isOwn = plan.action.isBuiltin && plan.selection == nil || plan.providers.isEmpty
    let candidates = isOwn ? [.builtin] : plan.providers.map(AttemptKind.provider)
    let inputBytes = input.jsonSize
    var sequence = AttemptSequence(policy: plan.retry, providers: candidates.count)
    var progress = resumed ?? UnitSnapshot(item: item)
    if let outcome = try await resumeAttempts(&sequence, candidates, input: input) { return outcome }
    if let refusal = permissionRefusal { return .failure(refusal) }
    var told: Set<String> = []
    // Why providers have failed, by name; of those that another process has asked, the last is known.
    var failures: [String: LocalizedText] = [:]
    if let last = resumed?.lastAttempt { failures[last.kind.plain.label] = last.failure?.message }
    func naming(_ failure: ActionFailure) -> ActionFailure {
      failure.beside(candidates.map(\.label).compactMap { name in failures[name].map { (name, $0) } })
    }
    // What to ask the provider again for that has just given an answer that does not suit.
    var repair: AnswerRepair?
    // Who has waited for a breaker, or for the policy's own pause, need not wait for the same provider's breaker again.
    var hasWaited = resumed.map { $0.wait?.kind == .retry || !$0.failures.isEmpty } ?? false
    while true {
      var closed: [(provider: String, seconds: Double)] = []
      let next = next(of: &sequence, candidates, hasWaited: hasWaited, &closed)
      for (provider, seconds) in closed where !hasWaited && told.insert(provider).inserted {
        tellPassedOver(provider, seconds, attempt: sequence.attempts)
      }
      switch next {
      case .giveUp: return .failure(naming(.noProvider(candidates.map(\.label), step: plan.id)))
      case .wait(let seconds):
        if isStopped { return .suspended }
        let awaited = sequence.waitsForBreakers ? closed.map(\.provider) : []
        if let outcome = try await pause(seconds, progress, for: awaited) { return outcome }
        sequence.wake()
        if !awaited.isEmpty, seconds > 1 { hasWaited = true }
      case .start(let number, let index):
        let mended = Self.repairing(candidates[index], &repair, progress)
        let kind = mended == nil ? candidates[index] : candidates[index].repairing
        let input = mended.map { $0.input(input) } ?? input
        if Task.isCancelled || isStopped { return suspended(kind) }
        var attempt = Attempt(
          number: number, kind: kind, input: input, inputBytes: mended == nil ? inputBytes : input.jsonSize)
        attempt.limit = sequence.attemptLimit(at: context.time.monotonic)
        guard let admission = await admission(to: kind) else { return suspended(kind) }
        defer { admission.end() }
        if isStopped { return suspended(kind) }
        let outcome = try await make(attempt, bindings, in: &sequence, &progress, &repair)
        let name = candidates[index].label
        guard let outcome else {
          failures[name] = progress.lastAttempt?.failure?.message
          continue
        }
        failures[name] = nil
        guard case .failure(let failure) = outcome else { return outcome }
        return .failure(naming(failure))
      }
    }
  }

  /// The failure of a step that needs a permission which the run does not have; `nil` if it has all. Every action passes this
  /// check, also those of child recipes and of tools.
  private var permissionRefusal: ActionFailure? {
    guard let allowed = context.permissions else { return nil }
    let missing = plan.demands.subtracting(allowed).sorted().map(\.rawValue)
    guard !missing.isEmpty else { return nil }
    let words = missing.map { "'\($0)'" }.joined(separator: ", ")
    let isOne = missing.count == 1
    return ActionFailure(
      .auth,
      LocalizedText(
        "the step '\(plan.id)' needs the \(isOne ? "permission" : "permissions") \(words), which this run does not have",
        de:
          "der Schritt '\(plan.id)' braucht die \(isOne ? "Erlaubnis" : "Erlaubnisse") \(words), die dieser Lauf nicht hat"
      ),
      advice: LocalizedText(
        "add \(isOne ? "it" : "them") to 'permissions' of the recipe and of the recipes that run it, or run it without --deny "
          + missing.joined(separator: ","),
        de: "in 'permissions' des Rezepts und der Rezepte aufnehmen, die es ausführen, oder ohne --deny "
          + "\(missing.joined(separator: ",")) ausführen"))
  }

  /// What to do next; and the providers whose circuit breakers let nothing through.
  private func next(
    of sequence: inout AttemptSequence, _ candidates: [AttemptKind], hasWaited: Bool,
    _ closed: inout [(provider: String, seconds: Double)]
  ) -> AttemptSequence.Step {
    let now = context.time.now
    let board = context.runner.options.breakers
    return sequence.next(at: context.time.monotonic, random: context.runner.options.random()) { index in
      guard let provider = candidates[index].provider,
        let seconds = board?.ask(provider, at: now, hasWaited: hasWaited)
      else { return nil }
      closed.append((provider, seconds))
      return seconds
    }
  }

  /// Leaves in the log why a provider was not asked.
  private func tellPassedOver(_ provider: String, _ seconds: Double, attempt: Int) {
    let now = context.time.now
    let until = now.adding(seconds: seconds)
    let record = context.runner.options.breakers?.record(of: provider) ?? BreakerRecord(provider: provider, at: now)
    let kind = record.lastFailure.map { " (\($0.rawValue))" } ?? ""
    let times = record.failures == 1 ? "" : " \(record.failures) times in a row"
    context.lines.append(
      LogLine(
        run: context.run, step: step, item: item, attempt: attempt, level: .warning,
        message: "provider '\(provider)' failed\(times)\(kind); its circuit breaker is open until "
          + until.rfc3339Milliseconds, at: now))
    context.observer.observe(.leftAlone(step: step, record, until: until))
  }

  /// Gives back the circuit breaker's leave to call a provider.
  private func suspended(_ kind: AttemptKind) -> UnitOutcome {
    if let provider = kind.provider {
      _ = context.runner.options.breakers?.end(provider, .cancelledByRun, at: context.time.now)
    }
    return .suspended
  }

  /// Resumes the attempts that were made before the run was left.
  ///
  /// - Returns: The unit's outcome where nothing is left to do.
  private func resumeAttempts(
    _ sequence: inout AttemptSequence, _ candidates: [AttemptKind], input: Value
  ) async throws -> UnitOutcome? {
    guard let resumed else { return nil }
    if resumed.wait?.kind == .retry {
      try await context.record([.waitEnded(run: context.run, step: step, item: item, at: context.time.now)], .accepted)
    }
    guard let last = resumed.lastAttempt else { return nil }
    let now = context.time.now
    let monotonic = context.time.monotonic
    if last.kind == .carried {
      sequence.resume(after: resumed.attempts, failures: [], began: monotonic, wakeAt: nil)
      return nil
    }
    let began = monotonic - max(0, now.seconds(since: last.firstStart))
    let failures = resumed.failures.map { failure in
      AttemptSequence.Failure(
        provider: candidates.firstIndex(of: failure.asked.plain),
        isTransient: plan.retry.repeats(failure.kind) && !(failure.asked.isRepair && failure.kind == .unsuitable),
        isOutage: failure.kind.reachesNobody, isRepair: failure.asked.isRepair)
    }
    let deadline = resumed.wait.flatMap(context.runner.deadlines.deadline)
    resumed.wait.map(context.runner.deadlines.end)
    guard resumed.progress.unverified != nil else {
      let delay = last.retryDelay ?? 0
      let pause =
        deadline.map { $0 - monotonic } ?? last.endedAt.map { min(delay, max(0, delay - now.seconds(since: $0))) } ?? 0
      sequence.resume(
        after: resumed.attempts, failures: failures, began: began, wakeAt: pause > 0 ? monotonic + pause : nil)
      return nil
    }
    // That its end is missing was not the provider's fault, so it does not count.
    sequence.resume(after: resumed.attempts, failures: failures, began: began, wakeAt: nil)
    let attempt = Attempt(number: last.number, kind: last.kind, input: input, inputBytes: 0)
    let request = request(for: attempt)
    // What is on record of how it ended stays there.
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: last.number, failure: last.failure ?? .lost(.cancelled),
      outputBytes: 0, duration: last.duration ?? 0, retryDelay: 0, at: last.endedAt ?? now)
    guard plan.action.effect == .once else {
      // The old program must not run beside its repetition.
      guard await context.endPrograms(of: last, step: step, item: item) else { return .suspended }
      if last.endedAt == nil { try await context.record([.attemptFinished(end)], .accepted) }
      return nil
    }
    let process = await context.runner.options.programs?.running(of: last)
    switch process == nil ? await verifiedOutcome(of: request, by: last.kind) : .unknown {
    case nil: return .left
    case .done(let output):
      end.failure = nil
      end.retryDelay = nil
      end.outputBytes = output.jsonSize
      try await context.record(
        [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)], .soon)
      return .success(output)
    case .notDone:
      try await context.record([.attemptFinished(end)], .accepted)
      return nil
    case .unknown:
      let stillRuns = process.map { ActionFailure.stillRuns($0, request) }
      // The attempt was in doubt before: the recorded reason stays.
      if let failure = last.doubt { return .inDoubt(stillRuns ?? failure) }
      let failure = stillRuns ?? .inDoubt(request, last.failure ?? .lost(.crashed))
      end.failure = failure
      end.retryDelay = nil
      end.isUncertain = true
      try await context.record([.attemptFinished(end)], .synced)
      return .inDoubt(failure)
    }
  }

  /// Pauses before the next attempt, in place or as a wait that is recorded.
  ///
  /// - Parameter providers: Those whose circuit breakers it waits for; it ends as soon as one of them lets something
  ///   through.
  /// - Returns: The unit's outcome where it waits or is cancelled.
  private func pause(
    _ seconds: Double, _ progress: UnitSnapshot, for providers: [String]
  ) async throws -> UnitOutcome? {
    guard seconds > Self.longestPauseInPlace, context.canPark else {
      let end = context.time.monotonic + seconds
      repeat {
        let left = max(0, end - context.time.monotonic)
        do { try await context.time.sleep(seconds: providers.isEmpty ? left : min(left, 1)) } catch {
          return .suspended
        }
      } while !providers.isEmpty && context.time.monotonic < end && areClosedOff(providers)
      return nil
    }
    let now = context.time.now
    let until = now.adding(seconds: seconds)
    let wait = WaitStart(
      run: context.run, step: step, item: item, kind: .retry, until: until, key: WaitStart.key(of: providers), at: now)
    try await context.record([.waitStarted(wait)], .accepted)
    if providers.isEmpty { context.runner.deadlines.begin(wait, deadline: context.time.monotonic + seconds) }
    var progress = progress
    progress.wait = wait
    return .waits(progress, until: until)
  }

  private func areClosedOff(_ providers: [String]) -> Bool {
    guard let board = context.runner.options.breakers else { return true }
    let now = context.time.now
    return providers.allSatisfy { board.isClosedOff($0, at: now) }
  }

  /// Waits for the provider's limits; `nil` where the run was cancelled meanwhile.
  private func admission(to kind: AttemptKind) async -> Admission? {
    guard let provider = kind.provider else { return .free }
    return try? await context.providers.admit(to: provider)
  }

  /// Makes one attempt.
  ///
  /// - Returns: The unit's outcome, or `nil` where another attempt follows.
  private func make(
    _ attempt: Attempt, _ bindings: Bindings, in sequence: inout AttemptSequence, _ progress: inout UnitSnapshot,
    _ repair: inout AnswerRepair?
  ) async throws -> UnitOutcome? {
    let request = request(for: attempt)
    let start = AttemptStart(
      run: context.run, step: step, item: item, number: attempt.number, kind: attempt.kind, key: request.key,
      inputBytes: attempt.inputBytes, at: context.time.now)
    let isQuick = plan.action.isBuiltin && plan.action.effect == .pure
    let seen = context.time.monotonic
    if isQuick {
      try await context.note(.attemptStarted(start))
    } else {
      do {
        try await context.record([.attemptStarted(start)], plan.action.effect.intentDurability)
      } catch {
        // The provider is not called; whoever tries again may be let through to it.
        _ = suspended(attempt.kind)
        throw error
      }
    }
    let began = context.time.monotonic
    let result =
      isQuick
      ? await performQuickly(request)
      : try await perform(request, by: attempt.kind, bindings, seen: seen)
    let (verified, flaw) = judged(await verified(result, request, by: attempt.kind), request)
    let ended = context.time.monotonic
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: attempt.number, failure: verified.failure,
      outputBytes: 0, duration: ended - began, retryDelay: nil, at: context.time.now)
    end.usage = context.runner.options.meter?.take(request) ?? []
    let breaker = breakerChange(attempt.kind, result)
    switch verified {
    case .success(let output):
      end.outputBytes = output.jsonSize
      let entries: [JournalEntry] = [
        .attemptFinished(end), .output(run: context.run, step: step, item: item, value: output),
      ]
      if isQuick {
        try await context.note(entries)
      } else {
        try await context.record(entries + breaker, plan.action.resultDurability)
      }
      return verified
    case .inDoubt:
      end.isUncertain = true
      try await context.record([.attemptFinished(end)] + breaker, .synced)
      return verified
    case .suspended, .left, .waits:
      end.failure = .cancelledByRun
      try await context.record([.attemptFinished(end)], .accepted)
      return verified
    case .failure(let failure):
      if failure.kind == .cancelled, Task.isCancelled {
        try await context.record([.attemptFinished(end)], .accepted)
        return .suspended
      }
      repair = nil
      if case .repairable(let found)? = flaw, sequence.repair(at: ended) {
        repair = found
        end.retryDelay = 0
      } else {
        end.retryDelay = sequence.fail(
          failure, at: ended, random: context.runner.options.random(), isFinal: flaw != nil)
      }
      try await context.record([.attemptFinished(end)] + breaker, .accepted)
      progress.begin(start)
      progress.end(end)
      progress.wait = nil
      return end.retryDelay == nil ? .failure(failure) : nil
    }
  }

  /// What a call means for the provider's circuit breaker.
  private func breakerChange(_ kind: AttemptKind, _ result: UnitOutcome) -> [JournalEntry] {
    guard let provider = kind.provider, let board = context.runner.options.breakers else { return [] }
    let now = context.time.now
    let failure = result.failure.map { $0.wasSent ? $0 : .cancelledByRun }
    return board.end(provider, failure, at: now).map { [.breaker($0)] } ?? []
  }

  /// Whether no new attempt may begin; what runs at the end is only concerned where the process is about to end.
  var isStopped: Bool { context.stopSignal.isSet && plan.phase == .main || context.isDraining }

  func request(for attempt: Attempt) -> ActionRequest {
    var request = ActionRequest(
      run: context.run, step: plan.id, item: item, attempt: attempt.number, action: plan.action.name,
      input: attempt.input,
      key: key, timeout: min(plan.timeout ?? context.runner.options.defaultTimeout, attempt.limit ?? .infinity),
      recipe: context.plan.name, recipePath: context.plan.path)
    if plan.action.isCostly {
      request.budgets = context.plan.budgets
      request.isLocal = plan.routing.locality == .required
    }
    return request
  }

  /// The idempotency key: the same for all attempts, those of the run that this one repeats included.
  private var key: String {
    if let key = resumed?.lastAttempt?.key, !key.isEmpty { return key }
    let key = context.run.rawValue + "." + plan.id
    return item.map { key + "." + String($0) } ?? key
  }

  private func evaluateInput(_ bindings: Bindings) -> Result<Value, ActionFailure> {
    let value: Value
    if plan.child != nil {
      // The inputs of another recipe, which checks them against its own declarations.
      do throws(ExpressionError) {
        return .success(try plan.input.evaluate(bindings))
      } catch {
        return .failure(.init(evaluating: "inputs", of: plan.id, error))
      }
    }
    do {
      value = plan.action.input.fillingDefaults(try plan.input.evaluate(bindings))
    } catch {
      return .failure(.init(evaluating: "with", of: plan.id, error))
    }
    let violations = plan.action.input.validate(value)
    if let first = violations.first {
      let place = plan.id + ".with" + first.path.map(\.description).joined()
      return .failure(
        ActionFailure(.invalidInput, LocalizedText("\(place): ", de: "\(place): ") + first.message))
    }
    return .success(value)
  }

  /// Carries out an action of Sous's own that touches nothing outside and soon ends.
  private func performQuickly(_ request: ActionRequest) async -> UnitOutcome {
    let reporter = UnitReporter(context: context, step: step, item: item, attempt: request.attempt)
    do throws(ActionFailure) {
      return .success(try await context.providers.builtins.perform(request, reporter: reporter))
    } catch {
      return .failure(error)
    }
  }

  /// Calls the provider and cancels the call when its time is up.
  ///
  /// - Parameters:
  ///   - bindings: What the conditions of a step that sorts messages see: Sous itself carries it out and asks the provider.
  ///   - seen: When the run was this process's own for certain, by the monotonic clock.
  /// - Throws: Why that cannot be found out, or that it no longer is; nothing is called then.
  private func perform(
    _ request: ActionRequest, by kind: AttemptKind, _ bindings: Bindings, seen: Double
  ) async throws -> UnitOutcome {
    let refusal = Mutex<(any Error)?>(nil)
    let answer = await bounded(request) { reporter throws(ActionFailure) in
      let provider = try await self.provider(kind)
      do {
        try await self.makeSureItIsOurs(seen: seen)
      } catch {
        refusal.withLock { $0 = error }
        throw .cancelledByRun
      }
      var request = request
      guard let selection = self.plan.selection else {
        if let check = AnswerCheck(request.action, input: request.input) {
          let passesOn = provider.passesOn("schema", of: request.action)
          request.input = check.input(request.input, passesSchemaOn: passesOn)
        }
        return try await provider.perform(request, reporter: reporter)
      }
      request.sorting = MessageSorting(
        selection, bindings: bindings, store: provider, provider: kind.provider)
      return try await self.context.providers.builtins.perform(request, reporter: reporter)
    }
    if let error = refusal.withLock({ $0 }) {
      _ = suspended(kind)
      throw error
    }
    switch answer {
    case .success(let output): return .success(output)
    case .failure(let failure): return .failure(failure)
    }
  }

  /// Makes sure, before what has an effect begins, that nobody else has taken the run over meanwhile: a process may have
  /// stood still since its intent was written, as one does whose machine is suspended.
  private func makeSureItIsOurs(seen: Double) async throws {
    guard plan.action.effect > .read, context.time.monotonic - seen > Self.longestUnseen else { return }
    try await context.runner.queue.beat()
  }

  /// Finds out what became of a `once` action whose answer was lost; every other outcome stays as it is.
  private func verified(_ outcome: UnitOutcome, _ request: ActionRequest, by kind: AttemptKind) async -> UnitOutcome {
    guard case .failure(let failure) = outcome, plan.action.effect == .once, failure.kind.leavesEffectOpen else {
      return outcome
    }
    // Interrupted: the attempt stays without a verdict, and whoever resumes the run asks for one first.
    if Task.isCancelled, !context.stopSignal.callsOff { return .left }
    switch await verifiedOutcome(of: request, by: kind) {
    case nil: return .left
    case .done(let output): return .success(output)
    case .notDone: return outcome
    case .unknown: return .inDoubt(.inDoubt(request, failure))
    }
  }

  /// Asks whether an action took effect; `nil` where the process is about to end, so that whoever resumes the run asks.
  private func verifiedOutcome(of request: ActionRequest, by kind: AttemptKind) async -> Verdict? {
    if !context.stopSignal.callsOff {
      let verdict = await verdict(on: request, by: kind)
      if verdict != .unknown || !Task.isCancelled { return verdict }
      if !context.stopSignal.callsOff { return nil }
    }
    // Apart from this task: that the run is cancelled, or at its deadline, must not keep the truth from being found.
    return await uncancelled { await self.verdict(on: request, by: kind) }
  }

  private func verdict(on request: ActionRequest, by kind: AttemptKind) async -> Verdict {
    var policy = plan.retry
    policy.within = min(policy.within ?? .infinity, Self.longestVerdict)
    var sequence = AttemptSequence(policy: policy, providers: 1)
    var request = request
    while true {
      switch sequence.next(at: context.time.monotonic) {
      case .giveUp: return .unknown
      case .wait(let seconds):
        do { try await context.time.sleep(seconds: seconds) } catch { return .unknown }
      case .start:
        let left = sequence.secondsLeft(at: context.time.monotonic) ?? Self.longestVerdict
        request.timeout = min(request.timeout ?? Self.longestVerdict, max(1, left))
        let answer = await bounded(request) { [request] reporter throws(ActionFailure) in
          try await self.provider(kind).verify(request, reporter: reporter)
        }
        switch answer {
        case .success(let verdict): return verdict
        case .failure(let failure):
          sequence.fail(failure, at: context.time.monotonic, random: context.runner.options.random())
        }
      }
    }
  }

  private func provider(_ kind: AttemptKind) async throws(ActionFailure) -> any StepProvider {
    guard let route = kind.route else { return context.providers.builtins }
    return try await context.providers.provider(named: route)
  }

  /// Calls something and cancels it when the request's time is up; an answer that comes all the same counts.
  private func bounded<Answer: Sendable>(
    _ request: ActionRequest,
    _ body: @escaping @Sendable (UnitReporter) async throws(ActionFailure) -> Answer
  ) async -> Result<Answer, ActionFailure> {
    let limit = request.timeout ?? context.runner.options.defaultTimeout
    let reporter = UnitReporter(context: context, step: step, item: item, attempt: request.attempt)
    return await withTaskGroup(of: Result<Answer, ActionFailure>?.self) { group in
      let hasAnswered = Flag()
      // Begun in place: what answers at once needs no clock and no other thread.
      group.addImmediateTask {
        defer { hasAnswered.set() }
        do throws(ActionFailure) {
          return .success(try await body(reporter))
        } catch {
          return .failure(error)
        }
      }
      if !hasAnswered.isSet {
        group.addTask {
          try? await self.context.time.sleep(seconds: limit)
          return nil
        }
      }
      guard let first = await group.next() else { return .failure(.cancelledByRun) }
      group.cancelAll()
      if let answer = first { return answer }
      let late = await group.next() ?? nil
      if case .success = late { return late ?? .failure(.cancelledByRun) }
      if Task.isCancelled { return late ?? .failure(.cancelledByRun) }
      return .failure(.timedOut(after: limit, action: request.action))
    }
  }
}

/// One attempt of a unit.
struct Attempt {
  let number: Int
  let kind: AttemptKind
  let input: Value
  let inputBytes: Int
  /// Seconds after which it is cut off, whatever its step's timeout is; `nil` for no such bound.
  var limit: Double?
}

extension Effect {
  /// What must have been reached before an attempt starts.
  var intentDurability: Durability {
    switch self {
    case .pure, .read: .accepted
    case .idempotent, .once: .synced
    }
  }
}

extension ActionSignature {
  /// What must have been reached before anything that depends on a result starts.
  ///
  /// What depends on a result and has an effect itself takes it along to the disk with its own intent.
  var resultDurability: Durability {
    isCostly || effect.intentDurability == .synced ? .soon : .accepted
  }
}

extension ActionFailure {
  static var cancelledByRun: ActionFailure { ActionFailure(.cancelled, .init("cancelled", de: "abgebrochen")) }

  /// The process ended before the attempt's end was recorded. One that is simply made again counts as cancelled: it was
  /// not the provider's fault.
  static func lost(_ kind: Kind) -> ActionFailure {
    ActionFailure(
      kind,
      .init(
        "Sous ended before the answer was written down", de: "Sous endete, bevor die Antwort notiert war"))
  }

  /// All circuit breakers are open and the time is up.
  static func noProvider(_ providers: [String], step: String) -> ActionFailure {
    let names = providers.joined(separator: ", ")
    return ActionFailure(
      .unreachable,
      .init(
        "no provider of step '\(step)' may be called just now, after repeated failures: \(names)",
        de: "kein Provider von Schritt '\(step)' darf gerade gerufen werden, nach wiederholtem Scheitern: \(names)"),
      advice: .init("see 'sous stats' for their circuit breakers", de: "'sous stats' zeigt, bis wann sie gesperrt sind")
    )
  }

  static func timedOut(after seconds: Double, action: String) -> ActionFailure {
    ActionFailure(
      .timeout,
      .init(
        "'\(action)' did not answer within \(seconds.spokenSeconds.english)",
        de: "'\(action)' hat nicht innerhalb von \(seconds.spokenSeconds.german) geantwortet"),
      advice: .init(
        "raise the step's timeout if that is to be expected",
        de: "timeout des Schritts erhöhen, falls das zu erwarten ist"))
  }

  /// Nobody can say whether a `once` action took effect.
  static func inDoubt(_ request: ActionRequest, _ cause: ActionFailure) -> ActionFailure {
    inDoubt(request.action, of: request.step, request.run, cause)
  }

  /// Nobody knows whether the last attempt of an action took effect.
  static func inDoubt(_ action: String, of step: String, _ run: RunID, _ cause: ActionFailure) -> ActionFailure {
    ActionFailure(
      cause.kind,
      LocalizedText(
        "it is not known whether '\(action)' of step '\(step)' took effect: ",
        de: "es ist nicht bekannt, ob '\(action)' von Schritt '\(step)' gewirkt hat: ") + cause.message,
      advice: .init(
        "look whether it did, then say so with 'sous settle \(run) --done' or '--not-done'; nothing was repeated",
        de: "nachsehen, dann mit 'sous settle \(run) --done' oder '--not-done' sagen; nichts wurde wiederholt"))
  }

  /// An expression of a step that failed while the recipe ran.
  init(evaluating field: String, of step: String, _ error: ExpressionError) {
    self.init(
      .invalidInput,
      LocalizedText("'\(field)' of step '\(step)': ", de: "'\(field)' von Schritt '\(step)': ") + error.message)
  }
}

extension Double {
  /// Seconds for people: `60 s`, `0.25 s`.
  var spokenSeconds: LocalizedText {
    .figures(self == rounded() && magnitude < 1e15 ? "\(Int64(self)) s" : "\(self) s")
  }
}

import Expressions
import Localization
import Recipes
import Synchronization

/// Works one unit (a step, or one item of a loop): evaluates its input and goes through its attempts.
final class UnitWork: Sendable {
  /// Pauses of more seconds put a run down where nothing else is left to do in it.
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
  func work(_ bindings: Bindings) async throws -> UnitOutcome {
    if let output = resumed?.output { return .success(output) }
    if let failure = resumed?.finalFailure { return .failure(failure) }
    if let replayed = context.replayed, isReplayed { return try await replay(replayed) }
    let input: Value
    switch evaluateInput(bindings) {
    case .success(let value): input = value
    case .failure(let failure): return .failure(failure)
    }
    if plan.action.isWait { return try await wait(for: input) }
    if let child = plan.child { return try await work(child, bindings.keywords, input: input) }
    var cacheKey: String?
    if let cache = plan.cache, context.runner.options.cache != nil {
      do throws(ExpressionError) {
        cacheKey = try self.cacheKey(cache, input: input, bindings)
      } catch {
        return .failure(.init(evaluating: "cache", of: plan.id, error))
      }
      if let cacheKey, let output = await cached(cacheKey) { return try await take(cached: output, input) }
    }
    let outcome = try await attempt(input)
    if let cacheKey, case .success(let output) = outcome { await keep(output, cacheKey) }
    return outcome
  }

  // MARK: - Attempts

  /// Goes through the attempts.
  private func attempt(_ input: Value) async throws -> UnitOutcome {
    let providers = plan.action.isBuiltin || plan.providers.isEmpty ? RunContext.builtins : plan.providers
    let inputBytes = input.json().count
    var sequence = AttemptSequence(policy: plan.retry, providers: providers.count)
    var progress = resumed ?? UnitSnapshot(item: item)
    if let outcome = try await goOn(&sequence, input: input) { return outcome }
    var told: Set<String> = []
    // Who has waited for a breaker, or for the policy's own pause, need not wait for the same provider's breaker again.
    var hasWaited = resumed.map { $0.wait?.kind == .retry || $0.failures > 0 } ?? false
    while true {
      var closed: [(provider: String, seconds: Double)] = []
      let next = next(of: &sequence, providers, hasWaited: hasWaited, &closed)
      for (provider, seconds) in closed where !hasWaited && told.insert(provider).inserted {
        tellPassedOver(provider, seconds, attempt: sequence.attempts)
      }
      switch next {
      case .giveUp: return .failure(.noProvider(providers, step: plan.id))
      case .wait(let seconds):
        if isStopped { return .suspended }
        let awaited = sequence.waitsForBreakers ? closed.map(\.provider) : []
        if let outcome = try await pause(seconds, progress, for: awaited) { return outcome }
        sequence.wake()
        if !awaited.isEmpty, seconds > 1 { hasWaited = true }
      case .start(let number, let index):
        if Task.isCancelled || isStopped { return suspended(providers[index]) }
        var attempt = Attempt(number: number, provider: providers[index], input: input, inputBytes: inputBytes)
        attempt.limit = sequence.attemptLimit(at: context.time.monotonic)
        guard let admission = await admission(to: attempt.provider) else { return suspended(attempt.provider) }
        defer { admission.end() }
        if isStopped { return suspended(attempt.provider) }
        if let outcome = try await work(attempt, in: &sequence, &progress) { return outcome }
      }
    }
  }

  /// What to do next; and the providers whose circuit breakers let nothing through.
  private func next(
    of sequence: inout AttemptSequence, _ providers: [String], hasWaited: Bool,
    _ closed: inout [(provider: String, seconds: Double)]
  ) -> AttemptSequence.Step {
    let now = context.time.now
    let board = context.runner.options.breakers
    return sequence.next(at: context.time.monotonic, random: context.runner.options.random()) { index in
      guard providers[index] != RunContext.builtin,
        let seconds = board?.ask(providers[index], at: now, hasWaited: hasWaited)
      else { return nil }
      closed.append((providers[index], seconds))
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
        message: "provider '\(provider)' failed\(times)\(kind); it is left alone until "
          + until.rfc3339Milliseconds, at: now))
    context.observer.observe(.leftAlone(step: step, record, until: until))
  }

  /// Gives back the leave to call a provider.
  private func suspended(_ provider: String) -> UnitOutcome {
    _ = context.runner.options.breakers?.end(provider, .calledOff, at: context.time.now)
    return .suspended
  }

  /// Takes up the attempts that were made before the run was left.
  ///
  /// - Returns: The unit's outcome where nothing is left to do.
  private func goOn(_ sequence: inout AttemptSequence, input: Value) async throws -> UnitOutcome? {
    guard let resumed else { return nil }
    if resumed.wait?.kind == .retry {
      try await context.record([.waitEnded(run: context.run, step: step, item: item, at: context.time.now)], .accepted)
    }
    guard let last = resumed.lastAttempt else { return nil }
    let now = context.time.now
    let monotonic = context.time.monotonic
    if last.isOfEarlierRun {
      sequence.goOn(after: resumed.attempts, failures: 0, began: monotonic, wakeAt: nil)
      return nil
    }
    let began = monotonic - max(0, now.seconds(since: last.firstStart))
    if let endedAt = last.endedAt, last.failure?.kind != .cancelled {
      let pause = min(last.retryDelay ?? 0, max(0, (last.retryDelay ?? 0) - now.seconds(since: endedAt)))
      sequence.goOn(
        after: resumed.attempts, failures: resumed.failures, began: began, wakeAt: pause > 0 ? monotonic + pause : nil)
      return nil
    }
    // Nobody knows what became of the last one. It was not the provider's fault, so it does not count.
    sequence.goOn(after: resumed.attempts, failures: resumed.failures, began: began, wakeAt: nil)
    let attempt = Attempt(number: last.number, provider: last.provider, input: input, inputBytes: 0)
    let request = request(for: attempt)
    // What is on record of how it ended stays there.
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: last.number, failure: last.failure ?? .lost(.cancelled),
      outputBytes: 0, duration: last.duration ?? 0, retryDelay: 0, at: last.endedAt ?? now)
    guard plan.action.effect == .once else {
      if last.endedAt == nil { try await context.record([.attemptFinished(end)], .accepted) }
      return nil
    }
    switch await finding(on: request, provider: last.provider) {
    case nil: return .left
    case .done(let output):
      end.failure = nil
      end.retryDelay = nil
      end.outputBytes = output.json().count
      try await context.record(
        [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)], .soon)
      return .success(output)
    case .notDone:
      try await context.record([.attemptFinished(end)], .accepted)
      return nil
    case .unknown:
      // In doubt before: for the reason that stands there.
      if last.isInDoubt, let failure = last.failure { return .inDoubt(failure) }
      let failure = ActionFailure.inDoubt(request, last.failure ?? .lost(.crashed))
      end.failure = failure
      end.retryDelay = nil
      end.isUncertain = true
      try await context.record([.attemptFinished(end)], .synced)
      return .inDoubt(failure)
    }
  }

  /// Pauses before the next attempt, in place or by putting the unit down.
  ///
  /// - Parameter providers: Those whose circuit breakers it waits for; it ends as soon as one of them lets something
  ///   through.
  /// - Returns: The unit's outcome where it is put down or called off.
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
    var progress = progress
    progress.wait = wait
    return .waits(progress, until: until)
  }

  private func areClosedOff(_ providers: [String]) -> Bool {
    guard let board = context.runner.options.breakers else { return true }
    let now = context.time.now
    return providers.allSatisfy { board.isClosedOff($0, at: now) }
  }

  /// Waits for the provider's limits; `nil` where the run was called off meanwhile.
  private func admission(to provider: String) async -> Admission? {
    if provider == RunContext.builtin { return .free }
    return try? await context.providers.admit(to: provider)
  }

  /// Works one attempt.
  ///
  /// - Returns: The unit's outcome, or `nil` where another attempt follows.
  private func work(
    _ attempt: Attempt, in sequence: inout AttemptSequence, _ progress: inout UnitSnapshot
  ) async throws -> UnitOutcome? {
    let request = request(for: attempt)
    let start = AttemptStart(
      run: context.run, step: step, item: item, number: attempt.number, provider: attempt.provider, key: request.key,
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
        _ = suspended(attempt.provider)
        throw error
      }
    }
    let began = context.time.monotonic
    let result =
      isQuick ? await performQuickly(request) : try await perform(request, provider: attempt.provider, seen: seen)
    let settled = await settle(result, request, provider: attempt.provider)
    let ended = context.time.monotonic
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: attempt.number, failure: settled.failure,
      outputBytes: 0, duration: ended - began, retryDelay: nil, at: context.time.now)
    let breaker = breakerChange(attempt.provider, result)
    switch settled {
    case .success(let output):
      end.outputBytes = output.json().count
      let entries: [JournalEntry] = [
        .attemptFinished(end), .output(run: context.run, step: step, item: item, value: output),
      ]
      if isQuick {
        try await context.note(entries)
      } else {
        try await context.record(entries + breaker, plan.action.resultDurability)
      }
      return settled
    case .inDoubt:
      end.isUncertain = true
      try await context.record([.attemptFinished(end)] + breaker, .synced)
      return settled
    case .suspended, .left, .waits:
      end.failure = .calledOff
      try await context.record([.attemptFinished(end)], .accepted)
      return settled
    case .failure(let failure):
      if failure.kind == .cancelled, Task.isCancelled {
        try await context.record([.attemptFinished(end)], .accepted)
        return .suspended
      }
      end.retryDelay = sequence.fail(failure, at: ended, random: context.runner.options.random())
      try await context.record([.attemptFinished(end)] + breaker, .accepted)
      progress.take(end, of: start)
      return end.retryDelay == nil ? .failure(failure) : nil
    }
  }

  /// What a call means for the provider's circuit breaker.
  private func breakerChange(_ provider: String, _ result: UnitOutcome) -> [JournalEntry] {
    guard provider != RunContext.builtin, let board = context.runner.options.breakers else { return [] }
    let now = context.time.now
    return board.end(provider, result.failure, at: now).map { [.breaker($0)] } ?? []
  }

  /// Whether no new attempt may begin; what runs at the end is only concerned where the process is about to end.
  var isStopped: Bool { context.stopSignal.isSet && plan.phase == .main || context.isDraining }

  func request(for attempt: Attempt) -> ActionRequest {
    ActionRequest(
      run: context.run, step: plan.id, item: item, attempt: attempt.number, action: plan.action.name,
      input: attempt.input,
      key: key, timeout: min(plan.timeout ?? context.runner.options.defaultTimeout, attempt.limit ?? .infinity),
      recipe: context.plan.name, recipePath: context.plan.path)
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

  /// Calls the provider and cuts the call off when its time is up.
  ///
  /// - Parameter seen: When the run was this process's own for certain, by the monotonic clock.
  /// - Throws: Why that cannot be found out, or that it no longer is; nothing is called then.
  private func perform(_ request: ActionRequest, provider name: String, seen: Double) async throws -> UnitOutcome {
    let refusal = Mutex<(any Error)?>(nil)
    let answer = await bounded(request) { reporter throws(ActionFailure) in
      let provider = try await self.provider(name)
      do {
        try await self.makeSureItIsOurs(seen: seen)
      } catch {
        refusal.withLock { $0 = error }
        throw .calledOff
      }
      return try await provider.perform(request, reporter: reporter)
    }
    if let error = refusal.withLock({ $0 }) {
      _ = suspended(name)
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
    try await context.runner.options.queue?.beat()
  }

  /// Finds out what became of a `once` action whose answer was lost; every other outcome stays as it is.
  private func settle(
    _ outcome: UnitOutcome, _ request: ActionRequest, provider name: String
  ) async -> UnitOutcome {
    guard case .failure(let failure) = outcome, plan.action.effect == .once, failure.kind.leavesEffectOpen else {
      return outcome
    }
    // Interrupted: the attempt stays without a verdict, and whoever resumes the run asks for one first.
    if Task.isCancelled, !context.stopSignal.callsOff { return .left }
    switch await finding(on: request, provider: name) {
    case nil: return .left
    case .done(let output): return .success(output)
    case .notDone: return outcome
    case .unknown: return .inDoubt(.inDoubt(request, failure))
    }
  }

  /// Asks whether an action took effect; `nil` where the process is about to end, so that whoever resumes the run asks.
  private func finding(on request: ActionRequest, provider name: String) async -> Verdict? {
    if !context.stopSignal.callsOff {
      let verdict = await verdict(on: request, provider: name)
      if verdict != .unknown || !Task.isCancelled { return verdict }
      if !context.stopSignal.callsOff { return nil }
    }
    // Apart from this task: that the run is called off, or at its deadline, must not keep the truth from being found.
    return await Task { await self.verdict(on: request, provider: name) }.value
  }

  private func verdict(on request: ActionRequest, provider name: String) async -> Verdict {
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
          try await self.provider(name).verify(request, reporter: reporter)
        }
        switch answer {
        case .success(let verdict): return verdict
        case .failure(let failure):
          sequence.fail(failure, at: context.time.monotonic, random: context.runner.options.random())
        }
      }
    }
  }

  private func provider(_ name: String) async throws(ActionFailure) -> any StepProvider {
    name == RunContext.builtin ? context.providers.builtins : try await context.providers.provider(named: name)
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
      guard let first = await group.next() else { return .failure(.calledOff) }
      group.cancelAll()
      if let answer = first { return answer }
      let late = await group.next() ?? nil
      if case .success = late { return late ?? .failure(.calledOff) }
      if Task.isCancelled { return late ?? .failure(.calledOff) }
      return .failure(.timedOut(after: limit, action: request.action))
    }
  }
}

/// One attempt of a unit.
struct Attempt {
  let number: Int
  let provider: String
  let input: Value
  let inputBytes: Int
  /// Seconds after which it is cut off, whatever its step's timeout is; `nil` for no such bound.
  var limit: Double?
}

extension RunContext {
  /// The name under which Sous's own actions stand in the journal.
  static let builtin = "builtin"
  fileprivate static let builtins = [builtin]
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
  static var calledOff: ActionFailure { ActionFailure(.cancelled, .init("called off", de: "abgebrochen")) }

  /// The process ended before the attempt's end was written down. One that is simply made again counts as called off:
  /// it was not the provider's fault.
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

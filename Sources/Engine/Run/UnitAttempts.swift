import Expressions
import Localization
import Plans

/// The attempts of one unit: who is asked when, and what has come of it so far.
struct UnitAttempts {
  private let work: UnitWork
  private let input: Value
  private let inputBytes: Int
  private let bindings: Bindings
  /// Who can be asked, in the order of fallback.
  private let candidates: [AttemptKind]
  private var sequence: AttemptSequence
  private var progress: UnitSnapshot
  /// The providers whose open circuit breakers are in the log.
  private var logged: Set<String> = []
  /// Why providers have failed, by name. Of those that another process has asked only the last is known.
  private var failures: [String: LocalizedText] = [:]
  /// The question for the provider that has just given a flawed answer.
  private var repair: Value?
  /// Whether the unit has waited for a breaker, or for the pause of the policy: it need not wait for the same breaker again.
  private var hasWaited: Bool

  private var context: RunContext { work.context }
  private var plan: PlanStep { work.plan }
  private var resumed: UnitSnapshot? { work.resumed }

  /// - Parameters:
  ///   - input: The step's input, evaluated and checked.
  ///   - bindings: The variables of the step's expressions.
  init(_ work: UnitWork, input: Value, _ bindings: Bindings) {
    self.work = work
    self.input = input
    self.bindings = bindings
    inputBytes = input.jsonSize
    let isOwn = work.plan.action.isBuiltin && work.plan.selection == nil || work.plan.providers.isEmpty
    candidates = isOwn ? [.builtin] : work.plan.providers.map(AttemptKind.provider)
    sequence = AttemptSequence(policy: work.plan.retry, providers: candidates.count)
    progress = work.resumed ?? UnitSnapshot(item: work.item)
    hasWaited = work.resumed.map { $0.wait?.kind == .retry || !$0.failures.isEmpty } ?? false
    if let last = work.resumed?.lastAttempt, last.failure?.kind != .notYet {
      failures[last.kind.plain.label] = last.failure?.message
    }
  }

  /// Makes attempts until one succeeds, or no other is allowed.
  mutating func outcome() async throws -> UnitOutcome {
    if let outcome = try await resume() { return outcome }
    if let refusal = work.permissionRefusal { return .failure(refusal) }
    while true {
      var blocked: [(provider: String, seconds: Double)] = []
      let next = next(&blocked)
      for (provider, seconds) in blocked where !hasWaited && logged.insert(provider).inserted {
        logOpenBreaker(provider, seconds)
      }
      switch next {
      case .giveUp: return .failure(naming(.noProvider(candidates.map(\.label), step: plan.id)))
      case .wait(let seconds):
        if work.isStopped { return .suspended }
        let awaited = sequence.waitsForBreakers ? blocked.map(\.provider) : []
        if let outcome = try await pause(seconds, for: awaited) { return outcome }
        sequence.wake()
        if !awaited.isEmpty, seconds > 1 { hasWaited = true }
      case .start(let number, let index):
        if let outcome = try await make(number, candidates[index]) { return outcome }
      }
    }
  }

  /// A failure with the reasons of the other providers.
  private func naming(_ failure: ActionFailure) -> ActionFailure {
    failure.beside(candidates.map(\.label).compactMap { name in failures[name].map { (name, $0) } })
  }

  /// The next thing to do, and the providers whose circuit breakers let nothing through.
  private mutating func next(_ blocked: inout [(provider: String, seconds: Double)]) -> AttemptSequence.Step {
    let now = context.time.now
    let (options, candidates, hasWaited) = (context.engine.options, candidates, hasWaited)
    return sequence.next(at: context.time.monotonic, random: options.random()) { index in
      guard let provider = candidates[index].provider,
        let seconds = options.breakers?.ask(provider, at: now, hasWaited: hasWaited)
      else { return nil }
      blocked.append((provider, seconds))
      return seconds
    }
  }

  /// Leaves in the log why a provider was not asked.
  private func logOpenBreaker(_ provider: String, _ seconds: Double) {
    let now = context.time.now
    let until = now.adding(seconds: seconds)
    let record = context.engine.options.breakers?.record(of: provider) ?? BreakerRecord(provider: provider, at: now)
    let kind = record.lastFailure.map { " (\($0.rawValue))" } ?? ""
    let times = record.failures == 1 ? "" : " \(record.failures) times in a row"
    context.lines.append(
      LogLine(
        run: context.run, step: work.step, item: work.item, attempt: sequence.attempts, level: .warning,
        message: "provider '\(provider)' failed\(times)\(kind); its circuit breaker is open until "
          + until.rfc3339Milliseconds, at: now))
    context.observer.observe(.leftAlone(step: work.step, record, until: until))
  }

  /// Resumes the attempts that were made before the run was left.
  ///
  /// - Returns: The unit's outcome where nothing is left to do.
  private mutating func resume() async throws -> UnitOutcome? {
    guard let resumed else { return nil }
    if resumed.wait?.kind == .retry {
      try await context.record(
        [.waitEnded(run: context.run, step: work.step, item: work.item, at: context.time.now)], .accepted)
    }
    guard let last = resumed.lastAttempt else { return nil }
    let now = context.time.now
    let monotonic = context.time.monotonic
    if last.kind == .carried {
      sequence.resume(after: resumed.attempts, failures: [], began: monotonic, wakeAt: nil)
      return nil
    }
    // Each repetition has attempts of its own.
    let isRepeated = resumed.repetitions > 0
    let began = isRepeated ? monotonic : monotonic - max(0, now.seconds(since: last.firstStart))
    let failures = resumed.openFailures.map { failure in
      AttemptSequence.Failure(
        provider: candidates.firstIndex(of: failure.asked.plain),
        isTransient: plan.retry.repeats(failure.kind) && !(failure.asked.isRepair && failure.kind == .unsuitable),
        isOutage: failure.kind.reachesNobody, isRepair: failure.asked.isRepair)
    }
    let deadline = resumed.wait.flatMap(context.engine.deadlines.deadline)
    resumed.wait.map(context.engine.deadlines.end)
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
    let request = work.request(for: attempt, key: last.key)
    // The recorded failure of the attempt is kept.
    var end = AttemptEnd(
      run: context.run, step: work.step, item: work.item, number: last.number,
      failure: last.failure ?? .lost(.cancelled),
      outputBytes: 0, duration: last.duration ?? 0, retryDelay: 0, at: last.endedAt ?? now)
    guard plan.action.effect == .once else {
      // The old program must not run beside its repetition.
      guard await context.endPrograms(of: last, step: work.step, item: work.item) else { return .suspended }
      if last.endedAt == nil { try await context.record([.attemptFinished(end)], .accepted) }
      return nil
    }
    let process = await context.engine.options.programs?.running(of: last)
    switch process == nil ? await work.verifiedOutcome(of: request, by: last.kind) : .unknown {
    case nil: return .left
    case .done(let output):
      if let verdict = work.unmet(output, progress: progress, bindings) {
        return try await repeatLater(verdict, &end, [])
      }
      end.failure = nil
      end.retryDelay = nil
      end.outputBytes = output.jsonSize
      try await context.record(
        [.attemptFinished(end), .output(run: context.run, step: work.step, item: work.item, value: output)], .soon)
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
  private func pause(_ seconds: Double, for providers: [String]) async throws -> UnitOutcome? {
    guard seconds > UnitWork.longestPauseInPlace, context.canPark else {
      let end = context.time.monotonic + seconds
      repeat {
        let left = max(0, end - context.time.monotonic)
        do { try await context.time.sleep(seconds: providers.isEmpty ? left : min(left, 1)) } catch {
          return .suspended
        }
      } while !providers.isEmpty && context.time.monotonic < end && areBlocked(providers)
      return nil
    }
    let now = context.time.now
    let until = now.adding(seconds: seconds)
    let wait = WaitStart(
      run: context.run, step: work.step, item: work.item, kind: .retry, until: until, key: WaitStart.key(of: providers),
      at: now)
    try await context.record([.waitStarted(wait)], .accepted)
    if providers.isEmpty { context.engine.deadlines.begin(wait, deadline: context.time.monotonic + seconds) }
    var progress = progress
    progress.wait = wait
    return .waits(progress, until: until)
  }

  private func areBlocked(_ providers: [String]) -> Bool {
    guard let board = context.engine.options.breakers else { return true }
    let now = context.time.now
    return providers.allSatisfy { board.isBlocked($0, at: now) }
  }

  /// Waits for the provider's limits; `nil` where the run was cancelled meanwhile.
  private func admission(to kind: AttemptKind) async -> Admission? {
    guard let provider = kind.provider else { return .free }
    return try? await context.providers.admit(to: provider)
  }

  /// Makes one attempt, once the provider's limits admit it.
  ///
  /// - Returns: The unit's outcome, or `nil` where another attempt follows.
  private mutating func make(_ number: Int, _ candidate: AttemptKind) async throws -> UnitOutcome? {
    // Another provider is asked afresh.
    let repairing = progress.lastAttempt?.kind.plain == candidate ? repair : nil
    repair = nil
    let kind = repairing == nil ? candidate : candidate.repairing
    if Task.isCancelled || work.isStopped { return work.suspended(releasing: kind) }
    var attempt = Attempt(
      number: number, kind: kind, input: repairing ?? input, inputBytes: repairing?.jsonSize ?? inputBytes)
    attempt.limit = sequence.attemptLimit(at: context.time.monotonic)
    guard let admission = await admission(to: kind) else { return work.suspended(releasing: kind) }
    defer { admission.end() }
    if work.isStopped { return work.suspended(releasing: kind) }
    let outcome = try await perform(attempt)
    guard let outcome else {
      let last = progress.lastAttempt?.failure
      failures[candidate.label] = last?.kind == .notYet ? nil : last?.message
      return nil
    }
    failures[candidate.label] = nil
    guard case .failure(let failure) = outcome else { return outcome }
    return .failure(naming(failure))
  }

  /// Carries an attempt out, and records its beginning and its end.
  ///
  /// - Returns: The unit's outcome, or `nil` where another attempt follows.
  private mutating func perform(_ attempt: Attempt) async throws -> UnitOutcome? {
    let request = work.request(for: attempt, key: work.key(ofRepetition: progress.repetitions))
    let start = AttemptStart(
      run: context.run, step: work.step, item: work.item, number: attempt.number, kind: attempt.kind, key: request.key,
      inputBytes: attempt.inputBytes, at: context.time.now)
    let isQuick = plan.isComputation
    let seen = context.time.monotonic
    if isQuick {
      try await context.note(.attemptStarted(start))
    } else {
      do {
        try await context.record([.attemptStarted(start)], plan.action.effect.intentDurability)
      } catch {
        // The provider is not called; the next attempt may be let through to it.
        work.releaseBreaker(of: attempt.kind)
        throw error
      }
    }
    let began = context.time.monotonic
    let result =
      isQuick
      ? await work.performQuickly(request)
      : try await work.perform(request, by: attempt.kind, bindings, seen: seen)
    let verified = await work.verified(result, request, by: attempt.kind)
    let ended = context.time.monotonic
    var end = AttemptEnd(
      run: context.run, step: work.step, item: work.item, number: attempt.number, failure: verified.failure,
      outputBytes: 0, duration: ended - began, retryDelay: nil, at: context.time.now)
    end.usage = context.engine.options.meter?.take(request) ?? []
    let breaker = breakerChange(attempt.kind, result)
    switch verified {
    case .success(let output):
      if plan.repetition != nil {
        progress.begin(start)
        if let verdict = work.unmet(output, progress: progress, bindings) {
          return try await repeatLater(verdict, &end, breaker)
        }
      }
      end.outputBytes = output.jsonSize
      let entries: [JournalEntry] = [
        .attemptFinished(end), .output(run: context.run, step: work.step, item: work.item, value: output),
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
      if case .repairable(let input)? = failure.flaw, sequence.repair(at: ended) {
        repair = input
        end.retryDelay = 0
      } else {
        end.retryDelay = sequence.fail(
          failure, at: ended, random: context.engine.options.random(), isFinal: failure.flaw != nil)
      }
      try await context.record([.attemptFinished(end)] + breaker, .accepted)
      progress.begin(start)
      progress.end(end)
      progress.wait = nil
      return end.retryDelay == nil ? .failure(failure) : nil
    }
  }

  /// Records that the newest attempt succeeded without making `until` true, and prepares the next repetition.
  ///
  /// - Returns: The unit's outcome, or `nil` if another repetition follows.
  private mutating func repeatLater(
    _ unmet: UnitWork.Unmet, _ end: inout AttemptEnd, _ breaker: [JournalEntry]
  ) async throws -> UnitOutcome? {
    end.failure = unmet.failure
    end.retryDelay = unmet.pause
    try await context.record([.attemptFinished(end)] + breaker, plan.action.resultDurability)
    progress.end(end)
    progress.wait = nil
    guard let pause = unmet.pause else { return .failure(unmet.failure) }
    let next = context.time.monotonic + pause
    sequence = AttemptSequence(policy: plan.retry, providers: candidates.count)
    sequence.resume(after: progress.attempts, failures: [], began: next, wakeAt: next)
    return nil
  }

  /// The meaning of a call for the provider's circuit breaker.
  private func breakerChange(_ kind: AttemptKind, _ result: UnitOutcome) -> [JournalEntry] {
    guard let provider = kind.provider, let board = context.engine.options.breakers else { return [] }
    let now = context.time.now
    let failure = result.failure.map { $0.wasSent ? $0 : .cancelledByRun }
    return board.end(provider, failure, at: now).map { [.breaker($0)] } ?? []
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

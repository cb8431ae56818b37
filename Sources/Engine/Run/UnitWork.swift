import Expressions
import Localization
import Recipes

/// Works one unit (a step, or one item of a loop): evaluates its input and goes through its attempts.
struct UnitWork: Sendable {
  let context: RunContext
  let step: Int
  let item: Int?

  var plan: PlanStep { context.plan.steps[step] }

  /// Works the unit to its end.
  ///
  /// - Throws: What the recorder throws; the unit's own failures are its outcome.
  func work(_ bindings: Bindings) async throws -> UnitOutcome {
    let input: Value
    switch evaluateInput(bindings) {
    case .success(let value): input = value
    case .failure(let failure): return .failure(failure)
    }
    if let child = plan.child { return try await work(child.inheriting(bindings.keywords), input: input) }
    let providers = plan.action.isBuiltin || plan.providers.isEmpty ? [RunContext.builtin] : plan.providers
    let inputBytes = input.json().count
    var sequence = AttemptSequence(policy: plan.retry, providers: providers.count)
    while true {
      switch sequence.next(at: context.time.monotonic) {
      case .giveUp:
        // Told by the failure that ended the sequence, below.
        return .suspended
      case .wait(let seconds):
        if isStopped { return .suspended }
        do { try await context.time.sleep(seconds: seconds) } catch { return .suspended }
      case .start(let number, let index):
        if Task.isCancelled || isStopped { return .suspended }
        let attempt = Attempt(number: number, provider: providers[index], input: input, inputBytes: inputBytes)
        guard let admission = await admission(to: attempt.provider) else { return .suspended }
        defer { admission.end() }
        if isStopped { return .suspended }
        if let outcome = try await work(attempt, in: &sequence) { return outcome }
      }
    }
  }

  /// Waits for the provider's limits; `nil` where the run was called off meanwhile.
  private func admission(to provider: String) async -> Admission? {
    if provider == RunContext.builtin { return .free }
    return try? await context.providers.admit(to: provider)
  }

  /// Works one attempt.
  ///
  /// - Returns: The unit's outcome, or `nil` where another attempt follows.
  private func work(_ attempt: Attempt, in sequence: inout AttemptSequence) async throws -> UnitOutcome? {
    let request = request(for: attempt)
    let start = AttemptStart(
      run: context.run, step: step, item: item, number: attempt.number, provider: attempt.provider, key: request.key,
      inputBytes: attempt.inputBytes, at: context.time.now)
    try await context.record([.attemptStarted(start)], plan.action.effect.intentDurability)
    let began = context.time.monotonic
    let result = await perform(request, provider: attempt.provider)
    let settled = await settle(result, request, provider: attempt.provider)
    let ended = context.time.monotonic
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: attempt.number, failure: settled.failure,
      outputBytes: 0, duration: ended - began, retryDelay: nil, at: context.time.now)
    switch settled {
    case .success(let output):
      end.outputBytes = output.json().count
      try await context.record(
        [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)],
        plan.action.resultDurability)
      return settled
    case .inDoubt:
      try await context.record([.attemptFinished(end)], .synced)
      return settled
    case .suspended:
      end.failure = .calledOff
      try await context.record([.attemptFinished(end)], .accepted)
      return settled
    case .failure(let failure):
      if failure.kind == .cancelled, Task.isCancelled {
        try await context.record([.attemptFinished(end)], .accepted)
        return .suspended
      }
      end.retryDelay = sequence.fail(failure, at: ended, random: context.random())
      try await context.record([.attemptFinished(end)], .accepted)
      return end.retryDelay == nil ? .failure(failure) : nil
    }
  }

  /// Whether no new attempt may begin; what runs at the end is not concerned.
  private var isStopped: Bool { context.stopSignal.isSet && !plan.isFinally }

  private func request(for attempt: Attempt) -> ActionRequest {
    ActionRequest(
      run: context.run, step: plan.id, item: item, attempt: attempt.number, action: plan.action.name,
      input: attempt.input,
      key: item.map { "\(context.run).\(plan.id).\($0)" } ?? "\(context.run).\(plan.id)",
      timeout: plan.timeout ?? context.defaultTimeout)
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
      let place = ([plan.id, "with"] + first.path.map { "\($0)" }).joined(separator: ".")
      return .failure(
        ActionFailure(.invalidInput, LocalizedText("\(place): ", de: "\(place): ") + first.message))
    }
    return .success(value)
  }

  /// Calls the provider and cuts the call off when its time is up.
  private func perform(_ request: ActionRequest, provider name: String) async -> UnitOutcome {
    let answer = await bounded(request) { reporter throws(ActionFailure) in
      try await provider(name).perform(request, reporter: reporter)
    }
    switch answer {
    case .success(let output): return .success(output)
    case .failure(let failure): return .failure(failure)
    }
  }

  /// Finds out what became of a `once` action whose answer was lost; every other outcome stays as it is.
  private func settle(
    _ outcome: UnitOutcome, _ request: ActionRequest, provider name: String
  ) async -> UnitOutcome {
    guard case .failure(let failure) = outcome, plan.action.effect == .once, failure.kind.leavesEffectOpen else {
      return outcome
    }
    // Interrupted: the attempt stays without a verdict, and whoever resumes the run asks for one first.
    if Task.isCancelled, !context.stopSignal.isDeadline { return .suspended }
    // Apart from this task, which may be cancelled: a deadline of the run must not keep the truth from being found.
    let verdict = await Task { await self.verdict(on: request, provider: name) }.value
    switch verdict {
    case .done(let output): return .success(output)
    case .notDone: return outcome
    case .unknown: return .inDoubt(.inDoubt(request, failure))
    }
  }

  private func verdict(on request: ActionRequest, provider name: String) async -> Verdict {
    var sequence = AttemptSequence(policy: plan.retry, providers: 1)
    while true {
      switch sequence.next(at: context.time.monotonic) {
      case .giveUp: return .unknown
      case .wait(let seconds): try? await context.time.sleep(seconds: seconds)
      case .start:
        let answer = await bounded(request) { reporter throws(ActionFailure) in
          try await provider(name).verify(request, reporter: reporter)
        }
        switch answer {
        case .success(let verdict): return verdict
        case .failure(let failure): sequence.fail(failure, at: context.time.monotonic, random: context.random())
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
    let limit = request.timeout ?? context.defaultTimeout
    let reporter = UnitReporter(context: context, step: step, item: item, attempt: request.attempt)
    return await withTaskGroup(of: Result<Answer, ActionFailure>?.self) { group in
      group.addTask {
        do throws(ActionFailure) {
          return .success(try await body(reporter))
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await context.time.sleep(seconds: limit)
        return nil
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
private struct Attempt {
  let number: Int
  let provider: String
  let input: Value
  let inputBytes: Int
}

extension RunContext {
  /// The name under which Sous's own actions stand in the journal.
  static let builtin = "builtin"
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
  var resultDurability: Durability {
    isCostly ? .synced : effect.intentDurability
  }
}

extension ActionFailure {
  static var calledOff: ActionFailure { ActionFailure(.cancelled, .init("called off", de: "abgebrochen")) }

  static func timedOut(after seconds: Double, action: String) -> ActionFailure {
    ActionFailure(
      .timeout,
      .init(
        "'\(action)' did not answer within \(seconds.formattedSeconds)",
        de: "'\(action)' hat nicht innerhalb von \(seconds.formattedSeconds) geantwortet"),
      advice: .init(
        "raise the step's timeout if that is to be expected",
        de: "timeout des Schritts erhöhen, falls das zu erwarten ist"))
  }

  /// Nobody can say whether a `once` action took effect.
  static func inDoubt(_ request: ActionRequest, _ cause: ActionFailure) -> ActionFailure {
    ActionFailure(
      cause.kind,
      LocalizedText(
        "it is not known whether '\(request.action)' of step '\(request.step)' took effect: ",
        de: "es ist nicht bekannt, ob '\(request.action)' von Schritt '\(request.step)' gewirkt hat: ") + cause.message,
      advice: .init(
        "look whether it did before running the recipe again; nothing was repeated",
        de: "nachsehen, ob es so ist, bevor das Rezept noch einmal läuft; nichts wurde wiederholt"))
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
  var formattedSeconds: String {
    self == rounded() && magnitude < 1e15 ? "\(Int64(self)) s" : "\(self) s"
  }
}

import Expressions
import Localization
import Recipes

/// Works one unit (a step, or one item of a loop): evaluates its input and goes through its attempts.
struct UnitWork: Sendable {
  let context: RunContext
  let step: Int
  let item: Int?

  private var plan: PlanStep { context.plan.steps[step] }

  /// Works the unit to its end.
  ///
  /// - Throws: What the recorder throws; the unit's own failures are its outcome.
  func work(_ bindings: Bindings) async throws -> UnitOutcome {
    let input: Value
    switch evaluateInput(bindings) {
    case .success(let value): input = value
    case .failure(let failure): return .failure(failure)
    }
    let providers = plan.action.isBuiltin || plan.providers.isEmpty ? [RunContext.builtin] : plan.providers
    let inputBytes = input.json().count
    let key = item.map { "\(context.run).\(plan.id).\($0)" } ?? "\(context.run).\(plan.id)"
    var sequence = AttemptSequence(policy: plan.retry, providers: providers.count)
    var lastFailure = ActionFailure(.cancelled, .init("called off", de: "abgebrochen"))
    while true {
      switch sequence.next(at: context.time.monotonic) {
      case .giveUp:
        return .failure(lastFailure)
      case .wait(let seconds):
        do { try await context.time.sleep(seconds: seconds) } catch { return .failure(.calledOff) }
      case .start(let number, let provider):
        if Task.isCancelled { return .failure(.calledOff) }
        let start = AttemptStart(
          run: context.run, step: step, item: item, number: number, provider: providers[provider], key: key,
          inputBytes: inputBytes, at: context.time.now)
        try await context.record([.attemptStarted(start)], plan.action.effect.intentDurability)
        let began = context.time.monotonic
        let outcome = await attempt(number, provider: providers[provider], input: input, key: key)
        let ended = context.time.monotonic
        var end = AttemptEnd(
          run: context.run, step: step, item: item, number: number, failure: outcome.failure,
          outputBytes: outcome.output.map { $0.json().count } ?? 0, duration: ended - began, retryDelay: nil,
          at: context.time.now)
        switch outcome {
        case .success(let output):
          try await context.record(
            [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)],
            plan.action.resultDurability)
          return outcome
        case .failure(let failure):
          lastFailure = failure
          if failure.kind != .cancelled || !Task.isCancelled {
            end.retryDelay = sequence.fail(failure, at: ended, random: context.random())
          }
          try await context.record([.attemptFinished(end)], .accepted)
          if Task.isCancelled { return .failure(failure.kind == .cancelled ? .calledOff : failure) }
        }
      }
    }
  }

  private func evaluateInput(_ bindings: Bindings) -> Result<Value, ActionFailure> {
    let value: Value
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

  private func attempt(_ number: Int, provider name: String, input: Value, key: String) async -> UnitOutcome {
    let limit = plan.timeout ?? context.defaultTimeout
    let request = ActionRequest(
      run: context.run, step: plan.id, item: item, attempt: number, action: plan.action.name, input: input, key: key,
      timeout: limit)
    let reporter = UnitReporter(context: context, step: step, item: item, attempt: number)
    return await withTaskGroup(of: UnitOutcome?.self) { group in
      group.addTask {
        do throws(ActionFailure) {
          let provider =
            name == RunContext.builtin
            ? context.providers.builtins : try await context.providers.provider(named: name)
          return .success(try await provider.perform(request, reporter: reporter))
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
      if let outcome = first { return outcome }
      // The time is up, or the run was called off. What was cancelled may still have come to an end: that counts.
      let late = await group.next() ?? nil
      if case .success = late { return late ?? .failure(.calledOff) }
      if Task.isCancelled { return late ?? .failure(.calledOff) }
      return .failure(.timedOut(after: limit, action: plan.action.name))
    }
  }
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

  /// An expression of a step that failed while the recipe ran.
  init(evaluating field: String, of step: String, _ error: ExpressionError) {
    self.init(
      .invalidInput,
      LocalizedText("\(field) of step '\(step)': ", de: "\(field) von Schritt '\(step)': ") + error.message)
  }
}

extension Double {
  /// Seconds for people: `60 s`, `0.25 s`.
  var formattedSeconds: String {
    self == rounded() && magnitude < 1e15 ? "\(Int64(self)) s" : "\(self) s"
  }
}

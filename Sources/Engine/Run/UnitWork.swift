import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas
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
    if let child = plan.child { return try await runRecipe(child, bindings, input: input) }
    var cacheKey: String?
    if let cache = plan.cache, context.engine.options.cache != nil {
      do throws(ExpressionError) {
        cacheKey = try self.cacheKey(cache, input: input, bindings)
      } catch {
        return .failure(.init(evaluating: "cache", of: plan.id, error))
      }
      if let cacheKey, let output = await cached(cacheKey) { return try await take(cached: output, input) }
    }
    var attempts = UnitAttempts(self, input: input, bindings)
    let outcome = try await attempts.outcome()
    if let cacheKey, case .success(let output) = outcome { await keep(output, cacheKey) }
    return outcome
  }

  /// The failure of a step that needs a permission which the run does not have; `nil` if it has all. Every action passes this
  /// check, also those of child recipes and of tools.
  var permissionRefusal: ActionFailure? {
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

  /// Ends the call that the circuit breaker has admitted, without counting it.
  func releaseBreaker(of kind: AttemptKind) {
    guard let provider = kind.provider else { return }
    _ = context.engine.options.breakers?.end(provider, .cancelledByRun, at: context.time.now)
  }

  /// The outcome of a unit whose attempt does not begin.
  func suspended(releasing kind: AttemptKind) -> UnitOutcome {
    releaseBreaker(of: kind)
    return .suspended
  }

  /// Whether no new attempt may begin; what runs at the end is only concerned where the process is about to end.
  var isStopped: Bool { context.stopSignal.isSet && plan.phase == .main || context.isDraining }

  /// - Parameter key: The idempotency key; `nil` for that of the unit.
  func request(for attempt: Attempt, key: String? = nil) -> ActionRequest {
    ActionRequest(
      run: context.run, step: plan.id, item: item, attempt: attempt.number, action: plan.action.name,
      input: attempt.input,
      key: key ?? self.key,
      timeout: min(plan.timeout ?? context.engine.options.defaultTimeout, attempt.limit ?? .infinity),
      recipe: context.plan.name, recipePath: context.plan.path)
  }

  /// The idempotency key: the same for all attempts, those of the run that this one repeats included.
  var key: String {
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
      let schema = plan.action.input
      value = schema.withWholeNumbers(schema.fillingDefaults(try plan.input.evaluate(bindings)))
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
  func performQuickly(_ request: ActionRequest) async -> UnitOutcome {
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
  ///   - bindings: The variables of the step's expressions.
  ///   - seen: When the run was this process's own for certain, by the monotonic clock.
  /// - Throws: Why that cannot be found out, or that it no longer is; nothing is called then.
  func perform(
    _ request: ActionRequest, by kind: AttemptKind, _ bindings: Bindings, seen: Double
  ) async throws -> UnitOutcome {
    let refusal = Mutex<(any Error)?>(nil)
    let answer = await bounded(request) { reporter throws(ActionFailure) in
      let provider = try await self.provider(kind, bindings)
      do {
        try await self.makeSureItIsOurs(seen: seen)
      } catch {
        refusal.withLock { $0 = error }
        throw .cancelledByRun
      }
      return try await provider.perform(request, reporter: reporter)
    }
    if let error = refusal.withLock({ $0 }) {
      releaseBreaker(of: kind)
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
    try await context.engine.queue.beat()
  }

  /// Finds out what became of a `once` action whose answer was lost; every other outcome stays as it is.
  func verified(_ outcome: UnitOutcome, _ request: ActionRequest, by kind: AttemptKind) async -> UnitOutcome {
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
  func verifiedOutcome(of request: ActionRequest, by kind: AttemptKind) async -> Verdict? {
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
          sequence.fail(failure, at: context.time.monotonic, random: context.engine.options.random())
        }
      }
    }
  }

  private func provider(_ kind: AttemptKind, _ bindings: Bindings? = nil) async throws(ActionFailure)
    -> any StepProvider
  {
    guard let route = kind.route else { return context.providers.builtins }
    guard let bindings else { return try await context.providers.provider(named: route) }
    let use = ProviderUse(step: plan, budgets: context.plan.budgets, bindings: bindings)
    return try await context.providers.provider(named: route, for: use)
  }

  /// Calls something and cancels it when the request's time is up; an answer that comes all the same counts.
  private func bounded<Answer: Sendable>(
    _ request: ActionRequest,
    _ body: @escaping @Sendable (UnitReporter) async throws(ActionFailure) -> Answer
  ) async -> Result<Answer, ActionFailure> {
    let limit = request.timeout ?? context.engine.options.defaultTimeout
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
      var failure = ActionFailure.timedOut(after: limit, action: request.action)
      if case .failure(let last) = late { failure.output = last.output }
      return .failure(failure)
    }
  }
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
      advice: .settling(run))
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

extension LocalizedText {
  /// The advice about an effect in doubt of a run, or of a part of it.
  static func settling(_ run: RunID) -> LocalizedText {
    LocalizedText(
      "look whether it did, then say so with 'sous answer settle \(run) --done' or '--not-done'; nothing was repeated",
      de: "nachsehen, dann mit 'sous answer settle \(run) --done' oder '--not-done' sagen; nichts wurde wiederholt")
  }
}

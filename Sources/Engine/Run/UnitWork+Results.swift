import Expressions
import Hashing
import Localization
import Plans
import RecipeModel

/// Results that do not come from a call: those that are kept from earlier calls, and those of a run that is replayed.
extension UnitWork {
  // MARK: - Cache

  /// What names a result.
  ///
  /// The action, who is asked for it and with which settings; then what it is given. Where the recipe names the result
  /// by a part of that, the name is this step's own, as long as its `with` stays as it is. What Sous does itself depends
  /// on the recipe too: it has a state of its own.
  func cacheKey(_ cache: PlanStep.Cache, input: Value, _ bindings: Bindings) throws(ExpressionError) -> String {
    let scope = context.engine.options.resultScope
    let recipe: Value = .list([.string(context.plan.name), .string(context.plan.path)])
    let isOwn = plan.action.isBuiltin || plan.providers.isEmpty
    let providers: Value =
      isOwn
      ? .list([recipe, .string(scope(nil))])
      : .list(plan.providers.map { .list([.string($0), .string(scope($0))]) })
    let subject: Value =
      if let key = try cache.key?.evaluate(bindings) {
        .list([recipe, .string(plan.id), plan.input.notation, key])
      } else {
        input
      }
    let name: Value = .list([
      .string(plan.action.name), .bool(isOwn), providers, .bool(cache.key != nil), subject,
    ])
    return ContentHash.hexadecimal(of: name.json())
  }

  /// A kept result. A cache that cannot be read is done without.
  func cached(_ key: String) async -> Value? {
    try? await context.engine.options.cache?.cachedResult(key, at: context.time.now)
  }

  /// Keeps a result.
  func keep(_ output: Value, _ key: String) async {
    guard let seconds = plan.cache?.seconds else { return }
    let expiry = context.time.now.adding(seconds: seconds)
    do {
      try await context.engine.options.cache?.keepResult(output, key: key, until: expiry)
    } catch {
      let reporter = UnitReporter(context: context, step: step, item: item, attempt: 1)
      reporter.log(.warning, "the result was not kept for later: \(error)")
    }
  }

  /// Notes a kept result as this unit's own.
  func take(cached output: Value, _ input: Value) async throws -> UnitOutcome {
    try await note(.success(output), as: .cache, inputBytes: input.jsonSize)
  }

  // MARK: - Replay

  /// Whether a replay gives the recorded result instead of doing it again.
  var isReplayed: Bool { plan.action.effect != .pure || plan.action.isWait || plan.child != nil }

  /// Gives what the run gave that is replayed.
  func replay(_ run: RunSnapshot) async throws -> UnitOutcome {
    let recorded = run.steps.indices.contains(step) ? run.steps[step] : nil
    let unit = recorded?.units.first { $0.item == item }
    if let output = unit?.output { return try await note(.success(output), as: .replay, inputBytes: 0) }
    // What failed before it made an attempt has left its failure with the step.
    let failure =
      unit?.lastAttempt?.failure ?? recorded?.failure ?? .notRecorded(step: plan.id, run: run.start.run)
    return try await note(.failure(failure), as: .replay, inputBytes: 0)
  }

  /// Writes an attempt down that nobody was called for.
  private func note(_ outcome: UnitOutcome, as kind: AttemptKind, inputBytes: Int) async throws -> UnitOutcome {
    let now = context.time.now
    let number = (resumed?.attempts ?? 0) + 1
    let start = AttemptStart(
      run: context.run, step: step, item: item, number: number, kind: kind, key: "", inputBytes: inputBytes,
      at: now)
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: number, failure: outcome.failure, outputBytes: 0, duration: 0,
      retryDelay: nil, at: now)
    var entries: [JournalEntry] = [.attemptStarted(start)]
    if case .success(let output) = outcome {
      end.outputBytes = output.jsonSize
      entries += [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)]
    } else {
      entries.append(.attemptFinished(end))
    }
    try await context.record(entries, .accepted)
    return outcome
  }
}

extension BoundValue {
  /// How the value is written, its expressions as they stand; differs where two values differ.
  fileprivate var notation: Value {
    switch self {
    case .literal(let value): ["value": value]
    case .template(let template): ["template": .string(template.source)]
    case .list(let elements): .list(elements.map(\.notation))
    case .map(let entries): ["map": .list(entries.map { .list([.string($0.name), $0.value.notation]) })]
    }
  }
}

extension ActionFailure {
  fileprivate static func notRecorded(step: String, run: RunID) -> ActionFailure {
    ActionFailure(
      .notFound,
      .init(
        "run \(run) has no recorded result of step '\(step)' to replay",
        de: "Lauf \(run) hat kein aufgezeichnetes Ergebnis von Schritt '\(step)', das sich wiederholen ließe"))
  }
}

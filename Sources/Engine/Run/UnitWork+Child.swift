import Expressions
import Localization
import Recipes
import Synchronization

extension UnitWork {
  /// Runs another recipe as a run of its own and waits for its end.
  ///
  /// Its steps have their own retries, so the step that starts it makes one attempt.
  func work(_ child: Plan, input: Value) async throws -> UnitOutcome {
    let name = plan.id
    var random = SystemRandomNumberGenerator()
    let id = RunID(at: context.time.now, using: &random)
    let start = AttemptStart(
      run: context.run, step: step, item: item, number: 1, provider: RunContext.recipe, key: id.rawValue,
      inputBytes: input.json().count, at: context.time.now)
    try await context.record([.attemptStarted(start)], .accepted)
    let began = context.time.monotonic
    let outcome = try await run(child, as: id, input: input, name)
    var end = AttemptEnd(
      run: context.run, step: step, item: item, number: 1, failure: outcome.failure, outputBytes: 0,
      duration: context.time.monotonic - began, retryDelay: nil, at: context.time.now)
    switch outcome {
    case .success(let output):
      end.outputBytes = output.json().count
      try await context.record(
        [.attemptFinished(end), .output(run: context.run, step: step, item: item, value: output)], .synced)
    case .suspended:
      end.failure = .calledOff
      try await context.record([.attemptFinished(end)], .accepted)
    case .failure, .inDoubt:
      try await context.record([.attemptFinished(end)], .synced)
    }
    return outcome
  }

  private func run(_ child: Plan, as id: RunID, input: Value, _ name: String) async throws -> UnitOutcome {
    var child = child
    if let limit = plan.timeout { child.timeout = min(limit, child.timeout ?? limit) }
    let inputs: Value
    do throws(EngineError) {
      inputs = try child.inputs(from: input.fields)
    } catch {
      return .failure(ActionFailure(.invalidInput, error.message))
    }
    let keywords = context.request.keywords.filter { child.keywordNames.contains($0.key) }
    let result = try await context.runner.run(
      child,
      RunRequest(id: id, inputs: inputs, keywords: keywords, trigger: "\(context.run).\(name)"),
      observer: ChildObserver(context: context, step: step, item: item, total: child.steps.count))
    switch result.status {
    case .succeeded: return .success(result.outputs)
    case .interrupted, .running, .cancelled, .queued, .waiting, .skipped: return .suspended
    case .needsAttention: return .inDoubt(failure(of: result, child))
    case .failed: return .failure(failure(of: result, child))
    }
  }

  private func failure(of result: RunResult, _ child: Plan) -> ActionFailure {
    let cause = result.failure ?? ActionFailure(.invalidInput, LocalizedText(verbatim: ""))
    return ActionFailure(
      cause.kind,
      LocalizedText(
        "recipe '\(child.name)' (run \(result.id)): ", de: "Rezept '\(child.name)' (Lauf \(result.id)): ")
        + cause.message,
      advice: cause.advice)
  }
}

extension RunContext {
  /// The name under which recipes that recipes run stand in the journal.
  static let recipe = "recipe"
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

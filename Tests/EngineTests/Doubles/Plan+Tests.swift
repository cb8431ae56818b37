import Engine
import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

extension PlanStep {
  /// A step as tests need it: one provider, no jitter.
  static func step(
    _ id: String, effect: Effect = .pure, costly: Bool = false, providers: [String] = ["main"],
    input: BoundValue = .literal(.map([:])), when: Expression? = nil, loop: Loop? = nil, needs: [Int] = [],
    retry: RetryPolicy = RetryPolicy(jitter: 0), timeout: Double? = nil, onError: ErrorPolicy = .fail
  ) -> PlanStep {
    let origin = SourceRange.Position(line: 1, column: 1, offset: 0)
    return PlanStep(
      id: id,
      action: ActionSignature(
        name: "test.\(id)", summary: LocalizedText(verbatim: id), effect: effect, isCostly: costly, input: .anything,
        output: .anything),
      providers: providers, input: input, condition: when, loop: loop, needs: needs, retry: retry, timeout: timeout,
      onError: onError, range: SourceRange(start: origin, end: origin))
  }

  /// A step that runs at the end.
  static func last(_ id: String, needs: [Int]) -> PlanStep {
    var step = step(id, needs: needs)
    step.isFinally = true
    return step
  }

  /// A step that takes another one back.
  static func undo(_ id: String, of target: Int, needs: [Int]) -> PlanStep {
    var step = step(id, needs: needs)
    step.phase = .undo(of: target)
    return step
  }

  /// The step after others.
  func needing(_ needs: [Int]) -> PlanStep {
    var step = self
    step.needs = needs
    return step
  }

  private static func wait(_ id: String, _ action: ActionSignature, _ input: Value) -> PlanStep {
    var step = step(id, input: .literal(input))
    step.action = action
    step.providers = []
    return step
  }

  /// A step that waits for a while.
  static func sleep(_ id: String, _ duration: String) -> PlanStep { wait(id, .sleep, ["for": .string(duration)]) }

  /// A step that waits for a point in time.
  static func until(_ id: String, _ time: Timestamp) -> PlanStep { wait(id, .until, ["time": .timestamp(time)]) }

  /// A step that waits for an event.
  static func waitFor(_ id: String, _ event: String, timeout: String) -> PlanStep {
    wait(id, .waitFor, ["event": .string(event), "timeout": .string(timeout)])
  }

  /// A step that waits for a decision.
  static func approve(_ id: String) -> PlanStep { wait(id, .approve, ["message": "Go on?"]) }

  /// A step that runs another plan.
  static func child(_ id: String, _ plan: Plan, input: BoundValue = .literal(.map([:])), needs: [Int] = []) -> PlanStep
  {
    var step = step(id, input: input, needs: needs)
    step.action = .recipe
    step.child = plan
    return step
  }

  /// A loop over so many numbers.
  static func loop(_ id: String, over count: Int, parallel: Int = 1, onError: ErrorPolicy = .fail) -> PlanStep {
    step(
      id, loop: Loop(items: .literal(.list((0..<count).map { .int(Int64($0)) })), parallel: parallel),
      retry: RetryPolicy(attempts: 1), onError: onError)
  }
}

extension Plan {
  static func plan(_ steps: [PlanStep], timeout: Double? = nil) -> Plan {
    Plan(name: "test", path: "test.yaml", fingerprint: "0", timeout: timeout, steps: steps)
  }
}

extension ActionFailure {
  static func test(_ kind: Kind, retryAfter: Double? = nil) -> ActionFailure {
    ActionFailure(kind, LocalizedText(verbatim: "as scripted"), retryAfter: retryAfter)
  }
}

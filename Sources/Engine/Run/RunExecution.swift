import Expressions
import Localization
import Recipes

/// One run while it is being worked on: carries the machine's actions out and feeds it what happens.
struct RunExecution {
  private enum Report: Sendable {
    case unit(step: Int, item: Int?, UnitOutcome)
    case deadline
    case nothing
  }

  private let context: RunContext
  private var machine: RunMachine
  private var values: RunValues
  private var loops: [Int: LoopState] = [:]
  private var outputs: [Int: Value] = [:]
  private var end: RunEnd?
  /// Whether the deadline has passed, so that what begins now begins apart from what it has cancelled.
  private var isOverdue = false
  private var waiting: [(step: Int, item: Int?)] = []

  /// The items of a loop and what became of them so far.
  private struct LoopState {
    var items: [Value]
    var outcomes: [UnitOutcome?]
  }

  init(context: RunContext, request: RunRequest) async throws {
    self.context = context
    machine = RunMachine(steps: context.plan.steps)
    let now = context.time.now
    let plan = context.plan
    let start = RunStart(
      run: context.run, recipe: plan.name, path: plan.path, fingerprint: plan.fingerprint, trigger: request.trigger,
      inputs: request.inputs,
      steps: plan.steps.map { .init(id: $0.id, action: $0.action.name, effect: $0.action.effect) }, at: now)
    // At once, so that a run whose process dies is known to have begun.
    try await context.record([.runStarted(start)], .committed)
    do {
      values = try RunValues(plan: plan, request: request, now: now)
    } catch {
      let failure = ActionFailure(
        .invalidInput, LocalizedText("keywords: ", de: "Schlüsselwörter: ") + error.message)
      try await context.record(
        [.runFinished(RunEnd(run: context.run, status: .failed, outputs: .map([:]), failure: failure, at: now))],
        .committed)
      throw EngineError(.unknownKeyword, failure.message, cause: error)
    }
  }

  mutating func execute() async throws -> RunEnd {
    try await work(withDeadline: true)
    // The deadline has cancelled all that was under way; steps that run at the end begin apart from that.
    while end == nil, !waiting.isEmpty { try await work(withDeadline: false) }
    return end
      ?? finish(
        status: .failed,
        failure: ActionFailure(
          .invalidInput, .init("the plan cannot go on", de: "der Plan kann nicht weitergehen")))
  }

  /// Works until nothing is under way any more.
  private mutating func work(withDeadline hasDeadline: Bool) async throws {
    try await withThrowingTaskGroup(of: Report.self) { group in
      isOverdue = false
      if hasDeadline {
        if let limit = context.plan.timeout {
          let time = context.time
          group.addTask {
            do { try await time.sleep(seconds: limit) } catch { return .nothing }
            return .deadline
          }
        }
        try await carryOut(machine.handle(.start), in: &group)
      } else {
        for unit in waiting { start(step: unit.step, item: unit.item, in: &group) }
        waiting = []
      }
      while end == nil, let report = try await group.next() {
        if Task.isCancelled { try await carryOut(machine.handle(.stop(.interrupted)), in: &group) }
        switch report {
        case .unit(let step, let item, let outcome):
          loops[step]?.outcomes[item ?? 0] = outcome
          if item == nil { outputs[step] = outcome.output }
          try await carryOut(take(outcome, step: step, item: item), in: &group)
        case .deadline:
          isOverdue = true
          context.stopSignal.set(deadline: true)
          group.cancelAll()
          try await carryOut(machine.handle(.stop(.failed(deadlineFailure))), in: &group)
        case .nothing:
          break
        }
      }
      group.cancelAll()
    }
  }

  private mutating func take(_ outcome: UnitOutcome, step: Int, item: Int?) -> [RunMachine.Action] {
    switch outcome {
    case .success, .failure:
      return machine.handle(.unitFinished(step: step, item: item, failure: outcome.failure))
    case .suspended:
      return machine.handle(.unitSuspended(step: step, item: item))
    case .inDoubt(let failure):
      return machine.handle(.stop(.needsAttention(failure)))
        + machine.handle(.unitSuspended(step: step, item: item))
    }
  }

  private var deadlineFailure: ActionFailure {
    ActionFailure(
      .timeout,
      .init(
        "the run took longer than its timeout of \((context.plan.timeout ?? 0).formattedSeconds)",
        de: "der Lauf hat länger gedauert als sein timeout von \((context.plan.timeout ?? 0).formattedSeconds)"))
  }

  private mutating func carryOut(
    _ actions: [RunMachine.Action], in group: inout ThrowingTaskGroup<Report, any Error>
  ) async throws {
    var queue = actions[...]
    while true {
      if machine.isStopping { context.stopSignal.set() }
      guard let action = queue.popFirst() else { return }
      switch action {
      case .prepare(let step):
        let preparation = prepare(step)
        var count: Int?
        if case .loop(let items) = preparation { count = items }
        if case .skip = preparation {
        } else {
          try await context.record(
            [.stepStarted(run: context.run, step: step, itemCount: count, at: context.time.now)], .accepted)
        }
        queue.append(contentsOf: machine.handle(.prepared(step: step, preparation)))
      case .startUnit(let step, let item):
        if isOverdue {
          waiting.append((step, item))
        } else {
          start(step: step, item: item, in: &group)
        }
      case .finishStep(let step, let status, let succeeded, let failed, let failure):
        try await finish(step: step, status: status, succeeded: succeeded, failed: failed, failure: failure)
      case .finishRun(let status, let failure):
        end = finish(status: status, failure: failure)
      }
    }
  }

  /// Evaluates a step's condition and list.
  private mutating func prepare(_ step: Int) -> RunMachine.Preparation {
    let plan = context.plan.steps[step]
    do throws(ExpressionError) {
      let bindings = try values.bindings(beforeItemsOf: plan)
      if let condition = plan.condition {
        let answer: Value
        do throws(ExpressionError) {
          answer = try condition.evaluate(bindings)
        } catch {
          throw error.explained(by: condition.references, bindings)
        }
        guard case .bool(let holds) = answer else {
          throw ExpressionError(
            .wrongType, .init("'when' must be true or false", de: "'when' muss true oder false ergeben"))
        }
        if !holds { return .skip }
      }
      guard let loop = plan.loop else { return .single }
      let items: [Value]
      switch try loop.items.evaluate(bindings) {
      case .list(let elements): items = elements
      case .map(let map): items = map.entries.map { .map(["key": $0.key.value, "value": $0.value]) }
      case .null: items = []
      default:
        throw ExpressionError(
          .wrongType, .init("'for_each' must give a list or a map", de: "'for_each' muss eine Liste oder Map ergeben"))
      }
      loops[step] = LoopState(items: items, outcomes: Array(repeating: nil, count: items.count))
      return .loop(count: items.count)
    } catch {
      return .failed(ActionFailure(evaluating: "when/for_each", of: plan.id, error))
    }
  }

  private func start(step: Int, item: Int?, in group: inout ThrowingTaskGroup<Report, any Error>) {
    let work = UnitWork(context: context, step: step, item: item)
    let values = values
    let element = item.flatMap { index in loops[step].map { (index: index, value: $0.items[index]) } }
    group.addTask {
      let bindings: Bindings
      do throws(ExpressionError) {
        bindings = try values.bindings(for: work.context.plan.steps[step], item: element)
      } catch {
        let failure = ActionFailure(evaluating: "keywords", of: work.context.plan.steps[step].id, error)
        return .unit(step: step, item: item, .failure(failure))
      }
      return .unit(step: step, item: item, try await work.work(bindings))
    }
  }

  private mutating func finish(
    step: Int, status: StepStatus, succeeded: Int, failed: Int, failure: ActionFailure?
  ) async throws {
    let loop = loops.removeValue(forKey: step)
    let items = loop.map { loop in
      loop.items.indices.map { RunValues.item(index: $0, value: loop.items[$0], outcome: loop.outcomes[$0]) }
    }
    let output = loop.map { .list($0.outcomes.compactMap { $0?.output }) } ?? outputs.removeValue(forKey: step) ?? .null
    values.finish(context.plan.steps[step].id, status: status, output: output, items: items, failure: failure)
    let end = StepEnd(
      run: context.run, step: step, status: status, itemsSucceeded: loop.map { _ in succeeded },
      itemsFailed: loop.map { _ in failed }, failure: failure, at: context.time.now)
    try await context.record([.stepFinished(end)], .accepted)
  }

  private func finish(status: RunStatus, failure: ActionFailure?) -> RunEnd {
    var status = status
    var failure = failure
    var outputs = ValueMap()
    if status == .succeeded {
      do throws(ExpressionError) {
        let bindings = values.bindings()
        for (name, value) in context.plan.outputs { outputs[name] = try value.evaluate(bindings) }
      } catch {
        status = .failed
        failure = ActionFailure(
          .invalidInput, LocalizedText("outputs: ", de: "Ausgaben (outputs): ") + error.message)
        outputs = [:]
      }
    }
    return RunEnd(run: context.run, status: status, outputs: .map(outputs), failure: failure, at: context.time.now)
  }
}

extension MapKey {
  /// The key as a value of its own.
  fileprivate var value: Value {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .string(let value): .string(value)
    }
  }
}

import Localization
public import Recipes

/// The scheduling of one run as a state machine: which step and item starts when, and how the run ends.
///
/// It knows no values, no time and no I/O: the driver evaluates conditions, lists and inputs, works the attempts, and
/// reports back; the machine answers with what to do next.
public struct RunMachine: Sendable {
  /// Something that happened.
  public enum Event: Sendable {
    /// The run may begin.
    case start
    /// A step that was to be prepared is ready.
    case prepared(step: Int, Preparation)
    /// A step without a loop, or one item of a loop, has ended after its last attempt.
    case unitFinished(step: Int, item: Int?, failure: ActionFailure?)
    /// A unit has ended without its work being done or refused: it was called off between two attempts, or nobody can
    /// say whether its effect took place. It stays open.
    case unitSuspended(step: Int, item: Int?)
    /// The run shall stop. Units that are being worked on still report.
    case stop(Stop)
  }

  /// What evaluating a step's condition and list has given.
  public enum Preparation: Sendable {
    /// The condition is false.
    case skip
    /// The step runs once.
    case single
    /// The step runs once for each of so many items.
    case loop(count: Int)
    /// The condition or the list could not be evaluated.
    case failed(ActionFailure)
  }

  /// Why a run stops before its end.
  public enum Stop: Sendable {
    /// The process ends; the run is resumed later.
    case interrupted
    /// Somebody called it off.
    case cancelled
    /// Whether an effect took place is unknown; a person decides.
    case needsAttention(ActionFailure)
    /// It took too long, or it cannot go on.
    case failed(ActionFailure)
  }

  /// Something to do.
  public enum Action: Sendable {
    /// Evaluate a step's condition and list and report ``Event/prepared(step:_:)``.
    case prepare(step: Int)
    /// Work a step, or one item of it, and report ``Event/unitFinished(step:item:failure:)``.
    case startUnit(step: Int, item: Int?)
    /// A step has ended.
    case finishStep(step: Int, status: StepStatus, succeeded: Int, failed: Int, failure: ActionFailure?)
    /// The run has ended; nothing is left to do.
    case finishRun(status: RunStatus, failure: ActionFailure?)
  }

  private struct StepState {
    var status = StepStatus.pending
    var unmetNeeds: Int
    var itemCount: Int?
    var nextItem = 0
    var running = 0
    var succeeded = 0
    var failed = 0
    var suspended = 0
    var failure: ActionFailure?
  }

  private let plan: [PlanStep]
  private let dependents: [[Int]]
  private var steps: [StepState]
  private var stop: Stop?
  private var isFinished = false
  private var wasCutShort = false

  /// Creates the machine of a run that has not begun.
  public init(steps plan: [PlanStep]) {
    self.plan = plan
    var dependents = [[Int]](repeating: [], count: plan.count)
    for (index, step) in plan.enumerated() {
      for need in Set(step.needs) where plan.indices.contains(need) { dependents[need].append(index) }
    }
    self.dependents = dependents
    steps = plan.map { step in
      StepState(unmetNeeds: Set(step.needs).filter { plan.indices.contains($0) }.count)
    }
  }

  /// Where a step stands.
  public func status(of step: Int) -> StepStatus { steps[step].status }

  /// Takes an event in and says what to do, in order.
  public mutating func handle(_ event: Event) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action] = []
    switch event {
    case .start:
      for index in steps.indices where steps[index].unmetNeeds == 0 { prepare(index, &actions) }
    case .prepared(let step, let preparation):
      take(preparation, of: step, &actions)
    case .unitFinished(let step, let item, let failure):
      finishUnit(step: step, item: item, failure: failure, &actions)
    case .unitSuspended(let step, _):
      steps[step].running -= 1
      steps[step].suspended += 1
      settle(step, &actions)
    case .stop(let reason):
      take(reason)
    }
    finishRunIfDone(&actions)
    return actions
  }

  /// Whether no new attempt may begin.
  public var isStopping: Bool { stop != nil }

  /// An effect in doubt outweighs every other reason to stop: it must be told.
  private mutating func take(_ reason: Stop) {
    if case .needsAttention = reason {
      if case .needsAttention = stop { return }
      stop = reason
    } else if stop == nil {
      stop = reason
    }
  }

  /// Whether a step may not begin any more. Steps that run at the end still may, unless the run is taken up again later.
  private func isBlocked(_ step: Int) -> Bool {
    switch stop {
    case nil: false
    case .failed, .cancelled: !plan[step].isFinally
    case .interrupted, .needsAttention: true
    }
  }

  private mutating func prepare(_ step: Int, _ actions: inout [Action]) {
    guard !isBlocked(step), steps[step].status == .pending else { return }
    steps[step].status = .running
    actions.append(.prepare(step: step))
  }

  private mutating func take(_ preparation: Preparation, of step: Int, _ actions: inout [Action]) {
    switch preparation {
    case .skip:
      finish(step, as: .skipped, &actions)
    case .failed(let failure):
      steps[step].failure = failure
      finish(step, as: .failed, &actions)
    case .single:
      guard !isBlocked(step) else { return }
      steps[step].running = 1
      steps[step].nextItem = 1
      actions.append(.startUnit(step: step, item: nil))
    case .loop(let count):
      steps[step].itemCount = count
      if count == 0 {
        finish(step, as: .succeeded, &actions)
      } else {
        startItems(of: step, &actions)
      }
    }
  }

  private mutating func startItems(of step: Int, _ actions: inout [Action]) {
    guard let count = steps[step].itemCount else { return }
    let parallel = max(1, plan[step].loop?.parallel ?? 1)
    while !isBlocked(step), steps[step].nextItem < count, steps[step].running < parallel {
      if steps[step].failed > 0, plan[step].onError == .fail { return }
      actions.append(.startUnit(step: step, item: steps[step].nextItem))
      steps[step].nextItem += 1
      steps[step].running += 1
    }
  }

  private mutating func finishUnit(step: Int, item: Int?, failure: ActionFailure?, _ actions: inout [Action]) {
    steps[step].running -= 1
    if let failure {
      steps[step].failed += 1
      if steps[step].failure == nil { steps[step].failure = failure }
    } else {
      steps[step].succeeded += 1
    }
    settle(step, &actions)
  }

  /// Goes on with a step, or ends it, after one of its units has reported.
  private mutating func settle(_ step: Int, _ actions: inout [Action]) {
    startItems(of: step, &actions)
    guard steps[step].running == 0 else { return }
    let state = steps[step]
    let total = state.itemCount ?? 1
    if state.succeeded == total {
      finish(step, as: .succeeded, &actions)
    } else if state.suspended == 0, state.failed > 0, plan[step].onError == .fail || state.nextItem >= total {
      finish(step, as: .failed, &actions)
    }
    // What remains was stopped half-way: it stays open, and the end of the run says what becomes of it.
  }

  private mutating func finish(_ step: Int, as status: StepStatus, _ actions: inout [Action]) {
    steps[step].status = status
    let state = steps[step]
    actions.append(
      .finishStep(
        step: step, status: status, succeeded: state.succeeded, failed: state.failed, failure: state.failure))
    if status == .failed, plan[step].onError == .fail, stop == nil {
      stop = .failed(
        state.failure
          ?? ActionFailure(
            .invalidInput,
            .init("step '\(plan[step].id)' failed", de: "Schritt '\(plan[step].id)' ist fehlgeschlagen")))
    }
    release(step, &actions)
  }

  private mutating func release(_ step: Int, _ actions: inout [Action]) {
    for dependent in dependents[step] {
      steps[dependent].unmetNeeds -= 1
      if steps[dependent].unmetNeeds == 0 { prepare(dependent, &actions) }
    }
  }

  private mutating func finishRunIfDone(_ actions: inout [Action]) {
    guard !isBusy(actions) else { return }
    switch stop {
    case .failed, .cancelled:
      // Closing what cannot begin any more lets the steps begin that run at the end.
      for step in steps.indices where isOpen(step) && isBlocked(step) { close(step, &actions) }
      guard !isBusy(actions) else { return }
    case nil, .interrupted, .needsAttention: break
    }
    let hasOpen = steps.indices.contains(where: isOpen)
    switch stop {
    case nil:
      if !hasOpen { finishRun(.succeeded, nil, &actions) }
    case .needsAttention(let failure): finishRun(.needsAttention, failure, &actions)
    // Nothing may have been left to interrupt or to call off.
    case .interrupted: finishRun(hasOpen ? .interrupted : .succeeded, nil, &actions)
    case .cancelled: finishRun(wasCutShort ? .cancelled : .succeeded, nil, &actions)
    case .failed(let failure): finishRun(.failed, failure, &actions)
    }
  }

  private mutating func finishRun(_ status: RunStatus, _ failure: ActionFailure?, _ actions: inout [Action]) {
    isFinished = true
    actions.append(.finishRun(status: status, failure: failure))
  }

  private func isOpen(_ step: Int) -> Bool { steps[step].status == .pending || steps[step].status == .running }

  private func isBusy(_ actions: [Action]) -> Bool {
    steps.contains { $0.running > 0 }
      || actions.contains { if case .prepare = $0 { true } else { false } }
  }

  private mutating func close(_ step: Int, _ actions: inout [Action]) {
    let status: StepStatus = steps[step].status == .pending ? .skipped : .cancelled
    steps[step].status = status
    wasCutShort = true
    actions.append(
      .finishStep(
        step: step, status: status, succeeded: steps[step].succeeded, failed: steps[step].failed,
        failure: steps[step].failure))
    release(step, &actions)
  }
}

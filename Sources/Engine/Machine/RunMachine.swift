import Localization
public import Plans
import RecipeSyntax

/// The scheduling of one run as a state machine: which step and item starts when, and how the run ends.
///
/// It knows no values, no time and no I/O: the driver evaluates conditions, lists and inputs, executes the units, and
/// reports back; the machine answers with what to do next.
///
/// A run works on its main line, turns (see ``RunTurn``), and then works on the steps that undo, that deal with a failure
/// and that run at the end. docs/modules/Engine.md has the table of its states and events.
public struct RunMachine: Sendable {
  private enum Phase {
    case main
    case stopping(RunTurn.Reason)
    case concluding
    case ending(RunTurn.Reason)
  }

  private enum Leave {
    case interrupted
    case needsAttention(ActionFailure)
  }

  private let plan: [PlanStep]
  private let dependents: [[Int]]
  private let hasOutputs: Bool
  private var steps: [StepState]
  private var phase = Phase.main
  private var leave: Leave?
  private var hasStarted = false
  private var isFinished = false
  /// How many units are being executed, and how many steps are being prepared.
  private var running = 0
  private var preparing = 0

  /// Creates the machine of a run that has not begun.
  ///
  /// - Parameters:
  ///   - plan: The steps.
  ///   - hasOutputs: Whether the run has outputs, which ``Action/conclude`` evaluates.
  public init(steps plan: [PlanStep], hasOutputs: Bool = false) {
    self.plan = plan
    self.hasOutputs = hasOutputs
    var dependents = [[Int]](repeating: [], count: plan.count)
    for (index, step) in plan.enumerated() {
      for need in Set(step.needs) where plan.indices.contains(need) { dependents[need].append(index) }
    }
    self.dependents = dependents
    steps = plan.map { step in
      StepState(unmetNeeds: Set(step.needs).filter { plan.indices.contains($0) }.count)
    }
  }

  /// Creates the machine of a run that is resumed.
  ///
  /// - Parameters:
  ///   - plan: The steps.
  ///   - recorded: How far each has come, by its position.
  ///   - turn: Why the main line is over, where that is on record.
  ///   - hasOutputs: As for a run that has not begun.
  public init(
    steps plan: [PlanStep], resuming recorded: [StepSnapshot], turn: RunTurn.Reason? = nil, hasOutputs: Bool = false
  ) {
    self.init(steps: plan, hasOutputs: hasOutputs)
    for (index, step) in recorded.enumerated() where plan.indices.contains(index) {
      steps[index].restore(step, of: plan[index])
      guard !isOpen(index) else { continue }
      for dependent in dependents[index] { steps[dependent].unmetNeeds -= 1 }
    }
    if let turn {
      phase = .ending(turn)
    } else if let failure = failure(in: { $0 == .main }) {
      phase = .stopping(failure)
    }
  }

  /// Where a step stands.
  public func status(of step: Int) -> StepStatus { steps[step].status }

  /// Where the run stands.
  var state: State {
    if isFinished { return .finished }
    if leave != nil { return .leaving }
    return switch phase {
    case .main: .main
    case .stopping: .stopping
    case .concluding: .concluding
    case .ending: .ending
    }
  }

  /// Whether a step of the main line is being executed.
  public var worksOnMainSteps: Bool {
    steps.indices.contains { steps[$0].running > 0 && plan[$0].phase == .main }
  }

  /// Whether nothing is being executed.
  public var isIdle: Bool { running == 0 }

  /// Whether no new attempt of the main line may begin.
  public var isStopping: Bool { state != .main }

  /// Takes an event in and says what to do, in order.
  public mutating func handle(_ event: Event) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action] = []
    switch event {
    case .start: start(&actions)
    case .prepared(let step, let preparation): take(preparation, of: step, &actions)
    case .unitFinished(let step, _, let failure): finishUnit(of: step, failure, &actions)
    case .unitSuspended(let step, _):
      endExecution(of: step)
      steps[step].suspended += 1
      advance(step, &actions)
    case .unitLeft(let step, _):
      endExecution(of: step)
      steps[step].suspended += 1
      steps[step].isLeft = true
    case .unitWaits(let step, let item):
      endExecution(of: step)
      steps[step].waitingItems.append(item)
      advance(step, &actions)
    case .wake(let step, let item):
      // The waits of what stops stay as they are, but for recipes that are cancelled.
      guard leave == nil, steps[step].waitingItems.contains(item) else { break }
      guard !isBlocked(step) || steps[step].isBeingCancelled else { break }
      wake(step, item, &actions)
    case .stop(let reason): stop(for: reason)
    case .concluded(let failure): turn(failure.map { .failed($0, step: nil) } ?? .succeeded, &actions)
    }
    if hasStarted { advanceRun(&actions) }
    return actions
  }

  // MARK: - The run

  private mutating func start(_ actions: inout [Action]) {
    hasStarted = true
    let ready = steps.indices.filter { steps[$0].unmetNeeds == 0 }
    let begun = ready.filter { steps[$0].status == .running }
    // That steps of the main line were closed may have been lost with the process.
    if case .ending = phase { closeMainLine(&actions) }
    for step in begun where steps[step].status == .running { resume(step, &actions) }
    for step in ready { prepare(step, &actions) }
  }

  /// The first reason to stop the main line counts. What leaves the run to somebody else outweighs it, and an unknown
  /// outcome most of all, since people must be told.
  private mutating func stop(for reason: Stop) {
    switch reason {
    case .needsAttention(let failure):
      if case .needsAttention = leave { return }
      leave = .needsAttention(failure)
    case .interrupted: leave = leave ?? .interrupted
    case .cancelled: stopMainLine(.cancelled)
    case .failed(let failure): stopMainLine(.failed(failure, step: nil))
    }
  }

  private mutating func stopMainLine(_ reason: RunTurn.Reason) {
    guard case .main = phase, leave == nil, hasOpenMainStep else { return }
    phase = .stopping(reason)
  }

  /// Does what is next where nothing is being executed.
  private mutating func advanceRun(_ actions: inout [Action]) {
    guard !isBusy else { return }
    if case .needsAttention(let failure) = leave { return finishRun(.needsAttention, failure, &actions) }
    switch phase {
    case .main:
      if !hasOpenMainStep { conclude(&actions) }
    case .stopping(let reason):
      cancelWaitingRecipes(&actions)
      if !isBusy, !mustBeSeenToItsEnd { endMainLine(reason, &actions) }
    case .concluding, .ending: break
    }
    if !isBusy { finishRunIfOver(&actions) }
  }

  /// Evaluates the outputs, now that the main line is done.
  private mutating func conclude(_ actions: inout [Action]) {
    // An interruption came before the failure.
    if let failure = failure(in: { $0 == .main }) { return turn(failure, &actions) }
    guard hasOutputs else { return turn(.succeeded, &actions) }
    phase = .concluding
    actions.append(.conclude)
  }

  private mutating func endMainLine(_ reason: RunTurn.Reason, _ actions: inout [Action]) {
    // Whoever cancels a run whose last steps end all the same has come too late.
    if case .cancelled = reason, !hasOpenMainStep { return conclude(&actions) }
    turn(reason, &actions)
  }

  private mutating func turn(_ reason: RunTurn.Reason, _ actions: inout [Action]) {
    phase = .ending(reason)
    actions.append(.turn(reason))
    closeMainLine(&actions)
    for step in steps.indices where steps[step].unmetNeeds == 0 { prepare(step, &actions) }
  }

  /// Ends what is open of the main line.
  private mutating func closeMainLine(_ actions: inout [Action]) {
    for step in steps.indices where plan[step].phase == .main && isOpen(step) {
      let hasFailed = steps[step].failed > 0 && plan[step].onError == .fail
      steps[step].waitingItems = []
      finish(step, as: steps[step].status == .pending ? .skipped : hasFailed ? .failed : .cancelled, &actions)
    }
  }

  private mutating func finishRunIfOver(_ actions: inout [Action]) {
    let isWaiting = steps.contains { !$0.waitingItems.isEmpty }
    switch (phase, leave) {
    case (.ending(let reason), _) where !steps.indices.contains(where: isOpen): finishRun(reason, &actions)
    case (_, nil) where isWaiting: actions.append(.park)
    case (.main, nil): break
    case (.main, _), (.ending, _):
      let canGoOn = steps.contains { $0.suspended > 0 } || steps.indices.contains(where: canGoOn)
      if isWaiting, !canGoOn { actions.append(.park) } else { finishRun(.interrupted, nil, &actions) }
    case (.stopping, _), (.concluding, _): finishRun(.interrupted, nil, &actions)
    }
  }

  private mutating func finishRun(_ reason: RunTurn.Reason, _ actions: inout [Action]) {
    switch reason {
    case .cancelled: finishRun(.cancelled, nil, &actions)
    case .failed(let failure, _): finishRun(failure.skipsRun ? .skipped : .failed, failure, &actions)
    case .succeeded:
      guard case .failed(let failure, _) = failure(in: { $0 != .main }) else {
        return finishRun(.succeeded, nil, &actions)
      }
      finishRun(.failed, failure, &actions)
    }
  }

  private mutating func finishRun(_ status: RunStatus, _ failure: ActionFailure?, _ actions: inout [Action]) {
    isFinished = true
    actions.append(.finishRun(status: status, failure: failure))
  }

  /// The failure of the first step of some phases that has failed, and with which the run fails.
  private func failure(in isOfPhase: (PlanStep.Phase) -> Bool) -> RunTurn.Reason? {
    let failed = steps.indices.first {
      steps[$0].status == .failed && plan[$0].onError == .fail && isOfPhase(plan[$0].phase)
    }
    return failed.map { .failed(steps[$0].failure ?? .failed(step: plan[$0].id), step: $0) }
  }

  // MARK: - Steps

  private func isOpen(_ step: Int) -> Bool { steps[step].status == .pending || steps[step].status == .running }

  private var hasOpenMainStep: Bool { steps.indices.contains { plan[$0].phase == .main && isOpen($0) } }

  private var isBusy: Bool {
    if case .concluding = phase { return true }
    return running > 0 || preparing > 0
  }

  /// Whether nothing of a step may begin.
  private func isBlocked(_ step: Int) -> Bool {
    guard leave == nil else { return true }
    return switch phase {
    case .main: plan[step].phase != .main
    case .stopping, .concluding: true
    case .ending: plan[step].phase == .main
    }
  }

  /// Whether something is left to do in a step that waits or has had to stop.
  private func canGoOn(_ step: Int) -> Bool {
    let state = steps[step]
    switch state.status {
    case .pending: return state.unmetNeeds == 0
    case .running:
      if state.failed > 0, plan[step].onError == .fail { return false }
      return state.waitingItems.isEmpty || !state.unfinished.isEmpty || state.nextItem < (state.itemCount ?? 0)
    default: return false
    }
  }

  private mutating func prepare(_ step: Int, _ actions: inout [Action]) {
    guard steps[step].status == .pending else { return }
    if case .ending(let reason) = phase, !applies(step, after: reason) { return finish(step, as: .skipped, &actions) }
    guard !isBlocked(step) else { return }
    steps[step].status = .running
    preparing += 1
    actions.append(.prepare(step: step))
  }

  /// Whether what a step is for has happened.
  private func applies(_ step: Int, after reason: RunTurn.Reason) -> Bool {
    switch (plan[step].phase, reason) {
    case (.main, _), (.finally, _): true
    case (.undo, .failed(let failure, _)) where isOnlyOfOutputs(failure): false
    case (.onFailure, .failed(let failure, _)): !isOnlyOfOutputs(failure)
    case (.undo(let target), .failed), (.undo(let target), .cancelled):
      steps.indices.contains(target) && (steps[target].status == .succeeded || steps[target].succeeded > 0)
    case (.onFailure, _), (.undo, .succeeded): false
    }
  }

  /// Whether all steps have done their work and only the `outputs` of the run or of a child recipe cannot be evaluated. Then
  /// nothing is undone.
  private func isOnlyOfOutputs(_ failure: ActionFailure) -> Bool {
    failure.kind == .outputs
      && !steps.indices.contains {
        plan[$0].phase == .main && plan[$0].onError == .fail && steps[$0].status == .failed
          && steps[$0].failure?.kind != .outputs
      }
  }

  private mutating func take(_ preparation: Preparation, of step: Int, _ actions: inout [Action]) {
    preparing -= 1
    switch preparation {
    case .skip:
      finish(step, as: .skipped, &actions)
    case .failed(let failure):
      steps[step].failure = failure
      finish(step, as: .failed, &actions)
    case .single:
      guard !isBlocked(step) else { return }
      startUnit(of: step, nil, &actions)
    case .loop(let count):
      steps[step].itemCount = count
      if count == 0 {
        finish(step, as: .succeeded, &actions)
      } else {
        startItems(of: step, &actions)
      }
    }
  }

  /// Resumes a step that had begun.
  private mutating func resume(_ step: Int, _ actions: inout [Action]) {
    guard !isBlocked(step) else { return resumeWhatMustEnd(of: step, &actions) }
    if steps[step].failed > 0, plan[step].onError == .fail { resumeWhatMustEnd(of: step, &actions) }
    if steps[step].itemCount != nil {
      startItems(of: step, &actions)
      if steps[step].running == 0 { advance(step, &actions) }
    } else {
      startUnit(of: step, nil, &actions)
    }
  }

  /// Resumes the units of a step that are seen to their end although it stops.
  private mutating func resumeWhatMustEnd(of step: Int, _ actions: inout [Action]) {
    let units = steps[step].mustEnd
    steps[step].mustEnd = []
    guard !units.isEmpty else { return }
    steps[step].isBeingCancelled = true
    for item in units {
      steps[step].unfinished.removeAll { $0 == item }
      startUnit(of: step, item, &actions)
    }
  }

  /// Cancels the recipes that steps of the main line run and that wait: nobody else would end them.
  private mutating func cancelWaitingRecipes(_ actions: inout [Action]) {
    guard leave == nil else { return }
    for step in steps.indices where plan[step].child != nil && !steps[step].isBeingCancelled {
      guard !steps[step].waitingItems.isEmpty else { continue }
      steps[step].isBeingCancelled = true
      for item in steps[step].waitingItems { wake(step, item, &actions) }
    }
  }

  /// Whether the main line cannot be closed yet: a recipe that was cancelled waits in its own last steps, or whoever
  /// resumes the run has to see to a unit first.
  private var mustBeSeenToItsEnd: Bool {
    steps.indices.contains { steps[$0].isLeft || plan[$0].child != nil && !steps[$0].waitingItems.isEmpty }
  }

  private mutating func startItems(of step: Int, _ actions: inout [Action]) {
    guard let count = steps[step].itemCount else { return }
    let parallel = max(1, plan[step].loop?.parallel ?? 1)
    while !isBlocked(step), steps[step].running + steps[step].waitingItems.count < parallel {
      if steps[step].failed > 0, plan[step].onError == .fail { return }
      if let item = steps[step].unfinished.popLast() {
        startUnit(of: step, item, &actions)
      } else if steps[step].nextItem < count {
        steps[step].nextItem += 1
        startUnit(of: step, steps[step].nextItem - 1, &actions)
      } else {
        return
      }
    }
  }

  private mutating func wake(_ step: Int, _ item: Int?, _ actions: inout [Action]) {
    steps[step].waitingItems.removeAll { $0 == item }
    startUnit(of: step, item, &actions)
  }

  private mutating func startUnit(of step: Int, _ item: Int?, _ actions: inout [Action]) {
    if item == nil { steps[step].nextItem = 1 }
    steps[step].running += 1
    running += 1
    actions.append(.startUnit(step: step, item: item))
  }

  private mutating func endExecution(of step: Int) {
    steps[step].running -= 1
    running -= 1
  }

  private mutating func finishUnit(of step: Int, _ failure: ActionFailure?, _ actions: inout [Action]) {
    endExecution(of: step)
    if let failure {
      steps[step].failed += 1
      if steps[step].failure == nil { steps[step].failure = failure }
    } else {
      steps[step].succeeded += 1
    }
    advance(step, &actions)
  }

  /// Starts more of a step, or ends it, after one of its units has reported.
  private mutating func advance(_ step: Int, _ actions: inout [Action]) {
    startItems(of: step, &actions)
    let state = steps[step]
    guard state.running == 0 else { return }
    guard state.waitingItems.isEmpty else {
      // The step fails whatever its other items wait for: the run stops, which ends their waits.
      if state.failed > 0 { stopMainLine(ifFailed: step) }
      return
    }
    let total = state.itemCount ?? 1
    if state.succeeded == total {
      finish(step, as: .succeeded, &actions)
    } else if state.suspended == 0, state.failed > 0, plan[step].onError == .fail || state.nextItem >= total {
      finish(step, as: .failed, &actions)
    }
    // What remains was stopped half-way: it stays open, and the end of the main line or of the run closes it.
  }

  private mutating func finish(_ step: Int, as status: StepStatus, _ actions: inout [Action]) {
    steps[step].status = status
    let state = steps[step]
    actions.append(
      .finishStep(
        step: step, status: status, succeeded: state.succeeded, failed: state.failed, failure: state.failure))
    if status == .failed { stopMainLine(ifFailed: step) }
    for dependent in dependents[step] {
      steps[dependent].unmetNeeds -= 1
      if steps[dependent].unmetNeeds == 0 { prepare(dependent, &actions) }
    }
  }

  private mutating func stopMainLine(ifFailed step: Int) {
    guard plan[step].onError == .fail, plan[step].phase == .main, case .main = phase, leave == nil else { return }
    phase = .stopping(.failed(steps[step].failure ?? .failed(step: plan[step].id), step: step))
  }
}

extension ActionFailure {
  /// What ends a run where a step has failed without words of its own.
  static func failed(step: String) -> ActionFailure {
    ActionFailure(.invalidInput, .init("step '\(step)' failed", de: "Schritt '\(step)' ist fehlgeschlagen"))
  }
}

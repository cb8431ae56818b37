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
    /// As ``unitSuspended(step:item:)``, but somebody must see to it later: the process ended before it was known whether
    /// an effect took place, or before a run of another recipe was over.
    case unitLeft(step: Int, item: Int?)
    /// A unit waits for a point in time, an event or a decision; nothing works on it meanwhile.
    case unitWaits(step: Int, item: Int?)
    /// What a unit waits for may have come.
    case wake(step: Int, item: Int?)
    /// The run shall stop. Units that are being worked on still report.
    case stop(Stop)
    /// What the run gives back has been put together, or could not be.
    case concluded(ActionFailure?)
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
    /// All steps of the recipe's own line have ended well: put together what the run gives back, and report
    /// ``Event/concluded(_:)``. Steps that deal with a failure, or run at the end, begin after that.
    case conclude
    /// Nothing is left to do until a wait ends.
    case park
    /// The run has ended; nothing is left to do.
    case finishRun(status: RunStatus, failure: ActionFailure?)
  }

  fileprivate struct StepState {
    var status = StepStatus.pending
    var unmetNeeds: Int
    var itemCount: Int?
    /// Items that had begun when the run was left, and go on before any other.
    var unfinished: [Int] = []
    /// Units of which nobody may lose sight, even where the run stops: see ``PlanStep/mustSettle(_:)``.
    var unsettled: [Int?] = []
    /// Units that wait.
    var waitingItems: [Int?] = []
    /// Whether a unit is left to whoever goes on with the run.
    var isLeft = false
    /// Whether its units are only seen to their end.
    var isBeingCalledOff = false
    var nextItem = 0
    var running = 0
    var waiting = 0
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
  /// Whether a step had begun, before the run was left, that deals with a failure or takes something back.
  private var hasDealtWithEnd = false
  /// Whether a step had begun that runs only after a failure.
  private var hasDealtWithFailure = false
  /// Whether nothing had failed, before the run was left, but what takes back what was done or runs at the end.
  private var hasFailedAtEnd = false
  /// Whether a step of the recipe's own line was skipped before the run was left.
  private var hasSkipped = false
  /// Whether what the run gives back has been asked for, and whether it is there.
  private var isConcluding = false
  private var hasConcluded: Bool
  /// Whether what deals with a failure, or takes back what was done, was passed over before the run was left.
  private var hasPassedFailure = false
  /// How many units are being worked on, and how many steps are being prepared.
  private var running = 0
  private var preparing = 0

  /// Creates the machine of a run that has not begun.
  ///
  /// - Parameters:
  ///   - plan: The steps.
  ///   - hasOutputs: Whether the run gives something back, which is put together by ``Action/conclude``.
  public init(steps plan: [PlanStep], hasOutputs: Bool = false) {
    self.plan = plan
    hasConcluded = !hasOutputs
    var dependents = [[Int]](repeating: [], count: plan.count)
    for (index, step) in plan.enumerated() {
      for need in Set(step.needs) where plan.indices.contains(need) { dependents[need].append(index) }
    }
    self.dependents = dependents
    steps = plan.map { step in
      StepState(unmetNeeds: Set(step.needs).filter { plan.indices.contains($0) }.count)
    }
  }

  /// Creates the machine of a run that goes on.
  ///
  /// - Parameters:
  ///   - plan: The steps.
  ///   - recorded: How far each has come, by its position.
  ///   - hasOutputs: As for a run that has not begun.
  public init(steps plan: [PlanStep], goingOn recorded: [StepSnapshot], hasOutputs: Bool = false) {
    self.init(steps: plan, hasOutputs: hasOutputs)
    for (index, step) in recorded.enumerated() where plan.indices.contains(index) {
      steps[index].restore(step)
      let hasWorked = step.units.contains { $0.lastAttempt?.isOfEarlierRun != true }
      if plan[index].loop == nil, step.status == .pending, hasWorked {
        // Its beginning was lost in a write that failed, and that of its unit not.
        steps[index].status = .running
      }
      if plan[index].loop != nil, step.itemCount == nil, step.status == .running {
        // Its list could not be evaluated, or was not yet.
        steps[index].status = .pending
      }
      switch plan[index].phase {
      case .undo, .onFailure:
        guard step.status != .pending, step.status != .skipped else { break }
        hasDealtWithEnd = true
        if plan[index].phase == .onFailure { hasDealtWithFailure = true }
      case .main, .finally: break
      }
      guard !isOpen(index) else {
        steps[index].unsettled = step.units.filter { plan[index].mustSettle($0) }.map(\.item)
        continue
      }
      for dependent in dependents[index] { steps[dependent].unmetNeeds -= 1 }
      if step.status == .failed, plan[index].onError == .fail, stop == nil {
        stop = .failed(step.failure ?? .failed(step: plan[index].id))
        switch plan[index].phase {
        case .undo, .finally: hasFailedAtEnd = true
        case .main, .onFailure: break
        }
      }
      // One whose own condition was false has a beginning.
      let wasStopped = step.status == .skipped && step.startedAt == nil
      if step.status == .cancelled || wasStopped && stop != nil { wasCutShort = true }
      guard step.status == .skipped else { continue }
      switch plan[index].phase {
      case .main: if wasStopped { hasSkipped = true }
      case .undo(let target):
        if recorded.indices.contains(target), recorded[target].status == .succeeded { hasPassedFailure = true }
      case .onFailure: hasPassedFailure = true
      case .finally: break
      }
    }
  }

  /// Where a step stands.
  public func status(of step: Int) -> StepStatus { steps[step].status }

  /// Whether a step of the recipe's own line is being worked on, rather than one that takes back or runs at the end.
  public var worksOnMainSteps: Bool {
    steps.indices.contains { steps[$0].running > 0 && plan[$0].phase == .main }
  }

  /// Whether nothing is being worked on.
  public var isIdle: Bool { running == 0 }

  /// Stops the run before it has begun, or goes on.
  mutating func stopBeforeStart(_ reason: Stop) {
    // The recipe's own line has come to its end without a failure; only what runs at the end is left.
    if case .failed = reason, hasPassedFailure { return }
    // Why it takes back what was done is why it stops, not that this has failed.
    if case .cancelled = reason, hasFailedAtEnd, wasCutShort || hasSkipped { stop = nil }
    take(reason)
    // It had failed before it was called off.
    if case .failed = reason, case .cancelled = stop, hasDealtWithFailure { stop = reason }
    // It may have been stopped for this reason before, and then skipped what is skipped.
    if hasSkipped { wasCutShort = true }
  }

  /// Takes an event in and says what to do, in order.
  public mutating func handle(_ event: Event) -> [Action] {
    guard !isFinished else { return [] }
    var actions: [Action] = []
    switch event {
    case .start:
      // Nothing else closes a step half-way.
      if stop == nil, wasCutShort { stop = .cancelled }
      let ready = steps.indices.filter { steps[$0].unmetNeeds == 0 }
      let begun = ready.filter { steps[$0].status == .running }
      for step in begun { goOn(step, &actions) }
      for step in ready { prepare(step, &actions) }
    case .prepared(let step, let preparation):
      take(preparation, of: step, &actions)
    case .unitFinished(let step, let item, let failure):
      finishUnit(step: step, item: item, failure: failure, &actions)
    case .unitSuspended(let step, _):
      leave(step)
      steps[step].suspended += 1
      settle(step, &actions)
    case .unitLeft(let step, _):
      leave(step)
      steps[step].suspended += 1
      steps[step].isLeft = true
    case .unitWaits(let step, let item):
      leave(step)
      steps[step].waiting += 1
      steps[step].waitingItems.append(item)
    case .wake(let step, let item):
      let isWaiting = steps[step].waiting > 0 && steps[step].waitingItems.contains(item)
      guard isWaiting, !isBlocked(step) || steps[step].isBeingCalledOff else { break }
      wake(step, item, &actions)
    case .stop(let reason):
      take(reason)
    case .concluded(let failure):
      isConcluding = false
      hasConcluded = true
      if let failure, stop == nil { stop = .failed(failure) }
      for step in steps.indices where steps[step].unmetNeeds == 0 { prepare(step, &actions) }
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
      // Nothing is left to call off once only steps are left that run at the end. One that has begun to take back what all
      // of its own line had done was not called off: its time was up, or it could not say what it gives back, and fails for
      // that once more.
      let isOver = !steps.indices.contains { plan[$0].phase == .main && isOpen($0) }
      let isTimeUp = if case .failed = reason { hasDealtWithEnd } else { false }
      if reason.closesMainSteps, isOver, !wasCutShort, !hasSkipped, !isTimeUp { return }
      stop = reason
    }
  }

  /// Whether a step may not begin any more. Steps that run at the end still may, unless the run is taken up again later.
  private func isBlocked(_ step: Int) -> Bool {
    switch stop {
    case nil: false
    case .failed, .cancelled: plan[step].phase == .main
    case .interrupted, .needsAttention: true
    }
  }

  private mutating func prepare(_ step: Int, _ actions: inout [Action]) {
    guard !isBlocked(step), steps[step].status == .pending else { return }
    if plan[step].phase != .main, stop == nil, !hasConcluded { return conclude(&actions) }
    guard hasTurn(step) else { return finish(step, as: .skipped, &actions) }
    steps[step].status = .running
    preparing += 1
    actions.append(.prepare(step: step))
  }

  private mutating func conclude(_ actions: inout [Action]) {
    guard !isConcluding else { return }
    isConcluding = true
    actions.append(.conclude)
  }

  /// Whether what a step of a later phase is for has happened.
  private func hasTurn(_ step: Int) -> Bool {
    switch (plan[step].phase, stop) {
    case (.main, _), (.finally, _), (.onFailure, .failed): true
    // Where everything was done when somebody called the run off, it has succeeded.
    case (.undo, .cancelled) where !wasCutShort: false
    case (.undo(let target), .failed), (.undo(let target), .cancelled):
      steps.indices.contains(target) && (steps[target].status == .succeeded || steps[target].succeeded > 0)
    default: false
    }
  }

  /// Goes on with a step that had begun.
  private mutating func goOn(_ step: Int, _ actions: inout [Action]) {
    guard !isBlocked(step) else { return settleUnits(of: step, &actions) }
    if steps[step].failed > 0, plan[step].onError == .fail { settleUnits(of: step, &actions) }
    if steps[step].itemCount != nil {
      startItems(of: step, &actions)
      if steps[step].running == 0 { settle(step, &actions) }
    } else {
      steps[step].nextItem = 1
      start(step, nil, &actions)
    }
  }

  /// Asks what became of units that were left half-way, although the run stops.
  private mutating func settleUnits(of step: Int, _ actions: inout [Action]) {
    if let stop, !stop.closesMainSteps { return }
    let units = steps[step].unsettled
    steps[step].unsettled = []
    guard !units.isEmpty else { return }
    steps[step].isBeingCalledOff = true
    if steps[step].itemCount == nil { steps[step].nextItem = 1 }
    for item in units {
      steps[step].unfinished.removeAll { $0 == item }
      start(step, item, &actions)
    }
  }

  /// Calls off the recipes that steps run and that wait: nobody else would end them.
  private mutating func callOffChildren(_ actions: inout [Action]) {
    for step in steps.indices where steps[step].waiting > 0 && plan[step].child != nil && isBlocked(step) {
      guard !steps[step].isBeingCalledOff else { continue }
      steps[step].isBeingCalledOff = true
      for item in steps[step].waitingItems { wake(step, item, &actions) }
    }
  }

  private mutating func wake(_ step: Int, _ item: Int?, _ actions: inout [Action]) {
    steps[step].waiting -= 1
    steps[step].waitingItems.removeAll { $0 == item }
    start(step, item, &actions)
  }

  private mutating func start(_ step: Int, _ item: Int?, _ actions: inout [Action]) {
    steps[step].running += 1
    running += 1
    actions.append(.startUnit(step: step, item: item))
  }

  private mutating func leave(_ step: Int) {
    steps[step].running -= 1
    running -= 1
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
      steps[step].nextItem = 1
      start(step, nil, &actions)
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
    while !isBlocked(step), steps[step].running + steps[step].waiting < parallel {
      if steps[step].failed > 0, plan[step].onError == .fail { return }
      if let item = steps[step].unfinished.popLast() {
        start(step, item, &actions)
      } else if steps[step].nextItem < count {
        steps[step].nextItem += 1
        start(step, steps[step].nextItem - 1, &actions)
      } else {
        return
      }
    }
  }

  private mutating func finishUnit(step: Int, item: Int?, failure: ActionFailure?, _ actions: inout [Action]) {
    leave(step)
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
    guard state.waiting == 0 else {
      // The step fails whatever its other items wait for: the run stops, which ends their waits.
      if state.failed > 0, plan[step].onError == .fail, stop == nil {
        stop = .failed(state.failure ?? .failed(step: plan[step].id))
      }
      return
    }
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
      stop = .failed(state.failure ?? .failed(step: plan[step].id))
    }
    failWhereNothingWasCalledOff()
    release(step, &actions)
  }

  /// A run that somebody called off too late ends as it would have: where everything came to its end and a step had
  /// failed, it has failed.
  private mutating func failWhereNothingWasCalledOff() {
    guard case .cancelled = stop, !wasCutShort, !hasSkipped, !hasDealtWithEnd,
      !steps.indices.contains(where: { plan[$0].phase == .main && isOpen($0) }),
      let failed = steps.indices.first(where: {
        plan[$0].phase == .main && steps[$0].status == .failed && plan[$0].onError == .fail
      })
    else { return }
    stop = .failed(steps[failed].failure ?? .failed(step: plan[failed].id))
  }

  /// The failure of the first step that has failed, and with which the run fails.
  private var failureOfStep: ActionFailure? {
    steps.indices.first { steps[$0].status == .failed && plan[$0].onError == .fail }
      .map { steps[$0].failure ?? .failed(step: plan[$0].id) }
  }

  private mutating func release(_ step: Int, _ actions: inout [Action]) {
    for dependent in dependents[step] {
      steps[dependent].unmetNeeds -= 1
      if steps[dependent].unmetNeeds == 0 { prepare(dependent, &actions) }
    }
  }

  private mutating func finishRunIfDone(_ actions: inout [Action]) {
    guard !isBusy else { return }
    switch stop {
    case .failed, .cancelled:
      callOffChildren(&actions)
      guard !isBusy else { return }
      // Closing what cannot begin any more lets the steps begin that run at the end. A recipe that was called off and
      // waits all the same, at its end, is waited for.
      let isEnding = steps.contains { $0.waiting > 0 && $0.isBeingCalledOff }
      for step in steps.indices where !isEnding && isOpen(step) && isBlocked(step) && !steps[step].isLeft {
        close(step, &actions)
      }
      guard !isBusy else { return }
    case nil, .interrupted, .needsAttention: break
    }
    let hasOpen = steps.indices.contains(where: isOpen)
    let isWaiting = steps.contains { $0.waiting > 0 }
    let wasSuspended = steps.contains { $0.suspended > 0 }
    switch stop {
    case nil where isWaiting: actions.append(.park)
    case .failed where isWaiting, .cancelled where isWaiting: actions.append(.park)
    case .interrupted where isWaiting && !wasSuspended && !steps.indices.contains(where: canGoOn):
      actions.append(.park)
    case nil where !hasOpen && !hasConcluded: conclude(&actions)
    case nil:
      if !hasOpen { finishRun(.succeeded, nil, &actions) }
    case .needsAttention(let failure): finishRun(.needsAttention, failure, &actions)
    case .interrupted where hasOpen: finishRun(.interrupted, nil, &actions)
    // Nothing was left to interrupt or to call off.
    case .interrupted:
      if let failure = failureOfStep {
        finishRun(.failed, failure, &actions)
      } else {
        finishRun(.succeeded, nil, &actions)
      }
    // What runs at the end was left half-way, as the process ends: whoever takes the run up goes on with that.
    case .failed where hasOpen, .cancelled where hasOpen: finishRun(.interrupted, nil, &actions)
    case .cancelled: finishRun(wasCutShort ? .cancelled : .succeeded, nil, &actions)
    case .failed(let failure): finishRun(.failed, failure, &actions)
    }
  }

  private mutating func finishRun(_ status: RunStatus, _ failure: ActionFailure?, _ actions: inout [Action]) {
    isFinished = true
    actions.append(.finishRun(status: status, failure: failure))
  }

  private func isOpen(_ step: Int) -> Bool { steps[step].status == .pending || steps[step].status == .running }

  /// Whether something is left to do in a step that has had to stop.
  private func canGoOn(_ step: Int) -> Bool {
    let state = steps[step]
    switch state.status {
    case .pending: return state.unmetNeeds == 0
    case .running:
      if state.failed > 0, plan[step].onError == .fail { return false }
      return state.waiting == 0 || !state.unfinished.isEmpty || state.nextItem < (state.itemCount ?? 0)
    default: return false
    }
  }

  private var isBusy: Bool { running > 0 || preparing > 0 || isConcluding }

  private mutating func close(_ step: Int, _ actions: inout [Action]) {
    let hasFailed = steps[step].failed > 0 && plan[step].onError == .fail
    let status: StepStatus = steps[step].status == .pending ? .skipped : hasFailed ? .failed : .cancelled
    steps[step].status = status
    steps[step].waiting = 0
    steps[step].waitingItems = []
    wasCutShort = true
    actions.append(
      .finishStep(
        step: step, status: status, succeeded: steps[step].succeeded, failed: steps[step].failed,
        failure: steps[step].failure))
    release(step, &actions)
  }
}

extension RunMachine.StepState {
  /// Takes in what is recorded of a step.
  fileprivate mutating func restore(_ recorded: StepSnapshot) {
    status = recorded.status
    itemCount = recorded.itemCount
    failure = recorded.failure
    guard let itemCount else {
      // A unit whose end is recorded and whose step's is not reports it again.
      if status != .running { succeeded = recorded.units.first?.output == nil ? 0 : 1 }
      return
    }
    var began = 0
    var isDone = [Bool](repeating: false, count: itemCount)
    for unit in recorded.units {
      guard let item = unit.item, isDone.indices.contains(item) else { continue }
      began = max(began, item + 1)
      if unit.output != nil {
        succeeded += 1
      } else if let failure = unit.finalFailure {
        failed += 1
        if self.failure == nil { self.failure = failure }
      } else {
        continue
      }
      isDone[item] = true
    }
    nextItem = began
    // Taken from the end.
    unfinished = (0..<began).reversed().filter { !isDone[$0] }
  }
}

extension RunMachine.Stop {
  /// Whether what has not begun is closed for good.
  fileprivate var closesMainSteps: Bool {
    switch self {
    case .failed, .cancelled: true
    case .interrupted, .needsAttention: false
    }
  }
}

extension PlanStep {
  /// Whether a unit that was left half-way is seen to its end even where the run stops: an effect that may have taken
  /// place and must not do so twice, or a run of another recipe that nobody else would end.
  fileprivate func mustSettle(_ unit: UnitSnapshot) -> Bool {
    // Over, only that its step's end was lost: it is to be known to what takes it back.
    if loop == nil, unit.output != nil || unit.finalFailure != nil { return true }
    guard unit.output == nil, unit.finalFailure == nil, let last = unit.lastAttempt else { return false }
    return child != nil || action.effect == .once && (last.endedAt == nil || last.failure?.kind == .cancelled)
  }
}

extension ActionFailure {
  /// What ends a run where a step has failed without words of its own.
  static func failed(step: String) -> ActionFailure {
    ActionFailure(.invalidInput, .init("step '\(step)' failed", de: "Schritt '\(step)' ist fehlgeschlagen"))
  }
}

import Plans

/// What ``RunMachine`` knows of one step.
struct StepState {
  var status = StepStatus.pending
  var unmetNeeds: Int
  var itemCount: Int?
  /// The next item that has not begun; 1 once a step without a loop has begun.
  var nextItem = 0
  /// Items that had begun when the run was left, and are resumed before any other begins; the next one stands last.
  var unfinished: [Int] = []
  /// Units that are seen to their end even where the run stops: see ``PlanStep/mustEnd(_:)``.
  var mustEnd: [Int?] = []
  /// Units that wait.
  var waitingItems: [Int?] = []
  /// How many units are being executed.
  var running = 0
  var succeeded = 0
  var failed = 0
  var suspended = 0
  /// Whether a unit is left to whoever resumes the run.
  var isLeft = false
  /// Whether its units are only seen to their end.
  var isBeingCancelled = false
  var failure: ActionFailure?

  init(unmetNeeds: Int) { self.unmetNeeds = unmetNeeds }

  /// Takes in what is recorded of the step.
  mutating func restore(_ recorded: StepSnapshot, of step: PlanStep) {
    status = recorded.status
    itemCount = recorded.itemCount
    failure = recorded.failure
    let hasWorked = recorded.units.contains { $0.lastAttempt?.kind != .carried }
    if step.loop == nil, status == .pending, hasWorked {
      // Its beginning was lost in a write that failed, and that of its unit not.
      status = .running
    }
    if step.loop != nil, itemCount == nil, status == .running {
      // Its list could not be evaluated, or was not yet.
      status = .pending
    }
    if let itemCount {
      restoreItems(recorded.units, count: itemCount)
    } else if status != .running, case .succeeded = recorded.units.first?.progress {
      // A unit whose end is recorded and whose step's is not reports it again.
      succeeded = 1
    }
    guard status == .pending || status == .running else { return }
    mustEnd = recorded.units.filter { step.mustEnd($0) }.map(\.item)
  }

  private mutating func restoreItems(_ units: [UnitSnapshot], count: Int) {
    var isDone = [Bool](repeating: false, count: count)
    for unit in units {
      guard let item = unit.item, isDone.indices.contains(item) else { continue }
      nextItem = max(nextItem, item + 1)
      switch unit.progress {
      case .succeeded: succeeded += 1
      case .failed(let failure):
        failed += 1
        if self.failure == nil { self.failure = failure }
      case .notBegun, .open, .cancelled, .outcomeUnknown, .waiting: continue
      }
      isDone[item] = true
    }
    unfinished = (0..<nextItem).reversed().filter { !isDone[$0] }
  }
}

extension PlanStep {
  /// Whether an interrupted unit is seen to its end even where the run stops: an effect that may have taken
  /// place and must not do so twice, or a run of another recipe that nobody else would end.
  fileprivate func mustEnd(_ unit: UnitSnapshot) -> Bool {
    switch unit.progress {
    // Over, only that its step's end was lost: it is to be known to what takes it back.
    case .succeeded, .failed: loop == nil
    case .cancelled, .outcomeUnknown: child != nil || action.effect == .once
    case .open, .waiting: child != nil && unit.lastAttempt != nil
    case .notBegun: false
    }
  }
}

public import Expressions

/// The recorded state of a run, ended or not: its start, and its progress.
public struct RunSnapshot: Sendable {
  /// What it started from.
  public var start: RunStart
  /// The steps, by their position in the plan.
  public var steps: [StepSnapshot]
  /// Whether somebody has asked to cancel it.
  public var isCancelRequested: Bool
  /// Why its main line is over; `nil` where it is not, or nothing has happened since that depends on the reason.
  public var turn: RunTurn?
  /// Whether anything of it has begun.
  public var hasBegun: Bool { steps.contains { $0.status != .pending || !$0.units.isEmpty } }

  /// Creates a snapshot.
  public init(start: RunStart, steps: [StepSnapshot], isCancelRequested: Bool = false, turn: RunTurn? = nil) {
    self.start = start
    self.steps = steps
    self.isCancelRequested = isCancelRequested
    self.turn = turn
  }
}

/// How far a step has come.
public struct StepSnapshot: Sendable {
  /// Where it stands.
  public var status: StepStatus
  /// The length of its `for_each`; `nil` where it has none or has not begun.
  public var itemCount: Int?
  /// The failure that ended it.
  public var failure: ActionFailure?
  /// What is known of the step, or of its items; units that have not begun are absent.
  public var units: [UnitSnapshot]
  /// When it began, its condition included; `nil` for one that did not begin, and for one that was skipped because the run
  /// had stopped.
  public var startedAt: Timestamp?

  /// Creates a snapshot.
  public init(
    status: StepStatus = .pending, itemCount: Int? = nil, failure: ActionFailure? = nil, units: [UnitSnapshot] = [],
    startedAt: Timestamp? = nil
  ) {
    self.startedAt = startedAt
    self.status = status
    self.itemCount = itemCount
    self.failure = failure
    self.units = units
  }
}

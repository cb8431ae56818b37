extension RunMachine {
  /// Something that happened.
  public enum Event: Sendable {
    /// The run may begin.
    case start
    /// A step that was to be prepared is ready.
    case prepared(step: Int, Preparation)
    /// A unit (a step without a loop, or one item of a loop) has ended after its last attempt.
    case unitFinished(step: Int, item: Int?, failure: ActionFailure?)
    /// A unit has stopped between two attempts, or nobody can say whether its effect took place. It stays open.
    case unitSuspended(step: Int, item: Int?)
    /// As ``unitSuspended(step:item:)``, but whoever resumes the run has to resume the unit, even where the run stops: the
    /// process ended before it was known whether an effect took place, or before a run of another recipe was over.
    case unitLeft(step: Int, item: Int?)
    /// A unit waits for a point in time, an event or a decision; nothing works on it meanwhile.
    case unitWaits(step: Int, item: Int?)
    /// What a unit waits for may have come.
    case wake(step: Int, item: Int?)
    /// The run shall stop. Units that are being executed still report. Before ``start``: as soon as it starts.
    case stop(Stop)
    /// The outputs have been evaluated, or could not be.
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
    /// Somebody cancelled it.
    case cancelled
    /// Whether an effect took place is unknown; a person decides, and the run is resumed later.
    case needsAttention(ActionFailure)
    /// Its time is up.
    case failed(ActionFailure)
  }

  /// Something to do.
  public enum Action: Sendable {
    /// Evaluate a step's condition and list and report ``Event/prepared(step:_:)``.
    case prepare(step: Int)
    /// Execute a step, or one item of it, and report ``Event/unitFinished(step:item:failure:)``.
    case startUnit(step: Int, item: Int?)
    /// A step has ended.
    case finishStep(step: Int, status: StepStatus, succeeded: Int, failed: Int, failure: ActionFailure?)
    /// Evaluate the outputs, and report ``Event/concluded(_:)``.
    case conclude
    /// The main line is over. Record why, before any of the actions that follow.
    case turn(RunTurn.Reason)
    /// Nothing is left to do until a wait ends.
    case park
    /// The run has ended, or is left to whoever resumes it; nothing more is to do.
    case finishRun(status: RunStatus, failure: ActionFailure?)
  }

  /// The state of a run, named as in the table of docs/modules/Engine.md.
  enum State: String, CaseIterable {
    /// Nothing stands against the main line.
    case main
    /// The main line shall end: what has begun is seen to its end, and nothing else begins.
    case stopping
    /// The main line has ended well, and the outputs are being evaluated.
    case concluding
    /// The run has turned.
    case ending
    /// The process is about to end, or a person must decide: nothing begins, and the run is resumed later.
    case leaving
    /// The work on the run is over.
    case finished
  }
}

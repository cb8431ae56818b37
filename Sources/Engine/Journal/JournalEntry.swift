public import Expressions
public import Plans

/// One event in a run, as the journal records it.
public indirect enum JournalEntry: Sendable {
  /// A run begins.
  case runStarted(RunStart)
  /// A step begins; for a `for_each`, `itemCount` items long.
  case stepStarted(run: RunID, step: Int, itemCount: Int?, at: Timestamp)
  /// An attempt is about to begin: its intent.
  case attemptStarted(AttemptStart)
  /// An attempt has ended.
  case attemptFinished(AttemptEnd)
  /// A step, or one item of it, has its final output.
  case output(run: RunID, step: Int, item: Int?, value: Value)
  /// A step has ended.
  case stepFinished(StepEnd)
  /// A run leaves its main line; written with the first entry that depends on the reason.
  case runTurned(RunTurn)
  /// A run has ended, or stops until a process resumes it.
  case runFinished(RunEnd)
  /// A run is parked until one of its waits ends; no process works on it until then. `isCalledOff`: the run is cancelled already,
  /// and only steps at its end wait, so a cancel request does not make it due. `isHeldUp`: no process can resume it now (a plugin
  /// is missing), so no wake-up counts before `until`.
  case runParked(run: RunID, until: Timestamp?, isCalledOff: Bool = false, isHeldUp: Bool = false, at: Timestamp)
  /// A step, or one item of it, begins to wait. It replaces an earlier wait of the unit.
  case waitStarted(WaitStart)
  /// A wait has ended.
  case waitEnded(run: RunID, step: Int, item: Int?, at: Timestamp)
  /// A provider's circuit breaker has changed.
  case breaker(BreakerRecord)
  /// A line of the run log.
  case log(LogLine)
}

/// The beginning of a run.
public struct RunStart: Sendable {
  /// A step as the plan has it.
  public struct Step: Sendable {
    /// The step's name.
    public var id: String
    /// Its action.
    public var action: String
    /// Its effect.
    public var effect: Effect
    /// The phase of the run in which it is executed.
    public var phase: PlanStep.Phase

    /// Creates a step.
    public init(id: String, action: String, effect: Effect, phase: PlanStep.Phase = .main) {
      self.id = id
      self.action = action
      self.effect = effect
      self.phase = phase
    }
  }

  /// The run.
  public var run: RunID
  /// The recipe's name.
  public var recipe: String
  /// The recipe's file.
  public var path: String
  /// Where the recipe's text comes from.
  public var recipeOrigin = RecipeOrigin.file
  /// The recipe's fingerprint.
  public var fingerprint: String
  /// What started it: `manual`, `schedule`.
  public var trigger: String
  /// The inputs with defaults filled in, without secrets.
  public var inputs: Value
  /// The steps in source order; entries refer to them by position.
  public var steps: [Step]
  /// When it began; for a queued run, when it was queued.
  public var at: Timestamp
  /// The keywords given for this run.
  public var keywords: [String: Value] = [:]
  /// The event that started it; null for none.
  public var event: Value = .null
  /// The text of the recipe, from which the run is resumed even if the file has changed; `nil` if it has none.
  public var source: String?
  /// The texts of the recipes that it runs, directly or through others, by path; `nil` if they were not kept.
  public var recipes: [String: String]?
  /// Which runs are claimed first: higher before lower.
  public var priority = 0
  /// The concurrency group, with its expressions evaluated.
  public var group: String?
  /// How many runs of the group work at a time.
  public var groupMax = 1
  /// The run whose step runs this one and waits for it.
  public var parent: RunID?
  /// The run that this one repeats.
  public var origin: RunID?
  /// The user of the server who has started it, for the rights on it; `nil` if a schedule, a trigger or a command has.
  public var startedBy: String?
  /// The trace that the trace of the run continues; `nil` for one of its own.
  public var traceParent: TraceParent?
  /// Whether it only joins the queue, for the first process that claims it.
  public var isQueued = false
  /// Whether the process that records it also executes it for a person, once its concurrency group is free: its failure is
  /// not announced, as that person sees it.
  public var isAttended = false
  /// Whether it is skipped if as many other runs of its concurrency group as ``groupMax`` have not ended. The run log decides when it writes
  /// the entry, so of two simultaneous runs one is skipped.
  public var givesWay = false
  /// Whether the oldest runs of its concurrency group that have not ended are cancelled, so that it has a place. The run log
  /// decides when it writes the entry, so of two simultaneous runs the one written last stays.
  public var displacesOthers = false
  /// The known repetitions, direct and indirect, of the run that it repeats, at the time of planning: if another one exists when
  /// the entry is written, it is refused, so of two simultaneous repetitions one begins. `nil`: no check.
  public var knownRepetitions: Set<RunID>?

  /// Creates the beginning of a run.
  public init(
    run: RunID, recipe: String, path: String, fingerprint: String, trigger: String, inputs: Value, steps: [Step],
    at: Timestamp
  ) {
    self.run = run
    self.recipe = recipe
    self.path = path
    self.fingerprint = fingerprint
    self.trigger = trigger
    self.inputs = inputs
    self.steps = steps
    self.at = at
  }
}

/// The intent of an attempt.
public struct AttemptStart: Sendable {
  /// The run.
  public var run: RunID
  /// The step's position in the plan.
  public var step: Int
  /// The item's position in a `for_each`.
  public var item: Int?
  /// 1 for the first attempt.
  public var number: Int
  /// The provider or recipe that is asked.
  public var kind: AttemptKind
  /// The idempotency key.
  public var key: String
  /// The size of the input as JSON, in bytes.
  public var inputBytes: Int
  /// When it began.
  public var at: Timestamp

  /// Creates an intent.
  public init(
    run: RunID, step: Int, item: Int?, number: Int, kind: AttemptKind, key: String, inputBytes: Int, at: Timestamp
  ) {
    self.run = run
    self.step = step
    self.item = item
    self.number = number
    self.kind = kind
    self.key = key
    self.inputBytes = inputBytes
    self.at = at
  }
}

/// The end of an attempt.
public struct AttemptEnd: Sendable {
  /// The run.
  public var run: RunID
  /// The step's position in the plan.
  public var step: Int
  /// The item's position in a `for_each`.
  public var item: Int?
  /// 1 for the first attempt.
  public var number: Int
  /// Why it failed; `nil` when it succeeded.
  public var failure: ActionFailure?
  /// The size of the output as JSON, in bytes; 0 when it failed.
  public var outputBytes: Int
  /// How long it took, in seconds of the monotonic clock.
  public var duration: Double
  /// Seconds until the next attempt; `nil` if none follows.
  public var retryDelay: Double?
  /// When it ended.
  public var at: Timestamp
  /// Whether its outcome is unknown, so that a resumed run asks first whether it took effect.
  public var isUncertain = false
  /// The usage of its calls of models, written together with it.
  public var usage: [CallUsage] = []

  /// Creates the end of an attempt.
  public init(
    run: RunID, step: Int, item: Int?, number: Int, failure: ActionFailure?, outputBytes: Int, duration: Double,
    retryDelay: Double?, at: Timestamp
  ) {
    self.run = run
    self.step = step
    self.item = item
    self.number = number
    self.failure = failure
    self.outputBytes = outputBytes
    self.duration = duration
    self.retryDelay = retryDelay
    self.at = at
  }
}

/// The end of a step.
public struct StepEnd: Sendable {
  /// The run.
  public var run: RunID
  /// The step's position in the plan.
  public var step: Int
  /// How it ended.
  public var status: StepStatus
  /// Items that succeeded, for a `for_each`.
  public var itemsSucceeded: Int?
  /// Items that failed for good, for a `for_each`.
  public var itemsFailed: Int?
  /// The failure that ended it.
  public var failure: ActionFailure?
  /// When it ended.
  public var at: Timestamp
  /// The run that its result was taken from; `nil` if it was executed in this one.
  public var carriedFrom: RunID?

  /// Creates the end of a step.
  public init(
    run: RunID, step: Int, status: StepStatus, itemsSucceeded: Int? = nil, itemsFailed: Int? = nil,
    failure: ActionFailure? = nil, at: Timestamp
  ) {
    self.run = run
    self.step = step
    self.status = status
    self.itemsSucceeded = itemsSucceeded
    self.itemsFailed = itemsFailed
    self.failure = failure
    self.at = at
  }
}

/// The end of a run, or its state until it is resumed.
public struct RunEnd: Sendable {
  /// The run.
  public var run: RunID
  /// How it ended.
  public var status: RunStatus
  /// The declared outputs.
  public var outputs: Value
  /// The failure that ended it.
  public var failure: ActionFailure?
  /// When it ended.
  public var at: Timestamp

  /// Creates the end of a run.
  public init(run: RunID, status: RunStatus, outputs: Value, failure: ActionFailure? = nil, at: Timestamp) {
    self.run = run
    self.status = status
    self.outputs = outputs
    self.failure = failure
    self.at = at
  }
}

/// A line of the run log.
public struct LogLine: Sendable {
  /// The run.
  public var run: RunID
  /// The step's position in the plan; `nil` for the run as a whole.
  public var step: Int?
  /// The item's position in a `for_each`.
  public var item: Int?
  /// The attempt's number.
  public var attempt: Int?
  /// How important it is.
  public var level: LogLevel
  /// The text, one line.
  public var message: String
  /// When it was written.
  public var at: Timestamp

  /// Creates a line.
  public init(
    run: RunID, step: Int? = nil, item: Int? = nil, attempt: Int? = nil, level: LogLevel, message: String,
    at: Timestamp
  ) {
    self.run = run
    self.step = step
    self.item = item
    self.attempt = attempt
    self.level = level
    self.message = message
    self.at = at
  }
}

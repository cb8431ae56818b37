public import Expressions

/// A run as a listing shows it.
public struct RunSummary: Sendable {
  /// The run.
  public var id: RunID
  /// The recipe's name.
  public var recipe: String
  /// The recipe's file.
  public var path: String
  /// The fingerprint of the recipe's text.
  public var fingerprint: String
  /// What started it: `manual`, `schedule`.
  public var trigger: String
  /// Where it stands; `interrupted` also where it was being worked on by a process that is gone.
  public var status: RunStatus
  /// Whether the process that worked on it ended without a word: it crashed, was killed, or the machine went down.
  ///
  /// A process on another machine cannot be looked at and counts as still there.
  public var isProcessGone: Bool
  /// When it began.
  public var startedAt: Timestamp
  /// When it ended; `nil` while it is being worked on.
  public var endedAt: Timestamp?
  /// How long it took, in seconds of the time of day; `nil` while it is being worked on.
  public var duration: Double?
  /// The number of its steps.
  public var stepCount: Int
  /// How many of them succeeded.
  public var stepsSucceeded: Int
  /// How many of them failed for good.
  public var stepsFailed: Int
  /// How many of them were skipped.
  public var stepsSkipped: Int
  /// The attempts of all steps together.
  public var attemptCount: Int
  /// How many of them repeated a failed one.
  public var retryCount: Int
  /// Why it failed.
  public var failure: ActionFailure?
  /// The run whose step runs this one.
  public var parent: RunID?
  /// The run that this one repeats.
  public var origin: RunID?
  /// When a waiting run goes on by itself; `nil` where only an event or a decision can end its wait.
  public var dueAt: Timestamp?
  /// Which queued runs are taken first: higher before lower.
  public var priority: Int
  /// The concurrency group.
  public var group: String?
  /// The run of its concurrency group that it waits for before it begins, or goes on.
  public var behind: RunID?
  /// Whether somebody has asked to call it off.
  public var isCancelRequested: Bool
  /// The user of the server who has started it; `nil` if a schedule, a trigger or a command has.
  public var startedBy: String?

  package init(
    id: RunID, recipe: String, path: String, fingerprint: String, trigger: String, status: RunStatus,
    isProcessGone: Bool, startedAt: Timestamp, endedAt: Timestamp? = nil, duration: Double? = nil, stepCount: Int,
    stepsSucceeded: Int, stepsFailed: Int, stepsSkipped: Int, attemptCount: Int, retryCount: Int,
    failure: ActionFailure? = nil, parent: RunID? = nil, origin: RunID? = nil, dueAt: Timestamp? = nil, priority: Int,
    group: String? = nil, behind: RunID? = nil, isCancelRequested: Bool,
    startedBy: String? = nil
  ) {
    self.id = id
    self.recipe = recipe
    self.path = path
    self.fingerprint = fingerprint
    self.trigger = trigger
    self.status = status
    self.isProcessGone = isProcessGone
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.duration = duration
    self.stepCount = stepCount
    self.stepsSucceeded = stepsSucceeded
    self.stepsFailed = stepsFailed
    self.stepsSkipped = stepsSkipped
    self.attemptCount = attemptCount
    self.retryCount = retryCount
    self.failure = failure
    self.parent = parent
    self.origin = origin
    self.dueAt = dueAt
    self.priority = priority
    self.group = group
    self.behind = behind
    self.isCancelRequested = isCancelRequested
    self.startedBy = startedBy
  }

  /// The run for `sous runs --json`.
  ///
  /// `{id, recipe, path, fingerprint, trigger, status, process_gone, started_at, ended_at, duration_ms, step_count,
  /// steps_succeeded, steps_failed, steps_skipped, attempt_count, retry_count, failure, parent, origin, due_at,
  /// priority, group, behind, cancel_requested, started_by}`: times are RFC 3339 in UTC with milliseconds; `ended_at`,
  /// `duration_ms`, `failure` (see ``ActionFailure/json``), `parent`, `origin`, `due_at`, `group`, `behind` and `started_by` are
  /// null if they are not known.
  public var json: Value { .object(fields) }

  package var fields: [(String, Value)] {
    [
      ("id", .string(id.rawValue)),
      ("recipe", .string(recipe)),
      ("path", .string(path)),
      ("fingerprint", .string(fingerprint)),
      ("trigger", .string(trigger)),
      ("status", .string(status.rawValue)),
      ("process_gone", .bool(isProcessGone)),
      ("started_at", .time(startedAt)),
      ("ended_at", .time(endedAt)),
      ("duration_ms", .milliseconds(duration)),
      ("step_count", .number(stepCount)),
      ("steps_succeeded", .number(stepsSucceeded)),
      ("steps_failed", .number(stepsFailed)),
      ("steps_skipped", .number(stepsSkipped)),
      ("attempt_count", .number(attemptCount)),
      ("retry_count", .number(retryCount)),
      ("failure", failure?.json ?? .null),
      ("parent", .text(parent?.rawValue)),
      ("origin", .text(origin?.rawValue)),
      ("due_at", .time(dueAt)),
      ("priority", .number(priority)),
      ("group", .text(group)),
      ("behind", .text(behind?.rawValue)),
      ("cancel_requested", .bool(isCancelRequested)),
      ("started_by", .text(startedBy)),
    ]
  }
}

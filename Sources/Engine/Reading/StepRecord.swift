public import Expressions
public import Plans

/// A step of a run.
public struct StepRecord: Sendable {
  /// The final output of one item of a `for_each`.
  public struct Item: Sendable, Hashable {
    /// The item's position, from 0.
    public var index: Int
    /// Its output.
    public var output: Value

    package init(index: Int, output: Value) {
      self.index = index
      self.output = output
    }

    package var json: Value { .object([("item", .number(index)), ("output", output)]) }
  }

  /// The step's position in the recipe, from 0.
  public var position: Int
  /// The step's name.
  public var id: String
  /// When in a run it has its turn: `main`, `undo`, `on_failure` or `finally`.
  public var phase: String
  /// The name of the step that it undoes.
  public var undoOf: String?
  /// Its action.
  public var action: String
  /// Its effect.
  public var effect: Effect
  /// Where it stands; `running` also for a step that a lost process was working on.
  public var status: StepStatus
  /// The configured names of the providers that were tried, in order of first use.
  public var providers: [String]
  /// When it began; `nil` where it did not.
  public var startedAt: Timestamp?
  /// When it ended.
  public var endedAt: Timestamp?
  /// How long it took, in seconds of the time of day.
  public var duration: Double?
  /// The number of items of a `for_each`; `nil` for a step without one.
  public var itemCount: Int?
  /// How many of them succeeded; `nil` until the step has ended.
  public var itemsSucceeded: Int?
  /// How many of them failed for good; `nil` until the step has ended.
  public var itemsFailed: Int?
  /// Why it failed.
  public var failure: ActionFailure?
  /// The run that its result was taken from, where it was not worked on in this one.
  public var carriedFrom: RunID?
  /// The number of its attempts.
  public var attemptCount: Int
  /// How many of them failed, in doubt or not.
  public var attemptsFailed: Int
  /// The attempts, by item and number; only the first ones where there are more than were asked for.
  public var attempts: [AttemptRecord]
  /// The step's output; `nil` where it has none of its own.
  public var output: Value?
  /// The outputs of the items that have one, by position; only the first ones where there are more than asked for.
  public var items: [Item]

  package init(
    position: Int, id: String, phase: String, undoOf: String? = nil, action: String, effect: Effect, status: StepStatus,
    providers: [String], startedAt: Timestamp? = nil, endedAt: Timestamp? = nil, duration: Double? = nil,
    itemCount: Int? = nil, itemsSucceeded: Int? = nil, itemsFailed: Int? = nil, failure: ActionFailure? = nil,
    carriedFrom: RunID? = nil, attemptCount: Int, attemptsFailed: Int, attempts: [AttemptRecord], output: Value? = nil,
    items: [Item]
  ) {
    self.position = position
    self.id = id
    self.phase = phase
    self.undoOf = undoOf
    self.action = action
    self.effect = effect
    self.status = status
    self.providers = providers
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.duration = duration
    self.itemCount = itemCount
    self.itemsSucceeded = itemsSucceeded
    self.itemsFailed = itemsFailed
    self.failure = failure
    self.carriedFrom = carriedFrom
    self.attemptCount = attemptCount
    self.attemptsFailed = attemptsFailed
    self.attempts = attempts
    self.output = output
    self.items = items
  }

  /// The step for `sous show --json`.
  ///
  /// `{id, position, phase, undo_of, action, effect, status, providers, started_at, ended_at, duration_ms, item_count,
  /// items_succeeded, items_failed, failure, carried_from, attempt_count, attempts, output, items}`: `attempts` as
  /// ``AttemptRecord/json``; `items` is a list of `{item, output}` for a `for_each` and null otherwise; `output` is
  /// null where there is none.
  public var json: Value {
    .object(
      fields + [
        ("attempts", .list(attempts.map(\.json))),
        ("output", output ?? .null),
        ("items", itemsJSON),
      ])
  }

  /// The fields without attempts and outputs.
  package var fields: [(String, Value)] {
    [
      ("id", .string(id)),
      ("position", .number(position)),
      ("phase", .string(phase)),
      ("undo_of", .text(undoOf)),
      ("action", .string(action)),
      ("effect", .string(effect.rawValue)),
      ("status", .string(status.rawValue)),
      ("providers", .list(providers.map(Value.string))),
      ("started_at", .time(startedAt)),
      ("ended_at", .time(endedAt)),
      ("duration_ms", .milliseconds(duration)),
      ("item_count", .number(itemCount)),
      ("items_succeeded", .number(itemsSucceeded)),
      ("items_failed", .number(itemsFailed)),
      ("failure", failure?.json ?? .null),
      ("carried_from", .text(carriedFrom?.rawValue)),
      ("attempt_count", .number(attemptCount)),
    ]
  }

  private var itemsJSON: Value {
    guard itemCount != nil || !items.isEmpty else { return .null }
    return .list(items.map(\.json))
  }
}

public import Expressions

/// Everything the run log knows about one run.
public struct RunRecord: Sendable {
  /// The run as listings show it.
  public var summary: RunSummary
  /// The inputs with defaults filled in.
  public var inputs: Value
  /// The declared outputs; null until the run has ended.
  public var outputs: Value
  /// The machine whose process works, or worked, on the run.
  public var ownerHost: String?
  /// The number of that process.
  public var ownerProcess: Int?
  /// The steps in source order.
  public var steps: [StepRecord]
  /// The waits that have begun and not ended, oldest first.
  public var waits: [OpenWait]
  /// The runs that steps of this one run, oldest first; at most a thousand.
  public var children: [Child]
  /// The calls of models that its steps have made, in their order; at most a thousand.
  public var calls: [CallRecord] = []

  package init(
    summary: RunSummary, inputs: Value, outputs: Value, ownerHost: String? = nil, ownerProcess: Int? = nil,
    steps: [StepRecord], waits: [OpenWait], children: [Child]
  ) {
    self.summary = summary
    self.inputs = inputs
    self.outputs = outputs
    self.ownerHost = ownerHost
    self.ownerProcess = ownerProcess
    self.steps = steps
    self.waits = waits
    self.children = children
  }

  /// A run that a step runs.
  public struct Child: Sendable {
    /// The run.
    public var id: RunID
    /// Its recipe.
    public var recipe: String
    /// Where it stands, as recorded.
    public var status: RunStatus
    /// The step that runs it.
    public var step: String?
    /// The item of the step.
    public var item: Int?
    /// Its steps and how far they have come, in source order.
    public var steps: [(id: String, status: StepStatus)] = []

    package init(id: RunID, recipe: String, status: RunStatus, step: String? = nil, item: Int? = nil) {
      self.id = id
      self.recipe = recipe
      self.status = status
      self.step = step
      self.item = item
    }

    package var json: Value {
      .object([
        ("id", .string(id.rawValue)), ("recipe", .string(recipe)), ("status", .string(status.rawValue)),
        ("step", .text(step)), ("item", .number(item)),
        ("steps", .object(steps.map { ($0.id, .string($0.status.rawValue)) })),
      ])
    }
  }

  /// The run for `sous show --json`.
  ///
  /// The fields of ``RunSummary/json``, then `{inputs, outputs, owner: {host, pid}, waits, children, calls, steps}`:
  /// `waits` with the shape of ``OpenWait/json``, `children` a list of `{id, recipe, status, step, item, steps}` with
  /// the statuses of their steps by id, `calls` with the shape of ``CallRecord/json``, `steps` with that of ``StepRecord/json``.
  public var json: Value { .object(fields + [("steps", .list(steps.map(\.json)))]) }

  /// The fields without the steps.
  package var fields: [(String, Value)] {
    summary.fields + [
      ("inputs", inputs),
      ("outputs", outputs),
      ("owner", .object([("host", .text(ownerHost)), ("pid", .number(ownerProcess))])),
      ("waits", .list(waits.map(\.json))),
      ("children", .list(children.map(\.json))),
      ("calls", .list(calls.map(\.json))),
    ]
  }
}

import Expressions
import Localization
import Plans

/// The values the expressions of a run can see.
struct RunValues: Sendable {
  /// By name; `steps` among them.
  private var variables: [String: Value]
  private var runKeywords: [String: Value] = [:]
  private let overrides: [String: Value]
  /// When the run began, for what belongs to no step.
  private let now: Timestamp
  /// What has failed, for the steps that deal with it.
  private var failure = Value.null

  /// Creates the values of a run that begins; evaluates the recipe's keywords.
  init(plan: Plan, request: RunRequest, now: Timestamp) throws(ExpressionError) {
    self.now = now
    overrides = request.keywords
    variables = [
      "inputs": request.inputs,
      "event": request.event,
      "run": .map([
        "id": .string(request.id.rawValue), "started": .timestamp(now), "trigger": .string(request.trigger),
      ]),
      "recipe": .map(["name": .string(plan.name), "path": .string(plan.path)]),
      "steps": .map([:]),
    ]
    if plan.block != nil { takeOver(request.inputs) }
    for (name, value) in plan.keywords {
      runKeywords[name] =
        if let given = overrides[name] { given } else { try value.evaluate(bindings(keywords: runKeywords)) }
    }
  }

  /// Makes the steps and variables around a block visible: the inputs of its run.
  private mutating func takeOver(_ around: Value) {
    variables["inputs"] = .map([:])
    guard case .map(let map) = around else { return }
    for entry in map.entries {
      if case .string(let name) = entry.key { variables[name] = entry.value }
    }
    // Inputs are JSON, which has no timestamps.
    if case .map(var run)? = variables["run"],
      let started = run["started"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
    {
      run["started"] = .timestamp(started)
      variables["run"] = .map(run)
    }
  }

  /// What the expressions of the recipe as a whole see: its outputs.
  func bindings(at now: Timestamp? = nil) -> Bindings {
    bindings(keywords: runKeywords, at: now)
  }

  /// What a step's condition and list see, before there is an item. A step's own keywords may speak of the item, so they
  /// are not there yet.
  ///
  /// - Parameter now: When the step began.
  func bindings(beforeItemsOf step: PlanStep, at now: Timestamp?) throws(ExpressionError) -> Bindings {
    var bindings = bindings(at: now)
    if step.phase != .main { bindings.variables["failure"] = failure }
    for (name, value) in step.variables { bindings.variables[name] = try value.evaluate(bindings) }
    return bindings
  }

  /// What the expressions of one step, or one item of it, see.
  ///
  /// - Parameter now: When the step began.
  func bindings(
    for step: PlanStep, item: (index: Int, value: Value)? = nil, at now: Timestamp? = nil
  ) throws(ExpressionError) -> Bindings {
    var bindings = bindings(keywords: runKeywords, at: now)
    if step.phase != .main { bindings.variables["failure"] = failure }
    if let item, let loop = step.loop {
      bindings.variables[loop.variable] = item.value
      bindings.variables["index"] = .int(Int64(item.index))
    }
    for (name, value) in step.variables { bindings.variables[name] = try value.evaluate(bindings) }
    for (name, value) in step.keywords {
      bindings.keywords[name] = if let given = overrides[name] { given } else { try value.evaluate(bindings) }
    }
    return bindings
  }

  private func bindings(keywords: [String: Value], at now: Timestamp? = nil) -> Bindings {
    Bindings(variables: variables, keywords: keywords, now: now ?? self.now)
  }

  /// Makes what the run failed with visible to the steps that deal with it.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - step: The step it came from; empty where it was the run as a whole.
  ///   - isReason: Whether the run turned for it; otherwise the first failure counts.
  mutating func fail(_ failure: ActionFailure, step: String, isReason: Bool = false) {
    guard isReason || self.failure.isNull else { return }
    self.failure = .map([
      "kind": .string(failure.kind.rawValue), "message": .string(failure.message.english),
      "message_de": .string(failure.message.german), "step": .string(step),
      "output": failure.output?.jsonForm ?? .null,
    ])
  }

  /// Makes the end of a step visible to the expressions of later ones.
  ///
  /// - Parameters:
  ///   - id: The step's name.
  ///   - status: How it ended.
  ///   - output: Its output; for a loop, the outputs of the items that succeeded.
  ///   - items: One record for each item of a loop.
  ///   - failure: The failure that ended it.
  mutating func finish(_ id: String, status: StepStatus, output: Value, items: [Value]?, failure: ActionFailure?) {
    var record: ValueMap = ["status": .string(status.rawValue), "output": output, "error": Self.error(failure)]
    if let items { record["items"] = .list(items) }
    // Taken out, so that the map is changed in place.
    guard case .map(var steps) = variables.updateValue(.null, forKey: "steps") else { return }
    steps[id] = .map(record)
    variables["steps"] = .map(steps)
  }

  /// The record of one item of a loop as expressions see it.
  static func item(index: Int, value: Value, outcome: UnitOutcome?) -> Value {
    let status: StepStatus =
      switch outcome {
      case .success: .succeeded
      case .failure, .inDoubt: .failed
      case .suspended, .left, .waits: .cancelled
      case nil: .skipped
      }
    return .map([
      "index": .int(Int64(index)), "item": value, "status": .string(status.rawValue),
      "output": outcome?.output ?? .null, "error": error(outcome?.failure),
    ])
  }

  private static func error(_ failure: ActionFailure?) -> Value {
    guard let failure else { return .null }
    return .map([
      "kind": .string(failure.kind.rawValue), "message": .string(failure.message.english),
      "message_de": .string(failure.message.german), "output": failure.output?.jsonForm ?? .null,
    ])
  }
}

/// What became of a step without a loop, or of one item of a loop.
enum UnitOutcome: Sendable {
  case success(Value)
  // What else there is lies on the heap, so that what succeeds, in a long loop almost everything, takes little room.
  indirect case failure(ActionFailure)
  /// It was cancelled between attempts, or half-way, and can be resumed.
  case suspended
  /// It was interrupted as the process ends, and whoever resumes the run must resume it too.
  case left
  /// Whether its effect took place is unknown.
  indirect case inDoubt(ActionFailure)
  /// Nothing works on it until a point in time, or until something comes from outside; then it continues from here.
  indirect case waits(UnitSnapshot, until: Timestamp?)

  /// With the output as the journal gives it back, so that a run that is resumed sees the same.
  var recorded: UnitOutcome {
    if case .success(let output) = self { .success(output.jsonForm) } else { self }
  }

  var output: Value? { if case .success(let value) = self { value } else { nil } }
  var failure: ActionFailure? {
    switch self {
    case .failure(let failure), .inDoubt(let failure): failure
    case .success, .suspended, .left, .waits: nil
    }
  }
}

extension UnitProgress {
  /// What became of it; `nil` while it is not final.
  var outcome: UnitOutcome? {
    switch self {
    case .succeeded(let output): .success(output)
    case .failed(let failure): .failure(failure)
    case .notBegun, .open, .cancelled, .outcomeUnknown, .waiting: nil
    }
  }
}

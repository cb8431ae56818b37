internal import Engine
internal import Expressions
internal import GRDB
internal import Localization
import Plans
import RecipeModel

/// Reads what is recorded of a run so that somebody can go on with it: one pass through each table.
struct SnapshotReading {
  let database: Database
  /// The database file, for errors.
  let path: String

  /// How a run has ended; `nil` where it has not, or is not known.
  func result(of run: RunID) throws -> RunResult? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT status, outputs, (SELECT content FROM blobs WHERE hash = outputs_blob) AS content, failure_kind,
            failure_message, failure_message_de, failure_advice, failure_advice_de
          FROM runs WHERE id = ? AND status <> \(RunReading.removed)
          """), arguments: [run.rawValue])
    guard let row else { return nil }
    let columns = RowReader(row: row, path: path)
    let status: RunStatus = try columns.choice("status")
    guard status.isFinal else { return nil }
    var failure = try columns.failure()
    if failure != nil {
      let outputs = try RunReading.failureOutputs(of: run, database, path: path)
      failure?.output = outputs[EntryWriter.wholeRun]?[-1]
    }
    return RunResult(
      id: run, status: status, outputs: try columns.value("outputs", blob: "content") ?? .map([:]), failure: failure)
  }

  /// All that is recorded of a run.
  func snapshot(of run: RunID) throws -> RunSnapshot {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT *, (SELECT content FROM blobs WHERE hash = inputs_blob) AS inputs_content,
            (SELECT content FROM blobs WHERE hash = keywords_blob) AS keywords_content,
            (SELECT content FROM blobs WHERE hash = event_blob) AS event_content,
            NULL AS source, (SELECT content FROM blobs WHERE hash = source_blob) AS source_content
          FROM runs WHERE id = ? AND status <> \(RunReading.removed)
          """), arguments: [run.rawValue])
    guard let row else { throw RunStoreError.runNotFound(run.rawValue) }
    let columns = RowReader(row: row, path: path)
    var planned: [RunStart.Step] = []
    var steps: [StepSnapshot] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: "SELECT * FROM steps WHERE run = ? ORDER BY position"), arguments: [run.rawValue])
    while let row = try rows.next() {
      let step = RowReader(row: row, path: path)
      planned.append(
        .init(
          id: try step.text("id"), action: try step.text("action"), effect: try step.choice("effect"),
          phase: try phase(step)))
      steps.append(
        StepSnapshot(
          status: try step.choice("status"), itemCount: step.optionalInteger("item_count"),
          failure: try step.failure(), startedAt: try step.optionalTime("started_at")))
    }
    var units = Units(count: steps.count)
    try readAttempts(of: run, into: &units)
    try readOutputs(of: run, into: &units)
    try readWaits(of: run, into: &units)
    let failureOutputs = try RunReading.failureOutputs(of: run, database, path: path)
    for index in steps.indices {
      steps[index].units = units.sorted(index)
      steps[index].failure?.output = failureOutputs[index]?[-1]
      for unit in steps[index].units.indices {
        let item = steps[index].units[unit].item ?? -1
        steps[index].units[unit].lastAttempt?.failure?.output = failureOutputs[index]?[item]
      }
    }
    var turn = try turn(of: run)
    if case .failed(var failure, let step?)? = turn?.reason {
      failure.output = failureOutputs[step]?[-1]
      turn?.reason = .failed(failure, step: step)
    }
    return RunSnapshot(
      start: try start(run, columns, planned), steps: steps,
      isCancelRequested: columns.optionalInteger("cancel_requested") == 1, turn: turn)
  }

  private func turn(of run: RunID) throws -> RunTurn? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM turns WHERE run = ?"), arguments: [run.rawValue])
    guard let row else { return nil }
    let columns = RowReader(row: row, path: path)
    let reason: RunTurn.Reason
    switch (try columns.text("reason"), try columns.failure()) {
    case ("succeeded", nil): reason = .succeeded
    case ("cancelled", nil): reason = .cancelled
    case ("failed", let failure?): reason = .failed(failure, step: columns.optionalInteger("step"))
    default: throw RunStoreError.damaged(path: path, cause: "column reason cannot be read")
    }
    return RunTurn(
      run: run, reason: reason, outputs: try columns.value("outputs", blob: "") ?? .map([:]), at: try columns.time("at")
    )
  }

  /// When in a run a step has its turn.
  private func phase(_ step: RowReader) throws -> PlanStep.Phase {
    switch try step.text("phase") {
    case "undo": .undo(of: try step.integer("undo_of"))
    case "on_failure": .onFailure
    case "finally": .finally
    default: .main
    }
  }

  private func start(_ run: RunID, _ columns: RowReader, _ steps: [RunStart.Step]) throws -> RunStart {
    var start = RunStart(
      run: run, recipe: try columns.text("recipe"), path: try columns.text("path"),
      fingerprint: try columns.text("fingerprint"), trigger: try columns.text("trigger"),
      inputs: try columns.value("inputs", blob: "inputs_content") ?? .null, steps: steps,
      at: try columns.time("started_at"))
    start.recipeOrigin = try columns.choice("recipe_origin")
    if case .map(let keywords) = try columns.value("keywords", blob: "keywords_content") {
      for (key, value) in keywords.entries {
        if case .string(let name) = key { start.keywords[name] = value }
      }
    }
    start.event = try columns.value("event", blob: "event_content") ?? .null
    if case .string(let source) = try columns.value("source", blob: "source_content") { start.source = source }
    start.recipes = try columns.optionalText("recipe_set").map(recipes)
    start.priority = columns.optionalInteger("priority") ?? 0
    start.group = columns.optionalText("concurrency_group")
    start.groupMax = columns.optionalInteger("group_max") ?? 1
    start.parent = columns.optionalText("parent").map(RunID.init(rawValue:))
    start.origin = columns.optionalText("origin").map(RunID.init(rawValue:))
    start.startedBy = columns.optionalText("started_by")
    start.traceParent = columns.optionalText("trace_parent").flatMap(TraceParent.init(stored:))
    return start
  }

  /// The texts of a set of recipes, by path.
  private func recipes(of set: String) throws -> [String: String] {
    var recipes: [String: String] = [:]
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT path, NULL AS text, (SELECT content FROM blobs WHERE hash = blob) AS content FROM recipe_sets
          WHERE name = ?
          """), arguments: [set])
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      if case .string(let text) = try columns.value("text", blob: "content") {
        recipes[try columns.text("path")] = text
      }
    }
    return recipes
  }

  // MARK: - Units

  /// The units of all steps while they are gathered.
  private struct Units {
    private var byStep: [[Int: UnitSnapshot]]

    init(count: Int) { byStep = Array(repeating: [:], count: count) }

    mutating func change(_ step: Int, _ item: Int, _ body: (inout UnitSnapshot) throws -> Void) rethrows {
      guard byStep.indices.contains(step) else { return }
      try body(&byStep[step][item, default: UnitSnapshot(item: item < 0 ? nil : item)])
    }

    func sorted(_ step: Int) -> [UnitSnapshot] {
      byStep[step].values.sorted { ($0.item ?? -1) < ($1.item ?? -1) }
    }
  }

  private func readAttempts(of run: RunID, into units: inout Units) throws {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT step, item, number, kind, provider, idempotency_key, started_at, ended_at, duration_ms,
            retry_delay_ms, uncertain, failure_kind, failure_message, failure_message_de, failure_advice, failure_advice_de, retry_after_ms
          FROM attempts WHERE run = ? ORDER BY step, item, number
          """), arguments: [run.rawValue])
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      try units.change(columns.integer("step"), columns.integer("item")) { unit in
        let number = try columns.integer("number")
        unit.begin(
          AttemptStart(
            run: run, step: try columns.integer("step"), item: unit.item, number: number,
            kind: try columns.attemptKind(),
            key: try columns.text("idempotency_key"), inputBytes: 0, at: try columns.time("started_at")))
        let failure = try columns.failure()
        guard let endedAt = try columns.optionalTime("ended_at") else { return }
        var end = AttemptEnd(
          run: run, step: try columns.integer("step"), item: unit.item, number: number, failure: failure,
          outputBytes: 0, duration: columns.seconds("duration_ms") ?? 0,
          retryDelay: columns.seconds("retry_delay_ms"), at: endedAt)
        end.isUncertain = columns.optionalInteger("uncertain") == 1
        unit.end(end, counts: columns.optionalInteger("uncertain") != RunStore.settledAsNotDone)
      }
    }
  }

  private func readOutputs(of run: RunID, into units: inout Units) throws {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT step, item, value, (SELECT content FROM blobs WHERE hash = blob) AS content FROM outputs
          WHERE run = ?
          """), arguments: [run.rawValue])
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      let value = try columns.value("value", blob: "content")
      units.change(try columns.integer("step"), try columns.integer("item")) { $0.output = value }
    }
  }

  private func readWaits(of run: RunID, into units: inout Units) throws {
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: "SELECT * FROM waits WHERE run = ? AND ended_at IS NULL"), arguments: [run.rawValue]
    )
    while let row = try rows.next() {
      let wait = try RowReader(row: row, path: path).wait()
      units.change(wait.step, wait.item ?? -1) { $0.wait = wait }
    }
  }
}

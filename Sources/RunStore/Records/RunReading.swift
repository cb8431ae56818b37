internal import Engine
internal import Expressions
internal import GRDB
internal import RunLogSchema

/// The queries behind the records of runs.
enum RunReading {
  /// The statuses after which nothing more happens in a run, for SQL.
  static let finalStatuses = "'succeeded', 'failed', 'skipped', 'cancelled'"

  /// What stands as the status of a run of which a part has been removed: it is nobody's business any more, and the rest
  /// goes before anything else does.
  static let removed = "'removed'"

  /// The run that a row of `runs` waits for in its concurrency group.
  static let behind = """
    CASE WHEN concurrency_group IS NOT NULL AND status IN ('queued', 'interrupted')
      AND \(GroupPlaces.free("runs")) <= 0 THEN \(GroupPlaces.holder("runs")) END
    """

  static let summarySQL = """
    SELECT id, recipe, path, fingerprint, trigger, status, started_at, ended_at, duration_ms,
      owner_host, owner_pid, owner, parent, origin, due_at, priority, concurrency_group, cancel_requested,
      started_by, failure_kind, failure_message, failure_message_de, failure_advice, failure_advice_de,
      \(behind) AS behind,
      (SELECT count(*) FROM steps WHERE run = runs.id) AS steps,
      (SELECT count(*) FROM steps WHERE run = runs.id AND status = 'succeeded') AS succeeded,
      (SELECT count(*) FROM steps WHERE run = runs.id AND status = 'failed') AS failed,
      (SELECT count(*) FROM steps WHERE run = runs.id AND status = 'skipped') AS skipped,
      (SELECT count(*) FROM attempts WHERE run = runs.id) AS attempts,
      (SELECT count(*) FROM attempts WHERE run = runs.id AND number > 1) AS retries
    FROM runs
    """

  /// The steps of a run.
  static let stepsSQL = """
    SELECT *, (SELECT id FROM steps AS s WHERE s.run = steps.run AND s.position = steps.undo_of) AS undone
    FROM steps WHERE run = ? ORDER BY position
    """

  /// The run that a person means; see `RunStore.resolve(_:)`.
  static func resolve(_ reference: String, _ database: Database) throws -> RunID {
    if reference.lowercased() == "last" {
      let sql =
        "SELECT id FROM runs WHERE parent IS NULL AND status <> \(removed) ORDER BY started_at DESC, id DESC LIMIT 1"
      guard let id = try String.fetchOne(database, sql: sql) else { throw RunStoreError.noRuns() }
      return RunID(rawValue: id)
    }
    guard !reference.isEmpty else { throw RunStoreError.runNotFound(reference) }
    let isThere = "SELECT 1 FROM runs WHERE id = ? AND status <> \(removed)"
    if try Bool.fetchOne(database, sql: isThere, arguments: [reference]) != nil {
      return RunID(rawValue: reference)
    }
    // A ULID reads the same in either case; '~' lies behind every character of one.
    let prefix = reference.uppercased()
    func runs(_ condition: String, _ arguments: StatementArguments) throws -> [(
      id: String, recipe: String, status: String
    )] {
      let sql =
        "SELECT id, recipe, status FROM runs WHERE \(condition) AND status <> \(removed) ORDER BY id DESC LIMIT 10"
      return try Row.fetchAll(database, sql: sql, arguments: arguments).map { ($0[0], $0[1], $0[2]) }
    }
    var found = try runs("id >= ? AND id < ?", [prefix, prefix + "~"])
    if found.count != 1,
      let newest = try String.fetchOne(
        database,
        sql: """
          SELECT id FROM runs WHERE recipe = ? AND parent IS NULL AND status <> \(removed)
          ORDER BY started_at DESC, id DESC LIMIT 1
          """, arguments: [reference])
    {
      return RunID(rawValue: newest)
    }
    let length = reference.utf8.count
    if found.isEmpty, length >= RunID.leastEnding { found = try runs("substr(id, ?) = ?", [-length, prefix]) }
    guard let first = found.first else { throw RunStoreError.runNotFound(reference) }
    guard found.count == 1 else {
      throw RunStoreError.ambiguousRun(reference, candidates: found)
    }
    return RunID(rawValue: first.id)
  }

  /// The position of a step that is given by its name.
  static func position(of step: String, in run: RunID, _ database: Database) throws -> Int {
    let found = try Int.fetchOne(
      database, sql: "SELECT position FROM steps WHERE run = ? AND id = ?", arguments: [run.rawValue, step])
    if let found { return found }
    let steps = try String.fetchAll(
      database, sql: "SELECT id FROM steps WHERE run = ? ORDER BY position", arguments: [run.rawValue])
    throw steps.isEmpty
      ? RunStoreError.runNotFound(run.rawValue) : RunStoreError.stepNotFound(step, run: run, steps: steps)
  }

  static func summary(of run: RunID, _ database: Database, path: String) throws -> RunSummary {
    try summary(summaryRow(of: run, database, path: path), database)
  }

  private static func summaryRow(of run: RunID, _ database: Database, path: String) throws -> RowReader {
    let row = try Row.fetchOne(
      database, sql: summarySQL + " WHERE id = ? AND status <> \(removed)", arguments: [run.rawValue])
    guard let row else { throw RunStoreError.runNotFound(run.rawValue) }
    return RowReader(row: row, path: path)
  }

  static func summary(_ columns: RowReader, _ database: Database) throws -> RunSummary {
    let recorded: RunStatus = try columns.choice("status")
    let isGone =
      try recorded == .running && isOwnerGone(columns.optionalInteger("owner"), database, path: columns.path)
    return RunSummary(
      id: RunID(rawValue: try columns.text("id")),
      recipe: try columns.text("recipe"),
      path: try columns.text("path"),
      fingerprint: try columns.text("fingerprint"),
      trigger: try columns.text("trigger"),
      status: isGone ? .interrupted : recorded,
      isProcessGone: isGone,
      startedAt: try columns.time("started_at"),
      endedAt: try columns.optionalTime("ended_at"),
      duration: columns.seconds("duration_ms"),
      stepCount: try columns.integer("steps"),
      stepsSucceeded: try columns.integer("succeeded"),
      stepsFailed: try columns.integer("failed"),
      stepsSkipped: try columns.integer("skipped"),
      attemptCount: try columns.integer("attempts"),
      retryCount: try columns.integer("retries"),
      failure: try columns.failure(),
      parent: columns.optionalText("parent").map(RunID.init(rawValue:)),
      origin: columns.optionalText("origin").map(RunID.init(rawValue:)),
      dueAt: try columns.optionalTime("due_at"),
      priority: columns.optionalInteger("priority") ?? 0,
      group: columns.optionalText("concurrency_group"),
      behind: columns.optionalText("behind").map(RunID.init(rawValue:)),
      isCancelRequested: columns.optionalInteger("cancel_requested") == 1,
      startedBy: columns.optionalText("started_by"))
  }

  /// Whether the process that a run belongs to has certainly ended.
  static func isOwnerGone(_ owner: Int?, _ database: Database, path: String) throws -> Bool {
    guard let owner else { return false }
    return try OwnerRecord.find(owner, database, path: path).map(Owner.isGone) ?? true
  }

  // MARK: - The whole run

  static func record(_ id: RunID, limit: Int, _ database: Database, path: String) throws -> RunRecord {
    let columns = try summaryRow(of: id, database, path: path)
    let values = try Row.fetchOne(
      database,
      sql: """
        SELECT inputs, (SELECT content FROM blobs WHERE hash = inputs_blob) AS inputs_content,
          outputs, (SELECT content FROM blobs WHERE hash = outputs_blob) AS outputs_content
        FROM runs WHERE id = ?
        """, arguments: [id.rawValue])
    guard let values else { throw RunStoreError.runNotFound(id.rawValue) }
    let content = RowReader(row: values, path: path)
    let rows = try Row.fetchAll(
      database, sql: stepsSQL, arguments: [id.rawValue])
    var steps = try rows.map { try step(RowReader(row: $0, path: path), of: id, limit: limit, database) }
    try addLines(to: &steps, of: id, database)
    var summary = try summary(columns, database)
    let outputs = try failureOutputs(of: id, database, path: path)
    summary.failure?.output = outputs[EntryWriter.wholeRun]?[-1]
    for step in steps.indices { steps[step].addOutputs(outputs[steps[step].position] ?? [:]) }
    var record = RunRecord(
      summary: summary,
      inputs: try content.value("inputs", blob: "inputs_content") ?? .null,
      outputs: try content.value("outputs", blob: "outputs_content") ?? .null,
      ownerHost: columns.optionalText("owner_host"),
      ownerProcess: columns.optionalInteger("owner_pid"),
      steps: steps,
      waits: try waits(.run(id, includesParts: false), database, path: path),
      children: try children(of: id, database, path: path))
    record.calls = try UsageReading(database: database, path: path).calls(of: id, limit: 1000)
    return record
  }

  /// Which waits are asked for.
  enum WaitScope {
    /// Those of one run; with parts, also those of the runs that its steps run.
    case run(RunID, includesParts: Bool)
    /// The decisions that people are asked for.
    case decisions
    /// The events that are waited for.
    case events

    fileprivate var condition: String {
      switch self {
      case .run(_, false): "w.run = ?2"
      case .run(_, true):
        """
        w.run IN (\(RunReading.parts("?2")))
        """
      case .decisions: "w.kind = 'approval' AND w.answer IS NULL"
      case .events: "w.kind = 'event' AND w.answer IS NULL"
      }
    }
  }

  /// The waits that have not ended, oldest first.
  ///
  /// - Parameter now: Decisions for which it is too late at this time are left out.
  static func waits(
    _ scope: WaitScope, openAt now: Timestamp? = nil, _ database: Database, path: String
  ) throws -> [OpenWait] {
    var arguments: StatementArguments = [now?.rfc3339Milliseconds]
    if case .run(let run, _) = scope { arguments += [run.rawValue] }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT w.*, r.recipe, s.id AS name FROM waits AS w JOIN runs AS r ON r.id = w.run
          JOIN steps AS s ON s.run = w.run AND s.position = w.step
        WHERE w.ended_at IS NULL AND (?1 IS NULL OR w.kind <> 'approval' OR w.until IS NULL OR w.until > ?1)
          AND \(scope.condition)
        ORDER BY w.at, w.run, w.step, w.item
        """, arguments: arguments)
    return try rows.map { row in
      let columns = RowReader(row: row, path: path)
      return OpenWait(
        recipe: try columns.text("recipe"), step: try columns.text("name"), wait: try columns.wait(),
        isAnswered: columns.optionalText("answer") != nil)
    }
  }

  /// Adds what failed attempts have logged last.
  private static func addLines(to steps: inout [StepRecord], of run: RunID, _ database: Database) throws {
    let lines = steps.contains { $0.attemptsFailed > 0 } ? try lastLines(of: run.rawValue, database) : [:]
    for step in steps.indices {
      for attempt in steps[step].attempts.indices {
        let record = steps[step].attempts[attempt]
        let place = AttemptPlace(step: steps[step].position, item: record.item, number: record.number)
        steps[step].attempts[attempt].lines = record.failure == nil ? [] : lines[place] ?? []
        guard record.failure != nil, record.kind == .recipe,
          let (inner, logging) = try innermostLines(of: RunID(rawValue: record.key), database)
        else { continue }
        steps[step].attempts[attempt].lines = inner
        steps[step].attempts[attempt].logging = logging
      }
    }
  }

  /// The last lines of the attempt that made a run fail: if that is a run of a step too, the lines are those of the step in it.
  ///
  /// - Returns: `nil` if no attempt of the run has failed.
  private static func innermostLines(
    of run: RunID, _ database: Database
  ) throws -> ([String], AttemptRecord.LoggingStep)? {
    var run = run
    for _ in 0..<deepestPart {
      // Failures that the recipe goes on after, and those of its last steps, count only if no other is known.
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT a.step, a.item, a.number, a.kind, a.idempotency_key AS key, s.id
          FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step
          WHERE a.run = ? AND a.failure_kind IS NOT NULL
          ORDER BY s.status = 'failed' DESC, s.phase = 'main' DESC, a.ended_at DESC, a.number DESC LIMIT 1
          """, arguments: [run.rawValue])
      guard let row, let step: Int = row["step"], let item: Int = row["item"], let number: Int = row["number"],
        let id: String = row["id"]
      else { return nil }
      if row["kind"] == AttemptKind.recipe.name, let key: String = row["key"] {
        run = RunID(rawValue: key)
        continue
      }
      let place = AttemptPlace(step: step, item: item < 0 ? nil : item, number: number)
      return (try lastLines(of: run.rawValue, database)[place] ?? [], AttemptRecord.LoggingStep(run: run, step: id))
    }
    return nil
  }

  /// How many runs within runs are followed.
  private static let deepestPart = 32

  /// An attempt of a run.
  struct AttemptPlace: Hashable {
    var step: Int
    var item: Int?
    var number: Int
  }

  /// What attempts of a run have logged last, some lines of each.
  static func lastLines(of run: String, _ database: Database) throws -> [AttemptPlace: [String]] {
    var lines: [AttemptPlace: [String]] = [:]
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT step, item, attempt, message FROM logs WHERE run = ? AND attempt IS NOT NULL ORDER BY id DESC LIMIT ?
          """), arguments: [run, linesLookedAt])
    while let row = try rows.next() {
      guard let step: Int = row["step"], let number: Int = row["attempt"], let message: String = row["message"] else {
        continue
      }
      let place = AttemptPlace(step: step, item: row["item"], number: number)
      if lines[place, default: []].count < linesOfAttempt { lines[place, default: []].append(message) }
    }
    return lines.mapValues { $0.reversed() }
  }

  /// The lines of a failed attempt that are read, and those of its run that are looked through for them.
  private static let (linesOfAttempt, linesLookedAt) = (42, 10_000)

  private static func step(
    _ columns: RowReader, of run: RunID, limit: Int, _ database: Database
  ) throws -> StepRecord {
    let position = try columns.integer("position")
    let place: StatementArguments = [run.rawValue, position]
    let counts = try Row.fetchOne(
      database, sql: "SELECT count(*) AS count, count(failure_kind) AS failed FROM attempts WHERE run = ? AND step = ?",
      arguments: place
    ).map { RowReader(row: $0, path: columns.path) }
    let providers = try String.fetchAll(
      database,
      sql: "SELECT provider FROM attempts WHERE run = ? AND step = ? GROUP BY provider ORDER BY min(started_at)",
      arguments: place)
    let attempts = try Row.fetchAll(
      database, sql: "SELECT * FROM attempts WHERE run = ? AND step = ? ORDER BY item, number LIMIT ?",
      arguments: place + [limit])
    let output = try outputs(place, condition: "item = -1", limit: 1, database, path: columns.path).first
    return StepRecord(
      position: position,
      id: try columns.text("id"),
      phase: columns.optionalText("phase") ?? "main",
      undoOf: columns.optionalText("undone"),
      action: try columns.text("action"),
      effect: try columns.choice("effect"),
      status: try columns.choice("status"),
      providers: providers,
      startedAt: try columns.optionalTime("started_at"),
      endedAt: try columns.optionalTime("ended_at"),
      duration: columns.seconds("duration_ms"),
      itemCount: columns.optionalInteger("item_count"),
      itemsSucceeded: columns.optionalInteger("items_succeeded"),
      itemsFailed: columns.optionalInteger("items_failed"),
      failure: try columns.failure(),
      carriedFrom: columns.optionalText("carried_from").map(RunID.init(rawValue:)),
      attemptCount: try counts?.integer("count") ?? 0,
      attemptsFailed: try counts?.integer("failed") ?? 0,
      attempts: try attempts.map { try attempt(RowReader(row: $0, path: columns.path)) },
      output: output?.output,
      items: try outputs(place, condition: "item >= 0", limit: limit, database, path: columns.path))
  }

  static func outputs(
    _ place: StatementArguments, condition: String, limit: Int, _ database: Database, path: String
  ) throws -> [StepRecord.Item] {
    var items: [StepRecord.Item] = []
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT item, value, (SELECT content FROM blobs WHERE hash = blob) AS content FROM outputs
        WHERE run = ? AND step = ? AND \(condition) ORDER BY item LIMIT ?
        """, arguments: place + [limit])
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      let value = try columns.value("value", blob: "content")
      items.append(StepRecord.Item(index: try columns.integer("item"), output: value ?? .null))
    }
    return items
  }

  /// The output of a loop that has ended; `nil` for any other step.
  static func loopOutput(_ place: StatementArguments, _ database: Database, path: String) throws -> Value? {
    let isEnded = try Bool.fetchOne(
      database,
      sql: """
        SELECT 1 FROM steps WHERE run = ? AND position = ? AND item_count IS NOT NULL
          AND status NOT IN ('pending', 'running', 'skipped')
        """, arguments: place)
    guard isEnded != nil else { return nil }
    return .list(
      try outputs(place, condition: "item >= 0", limit: .max, database, path: path).map(\.output))
  }

  static func attempt(_ columns: RowReader) throws -> AttemptRecord {
    let item = try columns.integer("item")
    return AttemptRecord(
      number: try columns.integer("number"),
      item: item < 0 ? nil : item,
      kind: try columns.attemptKind(),
      key: try columns.text("idempotency_key"),
      status: try columns.choice("status"),
      startedAt: try columns.time("started_at"),
      endedAt: try columns.optionalTime("ended_at"),
      duration: columns.seconds("duration_ms"),
      inputBytes: try columns.integer("input_bytes"),
      outputBytes: columns.optionalInteger("output_bytes"),
      failure: try columns.failure(),
      retryDelay: columns.seconds("retry_delay_ms"),
      isUncertain: columns.optionalInteger("uncertain") == 1)
  }
}

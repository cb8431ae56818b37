public import Engine
public import Expressions
internal import GRDB

extension RunStore: RunLogReader {
  /// The runs that fit a filter, newest first.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func runs(_ filter: RunFilter = RunFilter()) async throws(RunStoreError) -> [RunSummary] {
    try await page(of: filter, limit: max(1, filter.limit)).runs
  }

  /// The runs that fit a filter, newest first, some at a time: for listings that do not fit into memory.
  ///
  /// - Parameter body: Takes the next runs, each as it stood when they were read.
  /// - Throws: ``RunStoreError`` where the file cannot be read, and what `body` throws.
  public func forEachPage(of filter: RunFilter, _ body: ([RunSummary]) throws -> Void) async throws {
    var rest = max(1, filter.limit)
    var last: (startedAt: String, id: String)?
    repeat {
      let page = try await page(of: filter, before: last, limit: min(rest, 500))
      try body(page.runs)
      rest -= page.runs.count
      last = page.last
    } while rest > 0 && last != nil
  }

  /// A page of the runs that fit a filter, newest first.
  ///
  /// - Parameters:
  ///   - filter: Which runs; its limit is the size of the page.
  ///   - cursor: The ``RunPage/next`` of the page before; `nil` for the first page.
  /// - Returns: `nil` if the cursor is malformed.
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func page(of filter: RunFilter, after cursor: String?) async throws(RunStoreError) -> RunPage? {
    var place: (startedAt: String, id: String)?
    if let cursor {
      let parts = cursor.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, Timestamp(rfc3339: parts[0]) != nil else { return nil }
      place = (parts[0], parts[1])
    }
    let page = try await page(of: filter, before: place, limit: max(1, filter.limit))
    return RunPage(runs: page.runs, next: page.last.map { "\($0.startedAt)_\($0.id)" })
  }

  /// Some runs that fit a filter, newest first, and where the others begin; `nil` at the end.
  private func page(
    of filter: RunFilter, before place: (startedAt: String, id: String)? = nil, limit: Int
  ) async throws(RunStoreError) -> (runs: [RunSummary], last: (startedAt: String, id: String)?) {
    let (path, unindexed) = (path, findings(for: filter.words))
    return try await read { database in
      var condition = filter.condition(unindexed)
      // A search finds what the steps of blocks have done; a listing has the runs that people know.
      if filter.words == nil { condition.add(RunFilter.isWhole) }
      if let place { condition.add("(runs.started_at, runs.id) < (?, ?)", [place.startedAt, place.id]) }
      let rows = try Row.fetchCursor(
        database,
        sql: RunReading.summarySQL + " WHERE \(condition.sql) ORDER BY started_at DESC, id DESC",
        arguments: condition.arguments)
      var found: [RunSummary] = []
      while let row = try rows.next() {
        let columns = RowReader(row: row, path: path)
        let summary = try RunReading.summary(columns, database)
        guard filter.includes(summary.status) else { continue }
        found.append(summary)
        if found.count == limit { return (found, (try columns.text("started_at"), summary.id.rawValue)) }
      }
      return (found, nil)
    }
  }

  /// The run that a person means: its name, a beginning of it that no other run shares, the name of a recipe for its
  /// newest run, or `last` for the newest of all. Runs that are parts of other runs count only by their own names.
  ///
  /// - Throws: ``RunStoreError``: `run_not_found`, or `run_ambiguous` with the ``RunStoreError/candidates``.
  public func resolve(_ reference: String) async throws(RunStoreError) -> RunID {
    try await read { try RunReading.resolve(reference, $0) }
  }

  /// Where a run stands; `interrupted` also where the process that worked on it is gone.
  ///
  /// - Throws: ``RunStoreError`` with code `run_not_found`.
  public func status(of run: RunID) async throws(RunStoreError) -> RunStatus {
    let path = path
    return try await read { database in
      let row = try Row.fetchOne(
        database, sql: RunReading.summarySQL + " WHERE id = ? AND status <> \(RunReading.removed)",
        arguments: [run.rawValue])
      guard let row else { throw RunStoreError.runNotFound(run.rawValue) }
      return try RunReading.summary(RowReader(row: row, path: path), database).status
    }
  }

  /// Makes sure that a run has a step of this name.
  ///
  /// - Throws: ``RunStoreError``: `run_not_found`, or `step_not_found`, which lists those that it has.
  public func requireStep(_ step: String, of run: RunID) async throws(RunStoreError) {
    _ = try await read { try RunReading.position(of: step, in: run, $0) }
  }

  /// One run in short.
  ///
  /// - Throws: ``RunStoreError`` with code `run_not_found` where there is none.
  public func summary(of run: RunID) async throws(RunStoreError) -> RunSummary {
    let path = path
    return try await readOnWriter { try RunReading.summary(of: run, $0, path: path) }
  }

  /// Everything about one run.
  ///
  /// - Parameters:
  ///   - reference: As for ``resolve(_:)``.
  ///   - limit: How many attempts, and how many outputs of items, to give for each step at most.
  /// - Throws: ``RunStoreError``, as ``resolve(_:)``.
  public func run(_ reference: String, limit: Int = 10_000) async throws(RunStoreError) -> RunRecord {
    let path = path
    return try await readOnWriter { database in
      let id = try RunReading.resolve(reference, database)
      return try RunReading.record(id, limit: max(0, limit), database, path: path)
    }
  }

  /// Lines of the log of a run, in the order in which they were written; see ``logs(_:after:limit:)``.
  public func logs(
    of run: RunID, step: String? = nil, minimumLevel: LogLevel = .debug, after id: Int64 = 0, limit: Int = 10_000
  ) async throws(RunStoreError) -> [LogRecord] {
    try await logs(LogFilter(run: run, step: step, minimumLevel: minimumLevel), after: id, limit: limit)
  }

  /// Lines of the log that fit a filter, in the order in which they were written.
  ///
  /// To follow a run, ask again with the `id` of the last line until the run has ended.
  ///
  /// - Parameters:
  ///   - filter: Which lines.
  ///   - id: Only lines after this one; 0 from the beginning.
  ///   - limit: At most so many, the oldest ones.
  /// - Throws: ``RunStoreError`` with code `step_not_found` where the run that the filter names has no such step.
  public func logs(
    _ filter: LogFilter, after id: Int64 = 0, limit: Int = 10_000
  ) async throws(RunStoreError) -> [LogRecord] {
    let (path, unindexed) = (path, findings(for: filter.words))
    return try await read { database in
      let condition = try filter.condition(unindexed, database)
      return try Self.lines(of: filter, condition, after: id, limit: limit, database, path: path)
    }
  }

  /// A run and the lines of its log in one snapshot: for a follower, who gets them in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - run: The run; the lines of runs within it come too.
  ///   - line: Only lines after this one; 0 from the beginning.
  /// - Throws: ``RunStoreError`` with code `run_not_found`.
  public func progress(
    of run: RunID, after line: Int64
  ) async throws(RunStoreError) -> (record: RunRecord, lines: [LogRecord]) {
    let path = path
    var filter = LogFilter(run: run)
    filter.includesParts = true
    let own = filter
    return try await read { database in
      let condition = try own.condition(nil, database)
      return (
        try RunReading.record(run, limit: 10_000, database, path: path),
        try Self.lines(of: own, condition, after: line, limit: .max, database, path: path)
      )
    }
  }

  private static func lines(
    of filter: LogFilter, _ condition: QueryCondition, after id: Int64, limit: Int,
    _ database: Database, path: String
  ) throws -> [LogRecord] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT l.id, l.run, runs.recipe, l.at, l.level, s.id AS step, l.item, l.attempt, l.message
        FROM logs AS l JOIN runs ON runs.id = l.run LEFT JOIN steps AS s ON s.run = l.run AND s.position = l.step
        WHERE l.id > ? AND \(condition.sql) ORDER BY l.id LIMIT ?
        """, arguments: [id] + condition.arguments + [max(0, limit)])
    var places: [RunID: [LogRecord.Place]] = [:]
    return try rows.map { row in
      let columns = RowReader(row: row, path: path)
      var line = LogRecord(
        id: Int64(try columns.integer("id")), run: RunID(rawValue: try columns.text("run")),
        recipe: try columns.text("recipe"), step: columns.optionalText("step"),
        item: columns.optionalInteger("item"), attempt: columns.optionalInteger("attempt"),
        level: try columns.choice("level"), message: try columns.text("message"), at: try columns.time("at"))
      guard let run = filter.run, line.run != run else { return line }
      line.within = try places[line.run] ?? RunReading.places(of: line.run, in: run, database, path: path)
      places[line.run] = line.within
      return line
    }
  }

  /// The line after which only so many lines of a filter follow: where a listing of the newest ones begins.
  ///
  /// - Throws: ``RunStoreError``, as ``logs(_:after:limit:)``.
  public func lastLines(_ count: Int, of filter: LogFilter) async throws(RunStoreError) -> Int64 {
    let unindexed = findings(for: filter.words)
    return try await read { database in
      let condition = try filter.condition(unindexed, database)
      let first = try Int64.fetchOne(
        database,
        sql: """
          SELECT l.id FROM logs AS l JOIN runs ON runs.id = l.run WHERE \(condition.sql)
          ORDER BY l.id DESC LIMIT 1 OFFSET ?
          """, arguments: condition.arguments + [max(1, count) - 1])
      return first.map { $0 - 1 } ?? 0
    }
  }

  /// The final output of a step, or of one item of it; of a loop that has ended, the list of its items' outputs, those
  /// of items that failed left out.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - step: The step's name.
  ///   - item: The item's position in a `for_each`; `nil` for the step's own output.
  /// - Throws: ``RunStoreError``: `step_not_found`, or `output_not_found` where there is none (yet).
  public func output(of run: RunID, step: String, item: Int? = nil) async throws(RunStoreError) -> Value {
    let path = path
    return try await read { database in
      let position = try RunReading.position(of: step, in: run, database)
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT value, (SELECT content FROM blobs WHERE hash = blob) AS content FROM outputs
          WHERE run = ? AND step = ? AND item = ?
          """, arguments: [run.rawValue, position, item ?? -1])
      if row == nil, item == nil,
        let list = try RunReading.loopOutput([run.rawValue, position], database, path: path)
      {
        return list
      }
      guard let row, let value = try RowReader(row: row, path: path).value("value", blob: "content") else {
        throw RunStoreError.outputNotFound(step, item: item, run: run)
      }
      return value
    }
  }
}

/// A page of a list of runs.
public struct RunPage: Sendable {
  /// The runs, newest first.
  public var runs: [RunSummary]
  /// Where the next page begins; `nil` at the end.
  public var next: String?
}

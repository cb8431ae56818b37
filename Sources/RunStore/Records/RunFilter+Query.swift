internal import Engine
internal import Expressions
internal import GRDB

/// A condition of a query with its arguments.
struct QueryCondition {
  /// What follows `WHERE`; `1` where everything fits.
  private(set) var sql = "1"
  private(set) var arguments = StatementArguments()

  /// Adds what must hold as well.
  mutating func add(_ more: String, _ values: StatementArguments = []) {
    sql = sql == "1" ? more : sql + " AND " + more
    arguments += values
  }
}

extension RunFilter {
  /// Holds for a row of `runs` that is not the run of a block.
  static let isWhole =
    "(runs.parent IS NULL OR NOT EXISTS (SELECT 1 FROM steps AS s WHERE s.run = runs.parent "
    + "AND s.id = substr(runs.trigger, length(runs.parent) + 2) AND s.action = 'block'))"

  /// What the filter says of a row of `runs`, its limit apart.
  ///
  /// Runs whose process is gone are told from running ones by ``includes(_:)`` alone.
  ///
  /// - Parameter found: What was found beside the index of searches.
  func condition(_ found: UnindexedFindings? = nil) -> QueryCondition {
    var condition = QueryCondition()
    condition.add("runs.status <> \(RunReading.removed)")
    if !statuses.isEmpty {
      // A run that looks as if it were worked on may have lost its process.
      var recorded = statuses
      if recorded.contains(.interrupted) { recorded.insert(.running) }
      let marks = Array(repeating: "?", count: recorded.count).joined(separator: ", ")
      condition.add("runs.status IN (\(marks))", StatementArguments(recorded.map(\.rawValue)))
    }
    if let recipe { condition.add("runs.recipe = ?", [recipe]) }
    if let since { condition.add("runs.started_at >= ?", [since.rfc3339Milliseconds]) }
    if let until { condition.add("runs.started_at < ?", [until.rfc3339Milliseconds]) }
    if let startedBy {
      condition.add(
        "runs.started_by IN (SELECT value FROM json_each(?))",
        [Value.list(startedBy.sorted().map(Value.string)).jsonString])
    }
    if isMail {
      condition.add("runs.id IN (SELECT run FROM steps INDEXED BY steps_of_mails WHERE action = 'outbox.turn')")
    }
    if let words {
      condition.add(
        """
        runs.id IN (
          SELECT run FROM run_texts WHERE number IN (SELECT rowid FROM run_search WHERE run_search MATCH ?)
          UNION SELECT value FROM json_each(?)
          UNION SELECT run FROM logs WHERE id IN (
            SELECT rowid FROM log_search WHERE log_search MATCH ? UNION SELECT value FROM json_each(?)))
        """, [words.query, found?.runs ?? "[]", words.query, found?.lines ?? "[]"])
    }
    return condition
  }

  /// Whether a run stands as the filter wants it.
  func includes(_ status: RunStatus) -> Bool { statuses.isEmpty || statuses.contains(status) }
}

extension LogFilter {
  /// What the filter says of a row `l` of `logs` joined with its row of `runs`.
  ///
  /// - Parameter found: What was found beside the index of searches.
  /// - Throws: ``RunStoreError`` with code `step_not_found`.
  func condition(_ found: UnindexedFindings?, _ database: Database) throws -> QueryCondition {
    var condition = QueryCondition()
    if let run, includesParts {
      condition.add("l.run IN (\(RunReading.parts("?")))", [run.rawValue])
    } else if let run {
      condition.add("l.run = ?", [run.rawValue])
    }
    if let step {
      if let run, includesParts {
        let owners = "SELECT 1 FROM steps WHERE id = ? AND run IN (\(RunReading.parts("?")))"
        if try Bool.fetchOne(database, sql: owners, arguments: [step, run.rawValue]) == nil {
          _ = try RunReading.position(of: step, in: run, database)
        }
        condition.add(
          """
          (l.step = (SELECT position FROM steps WHERE run = l.run AND id = ?) OR l.run IN (
            WITH RECURSIVE parts (id, is_of_step) AS (SELECT ?, 0 UNION
              SELECT runs.id, is_of_step OR runs.trigger = parts.id || '.' || ? FROM runs JOIN parts ON runs.parent = parts.id)
            SELECT id FROM parts WHERE is_of_step))
          """, [step, run.rawValue, step])
      } else if let run {
        condition.add("l.step = ?", [try RunReading.position(of: step, in: run, database)])
      } else {
        condition.add("l.step = (SELECT position FROM steps WHERE run = l.run AND id = ?)", [step])
      }
    }
    let levels = LogLevel.allCases.filter { $0 >= minimumLevel }
    if levels.count < LogLevel.allCases.count {
      condition.add("l.level IN (\(levels.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
    }
    if let since { condition.add("l.at >= ?", [since.rfc3339Milliseconds]) }
    if let until { condition.add("l.at < ?", [until.rfc3339Milliseconds]) }
    if let words {
      condition.add(
        """
        l.id IN (SELECT rowid FROM log_search WHERE log_search MATCH ? UNION SELECT value FROM json_each(?))
        """, [words.query, found?.lines ?? "[]"])
    }
    var owners = runs
    (owners.since, owners.until, owners.words) = (nil, nil, nil)
    let runCondition = owners.condition()
    condition.add(runCondition.sql, runCondition.arguments)
    return condition
  }
}

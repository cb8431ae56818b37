internal import Engine
internal import Expressions
internal import GRDB

/// Writes what becomes of points of schedules, inside a transaction.
struct FiringWriter {
  let writing: EntryWriter
  /// The database file, for errors.
  let path: String

  private var database: Database { writing.database }

  /// A schedule as it is kept; `nil` where it is not known, or no recipe has it any more.
  func schedule(_ source: String) throws -> ScheduleRecord? {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM schedules WHERE source = ? AND retired_at IS NULL"),
      arguments: [source])
    return try row.map { try ScheduleRecord(RowReader(row: $0, path: path)) }
  }

  /// Makes a schedule known, or lets it begin anew where its definition has changed or it is back after a while.
  ///
  /// - Returns: The schedule as it is kept.
  func begin(_ schedule: ScheduleRecord) throws -> ScheduleRecord {
    guard var kept = try self.schedule(schedule.source) else {
      let begun = try revived(schedule)
      try write(begun)
      return begun
    }
    guard kept.digest != schedule.digest else { return kept }
    (kept.recipe, kept.digest) = (schedule.recipe, schedule.digest)
    (kept.cursor, kept.nextDue, kept.failures) = (schedule.cursor, schedule.nextDue, 0)
    kept.revision += 1
    try write(kept)
    return kept
  }

  /// A schedule that is not known, or was not there for a while. It keeps its counts, and it is paused where it was, or where
  /// it takes the place of schedules of its recipe that all are: a schedule that somebody has paused does not run because
  /// somebody else changes its time.
  private func revived(_ schedule: ScheduleRecord) throws -> ScheduleRecord {
    var schedule = schedule
    if let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM schedules WHERE source = ?"), arguments: [schedule.source])
    {
      let before = try ScheduleRecord(RowReader(row: row, path: path))
      (schedule.counts, schedule.isPaused) = (before.counts, before.isPaused)
      schedule.revision = before.revision + 1
    } else {
      let prefix = schedule.path + "#"
      let paused = try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT min(paused) FROM schedules WHERE source >= ?1 AND source < ?2 AND retired_at IS NULL
            """), arguments: [prefix, schedule.path + "$"])
      schedule.isPaused = paused ?? false
    }
    return schedule
  }

  /// Makes the schedules of a recipe's file what they are now: new ones begin, those that it has no more rest.
  ///
  /// - Returns: The schedules as they are kept, in the order given.
  func adopt(_ adoption: ScheduleAdoption, at now: Timestamp) throws -> [ScheduleRecord] {
    let (known, resting) = try schedules(ofFile: adoption.path)
    let isPaused = !known.isEmpty && known.values.allSatisfy(\.isPaused)
    let recently = now.adding(seconds: -RunStore.absence)
    let records = try adoption.schedules.map { wanted in
      var record = wanted
      if let kept = known[wanted.source] {
        record = kept
        record.recipe = wanted.recipe
        // Nobody has decided about it yet: that is due at once, also after a restart.
        if kept.nextDue == nil, wanted.nextDue != nil { record.nextDue = wanted.cursor }
      } else if let (before, since) = resting[wanted.source] {
        (record.counts, record.isPaused, record.revision) = (before.counts, before.isPaused, before.revision + 1)
        // The file as a whole was away for a moment: no point in between is lost.
        if known.isEmpty, since >= recently {
          (record.cursor, record.failures) = (before.cursor, before.failures)
          if record.nextDue != nil { record.nextDue = wanted.cursor }
        }
      } else {
        record.isPaused = isPaused
      }
      if record != known[wanted.source] { try write(record) }
      return record
    }
    let wanted = Set(adoption.schedules.map(\.source))
    for source in known.keys where !wanted.contains(source) {
      try database.cachedStatement(
        sql: "UPDATE schedules SET retired_at = ?, next_due = NULL, revision = revision + 1 WHERE source = ?"
      ).execute(arguments: [now.rfc3339Milliseconds, source])
    }
    return records
  }

  /// The schedules of a file: those that its recipe had last, and those that it had before, with the time since when they
  /// rest.
  private func schedules(ofFile file: String) throws -> (
    known: [String: ScheduleRecord], resting: [String: (ScheduleRecord, since: Timestamp)]
  ) {
    var known: [String: ScheduleRecord] = [:]
    var resting: [String: (ScheduleRecord, since: Timestamp)] = [:]
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: "SELECT \(ScheduleRecord.columns), retired_at FROM schedules WHERE source >= ?1 AND source < ?2"),
      arguments: [file + "#", file + "$"])
    while let row = try rows.next() {
      let record = try ScheduleRecord(inOrder: row, path: path)
      // A file's name may have a '#' too.
      guard record.path == file else { continue }
      if let since: String = row[13] {
        resting[record.source] = (record, Timestamp(rfc3339: since) ?? Timestamp(seconds: 0))
      } else {
        known[record.source] = record
      }
    }
    return (known, resting)
  }

  /// Gives what is known of a file to the one that takes its place: one that was renamed. A file that has schedules of its
  /// own keeps those.
  func move(_ former: String, to file: String) throws {
    let names = [former, file]
    let own = try Int.fetchOne(
      database,
      sql: """
        SELECT 1 FROM schedules WHERE source >= ?1 AND source < ?2 AND retired_at IS NULL
          AND instr(substr(source, length(?1) + 1), '#') = 0 LIMIT 1
        """, arguments: [file + "#", file + "$"])
    guard own == nil, former != file else { return }
    for (table, revision) in [("schedules", ", revision = revision + 1"), ("occurrences", "")] {
      try database.execute(
        sql: """
          UPDATE OR REPLACE \(table) SET source = ?2 || substr(source, length(?1) + 1)\(revision)
          WHERE source >= ?1 || '#' AND source < ?1 || '$' AND instr(substr(source, length(?1) + 2), '#') = 0
          """, arguments: StatementArguments(names))
    }
    try database.execute(
      sql: "UPDATE OR REPLACE disabled_recipes SET path = ?2 WHERE path = ?1", arguments: StatementArguments(names))
    // A path that has had a recipe before keeps the history of that one.
    try database.execute(
      sql: """
        UPDATE recipe_versions SET path = ?2
        WHERE path = ?1 AND NOT EXISTS (SELECT 1 FROM recipe_versions AS other WHERE other.path = ?2)
        """, arguments: StatementArguments(names))
    // How subscriptions are named: `ServedTrigger`.
    for (before, after) in [("recipe/", "/"), ("file ", " "), ("webhook ", " "), ("end ", " ")] {
      for table in ["trigger_cursors", "trigger_events"] {
        try database.execute(
          sql: """
            UPDATE OR REPLACE \(table) SET subscription = ?2 || substr(subscription, length(?1) + 1)
            WHERE subscription >= ?1 AND subscription < ?3
            """,
          arguments: [
            before + former + after, before + file + after, before + former + (after == "/" ? "0" : "!"),
          ])
      }
    }
  }

  /// Writes a decision, unless the schedule is no longer what it was about.
  ///
  /// - Parameter entries: The beginnings of the runs, encoded.
  func fire(_ firing: ScheduleFiring, _ entries: [PreparedEntry], at now: Timestamp) throws -> FiringResult {
    guard var record = try schedule(firing.source), record.revision == firing.revision else {
      return .outdated(try schedule(firing.source))
    }
    try closeOccurrences(of: &record)
    record.rest(after: firing.pauseAfter)
    var written: [OccurrenceRecord] = []
    let isCatchUp =
      firing.points.count(where: \.isCaughtUp) > 1 ? try unfinishedRuns(of: record.source).isEmpty : false
    for (point, entry) in zip(firing.points, entries) {
      // A clock that was set back, or a definition that has changed meanwhile, brings a point again.
      guard try !Self.hasRun(point.start.run, database), try takesUp(point.at, of: &record) else { continue }
      written.append(try begin(point, entry, firing.overlap, inCatchUp: isCatchUp, &record, at: now))
    }
    for passed in firing.passed {
      record.counts.add(passed.count, passed.outcome)
      try insert(
        OccurrenceRecord(
          source: record.source, at: passed.first, until: passed.last, count: passed.count, outcome: passed.outcome),
        isOpen: false, replaces: false)
    }
    (record.cursor, record.nextDue) = (firing.cursor, firing.nextDue)
    record.revision += 1
    try write(record)
    return .written(record, written)
  }

  /// Whether a run is recorded.
  static func hasRun(_ run: RunID, _ database: Database) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM runs WHERE id = ?"), arguments: [run.rawValue]) != nil
  }

  /// Whether a point has not been dealt with; one that counted as missed while the clock was ahead does no longer.
  private func takesUp(_ point: Timestamp, of record: inout ScheduleRecord) throws -> Bool {
    let row = try Row.fetchOne(
      database.cachedStatement(
        // Points of a record of several that have run since stand after its beginning.
        sql: """
          SELECT * FROM (SELECT * FROM occurrences WHERE source = ?1 AND at <= ?2 ORDER BY at DESC LIMIT 50)
          WHERE run IS NULL OR at = ?2 ORDER BY at DESC LIMIT 1
          """), arguments: [record.source, point.rfc3339Milliseconds])
    guard let known = try row.map({ try OccurrenceRecord(RowReader(row: $0, path: path)) }),
      let knowledge = known.knowledge(of: point)
    else { return true }
    guard knowledge == .missed else { return false }
    try database.cachedStatement(sql: "DELETE FROM occurrences WHERE source = ? AND at = ?")
      .execute(arguments: [record.source, known.at.rfc3339Milliseconds])
    if let rest = known.without(point) { try insert(rest, isOpen: false) }
    record.counts.add(-1, .missed)
    return true
  }

  private func begin(
    _ point: ScheduleFiring.Point, _ entry: PreparedEntry, _ overlap: ScheduleFiring.Overlap, inCatchUp: Bool,
    _ record: inout ScheduleRecord, at now: Timestamp
  ) throws -> OccurrenceRecord {
    let unfinished = try unfinishedRuns(of: record.source)
    let decision = OverlapDecision(unfinished: unfinished.count, queued: unfinished.count(where: \.isQueued))
    let usual = inCatchUp && point.isCaughtUp ? decision.answerInCatchUp(overlap) : decision.answer(overlap)
    let answer = record.isPaused ? .skip : usual
    if answer == .displace {
      for other in unfinished { try RunTransitions(database: database).requestCancel(of: other.run, at: now) }
    }
    let outcome = record.take(point, answer)
    let begins = outcome != .skipped
    if begins { try writing.write([entry.inLine(answer, of: record.source)]) }
    let occurrence = OccurrenceRecord(
      source: record.source, at: point.at, outcome: outcome, run: begins ? point.start.run : nil)
    try insert(occurrence, isOpen: begins)
    return occurrence
  }

  /// The runs of a schedule that have not ended; those that need attention do not count.
  private func unfinishedRuns(of source: String) throws -> [(run: RunID, isQueued: Bool)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, status FROM occurrences INDEXED BY occurrences_open JOIN runs ON runs.id = occurrences.run
          WHERE occurrences.source = ? AND open = 1 AND status IN ('queued', 'running', 'waiting', 'interrupted')
          ORDER BY at
          """), arguments: [source]
    ).map { row in
      let columns = RowReader(row: row, path: path)
      return (RunID(rawValue: try columns.text("id")), try columns.text("status") == "queued")
    }
  }

  /// Points whose runs have ended and are not counted yet: the tables with the condition.
  static let endedRuns = """
    occurrences INDEXED BY occurrences_open LEFT JOIN runs ON runs.id = occurrences.run
    WHERE open = 1 AND (status IS NULL OR status = \(RunReading.removed) OR status IN (\(RunReading.finalStatuses)))
    """

  /// Notes which runs of a schedule have ended, and how.
  private func closeOccurrences(of record: inout ScheduleRecord) throws {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT at, status FROM \(Self.endedRuns) AND occurrences.source = ? ORDER BY at
          """), arguments: [record.source])
    for row in rows {
      let columns = RowReader(row: row, path: path)
      record.close(columns.optionalText("status").flatMap(RunStatus.init(rawValue:)))
      try database.cachedStatement(sql: "UPDATE occurrences SET open = 0 WHERE source = ? AND at = ?")
        .execute(arguments: [record.source, try columns.text("at")])
    }
  }

  /// - Parameter replaces: Whether what is known of the point goes. A point that begins no run must not hide one that did.
  func insert(_ occurrence: OccurrenceRecord, isOpen: Bool, replaces: Bool = true) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO occurrences (source, at, until, count, outcome, run, open) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        occurrence.source, occurrence.at.rfc3339Milliseconds, occurrence.until.rfc3339Milliseconds, occurrence.count,
        occurrence.outcome.rawValue, occurrence.run?.rawValue, isOpen ? 1 : 0,
      ])
  }

  /// Writes a schedule as it is kept from now on.
  func write(_ record: ScheduleRecord) throws {
    let counts = record.counts
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO schedules (source, recipe, digest, revision, cursor, next_due, paused, runs, caught_up,
          skipped, missed, late, failures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        record.source, record.recipe, record.digest, record.revision, record.cursor.rfc3339Milliseconds,
        record.nextDue?.rfc3339Milliseconds, record.isPaused ? 1 : 0, counts.run, counts.caughtUp, counts.skipped,
        counts.missed, counts.late, record.failures,
      ])
  }
}

extension PreparedEntry {
  /// The beginning of a run as it joins the queue for a schedule.
  fileprivate func inLine(_ answer: OverlapDecision.Answer, of source: String) -> PreparedEntry {
    guard case .runStarted(let start, let values) = self else { return self }
    return .runStarted(start.inLine(answer, of: source), values: values)
  }
}

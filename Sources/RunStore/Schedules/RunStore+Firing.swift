public import Engine
public import Expressions
internal import GRDB

extension RunStore: FiringLog {
  /// All schedules that are known; see `FiringLog`.
  ///
  /// The failures of a record include runs that have ended since its last point, which the next point would only write down.
  public func schedules() async throws -> [ScheduleRecord] {
    let path = path
    return try await look(isSettled: false) { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT source, at, status FROM \(FiringWriter.endedRuns) ORDER BY source, at")
      var ended: [String: [RunStatus?]] = [:]
      for row in rows {
        let columns = RowReader(row: row, path: path)
        ended[try columns.text("source"), default: []].append(
          columns.optionalText("status").flatMap(RunStatus.init(rawValue:)))
      }
      return try Row.fetchAll(database, sql: "SELECT * FROM schedules WHERE retired_at IS NULL ORDER BY source").map {
        var record = try ScheduleRecord(RowReader(row: $0, path: path))
        for status in ended[record.source] ?? [] { record.close(status) }
        return record
      }
    }
  }

  /// Makes schedules known; see `FiringLog`.
  ///
  /// - Throws: ``RunStoreError``.
  public func begin(_ schedules: [ScheduleRecord]) async throws -> [ScheduleRecord] {
    guard !schedules.isEmpty else { return [] }
    let path = path
    // Most are known after a restart, and reading all at once costs much less than asking for each.
    let known = schedules.count > Self.few ? try await allSchedules() : [:]
    let new = schedules.filter { known[$0.source]?.digest != $0.digest }
    var begun: [String: ScheduleRecord] = [:]
    if !new.isEmpty {
      let written = try await change(isDurable: true) { writing in
        let writer = FiringWriter(writing: writing, path: path)
        return try new.map(writer.begin)
      }
      for record in written { begun[record.source] = record }
    }
    return schedules.map { begun[$0.source] ?? known[$0.source] ?? $0 }
  }

  /// From so many schedules on all are read at once.
  private static let few = 100

  /// All schedules that recipes have, by source.
  private func allSchedules() async throws -> [String: ScheduleRecord] {
    let path = path
    return try await look(isSettled: false) { database in
      var found: [String: ScheduleRecord] = [:]
      let rows = try Row.fetchCursor(
        database, sql: "SELECT \(ScheduleRecord.columns) FROM schedules WHERE retired_at IS NULL")
      while let row = try rows.next() {
        let record = try ScheduleRecord(inOrder: row, path: path)
        found[record.source] = record
      }
      return found
    }
  }

  /// Writes down what becomes of points of schedules, with the runs that begin; see `FiringLog`. On disk when it returns.
  ///
  /// - Throws: ``RunStoreError``.
  public func fire(_ firings: [ScheduleFiring]) async throws -> [FiringResult] {
    let (path, now) = (path, time.now)
    let prepared = firings.map { firing in
      (firing, firing.points.map { PreparedEntry(.runStarted($0.start.inLine(.begin, of: firing.source))) })
    }
    return try await change(isDurable: true) { writing in
      let writer = FiringWriter(writing: writing, path: path)
      return try prepared.map { try writer.fire($0.0, $0.1, at: now) }
    }
  }

  /// Begins the run of an event once; see `FiringLog`. On disk when it returns.
  ///
  /// - Throws: ``RunStoreError``.
  public func fire(event: String, of subscription: String, _ start: RunStart?) async throws -> Bool {
    try await fire(event: event, [(subscription, start)]).first ?? false
  }

  /// Begins the runs of an event for several triggers in one transaction, each run once, and counts the event for each trigger that
  /// it is new to. On disk when it returns.
  ///
  /// - Parameters:
  ///   - event: The ID of the event.
  ///   - starts: The subscription of each trigger, with its run; `nil` if the event begins none.
  /// - Returns: For each trigger, whether the event was new to it.
  /// - Throws: ``RunStoreError``.
  public func fire(
    event: String, _ starts: [(subscription: String, start: RunStart?)]
  ) async throws -> [Bool] {
    let now = time.now.rfc3339Milliseconds
    let prepared = starts.map { subscription, start in
      (subscription, start?.run, start.map { PreparedEntry(.runStarted($0.inLine(.begin, of: subscription))) })
    }
    return try await change(isDurable: true) { writing in
      let database = writing.database
      return try prepared.map { subscription, run, entry in
        try database.execute(
          sql: """
            INSERT INTO trigger_events (subscription, id, received_at, settled_at) VALUES (?1, ?2, ?3, ?3)
            ON CONFLICT (subscription, id) DO UPDATE SET settled_at = ?3, event = NULL, cursor = NULL
              WHERE settled_at IS NULL
            """, arguments: [subscription, event, now])
        guard database.changesCount > 0 else { return false }
        try database.execute(
          sql: "UPDATE trigger_health SET events = events + 1, event_at = ?2 WHERE subscription = ?1",
          arguments: [subscription, now])
        if let entry, let run, try !FiringWriter.hasRun(run, database) { try writing.write([entry]) }
        return true
      }
    }
  }

  /// Pauses a schedule, or lets it go on; see `FiringLog`. On disk when it returns.
  ///
  /// - Throws: ``RunStoreError``.
  public func pause(_ source: String, _ isPaused: Bool) async throws -> ScheduleRecord? {
    let path = path
    return try await change(isDurable: true) { writing in
      let writer = FiringWriter(writing: writing, path: path)
      guard var record = try writer.schedule(source) else { return nil }
      record.pause(isPaused)
      try writer.write(record)
      return record
    }
  }

  /// What has become of points, the latest first; see `FiringLog`.
  public func occurrences(of source: String?, limit: Int) async throws -> [OccurrenceRecord] {
    let path = path
    return try await look(isSettled: false) { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM occurrences \(source == nil ? "" : "WHERE source = ?2") ORDER BY at DESC, source DESC LIMIT ?1
          """, arguments: source.map { [max(0, limit), $0] } ?? [max(0, limit)]
      ).map { try OccurrenceRecord(RowReader(row: $0, path: path)) }
    }
  }

  /// Forgets points whose runs have ended, and schedules that no recipe has had since then; see `FiringLog`.
  ///
  /// - Throws: ``RunStoreError``.
  public func forgetOccurrences(before moment: Timestamp) async throws {
    let text = moment.rfc3339Milliseconds
    // Points are closed when the next one of their schedule is decided; the last one may never be.
    let condition = """
      until < ? AND at < ?1 AND (open = 0 OR NOT EXISTS (
        SELECT 1 FROM runs WHERE id = run AND status NOT IN (\(RunReading.finalStatuses))))
      """
    let isWorthwhile = try await look(isSettled: false) { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM occurrences WHERE \(condition))", arguments: [text]) == true
    }
    try await change { writing in
      if isWorthwhile {
        try writing.database.execute(sql: "DELETE FROM occurrences WHERE \(condition)", arguments: [text])
      }
      try writing.database.execute(sql: "DELETE FROM schedules WHERE retired_at < ?", arguments: [text])
    }
  }
}

extension ScheduleRecord {
  /// The columns of ``init(inOrder:path:)``.
  static let columns = """
    source, recipe, digest, cursor, next_due, revision, paused, runs, caught_up, skipped, missed, late, failures
    """

  /// Reads a row of ``columns``: a hundred thousand of them are read when a daemon starts, and columns are looked up by name
  /// in no time at all.
  init(inOrder row: Row, path: String) throws {
    func value(_ index: Int) -> DatabaseValue { row[index] }
    func text(_ index: Int) -> String? { if case .string(let text) = value(index).storage { text } else { nil } }
    func number(_ index: Int) -> Int? { if case .int64(let number) = value(index).storage { Int(number) } else { nil } }
    let numbers = (5...12).compactMap(number)
    guard let source = text(0), let recipe = text(1), let digest = text(2), numbers.count == 8,
      let cursor = text(3).flatMap({ Timestamp(rfc3339: $0) })
    else { throw RunStoreError.unexpected(path: path, cause: "a row of schedules") }
    self.init(source: source, recipe: recipe, digest: digest, cursor: cursor)
    nextDue = text(4).flatMap { Timestamp(rfc3339: $0) }
    (revision, isPaused) = (numbers[0], numbers[1] != 0)
    (counts.run, counts.caughtUp, counts.skipped) = (numbers[2], numbers[3], numbers[4])
    (counts.missed, counts.late, failures) = (numbers[5], numbers[6], numbers[7])
  }

  init(_ row: RowReader) throws {
    self.init(
      source: try row.text("source"), recipe: try row.text("recipe"), digest: try row.text("digest"),
      cursor: try row.time("cursor"))
    revision = try row.integer("revision")
    nextDue = try row.optionalTime("next_due")
    isPaused = try row.integer("paused") != 0
    counts.run = try row.integer("runs")
    counts.caughtUp = try row.integer("caught_up")
    counts.skipped = try row.integer("skipped")
    counts.missed = try row.integer("missed")
    counts.late = try row.integer("late")
    failures = try row.integer("failures")
  }
}

extension OccurrenceRecord {
  init(_ row: RowReader) throws {
    self.init(
      source: try row.text("source"), at: try row.time("at"), until: try row.time("until"),
      count: try row.integer("count"), outcome: try row.choice("outcome"),
      run: row.optionalText("run").map(RunID.init(rawValue:)))
  }
}

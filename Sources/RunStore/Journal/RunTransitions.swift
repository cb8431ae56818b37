internal import Engine
internal import Expressions
internal import GRDB
internal import Localization

/// The changes of rows of `runs`, and of the rows that change with them, inside a transaction.
///
/// `park`, `postpone` and `end` check in their `WHERE` that the run belongs to the process. The others rely on the check of
/// their caller.
struct RunTransitions {
  let database: Database

  private static let withoutFailure = """
    failure_kind = NULL, failure_message = NULL, failure_message_de = NULL, failure_advice = NULL,
    failure_advice_de = NULL
    """

  // MARK: - Whoever works on the run

  /// Gives a run to a process; one that was queued begins now.
  func claim(_ run: String, by owner: Int64?, at now: Timestamp) throws {
    try countLateness(of: run, at: now)
    let process = ProcessIdentity.current
    try change(
      """
      UPDATE runs SET status = 'running', held = 0, owner = ?, owner_host = ?, owner_pid = ?,
        started_at = CASE status WHEN 'queued' THEN ? ELSE started_at END, due_at = NULL, ended_at = NULL,
        outputs = NULL, outputs_blob = NULL, \(Self.withoutFailure)
      WHERE id = ?
      """, [owner, process.host, process.pid, now.rfc3339Milliseconds, run])
  }

  /// Counts a schedule's run as late if it begins too long after its time; waiting in the queue counts as delay.
  private func countLateness(of run: String, at now: Timestamp) throws {
    try change(
      """
      UPDATE schedules SET late = late + 1 WHERE source IN (
        SELECT o.source FROM runs AS r JOIN occurrences AS o
          ON o.source >= r.path || '#' AND o.source < r.path || '$' AND o.open = 1 AND o.run = r.id
        WHERE r.id = ? AND r.status = 'queued' AND r.trigger = 'schedule' AND o.outcome = 'run'
          AND (julianday(?) - julianday(o.at)) * 86400 > \(ScheduleFiring.lateness)
            + CASE WHEN json_valid(r.event) THEN coalesce(json_extract(r.event, '$.jitter_seconds'), 0) ELSE 0 END)
      """, [run, now.rfc3339Milliseconds])
  }

  /// Notes that a process stands by until it is a queued run's turn.
  func standBy(_ run: String, _ owner: Int64?) throws {
    try change("UPDATE runs SET owner = ? WHERE id = ?", [owner, run])
  }

  /// Parks a run; it is due at once where an answer has come or it is to be cancelled, else at a time, or when the
  /// first of the runs that its steps run is due.
  ///
  /// - Parameters:
  ///   - isAnswered: Whether what it waits for has come meanwhile.
  ///   - isCancelled: Whether the run knows already that it is cancelled.
  /// - Returns: Whether the run belongs to the process.
  func park(
    _ run: RunID, until: Timestamp?, isAnswered: Bool, isCancelled: Bool, by owner: Int64, at now: Timestamp
  ) throws -> Bool {
    try change(
      """
      UPDATE runs SET status = 'waiting', owner = NULL,
        due_at = CASE WHEN ? OR cancel_requested = 1 AND NOT ? THEN ? ELSE
          (SELECT min(due) FROM (SELECT ? AS due
            UNION ALL SELECT due_at FROM runs AS child WHERE child.parent = runs.id AND child.status = 'waiting')) END
      WHERE id = ? AND owner = ?
      """, [isAnswered, isCancelled, now.rfc3339Milliseconds, until?.rfc3339Milliseconds, run.rawValue, owner])
  }

  /// Parks a run that nobody can resume at present, whatever has come for its waits.
  ///
  /// - Returns: Whether the run belongs to the process.
  func postpone(_ run: RunID, until: Timestamp?, by owner: Int64) throws -> Bool {
    try change(
      "UPDATE runs SET status = 'waiting', held = 1, owner = NULL, due_at = ? WHERE id = ? AND owner = ?",
      [until?.rfc3339Milliseconds, run.rawValue, owner])
  }

  /// Ends a run, or leaves it interrupted or in need of attention.
  ///
  /// - Returns: Whether the run belongs to the process, or to nobody as it is queued: a process that has lost a run must
  ///   not end it under the hands of the one that has claimed it.
  func end(_ end: RunEnd, outputs: StoredValue, by owner: Int64) throws -> Bool {
    try change(
      """
      UPDATE runs SET status = ?, owner = NULL, due_at = NULL, ended_at = ?, outputs = ?, outputs_blob = ?,
        failure_kind = ?, failure_message = ?, failure_message_de = ?, failure_advice = ?, failure_advice_de = ?
      WHERE id = ? AND (owner = ? OR status = 'queued')
      """,
      [end.status.rawValue, end.at.rfc3339Milliseconds, outputs.inlineText, outputs.hash]
        + Self.columns(of: end.failure) + [end.run.rawValue, owner])
  }

  // MARK: - Others

  /// Asks whoever works on a run to cancel it, and makes it due.
  func requestCancel(of run: RunID, at now: Timestamp) throws {
    try change("UPDATE runs SET cancel_requested = 1 WHERE id = ?", [run.rawValue])
    try wake(run, at: now)
  }

  /// Makes a waiting run due, and those that wait for it.
  func wake(_ run: RunID, at now: Timestamp) throws {
    try change(
      """
      WITH RECURSIVE chain (id) AS (
        SELECT ?1 UNION SELECT parent FROM runs JOIN chain USING (id) WHERE parent IS NOT NULL)
      UPDATE runs SET due_at = ?2 WHERE id IN (SELECT id FROM chain) AND status = 'waiting'
        AND (due_at IS NULL OR due_at > ?2)
      """, [run.rawValue, now.rfc3339Milliseconds])
  }

  /// Makes runs due that were postponed, and those that wait for them.
  ///
  /// - Parameter run: Only this run and what its steps run; `nil` for all.
  func releasePostponed(_ run: RunID?, at now: Timestamp) throws {
    for held in try Self.postponed(run, database) { try wake(RunID(rawValue: held), at: now) }
  }

  /// The runs that were postponed, of one run and what its steps run, or all.
  static func postponed(_ run: RunID?, _ database: Database) throws -> [String] {
    guard let run else {
      return try String.fetchAll(
        database.cachedStatement(sql: "SELECT id FROM runs INDEXED BY runs_held WHERE held = 1 AND status = 'waiting'"))
    }
    return try String.fetchAll(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE family (id) AS (
            SELECT ? UNION SELECT runs.id FROM runs JOIN family ON runs.parent = family.id)
          SELECT id FROM runs JOIN family USING (id) WHERE held = 1 AND status = 'waiting'
          """), arguments: [run.rawValue])
  }

  /// Lets a run that needed attention be resumed, and those that wait for it: why it stopped is no longer true.
  func release(_ run: RunID) throws {
    try change(
      """
      WITH RECURSIVE chain (id) AS (
        SELECT ? UNION SELECT parent FROM runs JOIN chain USING (id) WHERE parent IS NOT NULL)
      UPDATE runs SET status = 'interrupted', \(Self.withoutFailure)
      WHERE id IN (SELECT id FROM chain) AND status = 'needs_attention'
      """, [run.rawValue])
  }

  /// Ends a run that nobody works on and that has had no effect: its waits end, and what was pending is left out.
  func withdraw(_ end: RunEnd) throws {
    let (run, at) = (end.run.rawValue, end.at.rfc3339Milliseconds)
    try change("UPDATE waits SET ended_at = ? WHERE run = ? AND ended_at IS NULL", [at, run])
    try change("UPDATE attempts SET status = 'failed', ended_at = ? WHERE run = ? AND status = 'running'", [at, run])
    try change(
      """
      UPDATE steps SET status = CASE status WHEN 'running' THEN 'cancelled' ELSE 'skipped' END, ended_at = ?
      WHERE run = ? AND status IN ('pending', 'running')
      """, [at, run])
    try change(
      """
      UPDATE runs SET status = 'cancelled', owner = NULL, due_at = NULL, held = 0, ended_at = ?, outputs = '{}',
        outputs_blob = NULL, failure_kind = ?, failure_message = ?, failure_message_de = ?, failure_advice = ?,
        failure_advice_de = ?
      WHERE id = ?
      """, [at] + Self.columns(of: end.failure) + [run])
  }

  /// Hides a run that is removed in several transactions: nobody may take a part of it for the whole.
  func hide(_ run: String) throws {
    try change(
      "UPDATE runs SET status = \(RunReading.removed) WHERE id = ? AND status IN (\(RunReading.finalStatuses))", [run])
  }

  // MARK: - Statements

  /// - Returns: Whether there was a row to change.
  @discardableResult
  private func change(_ sql: String, _ arguments: StatementArguments) throws -> Bool {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
    return database.changesCount > 0
  }

  /// Kind, message, German message where it differs, advice, German advice where it differs.
  static func columns(of failure: ActionFailure?) -> StatementArguments {
    guard let failure else { return [nil, nil, nil, nil, nil] }
    return [
      failure.kind.rawValue, failure.message.english, failure.message.germanWhereItDiffers, failure.advice?.english,
      failure.advice?.germanWhereItDiffers,
    ]
  }
}

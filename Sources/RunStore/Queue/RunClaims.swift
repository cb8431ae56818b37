internal import Engine
internal import Expressions
internal import GRDB

/// Gives runs to a process, inside a transaction.
struct RunClaims {
  let database: Database
  /// The process that takes them.
  let owner: Owner
  /// Its row of `processes`.
  let id: Int64
  /// The time of day.
  let now: Timestamp

  // MARK: - Many

  private struct Candidate {
    var priority: Int
    var run: String

    static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
      left.priority != right.priority ? left.priority > right.priority : left.run < right.run
    }
  }

  /// Takes the runs that can be worked on, the most urgent first.
  func claim(limit: Int) throws -> [RunID] {
    guard limit > 0 else { return [] }
    let gone = try goneOwners()
    var found: [Candidate] = []
    for process in gone {
      found += try candidates(
        """
        SELECT priority, id FROM runs WHERE owner = ? AND status = 'running' AND parent IS NULL
        ORDER BY id LIMIT ?
        """, [process, limit])
    }
    found += try candidates(
      """
      SELECT priority, id FROM runs INDEXED BY runs_left WHERE status = 'interrupted' AND parent IS NULL
      ORDER BY priority DESC, id LIMIT ?
      """, [limit])
    found += try candidates(
      """
      SELECT priority, id FROM runs INDEXED BY runs_due
      WHERE status = 'waiting' AND parent IS NULL AND due_at IS NOT NULL AND due_at <= ? ORDER BY due_at LIMIT ?
      """, [now.rfc3339Milliseconds, limit])
    found += try candidates(
      """
      SELECT priority, id FROM runs INDEXED BY runs_queued
      WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NULL ORDER BY priority DESC, id LIMIT ?
      """, [limit])
    found += try candidates(
      """
      SELECT priority, id FROM runs INDEXED BY runs_to_cancel WHERE cancel_requested = 1 AND status = 'queued'
        AND parent IS NULL AND concurrency_group IS NOT NULL ORDER BY priority DESC, id LIMIT ?
      """, [limit])
    found += try headsOfGroups()
    found.sort(by: Candidate.isBefore)
    var taken: [RunID] = []
    var last: String?
    for candidate in found where taken.count < limit && candidate.run != last {
      last = candidate.run
      try take(candidate.run)
      taken.append(RunID(rawValue: candidate.run))
    }
    return taken
  }

  /// The next run of each concurrency group that is free.
  private func headsOfGroups() throws -> [Candidate] {
    var heads: [Candidate] = []
    var last: String?
    while let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT priority, id, concurrency_group FROM runs INDEXED BY runs_queued_in_groups
          WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL
            AND concurrency_group \(last == nil ? ">=" : ">") ?
          ORDER BY concurrency_group, priority DESC, id LIMIT 1
          """), arguments: [last ?? ""])
    {
      let group: String = row[2]
      last = group
      if try holder(of: group) == nil { heads.append(Candidate(priority: row[0], run: row[1])) }
    }
    return heads
  }

  private func candidates(_ sql: String, _ arguments: StatementArguments) throws -> [Candidate] {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    var found: [Candidate] = []
    while let row = try rows.next() { found.append(Candidate(priority: row[0], run: row[1])) }
    return found
  }

  /// The processes that own runs and are gone; from now on they may not write.
  private func goneOwners() throws -> [Int64] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM processes WHERE id <> ? AND EXISTS (SELECT 1 FROM runs WHERE owner = processes.id)
          """), arguments: [id])
    var gone: [Int64] = []
    for row in rows where owner.isGone(row) {
      let process: Int64 = row["id"] ?? 0
      try shutOut(process, row)
      gone.append(process)
    }
    return gone
  }

  private func shutOut(_ process: Int64, _ row: Row) throws {
    guard row["lost"] == 0 else { return }
    try database.execute(sql: "UPDATE processes SET lost = 1 WHERE id = ?", arguments: [process])
  }

  // MARK: - One

  /// Takes one run, where that can be.
  func claim(_ run: RunID) throws -> ClaimOutcome {
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT status, owner, due_at, concurrency_group, priority, cancel_requested FROM runs WHERE id = ?
          """), arguments: [run.rawValue])
    guard let row = found, let status = RunStatus(rawValue: row["status"] ?? "") else { return .absent }
    switch status {
    case .succeeded, .failed, .skipped, .cancelled: return .ended(status)
    case .running:
      if let process = try Int64.fetchOne(
        database, sql: "SELECT owner FROM runs WHERE id = ? AND owner IS NOT NULL", arguments: [run.rawValue]),
        let other = try Row.fetchOne(database, sql: "SELECT * FROM processes WHERE id = ?", arguments: [process])
      {
        let name = "process \(other["pid"] ?? 0)"
        guard process != id, owner.isGone(other) else { return .taken(by: name) }
        try shutOut(process, other)
      }
    case .waiting:
      let due: String? = row["due_at"]
      let until = due.flatMap(Timestamp.init(rfc3339:))
      guard due.map({ $0 <= now.rfc3339Milliseconds }) == true else {
        return .waiting(until: until)
      }
    case .queued:
      if let group: String = row["concurrency_group"], row["cancel_requested"] == 0,
        let other = try holder(of: group) ?? headOfGroup(group), other != run.rawValue
      {
        return .groupTaken(by: RunID(rawValue: other))
      }
    case .interrupted, .needsAttention: break
    }
    try take(run.rawValue)
    return .claimed
  }

  /// The run that works, or stands still half-way, in a group.
  private func holder(of group: String) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM runs INDEXED BY runs_of_groups WHERE concurrency_group = ?
            AND status IN ('running', 'waiting', 'interrupted') LIMIT 1
          """), arguments: [group])
  }

  private func headOfGroup(_ group: String) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM runs INDEXED BY runs_queued_in_groups
          WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = ?
          ORDER BY priority DESC, id LIMIT 1
          """), arguments: [group])
  }

  private func take(_ run: String) throws {
    let process = ProcessIdentity.current
    try database.cachedStatement(
      sql: """
        UPDATE runs SET status = 'running', owner = ?, owner_host = ?, owner_boot = ?, owner_pid = ?,
          owner_start_ticks = ?, due_at = NULL, ended_at = NULL, outputs = NULL, outputs_blob = NULL,
          failure_kind = NULL, failure_message = NULL, failure_message_de = NULL, failure_advice = NULL,
          failure_advice_de = NULL
        WHERE id = ?
        """
    ).execute(arguments: [id, process.host, process.boot, process.pid, process.startTicks, run])
  }
}

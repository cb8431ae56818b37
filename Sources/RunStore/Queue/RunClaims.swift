internal import Engine
internal import Expressions
internal import GRDB
internal import RunLogSchema

/// Finds runs that a process can work on, and gives them to it, inside a transaction.
///
/// To look takes no more than reading: whoever finds nothing opens no transaction that writes.
struct RunClaims {
  let database: Database
  /// The process that takes them.
  let owner: Owner
  /// Its row of `processes`; `nil` while it has none, which suffices for looking.
  let id: Int64?
  /// The time of day.
  let now: Timestamp
  /// The database file, for errors.
  let path: String

  // MARK: - Many

  private struct Candidate {
    var priority: Int
    var run: String
    /// Whether a process that has ended left it running.
    var isLeft = false
    /// Whether it is the next run of a group with more than one place.
    var isHead = false

    init(_ columns: RowReader) throws {
      priority = try columns.integer("priority")
      run = try columns.text("id")
      isHead = (columns.optionalInteger("places") ?? 1) > 1
    }

    static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
      left.priority != right.priority ? left.priority > right.priority : left.run < right.run
    }
  }

  /// Whether there is a run that ``claim(limit:)`` would take.
  ///
  /// - Throws: ``RunStoreError``, with code `process_lost` where others have taken this process for gone.
  func canClaim() throws -> Bool {
    if let id {
      let isLost = try database.cachedStatement(sql: "SELECT lost FROM processes WHERE id = ?")
      guard try Int.fetchOne(isLost, arguments: [id]) == 0 else { throw RunStoreError.processLost(path: path) }
    }
    return try !candidates(limit: 1, goneOwners()).isEmpty
  }

  /// Takes the runs that can be worked on, the most urgent first.
  func claim(limit: Int) throws -> [RunID] {
    guard limit > 0 else { return [] }
    let gone = try goneOwners()
    for process in gone { try shutOut(process) }
    var taken: [RunID] = []
    var isWorthwhile = true
    while isWorthwhile, taken.count < limit {
      isWorthwhile = false
      var last: String?
      for candidate in try candidates(limit: limit, gone) where taken.count < limit && candidate.run != last {
        last = candidate.run
        // One taken a moment ago may be of the same group.
        if candidate.isLeft, try colleague(of: candidate.run) != nil { continue }
        try take(candidate.run)
        taken.append(RunID(rawValue: candidate.run))
        // Its group may have a place for the next one too.
        isWorthwhile = isWorthwhile || candidate.isHead
      }
    }
    return taken
  }

  /// The runs that can be worked on, the most urgent first; at least `limit` of them where there are so many.
  private func candidates(limit: Int, _ gone: [OwnerRecord]) throws -> [Candidate] {
    var found: [Candidate] = []
    for process in gone {
      found += try candidates(
        """
        SELECT priority, id FROM runs WHERE owner = ? AND status = 'running' AND parent IS NULL
        ORDER BY id LIMIT ?
        """, [process.id, limit])
    }
    found += try candidates(
      """
      SELECT priority, id FROM runs INDEXED BY runs_left WHERE status = 'interrupted' AND parent IS NULL
        AND (concurrency_group IS NULL OR cancel_requested = 1 OR \(GroupPlaces.free("runs")) > 0)
      ORDER BY priority DESC, id LIMIT ?
      """, [limit]
    ).map { candidate in
      var candidate = candidate
      candidate.isLeft = true
      return candidate
    }
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
    found += try candidates(
      """
      SELECT priority, run AS id, (SELECT group_max FROM runs WHERE id = run) AS places
      FROM group_heads INDEXED BY group_heads_by_turn ORDER BY priority DESC, run LIMIT ?
      """, [limit])
    found.sort(by: Candidate.isBefore)
    return found
  }

  private func candidates(_ sql: String, _ arguments: StatementArguments) throws -> [Candidate] {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
    var found: [Candidate] = []
    while let row = try rows.next() { found.append(try Candidate(RowReader(row: row, path: path))) }
    return found
  }

  /// The processes that own runs and are gone.
  private func goneOwners() throws -> [OwnerRecord] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT * FROM processes WHERE id <> ? AND EXISTS (SELECT 1 FROM runs WHERE owner = processes.id)
          """), arguments: [id ?? -1])
    var gone: [OwnerRecord] = []
    while let row = try rows.next() {
      let process = try OwnerRecord(RowReader(row: row, path: path))
      if owner.isGone(process) { gone.append(process) }
    }
    return gone
  }

  /// From now on the process may not write.
  func shutOut(_ process: OwnerRecord) throws {
    guard !process.isLost else { return }
    try database.execute(sql: "UPDATE processes SET lost = 1 WHERE id = ?", arguments: [process.id])
  }

  // MARK: - One

  /// What ``claim(_:isAgain:)`` would come to, as far as nothing has to be written for it; `nil` where something has.
  func outlook(for run: RunID, isAgain: Bool = false) throws -> ClaimOutcome? {
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT status, owner, due_at, concurrency_group, cancel_requested FROM runs
          WHERE id = ? AND status <> \(RunReading.removed)
          """), arguments: [run.rawValue])
    guard let found else { return .absent }
    let columns = RowReader(row: found, path: path)
    let status: RunStatus = try columns.choice("status")
    let isCancelRequested = columns.optionalInteger("cancel_requested") == 1
    let worker = try columns.optionalInteger("owner").flatMap { try OwnerRecord.find($0, database, path: path) }
    switch status {
    case .succeeded, .failed, .skipped, .cancelled: return .ended(status)
    case .running:
      if isAgain, let worker, worker.id == id, !worker.isLost { return .claimed }
      guard let worker, worker.id == id || !owner.isGone(worker) else { return nil }
      return .taken(by: worker.name)
    case .waiting:
      let due = columns.optionalText("due_at")
      guard due.map({ $0 <= now.rfc3339Milliseconds }) == true else {
        return .waiting(until: due.flatMap(Timestamp.init(rfc3339:)))
      }
      return nil
    case .queued:
      guard let group = columns.optionalText("concurrency_group"), !isCancelRequested,
        let other = try predecessor(of: run.rawValue, in: group)
      else { return nil }
      // Whoever asks is seen to wait, which has to be written once.
      return worker?.id == id && id != nil ? try outcome(behind: other) : nil
    case .interrupted, .needsAttention:
      // Another of its group may have begun since it was left.
      guard !isCancelRequested, let other = try colleague(of: run.rawValue) else { return nil }
      return try outcome(behind: other)
    }
  }

  /// Another run that works, or waits half-way, in the group of a run that was left, if the group has no place for that.
  private func colleague(of run: String) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT \(GroupPlaces.holder("runs")) FROM runs WHERE id = ? AND \(GroupPlaces.free("runs")) <= 0"),
      arguments: [run])
  }

  /// Takes one run, where that can be.
  ///
  /// - Parameter isAgain: Whether a run of this process counts as free, as whoever asks has left it.
  func claim(_ run: RunID, isAgain: Bool = false) throws -> ClaimOutcome {
    if let outcome = try outlook(for: run, isAgain: isAgain) { return outcome }
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT status, owner, concurrency_group, cancel_requested FROM runs WHERE id = ?"),
      arguments: [run.rawValue])
    guard let found else { return .absent }
    let columns = RowReader(row: found, path: path)
    let status: RunStatus = try columns.choice("status")
    if status == .running, let process = columns.optionalInteger("owner"),
      let other = try OwnerRecord.find(process, database, path: path)
    {
      try shutOut(other)
    }
    if status == .queued, let group = columns.optionalText("concurrency_group"),
      columns.optionalInteger("cancel_requested") != 1, let other = try predecessor(of: run.rawValue, in: group)
    {
      try RunTransitions(database: database).standBy(run.rawValue, id)
      return try outcome(behind: other)
    }
    try take(run.rawValue)
    return .claimed
  }

  /// What becomes of the wish to work on a run while another one has its group.
  private func outcome(behind other: String) throws -> ClaimOutcome {
    let id = RunID(rawValue: other)
    let found = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT status, owner, due_at, cancel_requested FROM runs WHERE id = ?"),
      arguments: [other])
    guard let found else { return .groupTaken(by: id) }
    let columns = RowReader(row: found, path: path)
    let status: RunStatus = try columns.choice("status")
    switch status {
    case .interrupted: return .groupLeft(by: id)
    case .waiting where columns.optionalInteger("cancel_requested") == 1: return .groupLeft(by: id)
    // Nobody may ever go on with it otherwise.
    case .waiting where columns.optionalText("due_at").map({ $0 <= now.rfc3339Milliseconds }) == true:
      return .groupLeft(by: id)
    case .running:
      let worker = try columns.optionalInteger("owner").flatMap { try OwnerRecord.find($0, database, path: path) }
      guard let worker, worker.id == self.id || !owner.isGone(worker) else { return .groupLeft(by: id) }
      return .groupTaken(by: id)
    default: return .groupTaken(by: id)
    }
  }

  /// The run that a queued run waits for: one of those that have the places of the group, interrupted ones first, or the next
  /// run if others have a claim on all free places; `nil` if the run may begin.
  private func predecessor(of run: String, in group: String) throws -> String? {
    let free = try Int.fetchOne(
      database.cachedStatement(sql: "SELECT \(GroupPlaces.free("runs")) FROM runs WHERE id = ?"),
      arguments: [run])
    guard let free, free > 0 else {
      return try String.fetchOne(
        database.cachedStatement(
          sql: "SELECT \(GroupPlaces.holder("runs")) FROM runs WHERE id = ?"), arguments: [run])
    }
    let next = try next(in: group, limit: free)
    return next.count < free || next.contains(run) ? nil : next.first
  }

  /// The next runs of a group among those that processes wait for. A worker may or may not take the others, so no process waits
  /// for them.
  private func next(in group: String, limit: Int) throws -> [String] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT id, owner FROM runs INDEXED BY runs_queued_in_groups
          WHERE status = 'queued' AND parent IS NULL AND concurrency_group IS NOT NULL AND concurrency_group = ?
            AND owner IS NOT NULL
          ORDER BY priority DESC, id
          """), arguments: [group])
    var next: [String] = []
    while next.count < limit, let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      guard let process = try OwnerRecord.find(try columns.integer("owner"), database, path: path) else { continue }
      if process.id == id || !owner.isGone(process) { next.append(try columns.text("id")) }
    }
    return next
  }

  /// Gives a run to this process.
  private func take(_ run: String) throws { try RunTransitions(database: database).claim(run, by: id, at: now) }
}

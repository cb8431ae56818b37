internal import Engine
public import Expressions
internal import GRDB
internal import Synchronization

extension RunStore {
  /// Removes what a policy no longer keeps, and what nobody can use any more: expired results, events that no run can
  /// receive, processes that are gone.
  ///
  /// Goes on in small transactions, between which others write. What protects against doing something twice stays: keys
  /// and journals of runs that have not ended, states of recipes and providers, names of trigger events.
  ///
  /// - Parameters:
  ///   - policy: What to keep.
  ///   - now: The time of day.
  ///   - pause: Seconds between two transactions.
  ///   - limit: At most so many transactions; what is left goes the next time.
  ///   - isThorough: Whether to look for values that nobody holds among all at once, rather than among some each time.
  ///   - isLast: Whether the store is closed next, at the end of a command: the connection of the writer reads, processes that
  ///     are gone were removed at the beginning, and few commands look for values that nobody holds.
  /// - Returns: What was removed.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  @discardableResult
  public func prune(
    _ policy: RetentionPolicy, at now: Timestamp, pause: Double = 0, limit: Int = .max, isThorough: Bool = false,
    isLast: Bool = false
  ) async throws -> PruneReport {
    if isLast { isEnding.store(true, ordering: .releasing) }
    var report = PruneReport()
    report.bytesBefore = try await pages().bytes
    var steps = limit
    /// Takes breath after a transaction; `false` where no more are wanted.
    func goesOn() async throws -> Bool {
      steps -= 1
      try Task.checkCancellation()
      if pause > 0 { try await time.sleep(seconds: pause) }
      return steps > 0
    }
    removal: while steps > 0 {
      var surplus = try await look {
        try RetentionReading(database: $0, policy: policy, now: now).surplus(limit: Self.runsOfLook)[...]
      }
      if surplus.isEmpty { break }
      while !surplus.isEmpty {
        surplus = surplus.dropFirst(try await remove(surplus, &report))
        guard try await goesOn() else { break removal }
      }
    }
    while steps > 0, try await pruneLeftovers(at: now, isLast: isLast, &report) {
      guard try await goesOn() else { break }
    }
    let isSweeping = isThorough || !isLast || beginsSweep(at: now)
    while steps > 0, isSweeping {
      guard try await sweep(&report), isThorough, try await goesOn() else { break }
    }
    if steps > 0, isThorough || isBlobLookDue(at: now) {
      // Each new version removes those that are surplus; this is for a bound that has become smaller.
      while steps > 0 {
        let surplus = try await pruneRecipeVersions(most: policy.versions)
        (report.versions, report.blobs) = (report.versions + surplus.versions, report.blobs + surplus.blobs)
        guard surplus.versions > 0, try await goesOn() else { break }
      }
      // A deleted recipe keeps its history for as long as its last runs would be kept.
      while steps > 0, let age = policy.longestAge {
        let surplus = try await pruneDeletedRecipe(before: now.adding(seconds: -age))
        (report.versions, report.blobs) = (report.versions + surplus.versions, report.blobs + surplus.blobs)
        guard surplus.versions > 0, try await goesOn() else { break }
      }
      report.blobs += try await removeUnnamedBlobs(at: now, pause: pause)
    }
    while steps > 0, try await giveBack(policy) { guard try await goesOn() else { break } }
    report.bytesAfter = try await pages().bytes
    return report
  }

  /// What ``prune(_:at:pause:limit:isThorough:isLast:)`` would remove; nothing is changed.
  ///
  /// What the size bounds is estimated from the share that a run has of the file.
  public func prunable(
    _ policy: RetentionPolicy, at now: Timestamp
  ) async throws(RunStoreError) -> PruneReport {
    await writer?.settle()
    return try await read { database in
      var report = PruneReport()
      let pages = try DatabasePages(database)
      (report.bytesBefore, report.bytesAfter) = (pages.bytes, pages.bytes)
      var counted = policy
      counted.size = nil
      let reading = RetentionReading(database: database, policy: counted, now: now)
      let surplus = try reading.surplus(limit: .max)
      for run in surplus { report.runs += try RetentionReading.tree(of: run, database).count }
      let all = try Int.fetchOne(database, sql: "SELECT count(*) FROM runs") ?? 0
      if let size = policy.size, pages.usedBytes > size, all > 0 {
        let share = Double(pages.usedBytes - size) / Double(pages.usedBytes)
        report.runs = max(report.runs, min(all, Int((Double(all) * share).rounded(.up))))
      }
      report.events =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM events WHERE \(Self.deadEvents)", arguments: [try reading.oldestWanted])
        ?? 0
      report.cachedResults =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM cache WHERE expires_at <= ?", arguments: [now.rfc3339Milliseconds]) ?? 0
      report.processes = try Owner.gone(database, path: self.path).count
      return report
    }
  }

  // MARK: - Steps

  /// Runs that are looked up at once: to count all that there are takes a while.
  private static let runsOfLook = 2000

  /// Removes some of the runs in one transaction, and of a large one a part, which nobody sees from then on.
  ///
  /// - Returns: How many of them are done with.
  private func remove(_ roots: ArraySlice<String>, _ report: inout PruneReport) async throws -> Int {
    let removed = try await change { writing in
      var removal = RunRemoval(writing.database)
      let done = try removal.remove(roots: roots)
      return (done: done, runs: removal.runs, blobs: removal.blobs)
    }
    report.runs += removed.runs
    report.blobs += removed.blobs
    return removed.done
  }

  /// Events that have been taken, the answer being kept with the wait, and those that came before every open run began.
  private static let deadEvents = """
    received_at < ? AND (taken_run IS NULL OR NOT EXISTS (
      SELECT 1 FROM waits WHERE run = taken_run AND step = taken_step AND item = taken_item AND ended_at IS NULL))
    """

  /// Removes some of what no run holds.
  ///
  /// - Returns: Whether there may be more.
  private func pruneLeftovers(at now: Timestamp, isLast: Bool, _ report: inout PruneReport) async throws -> Bool {
    let own = writer?.owner.id ?? -1
    // Looks first: nothing to do is no reason for a commit.
    let (isExpired, wanted, gone) = try await look { database in
      func isAny(_ rows: String, _ arguments: StatementArguments = []) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(rows))", arguments: arguments) == true
      }
      let isExpired = try isAny("cache WHERE expires_at <= ?", [now.rfc3339Milliseconds])
      var wanted: String?
      if try isAny("events") {
        let oldest = try RetentionReading(database: database, policy: RetentionPolicy(), now: now).oldestWanted
        if try isAny("events WHERE \(Self.deadEvents)", [oldest]) { wanted = oldest }
      }
      return (isExpired, wanted, isLast ? [] : try Owner.gone(database, path: self.path).filter { $0 != own })
    }
    guard isExpired || wanted != nil || !gone.isEmpty else { return false }
    let removed = try await change { writing in
      let database = writing.database
      var removed = PruneReport()
      var removal = RunRemoval(database)
      let expired = try Row.fetchAll(
        database, sql: "SELECT key, blob FROM cache WHERE expires_at <= ? LIMIT ?",
        arguments: [now.rfc3339Milliseconds, RunRemoval.rowsOfStep])
      for row in expired where !removal.isExhausted {
        try database.execute(sql: "DELETE FROM cache WHERE key = ?", arguments: [row[0] as String])
        removed.cachedResults += 1
        if let hash: String = row[1] { try removal.removeBlob(hash) }
      }
      if let wanted {
        try database.execute(
          sql: "DELETE FROM events WHERE number IN (SELECT number FROM events WHERE \(Self.deadEvents) LIMIT ?)",
          arguments: [wanted, RunRemoval.rowsOfStep])
        removed.events = database.changesCount
      }
      for process in gone {
        try database.execute(
          sql: "DELETE FROM processes WHERE id = ? AND NOT EXISTS (SELECT 1 FROM runs WHERE owner = ?)",
          arguments: [process, process])
        removed.processes += database.changesCount
      }
      removed.blobs = removal.blobs
      return removed
    }
    report.cachedResults += removed.cachedResults
    report.events += removed.events
    report.processes += removed.processes
    report.blobs += removed.blobs
    return removed.cachedResults > 0 || removed.events > 0
  }

  /// Whether the end of a command looks for large values that nobody holds: one in 16 does, each from another place on,
  /// as the commands of a short-lived process would all look at the same ones.
  private func beginsSweep(at now: Timestamp) -> Bool {
    let draw = Int(now.nanoseconds / 1000)
    guard draw % 16 == 0 else { return false }
    // The first of the hashes that begin so.
    let place = String(draw / 16, radix: 16)
    sweptBlobs.withLock { $0 = String(repeating: "0", count: max(0, 4 - place.count)) + place }
    return true
  }

  /// Blobs that are looked at each time, some milliseconds of work.
  private static let blobsOfSweep = 500

  /// Removes large values that nobody holds, among some of them.
  ///
  /// - Returns: Whether there are more to look at.
  private func sweep(_ report: inout PruneReport) async throws -> Bool {
    let last = sweptBlobs.withLock { $0 }
    let found = try await look { try RunRemoval.unheldBlobs(after: last, limit: Self.blobsOfSweep, $0) }
    sweptBlobs.withLock { $0 = found.last ?? "" }
    guard !found.unheld.isEmpty else { return found.last != nil }
    let removed = try await change { writing in
      var removal = RunRemoval(writing.database)
      var done = last
      for hash in found.unheld {
        // The next piece goes on behind it: large ones take a while.
        if removal.isExhausted { return (blobs: removal.blobs, done: String?.some(done)) }
        try removal.removeBlob(hash)
        done = hash
      }
      return (blobs: removal.blobs, done: nil)
    }
    report.blobs += removed.blobs
    guard let done = removed.done else { return found.last != nil }
    sweptBlobs.withLock { $0 = done }
    return true
  }

  /// Gives some free pages back to the file system: those beyond the bound of the size, and those beyond a quarter of the
  /// file, which new runs would not need for long.
  ///
  /// - Returns: Whether there may be more.
  private func giveBack(_ policy: RetentionPolicy) async throws -> Bool {
    let pages = try await pages()
    guard pages.free > 0 else { return false }
    let isTooLarge = policy.size.map { pages.bytes > $0 } ?? false
    guard isTooLarge || pages.free > max(1024, pages.count / 4) else { return false }
    return try await vacuumStep(pages: 64)
  }
}

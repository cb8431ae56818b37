internal import Engine
internal import GRDB
internal import Synchronization

/// The one writer of a store: gathers what concurrent callers record and commits it together.
///
/// It works on the connection's own queue, on the thread of a run that waits if one does. Callers suspend; no thread blocks on
/// another.
///
/// Entries without a waiter stay queued until they are written. A failed commit (disk full, locked, I/O error) fails only its waiters.
/// Entries that the database refuses for their content are dropped; ``flush(_:)`` and ``close()`` throw the last refusal
/// (``State/lastRefusal``).
final class JournalWriter: Sendable {
  /// Seconds after which results of effects are on their way to the disk, unless an intent takes them along.
  private static let soonDelay = 0.005

  /// Seconds from which on a commit counts as slow: the disk then takes longer than what runs do in between.
  private static let longCommit = 0.002

  /// Entries of one transaction at most: so few that runs which wait for one go on while the next is written.
  private static let batchLimit = 2000

  typealias Outcome = Result<Void, RunStoreError>
  private typealias Queue = WriteQueue<CheckedContinuation<Outcome, Never>>

  private struct State {
    var queue: Queue
    var statistics = WriteStatistics()
    /// Why the database refused the content of entries without a waiter.
    var lastRefusal: RunStoreError?
    var isClosing = false
    /// Whether the last commit took so long that it pays to let others come along with the next one.
    var isDiskSlow = false
    var delay: Task<Void, Never>?
  }

  let database: DatabaseQueue
  private let presence: PresenceLock?
  /// The schema version that this process writes.
  private let version: Int
  /// Looks whether the file is still there; `nil` in memory.
  let watch: FileWatch?
  /// Whether the database is in memory. Its callers write at once: neither the clock nor another thread takes part, so a caller
  /// that decides itself when time passes and what runs next (tests of recipes, the simulation) sees every call end.
  let isInMemory: Bool
  private let path: String
  private let time: any TimeSource
  private let flushDelay: Double
  let owner: Owner
  private let rows = JournalRows()
  private let state: Mutex<State>
  /// The connection's `synchronous` setting; read and written on the connection's queue only, which the lock makes
  /// plain to the compiler.
  private let isFullySynchronous = Mutex(false)
  /// Called after each commit.
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  init(_ file: DatabaseFile.Writer, path: String, time: any TimeSource, configuration: RunStore.Configuration) {
    database = file.connection
    presence = file.presence
    version = file.version
    watch = file.watch
    isInMemory = file.presence == nil
    self.path = path
    self.time = time
    flushDelay = configuration.flushDelay
    owner = Owner(time: time, host: configuration.host, processes: configuration.processes)
    state = Mutex(
      State(
        queue: Queue(
          capacity: configuration.capacity, byteCapacity: configuration.byteCapacity,
          batchLimit: JournalWriter.batchLimit)))
  }

  /// Calls something after each commit.
  func onCommit(_ body: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(body) } }

  /// Counts of commits and entries written so far.
  var statistics: WriteStatistics { state.withLock { $0.statistics } }

  // MARK: - Callers

  /// Takes entries in and returns when `durability` is reached.
  ///
  /// - Throws: ``RunStoreError``: why these entries were not written. Earlier entries without a waiter that failed for the same
  ///   reason stay queued.
  func record(_ entries: [JournalEntry], durability: Durability) async throws(RunStoreError) {
    let prepared = entries.map(PreparedEntry.init)
    if !isInMemory, durability <= .soon, try takeIn(prepared, durability) { return }
    try await submit(prepared, durability: durability).get()
  }

  /// Writes the pending requests.
  ///
  /// - Throws: ``RunStoreError``: why some of it could not be written, or was refused.
  func flush(_ durability: Durability) async throws(RunStoreError) {
    try await submit([], durability: durability).get()
    if let refusal = takeRefusal() { throw refusal }
  }

  /// Writes the pending requests, refuses later ones and closes the connection. A second call does nothing.
  func close() async throws(RunStoreError) {
    let isFirst = state.withLock { state in
      defer { state.isClosing = true }
      return !state.isClosing
    }
    guard isFirst else { return }
    let outcome = await submit([], durability: .committed, isLast: true)
    state.withLock { state in
      state.delay?.cancel()
      state.delay = nil
    }
    owner.retire()
    closeRows()
    defer { presence?.release() }
    // Another store may share one in memory.
    do { if !isInMemory { try database.close() } } catch { throw RunStoreError(error, path: path) }
    try outcome.get()
    if let refusal = takeRefusal() { throw refusal }
  }

  /// Drops the pending requests and closes the connection, as the end of the process would.
  func abandon() {
    state.withLock { state in
      state.isClosing = true
      state.delay?.cancel()
      state.delay = nil
    }
    owner.retire()
    closeRows()
    if !isInMemory { try? database.close() }
    presence?.release()
  }

  /// A connection is not closed while it has statements.
  private func closeRows() { database.writeWithoutTransaction { _ in rows.close() } }

  /// Runs a short query between the transactions of the journal.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
    if state.withLock({ $0.isClosing }) { throw RunStoreError.closed(path: path) }
    try watch?.check()
    return try await database.read(body)
  }

  /// Runs a transaction between those of the journal and waits for it; blocks the calling thread.
  ///
  /// - Parameter isDurable: Whether the commit waits for the disk.
  func transaction<Result>(isDurable: Bool, _ body: (Database) throws -> Result) throws -> Result {
    if state.withLock({ $0.isClosing }) { throw RunStoreError.closed(path: path) }
    return try database.writeWithoutTransaction { database in
      try setFullySynchronous(isDurable, database)
      var result: Result?
      try transaction(database) { entryWriter in result = try body(entryWriter.database) }
      countCommit(of: [], mustSync: isDurable)
      guard let result else { throw RunStoreError.unexpected(path: path, cause: "no result") }
      return result
    }
  }

  /// Takes entries in without waiting; `false` where too much is waiting already.
  private func takeIn(_ entries: [PreparedEntry], _ durability: Durability) throws(RunStoreError) -> Bool {
    let request = Queue.Request(entries: entries, durability: durability, waiter: nil)
    let action = try state.withLock { state throws(RunStoreError) -> Queue.Action? in
      if state.isClosing { throw .closed(path: path) }
      guard !state.queue.mustWait(for: durability, bytes: request.bytes) else { return nil }
      return entries.isEmpty ? Queue.Action.none : state.queue.add(request)
    }
    guard let action else { return false }
    carryOut(action)
    return true
  }

  /// Waits until entries are written; without entries, until the pending ones are.
  private func submit(_ entries: [PreparedEntry], durability: Durability, isLast: Bool = false) async -> Outcome {
    if isInMemory {
      if state.withLock({ $0.isClosing && !isLast }) { return .failure(.closed(path: path)) }
      return writeHere(entries)
    }
    return await withCheckedContinuation { waiter in
      let request = Queue.Request(entries: entries, durability: durability, waiter: waiter)
      let action: Queue.Action? = state.withLock { state in
        state.isClosing && !isLast ? nil : state.queue.add(request)
      }
      if let action { carryOut(action) } else { waiter.resume(returning: .failure(.closed(path: path))) }
    }
  }

  /// Writes entries on the calling thread.
  private func writeHere(_ entries: [PreparedEntry]) -> Outcome {
    let request = Queue.Request(entries: entries, durability: .committed, waiter: nil)
    return database.writeWithoutTransaction { write([request], $0).first ?? .success(()) }
  }

  private func takeRefusal() -> RunStoreError? {
    state.withLock { state in
      defer { state.lastRefusal = nil }
      return state.lastRefusal
    }
  }

  /// Carries out the action that the queue has returned. Not under its lock, which a resumed waiter needs at once.
  private func carryOut(_ action: Queue.Action) {
    switch action {
    case .none: break
    case .drain:
      if drainHere() { return }
      database.asyncWriteWithoutTransaction { [self] database in drain(database) }
    case .startDelay: startDelay(flushDelay)
    case .startSoon: startSoon()
    case .startRetryDelay: startDelay(flushDelay * 20)
    }
  }

  /// Writes the pending requests on this thread.
  ///
  /// - Returns: `false` if it is not one of ``WorkThreads``; nothing is written then.
  private func drainHere() -> Bool {
    WorkThreads.shared.write(gathering: state.withLock { $0.isDiskSlow }) { [self] in
      database.writeWithoutTransaction { drain($0, once: true) }
    }
  }

  private func startDelay(_ seconds: Double) {
    // Not awaited: it ends by itself after the delay, sooner when the store is closed.
    let delay = Task { [self] in
      try? await time.sleep(seconds: seconds)
      // `close()` writes the rest itself, and the connection may be gone by then.
      carryOut(state.withLock { $0.isClosing ? .none : $0.queue.delayEnded() })
    }
    state.withLock { state in
      if state.isClosing { delay.cancel() } else { state.delay = delay }
    }
  }

  private func startSoon() {
    // Not awaited: it ends by itself after the delay.
    Task { [weak self, time] in
      try? await time.sleep(seconds: JournalWriter.soonDelay)
      guard let self else { return }
      carryOut(state.withLock { $0.isClosing ? .none : $0.queue.soonEnded() })
    }
  }

  // MARK: - The connection's queue

  /// Writes the pending requests.
  ///
  /// - Parameter once: Whether to write one batch only; the next one follows after the jobs that wait by then.
  private func drain(_ database: Database, once: Bool = false) {
    while let batch = state.withLock({ $0.queue.takeBatch() }) {
      let outcomes = write(batch, database)
      let action = state.withLock { state in
        var kept: [Queue.Request] = []
        for (request, outcome) in zip(batch, outcomes) where request.waiter == nil {
          guard case .failure(let error) = outcome else { continue }
          if error.isAboutEntries { state.lastRefusal = error } else { kept.append(request) }
        }
        return state.queue.batchEnded(batch, keeping: kept)
      }
      if once, action != .drain { WorkThreads.shared.looksSoon() }
      // The delay begins before the waiters resume, so their next requests come after it.
      if action != .drain { carryOut(action) }
      for (request, outcome) in zip(batch, outcomes) { request.waiter?.resume(returning: outcome) }
      guard action == .drain else { return }
      if once, drainHere() { return }
    }
  }

  /// Writes one batch.
  ///
  /// - Returns: The outcome of each request.
  private func write(_ batch: [Queue.Request], _ database: Database) -> [Outcome] {
    let mustSync = batch.contains { $0.durability == .synced || $0.durability == .soon }
    do {
      try setFullySynchronous(mustSync, database)
      guard batch.contains(where: { !$0.entries.isEmpty }) else {
        if mustSync { try syncEarlierCommits(database) }
        return [Outcome](repeating: .success(()), count: batch.count)
      }
      do {
        try transaction(database) { entryWriter in try entryWriter.write(requests: batch) }
      } catch {
        state.withLock { $0.statistics.rollbacks += 1 }
        guard batch.count > 1, RunStoreError(error, path: path).isAboutEntries else { throw error }
        return try writeSeparately(batch, database)
      }
      countCommit(of: batch, mustSync: mustSync)
      return [Outcome](repeating: .success(()), count: batch.count)
    } catch {
      return [Outcome](repeating: .failure(RunStoreError(error, path: path)), count: batch.count)
    }
  }

  /// Writes a batch again in which some entries were refused, so that they cost only their own caller.
  private func writeSeparately(_ batch: [Queue.Request], _ database: Database) throws -> [Outcome] {
    var outcomes: [Outcome] = []
    try transaction(database) { entryWriter in
      for request in batch {
        do {
          try database.inSavepoint {
            try entryWriter.write(request.entries)
            return .commit
          }
          outcomes.append(.success(()))
        } catch {
          let failure = RunStoreError(error, path: path)
          guard failure.isAboutEntries else { throw failure }
          outcomes.append(.failure(failure))
        }
      }
    }
    let written = zip(batch, outcomes).filter { if case .success = $0.1 { true } else { false } }.map(\.0)
    countCommit(of: written, mustSync: batch.contains { $0.durability == .synced || $0.durability == .soon })
    return outcomes
  }

  /// Runs a transaction after a check that others have not declared this process lost.
  private func transaction(_ database: Database, _ body: (EntryWriter) throws -> Void) throws {
    var owner: Int64?
    var beganCommit = 0.0
    do {
      try rows.transaction(database) {
        // On a file system without locks, nothing keeps a newer version from changing the schema.
        let found = try rows.schemaVersion(database)
        guard found == version else { throw RunStoreError.schemaChanged(path: path, file: found, program: version) }
        let id = try self.owner.require(database, path: path) { try rows.isLost(process: $0, database) }
        owner = id
        try body(EntryWriter(database: database, owner: id, path: path, rows: rows))
        beganCommit = time.monotonic
      }
    } catch {
      // A deleted or replaced file is the reason, whatever SQLite reports.
      try watch?.check()
      throw error
    }
    // A commit into a deleted or replaced file must not count as written.
    try watch?.check()
    let isDiskSlow = time.monotonic - beganCommit > JournalWriter.longCommit
    state.withLock { $0.isDiskSlow = isDiskSlow }
    for listener in listeners.withLock({ $0 }) { listener() }
    if let owner { self.owner.keep(owner) }
  }

  /// Runs a transaction after everything that was taken in before, and suspends until it is committed; a task that is
  /// cancelled waits for it too.
  func change<Result: Sendable>(
    isDurable: Bool = false, _ body: @escaping @Sendable (EntryWriter) throws -> Result
  ) async throws -> Result {
    if state.withLock({ $0.isClosing }) { throw RunStoreError.closed(path: path) }
    if isInMemory { return try changeHere(isDurable: isDurable, body) }
    return try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Result, any Error>) in
      database.asyncWriteWithoutTransaction { [self] database in
        // Everything recorded before, with or without a waiter.
        _ = state.withLock { $0.queue.fallDue() }
        drain(database)
        waiter.resume(with: Swift.Result { try change(database, isDurable: isDurable, body) })
      }
    }
  }

  /// Runs a transaction on the calling thread.
  private func changeHere<Result>(isDurable: Bool, _ body: (EntryWriter) throws -> Result) throws -> Result {
    try database.writeWithoutTransaction { try change($0, isDurable: isDurable, body) }
  }

  private func change<Result>(
    _ database: Database, isDurable: Bool, _ body: (EntryWriter) throws -> Result
  ) throws -> Result {
    do {
      try setFullySynchronous(isDurable, database)
      var result: Result?
      try transaction(database) { result = try body($0) }
      countCommit(of: [], mustSync: isDurable)
      guard let result else { throw RunStoreError.unexpected(path: path, cause: "no result") }
      return result
    } catch {
      throw RunStoreError(error, path: path)
    }
  }

  /// Brings the -wal file into the database and shortens it, as far as readers let it within a moment.
  func foldWAL() async throws(RunStoreError) {
    do {
      if state.withLock({ $0.isClosing }) { throw RunStoreError.closed(path: path) }
      try await database.writeWithoutTransaction { database in
        _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    } catch {
      throw RunStoreError(error, path: path)
    }
  }

  /// Writes the pending requests; does not report those that fail, which stay queued.
  func settle() async {
    guard state.withLock({ !$0.isClosing && !$0.queue.isEmpty }) else { return }
    _ = await submit([], durability: .committed)
  }

  /// Writes the pending requests, or throws the reason why one of them cannot be written.
  func settleFully() async throws(RunStoreError) {
    if state.withLock({ $0.queue.isEmpty }) { return }
    try await submit([], durability: .committed).get()
  }

  private func countCommit(of requests: [Queue.Request], mustSync: Bool) {
    state.withLock { state in
      state.statistics.commits += 1
      if mustSync { state.statistics.synchronizedCommits += 1 }
      state.statistics.requests += requests.count
      state.statistics.entries += requests.reduce(0) { $0 + $1.entries.count }
    }
  }

  /// Whether a commit waits for the disk; SQLite ignores a change inside a transaction.
  private func setFullySynchronous(_ wanted: Bool, _ database: Database) throws {
    guard !isInMemory, isFullySynchronous.withLock({ $0 }) != wanted else { return }
    try database.execute(sql: wanted ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    isFullySynchronous.withLock { $0 = wanted }
  }

  /// Brings earlier commits to the disk: writes the schema version over itself, as a commit without a change would
  /// not be written at all.
  private func syncEarlierCommits(_ database: Database) throws {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    try database.inTransaction(.immediate) {
      try database.execute(sql: "PRAGMA user_version = \(version)")
      return .commit
    }
    try watch?.check()
    countCommit(of: [], mustSync: true)
  }
}

public import Engine
internal import Expressions
internal import GRDB
internal import Hashing
internal import RunLogSchema
internal import Synchronization

/// The run log: one SQLite file that keeps every run, step, attempt, output and log line.
///
/// Recording goes through one writer that commits what concurrent callers hand in together. Queries read a connection
/// of their own, opened with the first query, and see what has been committed.
///
/// The tables are made to be read with `sqlite3` as well; `.schema` shows what every column means, and the views
/// `run_summary`, `step_summary`, `attempt_summary`, `output_summary` and `log_summary` resolve names and blobs.
/// Several processes may use one file at the same time.
public final class RunStore: RunRecorder {
  /// How a store treats its file.
  public struct Configuration: Sendable {
    /// Seconds to wait for another process's lock before giving up with `database_locked`.
    public var busyTimeout: Double = 10
    /// Seconds after which entries without a waiter are written.
    public var flushDelay: Double = 0.05
    /// Entries taken in and not yet written, at most, before even `accepted` ones wait.
    public var capacity: Int = 16_000
    /// Bytes of entries taken in and not yet written, at most, before even `accepted` ones wait.
    public var byteCapacity: Int = 64 << 20

    /// How a run log of an older version is upgraded.
    public var upgrade = UpgradeOptions()

    /// The steps of the schema; tests add some.
    var migrations: [Migration] = Migration.all
    /// The most pages the file may have; tests simulate a full disk with it.
    var pageLimit: Int?
    /// Replaces the name of the machine in tests in which one process plays several machines.
    package var host: String?
    /// The folder in which the kernel lists processes (`/proc`); tests use another one.
    var processes = ProcessIdentity.processes

    /// Creates the default settings.
    public init() {}
  }

  /// The database file.
  public var path: String { file.path }

  let file: DatabaseFile
  /// Where times of rows come from.
  let time: any TimeSource
  /// The hashes of blobs that are being written.
  let hashes = Mutex<[Int64: RunningHash]>([:])
  let writer: JournalWriter?
  /// Runs that were claimed and not read since: no entries of them are pending.
  let claimed = Mutex<Set<RunID>>([])
  /// The last hash up to which blobs were checked for references.
  let sweptBlobs = Mutex("")
  /// When this process next looks for blobs of plugins without a reference; `nil` before its first upkeep.
  let nextBlobLook = Mutex(Timestamp?.none)
  /// Matches that searches have found in texts that are not indexed yet.
  let unindexed = Mutex<[SearchWords: UnindexedFindings]>([:])
  /// Whether the store is about to be closed: queries then use the writer's connection instead of opening another one.
  let isEnding = Atomic(false)
  private let reader = Mutex(Reader.unopened)
  private let readings = Mutex(Readings())

  /// The queries that have the connection: it is closed after the last of them, because GRDB asks SQLite about a connection that
  /// is gone.
  private struct Readings {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The connection for queries.
  private enum Reader {
    case unopened
    case open(DatabaseQueue, FileWatch)
    /// In memory the connection of the writer serves queries too.
    case inMemory(DatabaseQueue)
    case closed
  }

  /// Opens the run log for recording and for queries. Creates its folder (mode 0700), the file (0600) and the schema if they are
  /// missing, and brings an older schema up to date.
  ///
  /// - Parameters:
  ///   - path: The database file: `.sous/sous.db`.
  ///   - time: Where delays come from.
  ///   - configuration: How to treat the file.
  /// - Throws: ``RunStoreError``: `folder_not_creatable`, `database_read_only`, `not_a_database`, `foreign_database`,
  ///   `schema_newer`, `schema_in_use`, `no_room_for_copy`, `database_locked`, `disk_full`, `database_damaged`, `database_not_readable`, `database_io`.
  public init(
    path: String, time: any TimeSource, configuration: Configuration = Configuration()
  ) throws(RunStoreError) {
    file = DatabaseFile(path, configuration)
    self.time = time
    writer = JournalWriter(
      try file.openWriter(), path: path, time: time, configuration: configuration)
  }

  /// Opens an existing run log for queries alone; recording is refused.
  ///
  /// Creates nothing. An older schema is brought up to date if the file may be written.
  ///
  /// - Throws: ``RunStoreError``: `database_missing` if nothing has run yet, `schema_outdated`, or as
  ///   ``init(path:time:configuration:)``.
  public init(readingFrom path: String, configuration: Configuration = Configuration()) throws(RunStoreError) {
    file = DatabaseFile(path, configuration)
    time = SystemTime()
    writer = nil
    let opened = try file.openReader()
    reader.withLock { $0 = .open(opened, FileWatch(path, watchesLog: false)) }
  }

  /// Creates an empty run log in memory. It writes no file, and goes with the last store that uses it.
  ///
  /// - Parameter time: Where times of rows come from.
  package convenience init(inMemory time: any TimeSource) throws(RunStoreError) {
    self.init(try DatabaseFile.openInMemory(), time: time)
  }

  /// Joins a run log in memory as another process does.
  ///
  /// - Throws: ``RunStoreError`` with code `database_read_only` if the other one is not in memory.
  package convenience init(sharing other: RunStore) throws(RunStoreError) {
    guard let writer = other.writer, writer.isInMemory else { throw .readOnly(path: other.path) }
    self.init(
      DatabaseFile.Writer(connection: writer.database, presence: nil, watch: nil, version: Migration.newest),
      time: other.time)
  }

  /// Opens a run log in memory.
  private init(_ memory: DatabaseFile.Writer, time: any TimeSource) {
    let configuration = Configuration()
    file = DatabaseFile(DatabaseFile.inMemory, configuration)
    self.time = time
    writer = JournalWriter(memory, path: DatabaseFile.inMemory, time: time, configuration: configuration)
    reader.withLock { $0 = .inMemory(memory.connection) }
  }

  // MARK: - Recording

  /// Writes entries in order and all or none; see `RunRecorder`.
  ///
  /// Entries that were only `accepted` are written within ``Configuration/flushDelay``, with the next commit, or by
  /// ``flush(_:)`` or ``close()``. If that fails (disk full, locked, I/O error), they stay in order, and the next commit and a
  /// later attempt write them again; the waiters of the failed commit get its error. If too many are pending, `accepted` ones
  /// wait too, and throw. Entries that contradict the recorded ones are dropped alone; ``flush(_:)`` and ``close()`` report
  /// those without a waiter.
  ///
  /// - Throws: ``RunStoreError``: `disk_full`, `database_locked`, `database_read_only`, `database_io`,
  ///   `journal_entry_refused`, `store_closed`. None of the entries of this call is in the database then, nor will be.
  public func record(_ entries: [JournalEntry], durability: Durability) async throws(RunStoreError) {
    guard let writer else { throw .readOnly(path: path) }
    try await writer.record(entries, durability: durability)
  }

  /// Threads that also write what the runs they work on record; `nil` in memory, where each thread does.
  public var executor: (any TaskExecutor)? { isInMemory ? nil : WorkThreads.shared }

  /// Waits until everything recorded before has reached `durability`: the database, or with `.synced` the disk.
  ///
  /// - Throws: ``RunStoreError``, as ``record(_:durability:)``: entries that could not be written stay. Or, once, that entries
  ///   without a waiter contradicted the recorded ones.
  public func flush(_ durability: Durability = .committed) async throws(RunStoreError) {
    try await writer?.flush(max(durability, .committed))
  }

  /// Writes the pending entries and closes the file; recording and queries are refused from then on.
  ///
  /// Closing again does nothing. A store that is dropped without it loses the entries that were accepted in the last moments.
  ///
  /// - Throws: ``RunStoreError`` if pending entries could not be written, or some were refused since the last ``flush(_:)``;
  ///   the file is closed all the same.
  public func close() async throws(RunStoreError) {
    let open: DatabaseQueue? = reader.withLock { reader in
      defer { reader = .closed }
      if case .open(let queue, _) = reader { return queue }
      return nil
    }
    await readingsEnd()
    let outcome = Result { try open?.close() }
    // The writer last: only it can fold the -wal file into the database.
    try await writer?.close()
    if case .failure(let error) = outcome { throw RunStoreError(error, path: path) }
  }

  /// Leaves the file as the end of the process would: entries that are accepted and not written are lost. For the simulation of
  /// such ends; no call may be under way.
  package func abandon() {
    let open: DatabaseQueue? = reader.withLock { reader in
      defer { reader = .closed }
      if case .open(let queue, _) = reader { return queue }
      return nil
    }
    try? open?.close()
    writer?.abandon()
  }

  /// Commits of this store since it was opened, and the entries in them.
  public var statistics: WriteStatistics { writer?.statistics ?? WriteStatistics() }

  /// Calls a function after each commit of this store, once other connections see the commit. The call blocks the writer, so the
  /// function must return quickly.
  public func onCommit(_ body: @escaping @Sendable () -> Void) { writer?.onCommit(body) }

  // MARK: - Reading

  /// Whether the run log is in memory.
  var isInMemory: Bool { writer?.isInMemory ?? false }

  /// Runs a query in one snapshot of the database.
  ///
  /// - Parameter other: Another connection than the store's.
  func read<Result: Sendable>(
    on other: DatabaseQueue? = nil, _ body: @Sendable (Database) throws -> Result
  ) async throws(RunStoreError) -> Result {
    do {
      if isInMemory { return try readNow(body) }
      let own = try connection()
      defer { readingEnds() }
      return try await (other ?? own).read(body)
    } catch {
      throw explained(error)
    }
  }

  /// Runs a query in one snapshot of the database on the writer's connection, while no other one is open.
  ///
  /// It spares processes of one run the second connection. If that is open already, it reads. The writer waits meanwhile.
  func readOnWriter<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(RunStoreError) -> Result {
    let isUnopened = reader.withLock { reader in
      if case .unopened = reader { true } else { false }
    }
    guard isUnopened, let writer else { return try await read(body) }
    do {
      return try await writer.read(body)
    } catch {
      throw explained(error)
    }
  }

  /// Runs a query in one snapshot of the database, on a thread that may block.
  func readNow<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      let own = try connection()
      defer { readingEnds() }
      return try own.read(body)
    } catch {
      if error is DatabaseError { throw explained(error) }
      throw error
    }
  }

  /// Runs a transaction of its own between those of the journal, on a thread that may block.
  func writeNow<Result>(isDurable: Bool, _ body: (Database) throws -> Result) throws -> Result {
    guard let writer else { throw RunStoreError.readOnly(path: path) }
    return try writer.transaction(isDurable: isDurable, body)
  }

  /// Runs a query in one snapshot; a task that is cancelled waits for it too.
  ///
  /// - Parameter isSettled: Whether it must see all entries recorded before, which costs a commit, or only those that a caller has
  ///   waited for.
  func look<Result: Sendable>(
    isSettled: Bool = true, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    if isSettled { await writer?.settle() }
    if isInMemory { return try readNow(body) }
    if isEnding.load(ordering: .acquiring) { return try await readOnWriter(body) }
    let reader = try connection()
    defer { readingEnds() }
    return try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Result, any Error>) in
      reader.asyncRead { [self] database in
        waiter.resume(with: Swift.Result { try body(database.get()) }.mapError { explained($0) as any Error })
      }
    }
  }

  /// Runs a transaction after everything recorded before; a task that is cancelled waits for it too.
  func change<Result: Sendable>(
    isDurable: Bool = false, _ body: @escaping @Sendable (EntryWriter) throws -> Result
  ) async throws -> Result {
    guard let writer else { throw RunStoreError.readOnly(path: path) }
    return try await writer.change(isDurable: isDurable, body)
  }

  /// Why a query has failed: a deleted or replaced file counts more than the error of SQLite.
  private func explained(_ error: any Error) -> RunStoreError {
    if let error = error as? RunStoreError { return error }
    let watch = reader.withLock { reader in
      if case .open(_, let watch) = reader { watch } else { writer?.watch }
    }
    do throws(RunStoreError) {
      try watch?.check()
      return RunStoreError(error, path: path)
    } catch {
      return error
    }
  }

  /// The connection for queries, opened when it is first asked for; ``readingEnds()`` gives it back.
  ///
  /// - Throws: ``RunStoreError``, with code `database_replaced` if the file is not the one that was opened.
  private func connection() throws(RunStoreError) -> any DatabaseReader {
    let (queue, watch) = try reader.withLock { reader throws(RunStoreError) -> (DatabaseQueue, FileWatch?) in
      switch reader {
      case .open(let queue, let watch):
        readings.withLock { $0.count += 1 }
        return (queue, watch)
      case .inMemory(let queue):
        readings.withLock { $0.count += 1 }
        return (queue, nil)
      case .closed: throw .closed(path: path)
      case .unopened:
        // Another file may have replaced the one that the writer has open.
        try writer?.watch?.check()
        let opened: DatabaseQueue
        do throws(RunStoreError) {
          opened = try file.openReader()
        } catch {
          try writer?.watch?.check()
          throw error
        }
        let watch = writer?.watch ?? FileWatch(path, watchesLog: false)
        reader = .open(opened, watch)
        readings.withLock { $0.count += 1 }
        return (opened, watch)
      }
    }
    do throws(RunStoreError) {
      try watch?.check()
    } catch {
      readingEnds()
      throw error
    }
    return queue
  }

  /// Gives back the connection for queries.
  private func readingEnds() {
    let waiters = readings.withLock { readings -> [CheckedContinuation<Void, Never>] in
      readings.count -= 1
      guard readings.count == 0 else { return [] }
      defer { readings.waiters = [] }
      return readings.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until no query has the connection.
  private func readingsEnd() async {
    await withCheckedContinuation { waiter in
      let isIdle = readings.withLock { readings in
        if readings.count > 0 { readings.waiters.append(waiter) }
        return readings.count == 0
      }
      if isIdle { waiter.resume() }
    }
  }
}

extension DatabaseFile {
  init(_ path: String, _ configuration: RunStore.Configuration) {
    let options = configuration.upgrade
    self.init(
      path: path, busyTimeout: configuration.busyTimeout,
      upgradePatience: max(configuration.busyTimeout, options.patienceWithUpgrade),
      migrations: configuration.migrations, pageLimit: configuration.pageLimit,
      upgrade: { (file, presence, found) throws(RunStoreError) in
        try SchemaUpgrade(file: file, presence: presence, options: options).run(from: found)
      })
  }
}

internal import GRDB
internal import Glibc
internal import OperatingSystem
internal import RunLogSchema
internal import Synchronization

/// The file a store works on: makes its folder and itself, opens connections to it, brings its schema up to date.
struct DatabaseFile: Sendable {
  /// Where the file is.
  let path: String
  /// Seconds to wait for another process's lock.
  let busyTimeout: Double
  /// Seconds to wait while another process upgrades the file.
  let upgradePatience: Double
  /// The steps of the schema.
  let migrations: [Migration]
  /// The most pages the file may have, for tests of a full disk; `nil` for no bound.
  let pageLimit: Int?
  /// Upgrades a file of an older schema version, and gives up the presence, which may be shared.
  let upgrade: @Sendable (DatabaseFile, PresenceLock, Int) throws(RunStoreError) -> Void

  /// The version this program writes.
  var version: Int { migrations.last?.version ?? 0 }
  /// The oldest version this program can bring up to date.
  private var oldestVersion: Int { migrations.first?.version ?? 0 }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: - Opening

  /// A connection that writes, and what shows others that it does.
  struct Writer: Sendable {
    let connection: DatabaseQueue
    /// `nil` in memory.
    let presence: PresenceLock?
    /// `nil` in memory.
    let watch: FileWatch?
    /// The schema version that the connection writes.
    let version: Int
  }

  /// The name of databases in memory, for errors.
  static let inMemory = ":memory:"

  /// A database in memory with the whole schema.
  private static let template = Result {
    let queue = try DatabaseQueue()
    let file = DatabaseFile(inMemory, RunStore.Configuration())
    try queue.writeWithoutTransaction { try file.migrate($0) }
    return queue
  }

  /// Opens a database in memory. It is a copy of one with the schema: to make the schema takes four times as long (5 ms).
  static func openInMemory() throws(RunStoreError) -> Writer {
    do {
      let connection = try DatabaseQueue()
      try template.get().backup(to: connection)
      return Writer(connection: connection, presence: nil, watch: nil, version: Migration.newest)
    } catch {
      throw RunStoreError(error, path: inMemory)
    }
  }

  /// Opens the one connection that writes, making folder, file and schema where they are missing.
  ///
  /// A new file is made only where nobody works with one that was deleted: both would go on with the same runs.
  func openWriter() throws(RunStoreError) -> Writer {
    try createFolder(folder)
    let presence = try PresenceLock(path)
    var connection: DatabaseQueue
    if try isEmpty() {
      // SQLite does not wait for locks while it changes the journal mode, so only one process may be here at a time.
      let lock = try FileLock.folder(folder, timeout: busyTimeout, path: path)
      defer { lock?.release() }
      if try isEmpty() {
        guard presence.isAlone() else { throw .predecessor(path: path, lock: presence.path) }
        try createFile()
      }
      (connection, _) = try openConnection(isLocked: true)
      try presence.share(path, timeout: busyTimeout)
    } else {
      try awaitUpgrade(presence)
      var older: Int?
      (connection, older) = try openConnection(isLocked: false)
      if let found = older {
        try? connection.close()
        try upgrade(self, presence, found)
        try awaitUpgrade(presence)
        (connection, older) = try openConnection(isLocked: false)
        // Another process has put an older file in its place meanwhile.
        if let older { throw .outdatedSchema(path: path, file: older, program: version) }
      }
    }
    return Writer(
      connection: connection, presence: presence, watch: FileWatch(path, watchesLog: true), version: version)
  }

  /// A process that takes longer than this with the file alone upgrades it; to make a new file takes less.
  private static let creationTime = 0.5

  /// Shares the presence; waits while another process makes or upgrades the file.
  private func awaitUpgrade(_ presence: PresenceLock) throws(RunStoreError) {
    let first = min(Self.creationTime, upgradePatience)
    if (try? presence.share(path, timeout: first)) != nil { return }
    UpgradeStep.waitingForUpgrade.report()
    defer { UpgradeStep.ended.report() }
    try presence.share(path, timeout: upgradePatience - first)
  }

  /// Opens a connection and leaves schema and settings of the file as they are.
  func openUnchanged() throws -> DatabaseQueue { try DatabaseQueue(path: path, configuration: configuration()) }

  /// Opens the connection that writes, and makes the schema of a new file.
  ///
  /// - Parameter isLocked: Whether the folder is locked already.
  /// - Returns: The connection, and the schema version of a file that has to be upgraded first.
  private func openConnection(isLocked: Bool) throws(RunStoreError) -> (DatabaseQueue, older: Int?) {
    try requireRegularFile()
    try requireWritable()
    do {
      let queue = try openUnchanged()
      let older = try queue.writeWithoutTransaction { database -> Int? in
        let found = try schemaVersion(database)
        if found > 0, found < version { return found }
        if found == 0 {
          let lock = isLocked ? nil : try FileLock.folder(folder, timeout: busyTimeout, path: path)
          defer { lock?.release() }
          try migrate(database)
        }
        // Set on every start: it costs nothing where it is set already, and another program may have changed it.
        try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        // Each time costs the disk more than a commit, and pages that change often are then copied once.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
        // What a burst has made of the -wal file is given back at the next checkpoint.
        try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
        if let pageLimit { try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
        return nil
      }
      return (queue, older)
    } catch {
      throw RunStoreError(error, path: path)
    }
  }

  /// Opens a connection that only reads; the file must be there.
  func openReader() throws(RunStoreError) -> DatabaseQueue {
    try requireRegularFile()
    do {
      var settings = configuration()
      settings.readonly = true
      let (queue, found) = try openReader(settings)
      guard found < version else { return queue }
      try queue.close()
      guard isWritable(path), isWritable(folder) else {
        throw RunStoreError.outdatedSchema(path: path, file: found, program: version)
      }
      let writer = try openWriter()
      try writer.connection.close()
      return try DatabaseQueue(path: path, configuration: settings)
    } catch {
      throw RunStoreError(error, path: path)
    }
  }

  /// Opens a connection that only reads, and reads the schema's version.
  private func openReader(_ settings: Configuration) throws -> (DatabaseQueue, version: Int) {
    do {
      let queue = try DatabaseQueue(path: path, configuration: settings)
      return (queue, try queue.unsafeRead { try schemaVersion($0) })
    } catch let error as DatabaseError {
      // Readers share a file of memory beside the database. Where it is not there and cannot be made, the database can
      // still be read as one that nobody changes, unless a part of it is in the -wal file.
      let isForbidden = [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && !isWritable(folder)
      guard isForbidden || RunStoreError(error, path: path).code == .diskFull else { throw error }
      guard isLogEmpty, let name = immutableName else {
        throw isForbidden ? RunStoreError.unfinishedLog(path: path) : error
      }
      let queue = try DatabaseQueue(path: name, configuration: settings)
      return (queue, try queue.unsafeRead { try schemaVersion($0) })
    }
  }

  /// Whether everything that was committed is in the database file itself.
  private var isLogEmpty: Bool {
    var information = stat()
    return stat(path + "-wal", &information) != 0 ? errno == ENOENT : information.st_size == 0
  }

  /// The file as a URI with `immutable=1`; see <https://www.sqlite.org/uri.html>.
  private var immutableName: String? {
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    var name = "file:"
    for scalar in String(cString: whole).unicodeScalars {
      switch scalar {
      case "?": name += "%3f"
      case "#": name += "%23"
      case "%": name += "%25"
      default: name.unicodeScalars.append(scalar)
      }
    }
    return name + "?mode=ro&immutable=1"
  }

  private func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .callback(BusyWait(seconds: busyTimeout).shouldTryAgain)
    configuration.label = "run log"
    return configuration
  }

  // MARK: - Schema

  /// The schema's version; 0 for an empty file.
  ///
  /// - Throws: ``RunStoreError`` for a file of another program, of a newer Sous, or of one that is too old.
  func schemaVersion(_ database: Database) throws -> Int {
    // In this order: another process may make the tables between any two of these.
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    if application != Migration.applicationID {
      guard isEmpty, found == 0, application == 0 else { throw RunStoreError.foreignDatabase(path: path) }
    }
    guard found <= version else { throw newer(found) }
    guard found == 0 || found >= oldestVersion else {
      throw RunStoreError.obsoleteSchema(path: path, file: found, program: version)
    }
    return found
  }

  private func newer(_ found: Int) -> RunStoreError {
    .newerSchema(
      path: path, file: found, program: version,
      copy: newestCopy)
  }

  /// The copy beside the file that is made before its schema version changes: `sous-schema-19.db` beside `sous.db`.
  func copy(ofVersion version: Int) -> String {
    let stem = path.hasSuffix(".db") ? String(path.dropLast(3)) : path
    return "\(stem)-schema-\(version).db"
  }

  /// The newest copy beside the file that this program can read; `nil` if none exists.
  private var newestCopy: String? {
    stride(from: version, through: oldestVersion, by: -1).lazy.map { copy(ofVersion: $0) }
      .first { access($0, F_OK) == 0 }
  }

  /// Brings the schema up to date, in one transaction; of several processes one does it and the others wait.
  func migrate(_ database: Database) throws {
    // Only takes effect before the first table.
    try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
    try database.inTransaction(.immediate) {
      let found = try schemaVersion(database)
      for migration in migrations where migration.version > found { try migration.apply(to: database) }
      try database.execute(sql: "PRAGMA application_id = \(Migration.applicationID)")
      return .commit
    }
  }

  // MARK: - Folder and file

  /// Keeps two stores of one process from making the same file at the same time: closing a file drops the locks that
  /// the whole process holds on it.
  private static let creation = Mutex<Void>(())

  private func createFolder(_ folder: String) throws(RunStoreError) {
    if access(folder, F_OK) == 0 || mkdir(folder, 0o700) == 0 { return }
    var code = errno
    if code == ENOENT, let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      try createFolder(String(folder[..<slash]))
      if mkdir(folder, 0o700) == 0 { return }
      code = errno
    }
    // Another process may have been faster.
    if code == EEXIST { return }
    throw .folderNotCreatable(path: folder, code: code)
  }

  private func createFile() throws(RunStoreError) {
    let code: Int32 = DatabaseFile.creation.withLock { _ in
      if access(path, F_OK) == 0 { return 0 }
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return errno }
      close(descriptor)
      return 0
    }
    guard code == 0 || code == EEXIST else { throw .notOpened(path, code) }
  }

  /// The size of a file in bytes; `nil` where there is none.
  ///
  /// - Throws: ``RunStoreError`` with code `database_not_readable` where that cannot be known.
  private func size(of path: String) throws(RunStoreError) -> Int? {
    var facts = stat()
    if stat(path, &facts) == 0 { return Int(facts.st_size) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .notReadable(path: path, cause: String(cString: strerror(errno)))
  }

  /// Whether there is no database, or none with anything in it.
  ///
  /// - Throws: ``RunStoreError`` with code `database_emptied` where its last entries are still beside it: SQLite would
  ///   remove them.
  private func isEmpty() throws(RunStoreError) -> Bool {
    guard try (size(of: path) ?? 0) == 0 else { return false }
    guard try (size(of: path + "-wal") ?? 0) == 0 else { throw .emptied(path: path) }
    return true
  }

  private func requireRegularFile() throws(RunStoreError) {
    if try isEmpty(), try size(of: path) == nil { throw .missing(path: path) }
    var information = stat()
    guard stat(path, &information) == 0 else { throw .notOpened(path, errno) }
    guard information.st_mode & S_IFMT == S_IFREG else { throw .notReadable(path: path, cause: "not a regular file") }
    // SQLite takes the shortest files for empty and would write over them.
    guard information.st_size == 0 || information.st_size >= 512 else { throw .notADatabase(path: path) }
  }

  private func requireWritable() throws(RunStoreError) {
    // SQLite would open such a file for reading and fail much later.
    guard isWritable(path), isWritable(folder) else { throw .readOnly(path: path) }
  }

  private func isWritable(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }
}

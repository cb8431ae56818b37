public import GRDB
internal import Glibc
internal import Synchronization

/// An SQLite file of the workspace's state that is not the run log, such as that of notes or users.
///
/// The functions block until they are done. Changes are one transaction and on disk when they return. Several processes may
/// work with the file at once.
public final class StoreFile: Sendable {
  /// The file.
  public let path: String
  /// `nil` once it is closed: GRDB would ask SQLite about a connection that is gone.
  private let connection: Mutex<DatabaseQueue?>

  /// Opens the file and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - format: The format of its contents.
  ///   - creates: Whether it is made, with its folder, if it does not exist.
  /// - Returns: `nil` if it does not exist and is not to be made.
  /// - Throws: ``StoreFileError``, or an error of GRDB.
  public init?(path: String, format: StoreFormat, creates: Bool) throws {
    self.path = path
    if access(path, F_OK) != 0 {
      guard creates else { return nil }
      try Self.makeFile(path)
    }
    // Other users of the machine must not read it, also if it was copied with other rights.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    connection = Mutex(try Self.open(path, format))
  }

  /// A store without a file.
  ///
  /// - Throws: An error of GRDB.
  public init(inMemory format: StoreFormat) throws {
    path = ":memory:"
    connection = Mutex(try Self.open(path, format))
  }

  /// Closes the file; accesses throw ``StoreFileError/closed`` from then on.
  public func close() {
    connection.withLock { queue in
      try? queue?.close()
      queue = nil
    }
  }

  /// Reads in one transaction.
  public func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer { try withQueue { try $0.read(body) } }

  /// Changes the file in one transaction, which begins at once, so that two processes do not both read first and then wait
  /// for each other.
  ///
  /// - Throws: As ``read(_:)``.
  public func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try withoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      do {
        let answer = try body(database)
        try database.execute(sql: "COMMIT")
        return answer
      } catch {
        if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
        throw error
      }
    }
  }

  /// Gives access to the file outside of a transaction, for statements that need this, such as `VACUUM`.
  ///
  /// - Throws: As ``read(_:)``.
  public func withoutTransaction<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
    try withQueue { try $0.writeWithoutTransaction(body) }
  }

  private func withQueue<Answer>(_ body: (DatabaseQueue) throws -> Answer) throws -> Answer {
    var answer: Result<Answer, any Error> = .failure(StoreFileError.closed)
    connection.withLock { queue in
      if let queue { answer = Result { try body(queue) } }
    }
    return try answer.get()
  }

  // MARK: - Opening

  private static func makeFile(_ path: String) throws(StoreFileError) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      var made = ""
      for part in path[..<slash].split(separator: "/", omittingEmptySubsequences: false) {
        made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
        if made == "/" || access(made, F_OK) == 0 || mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
        throw .unusable(path: made, code: errno)
      }
    }
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path: path, code: errno) }
    Glibc.close(descriptor)
  }

  /// Seconds to wait for another process.
  private static let patience = 10

  /// Opens and prepares the file. While another process makes the file or closes it as the last one, SQLite refuses it at
  /// once, without waiting; then it is opened again.
  private static func open(_ path: String, _ format: StoreFormat) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(patience))
    configuration.label = format.label
    let end = ContinuousClock.now + .seconds(patience)
    while true {
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try prepare(queue, format)
        return queue
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(10_000)
      }
    }
  }

  private static func prepare(_ queue: DatabaseQueue, _ format: StoreFormat) throws {
    try queue.writeWithoutTransaction { database in
      if try version(database, format) < format.steps.count {
        for pragma in format.firstPragmas { try database.execute(sql: "PRAGMA \(pragma)") }
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.inTransaction(.immediate) {
          let found = try version(database, format)
          for (index, step) in format.steps.enumerated() where index >= found { try database.execute(sql: step) }
          if found == 0 { try format.fill(database) }
          try database.execute(
            sql: "PRAGMA application_id = \(format.applicationID); PRAGMA user_version = \(format.steps.count)")
          return .commit
        }
      }
      try database.execute(sql: "PRAGMA synchronous = FULL")
      for pragma in format.pragmas { try database.execute(sql: "PRAGMA \(pragma)") }
    }
  }

  private static func version(_ database: Database, _ format: StoreFormat) throws -> Int {
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    guard application == format.applicationID || isEmpty && found == 0 && application == 0 else {
      throw StoreFileError.foreign
    }
    guard found <= format.steps.count else { throw StoreFileError.newer }
    return found
  }
}

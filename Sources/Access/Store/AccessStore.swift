internal import Expressions
internal import GRDB
internal import Glibc
internal import Localization

/// Users, roles, sessions, tokens and the audit log, in a file of their own beside the run log.
///
/// The functions block until they are done. Changes are one transaction and on disk when they return. Several processes may
/// work with the file at once.
public struct AccessStore: Sendable {
  /// The name of the file in the state folder.
  public static let fileName = "access.db"

  /// The file.
  public let path: String
  /// The times and costs of sign-in.
  public let limits: AccessLimits
  private let queue: DatabaseQueue

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - creates: Whether it is made, with its folder, if it does not exist.
  ///   - limits: The times and costs of sign-in.
  /// - Returns: `nil` if it does not exist and is not to be made.
  /// - Throws: ``AccessError``: `foreign_file` for a file of another program or a newer Sous, `damaged_file`, `io`.
  public init?(path: String, creates: Bool, limits: AccessLimits = .standard) throws(AccessError) {
    (self.path, self.limits) = (path, limits)
    if access(path, F_OK) != 0 {
      guard creates else { return nil }
      try Self.makeFile(path)
    }
    // Others of the machine must not read it, also if it was copied with other rights.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    do {
      queue = try Self.open(path)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  /// Opens the file, which is made if it does not exist.
  ///
  /// - Throws: ``AccessError``: `foreign_file`, `damaged_file`, `io`.
  public static func opened(_ path: String, limits: AccessLimits = .standard) throws(AccessError) -> AccessStore {
    guard let store = try AccessStore(path: path, creates: true, limits: limits) else {
      throw AccessError(.failed, "\(path) cannot be opened", de: "\(path) lässt sich nicht öffnen")
    }
    return store
  }

  /// A store without a file and without users, for a process that has one caller: the user of the project.
  ///
  /// - Throws: ``AccessError`` with the code `io`.
  public static func inMemory() throws(AccessError) -> AccessStore { try AccessStore() }

  private init() throws(AccessError) {
    (path, limits) = (":memory:", .standard)
    do {
      queue = try Self.open(path)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  /// Closes the file.
  public func close() { try? queue.close() }

  func read<Answer>(_ body: (Database) throws -> Answer) throws(AccessError) -> Answer {
    do {
      return try queue.read(body)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  func write<Answer>(_ body: (Database) throws -> Answer) throws(AccessError) -> Answer {
    do {
      return try queue.writeWithoutTransaction { database in
        var answer: Answer?
        // At once, so that two processes do not both read first and then wait for each other.
        try database.inTransaction(.immediate) {
          answer = try body(database)
          return .commit
        }
        guard let answer else { throw AccessError(.failed, "no answer", de: "keine Antwort") }
        return answer
      }
    } catch {
      throw AccessError(error, path: path)
    }
  }

  func withoutTransaction(_ body: (Database) throws -> Void) throws(AccessError) {
    do {
      try queue.writeWithoutTransaction(body)
    } catch {
      throw AccessError(error, path: path)
    }
  }

  // MARK: - The file

  /// The mark of a file with users of Sous, as `PRAGMA application_id`: the letters `SOAC`.
  private static let applicationID = 0x534F_4143
  /// Every step of the schema; a published one is never edited.
  private static let steps = [AccessTables.first]

  private static func makeFile(_ path: String) throws(AccessError) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      var made = ""
      for part in path[..<slash].split(separator: "/", omittingEmptySubsequences: false) {
        made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
        if made == "/" || access(made, F_OK) == 0 || mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
        throw unusable(made, errno)
      }
    }
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unusable(path, errno) }
    Glibc.close(descriptor)
  }

  private static func unusable(_ path: String, _ code: Int32) -> AccessError {
    AccessError(
      .failed,
      LocalizedText("users cannot be stored in \(path): ", de: "Benutzer lassen sich nicht in \(path) speichern: ")
        + .systemError(code))
  }

  /// Seconds to wait for another process.
  private static let patience = 10

  /// Opens and prepares the file. While another process makes the file or closes it as the last one, SQLite refuses it at
  /// once, without waiting; then it is opened again.
  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(patience))
    configuration.label = "access"
    let end = ContinuousClock.now + .seconds(patience)
    while true {
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try prepare(queue, path: path)
        return queue
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(10_000)
      }
    }
  }

  private static func prepare(_ queue: DatabaseQueue, path: String) throws {
    try queue.writeWithoutTransaction { database in
      if try version(database, path) < steps.count {
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.inTransaction(.immediate) {
          let found = try version(database, path)
          for (index, step) in steps.enumerated() where index >= found { try database.execute(sql: step) }
          try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
          return .commit
        }
      }
      // Deleted names must not be readable in free pages of the file.
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    }
  }

  private static func version(_ database: Database, _ path: String) throws -> Int {
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    guard application == applicationID || isEmpty && found == 0 && application == 0 else {
      throw AccessError(
        .foreignFile, "\(path) is not a file with users of Sous", de: "\(path) ist keine Datei mit Benutzern von Sous")
    }
    guard found <= steps.count else {
      throw AccessError(
        .foreignFile, "\(path) was written by a newer Sous; update Sous",
        de: "\(path) stammt von einem neueren Sous; Sous aktualisieren")
    }
    return found
  }
}

extension AccessError {
  init(_ error: any Error, path: String) {
    if let error = error as? AccessError {
      self = error
      return
    }
    guard let error = error as? DatabaseError else {
      self.init(.failed, "\(path): \(error)", de: "\(path): \(error)")
      return
    }
    // The message of SQLite alone: a description of the error would contain the values of the statement.
    let cause = error.message ?? "SQLite \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB:
      self.init(
        .foreignFile, "\(path) is not a file with users of Sous; restore it from a backup, or move it away",
        de: "\(path) ist keine Datei mit Benutzern von Sous; aus einer Sicherung holen oder wegräumen")
    case .SQLITE_CORRUPT:
      self.init(
        .damagedFile, "\(path) is damaged: \(cause); restore it from a backup",
        de: "\(path) ist beschädigt: \(cause); aus einer Sicherung holen")
    case .SQLITE_BUSY:
      self.init(
        .failed, "\(path) is in use by another process; try again", de: "\(path) ist belegt; noch einmal versuchen")
    default:
      self.init(.failed, "\(path): \(cause)", de: "\(path): \(cause)")
    }
  }
}

extension Timestamp {
  /// Nanoseconds since 1970, as the database stores times; the nearest of the years 1678 to 2261.
  var stored: Int64 {
    let bounded = min(max(seconds, -9_223_372_036), 9_223_372_035)
    return bounded * 1_000_000_000 + Int64(bounded == seconds ? nanoseconds : 0)
  }

  init(stored: Int64) {
    let part = (stored % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    self.init(seconds: (stored - part) / 1_000_000_000, nanoseconds: Int32(part))
  }
}

internal import Expressions
internal import GRDB
internal import Glibc
internal import Localization

/// The notes of a workspace, in a file of their own beside the run log: no retention and no deletion of runs touches them.
///
/// The functions block until they are done. Changes are one transaction and on disk when they return. Several processes may
/// work with the file at once.
public struct NoteStore: Sendable {
  /// The bytes of every piece of a file's content but the last.
  public static let pieceSize = 256 << 10
  /// The most bytes of one text of a note.
  public static let textLimit = 16 << 20
  /// The most bytes of one file of a note.
  public static let fileLimit = 1 << 30

  /// The file.
  public let path: String
  private let queue: DatabaseQueue

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - creates: Whether it is made, with its folder, if there is none.
  /// - Returns: `nil` if there is none and none is to be made.
  /// - Throws: ``NoteError``: `foreign_file` for a file of another program or a newer Sous, `io`.
  public init?(path: String, creates: Bool) throws(NoteError) {
    self.path = path
    if access(path, F_OK) != 0 {
      guard creates else { return nil }
      try Self.makeFile(path)
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.label = "notes"
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try Self.prepare(queue, path: path)
    } catch {
      throw NoteError(error, path: path)
    }
  }

  /// Opens the file, which is made if there is none.
  ///
  /// - Throws: ``NoteError``: `foreign_file`, `io`.
  public static func opened(_ path: String) throws(NoteError) -> NoteStore {
    guard let store = try NoteStore(path: path, creates: true) else {
      throw NoteError(.failed, "\(path) cannot be opened", de: "\(path) lässt sich nicht öffnen")
    }
    return store
  }

  /// Closes the file.
  public func close() { try? queue.close() }

  func read<Answer>(_ body: (Database) throws -> Answer) throws(NoteError) -> Answer {
    do {
      return try queue.read(body)
    } catch {
      throw NoteError(error, path: path)
    }
  }

  func write<Answer>(_ body: (Database) throws -> Answer) throws(NoteError) -> Answer {
    do {
      return try queue.writeWithoutTransaction { database in
        var answer: Answer?
        // At once, so that two processes do not both read first and then wait for each other.
        try database.inTransaction(.immediate) {
          answer = try body(database)
          return .commit
        }
        guard let answer else { throw NoteError(.failed, "no answer", de: "keine Antwort") }
        return answer
      }
    } catch {
      throw NoteError(error, path: path)
    }
  }

  // MARK: - The file

  /// The mark of a file with notes of Sous, as `PRAGMA application_id`: the letters `SONO`.
  private static let applicationID = 0x534F_4E4F
  /// Every step of the schema; a published one is never edited.
  private static let steps = [NoteTables.first]

  /// Others of the machine shall not read notes.
  private static func makeFile(_ path: String) throws(NoteError) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      var made = ""
      for part in path[..<slash].split(separator: "/", omittingEmptySubsequences: false) {
        made += made.isEmpty && part.isEmpty ? "/" : (made.isEmpty || made == "/" ? "" : "/") + part
        if made == "/" || access(made, F_OK) == 0 || mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
        throw unusable(made, errno)
      }
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unusable(path, errno) }
    Glibc.close(descriptor)
  }

  private static func unusable(_ path: String, _ code: Int32) -> NoteError {
    NoteError(
      .failed,
      LocalizedText("the notes cannot be kept in \(path): ", de: "die Notizen lassen sich nicht in \(path) halten: ")
        + .systemError(code))
  }

  private static func prepare(_ queue: DatabaseQueue, path: String) throws {
    try queue.writeWithoutTransaction { database in
      if try version(database, path) < steps.count {
        try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.inTransaction(.immediate) {
          let found = try version(database, path)
          for (index, step) in steps.enumerated() where index >= found { try database.execute(sql: step) }
          if found == 0 { try NoteTables.addFirstCategories(database) }
          try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
          return .commit
        }
      }
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
  }

  private static func version(_ database: Database, _ path: String) throws -> Int {
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    guard application == applicationID || isEmpty && found == 0 && application == 0 else {
      throw NoteError(.foreign, "\(path) is not a file with notes", de: "\(path) ist keine Datei mit Notizen")
    }
    guard found <= steps.count else {
      throw NoteError(
        .foreign, "\(path) was written by a newer Sous; update Sous",
        de: "\(path) stammt von einem neueren Sous; Sous aktualisieren")
    }
    return found
  }
}

extension NoteError {
  init(_ error: any Error, path: String) {
    if let error = error as? NoteError {
      self = error
    } else {
      let cause = (error as? DatabaseError)?.message ?? "\(error)"
      self.init(.failed, "\(path): \(cause)", de: "\(path): \(cause)")
    }
  }
}

extension Timestamp {
  /// Nanoseconds since 1970, as the database keeps points in time; `nil` outside the years 1678 to 2261.
  var stored: Int64? {
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLarge) = whole.addingReportingOverflow(Int64(nanoseconds))
    return overflows || isTooLarge ? nil : sum
  }

  init(stored: Int64) {
    let part = (stored % 1_000_000_000 + 1_000_000_000) % 1_000_000_000
    self.init(seconds: (stored - part) / 1_000_000_000, nanoseconds: Int32(part))
  }
}

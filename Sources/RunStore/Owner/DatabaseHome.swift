internal import GRDB
internal import Glibc

/// Which file a run log is: what tells a copy from the original.
///
/// A copy holds the same unfinished runs. Whoever went on with them in both would do everything twice.
struct DatabaseHome: Sendable, Equatable {
  /// What a file is to the run log in it.
  enum Relation: Sendable, Equatable {
    /// It is where the run log was written last, perhaps under another name; or nobody has written down where that was.
    case original
    /// It has come in the place of that file, as a backup does that is restored.
    case restored
    /// It is another file in another place.
    case copy
  }

  /// The inode and the device, which a file keeps when it is moved within its file system, and in containers.
  var file: String
  /// Where it is, without links in it.
  var path: String
  /// The machine's mark, or its name where it has none.
  var machine: String

  /// The file at a path; `nil` where there is none.
  init?(of path: String) {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    file = "\(information.st_ino)@\(information.st_dev)"
    let whole = realpath(path, nil)
    defer { free(whole) }
    self.path = whole.map { String(cString: $0) } ?? path
    let process = ProcessIdentity.current
    machine = process.machine.isEmpty ? process.host : process.machine
  }

  init(file: String, path: String, machine: String) {
    self.file = file
    self.path = path
    self.machine = machine
  }

  /// What this file is to a run log that was in another one when it was last written down.
  func relation(to recorded: DatabaseHome?) -> Relation {
    guard let recorded, recorded.file != file else { return .original }
    return recorded.path == path && recorded.machine == machine ? .restored : .copy
  }

  // MARK: - In the database

  /// What is written down; `nil` where nothing is.
  static func recorded(_ database: Database, path: String) throws -> DatabaseHome? {
    let row = try Row.fetchOne(database, sql: "SELECT file, path, machine FROM home WHERE id = 1")
    return try row.map { row in
      let columns = RowReader(row: row, path: path)
      return DatabaseHome(
        file: try columns.text("file"), path: try columns.text("path"), machine: try columns.text("machine"))
    }
  }

  /// Writes it down.
  func write(_ database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO home (id, file, path, machine) VALUES (1, ?, ?, ?)",
      arguments: [file, path, machine])
  }

  /// Writes down where the file is, unless it is a copy in which runs would go on that go on elsewhere too.
  ///
  /// - Returns: The file; `nil` where there is none.
  static func settle(_ database: Database, path: String) throws -> DatabaseHome? {
    guard let found = DatabaseHome(of: path) else { return nil }
    let recorded = try recorded(database, path: path)
    guard recorded != found else { return found }
    if found.relation(to: recorded) == .copy, try unfinished(database) > 0 { return found }
    try found.write(database)
    return found
  }

  /// The original, where this file is a copy of it.
  static func original(_ database: Database, ofCopy found: DatabaseHome, path: String) throws -> DatabaseHome? {
    let recorded = try recorded(database, path: path)
    return found.relation(to: recorded) == .copy ? recorded : nil
  }

  /// How many runs have not ended, those of steps not counted.
  static func unfinished(_ database: Database) throws -> Int {
    try Int.fetchOne(
      database,
      sql: "SELECT count(*) FROM runs WHERE parent IS NULL AND status NOT IN (\(RunReading.finalStatuses))") ?? 0
  }
}

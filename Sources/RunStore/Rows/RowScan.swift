internal import Expressions
internal import GRDB
internal import GRDBSQLite

/// The rows of a statement that stays prepared, column by column and without a copy of what they hold.
final class RowScan {
  /// Keeps the C statement alive.
  private let statement: Statement
  private let path: String

  /// Prepares a query, or takes the statement of an earlier scan; of two scans with one text only one may be in use.
  ///
  /// - Parameters:
  ///   - path: The database file, for errors.
  ///   - arguments: What its parameters stand for; without them, those of ``begin(_:)``.
  init(_ sql: String, arguments: StatementArguments? = nil, _ database: Database, path: String) throws {
    statement = try database.cachedStatement(sql: sql)
    if let arguments { try statement.setArguments(arguments) }
    self.path = path
  }

  deinit { sqlite3_reset(statement.sqliteStatement) }

  // SQLITE_TRANSIENT, a macro that Swift cannot import: SQLite copies what is bound.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Begins anew, with a text as the only argument.
  func begin(_ text: String) {
    var text = text
    sqlite3_reset(statement.sqliteStatement)
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement.sqliteStatement, 1, $0.baseAddress, Int32(clamping: $0.count), Self.copied)
      }
    }
  }

  /// Goes to the next row; `false` after the last one.
  func next() throws -> Bool {
    let code = sqlite3_step(statement.sqliteStatement)
    if code == SQLITE_ROW { return true }
    guard code != SQLITE_DONE else { return false }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement.sqliteStatement))), sql: statement.sql)
  }

  // MARK: - Columns

  /// Lends out the bytes of a text or a blob; `nil` for null.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result? {
    let pointer = statement.sqliteStatement
    switch sqlite3_column_type(pointer, column) {
    case SQLITE_TEXT:
      guard let start = sqlite3_column_text(pointer, column) else { return nil }
      return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(pointer, column)
      return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    default: return nil
    }
  }

  func optionalText(_ column: Int32) -> String? { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

  func text(_ column: Int32) throws -> String {
    guard let text = optionalText(column) else { throw damage(column) }
    return text
  }

  func optionalInteger(_ column: Int32) -> Int? {
    let pointer = statement.sqliteStatement
    guard sqlite3_column_type(pointer, column) == SQLITE_INTEGER else { return nil }
    return Int(sqlite3_column_int64(pointer, column))
  }

  func integer(_ column: Int32) throws -> Int {
    guard let number = optionalInteger(column) else { throw damage(column) }
    return number
  }

  /// A column of any number.
  func number(_ column: Int32) -> Double? {
    let pointer = statement.sqliteStatement
    let type = sqlite3_column_type(pointer, column)
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_column_double(pointer, column) : nil
  }

  /// What to say of a column that holds something else than it should.
  func damage(_ column: Int32) -> RunStoreError {
    let name = sqlite3_column_name(statement.sqliteStatement, column).map { String(cString: $0) } ?? "\(column)"
    return .damaged(path: path, cause: "column \(name) cannot be read")
  }
}

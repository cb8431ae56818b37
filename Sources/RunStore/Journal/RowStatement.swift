internal import Expressions
internal import GRDB
internal import GRDBSQLite

/// A statement that is prepared once and filled in value by value, in the order of its parameters.
///
/// GRDB makes an array of boxed values for each row, which costs more than the work of SQLite. Measured together with writing one row
/// for a beginning and its end: a step without effects costs half the processor time.
final class RowStatement {
  /// Keeps the C statement alive.
  private let statement: Statement
  /// Where texts stand while the statement is carried out, so that SQLite need not copy them.
  private let texts: UnsafeMutablePointer<CChar>
  private var length = 0
  private var parameter: Int32 = 0
  private var failure: Int32 = SQLITE_OK

  /// Prepares a statement that gives no row, or one.
  init(_ sql: String, _ database: Database) throws {
    statement = try database.makeStatement(sql: sql)
    texts = .allocate(capacity: RowStatement.capacity)
  }

  deinit { texts.deallocate() }

  private var pointer: OpaquePointer { statement.sqliteStatement }

  /// Bytes of texts of one row that SQLite need not copy.
  private static let capacity = 8192

  /// Has SQLite copy a value before the call returns.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  // MARK: - Parameters

  func bind(_ text: String) {
    var text = text
    text.withUTF8 { bind(text: $0) }
  }

  func bind(_ text: String?) {
    guard let text else { return bindNull() }
    bind(text)
  }

  /// Binds UTF-8.
  func bind(text: UnsafeBufferPointer<UInt8>) {
    let place = texts + length
    let code: Int32
    if text.count <= RowStatement.capacity - length {
      if let start = text.baseAddress { UnsafeMutableRawPointer(place).copyMemory(from: start, byteCount: text.count) }
      length += text.count
      code = sqlite3_bind_text(pointer, next(), place, Int32(text.count), nil)
    } else {
      code = text.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(
          pointer, next(), $0.baseAddress, UInt64($0.count), RowStatement.copied, UInt8(SQLITE_UTF8))
      }
    }
    take(code)
  }

  /// Binds JSON as text where it is kept in its row, and its blob's name after it.
  func bind(_ value: StoredValue) {
    if value.hash == nil { value.bytes.withUnsafeBufferPointer { bind(text: $0) } } else { bindNull() }
    bind(value.hash)
  }

  func bind(_ number: Int) { take(sqlite3_bind_int64(pointer, next(), Int64(number))) }

  func bind(_ number: Int?) {
    guard let number else { return bindNull() }
    bind(number)
  }

  func bind(_ number: Double?) {
    guard let number else { return bindNull() }
    take(sqlite3_bind_double(pointer, next(), number))
  }

  func bindNull() { take(sqlite3_bind_null(pointer, next())) }

  private func next() -> Int32 {
    parameter += 1
    return parameter
  }

  private func take(_ code: Int32) {
    if failure == SQLITE_OK { failure = code }
  }

  // MARK: - Execution

  /// Carries the statement out and makes it ready for the next row.
  ///
  /// - Throws: `DatabaseError`, without the values: those could be secrets.
  func run() throws {
    _ = try step { _ in }
  }

  /// Carries a query out whose first column is a whole number, and makes it ready for the next one.
  ///
  /// - Returns: The number in the first row; `nil` where there is no row.
  /// - Throws: `DatabaseError`, without the values: those could be secrets.
  func integer() throws -> Int64? {
    try step { sqlite3_column_int64($0, 0) }
  }

  /// Carries the statement out as far as its first row, and makes it ready for the next time.
  private func step<Column>(_ read: (OpaquePointer) -> Column) throws -> Column? {
    defer {
      parameter = 0
      length = 0
      failure = SQLITE_OK
    }
    guard failure == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: failure), sql: statement.sql)
    }
    let code = sqlite3_step(pointer)
    let column = code == SQLITE_ROW ? read(pointer) : nil
    let isDone = code == SQLITE_ROW || code == SQLITE_DONE
    let message = isDone ? nil : String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer)))
    sqlite3_reset(pointer)
    guard let message else { return column }
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
  }
}

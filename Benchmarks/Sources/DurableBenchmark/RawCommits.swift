import GRDBSQLite
import Glibc

/// What SQLite itself can do here: the measure for everything else.
struct RawCommits {
  /// Why there is no figure.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let database: OpaquePointer
  private let insert: OpaquePointer
  private var row: Int64 = 0

  /// Opens a database of its own, with the settings of the run log and a table like that of its attempts.
  init(folder: String) throws {
    for ending in ["", "-wal", "-shm"] { unlink(folder + "/raw.db" + ending) }
    var handle: OpaquePointer?
    guard sqlite3_open(folder + "/raw.db", &handle) == SQLITE_OK, let handle else {
      throw Failure(description: "\(folder)/raw.db cannot be opened")
    }
    database = handle
    try Self.execute(
      """
      PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS attempts (
        run TEXT NOT NULL, step INTEGER NOT NULL, item INTEGER NOT NULL, number INTEGER NOT NULL,
        provider TEXT NOT NULL, idempotency_key TEXT NOT NULL, status TEXT NOT NULL, started_at TEXT NOT NULL,
        input_bytes INTEGER NOT NULL, PRIMARY KEY (run, step, item, number)) WITHOUT ROWID, STRICT;
      """, handle)
    var statement: OpaquePointer?
    let sql = """
      INSERT INTO attempts VALUES ('01JDPZ1V5N3MT0S8EVB9KXD2WQ', ?, -1, 1, 'main',
        '01JDPZ1V5N3MT0S8EVB9KXD2WQ.append', 'running', '2026-01-01T00:00:00.000Z', 64)
      """
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
    insert = statement
  }

  func close() {
    sqlite3_finalize(insert)
    sqlite3_close(database)
  }

  /// Commits of one row each in a second, each on the disk before the next.
  ///
  /// - Parameter duration: For how many seconds to go on.
  mutating func singleCommits(for duration: Double) throws -> Double {
    let begin = seconds()
    var count = 0
    var elapsed = 0.0
    repeat {
      try step()
      count += 1
      elapsed = seconds() - begin
    } while elapsed < duration
    return Double(count) / elapsed
  }

  /// Rows in a second, all of one transaction.
  mutating func rows(_ count: Int) throws -> Double {
    let begin = seconds()
    try Self.execute("BEGIN IMMEDIATE", database)
    for _ in 0..<count { try step() }
    try Self.execute("COMMIT", database)
    return Double(count) / (seconds() - begin)
  }

  private mutating func step() throws {
    row += 1
    sqlite3_bind_int64(insert, 1, row)
    guard sqlite3_step(insert) == SQLITE_DONE else {
      throw Failure(description: String(cString: sqlite3_errmsg(database)))
    }
    sqlite3_reset(insert)
  }

  private static func execute(_ sql: String, _ database: OpaquePointer) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(description: String(cString: sqlite3_errmsg(database)))
    }
  }
}

internal import Engine
internal import GRDB

/// What is recorded of one run, part by part, inside one snapshot of the database.
struct RunParts {
  let database: Database
  let run: RunID
  /// The database file, for errors.
  let path: String

  /// The run with its steps, without attempts and outputs of items.
  func outline() throws -> RunRecord { try RunReading.record(run, limit: 0, database, path: path) }

  /// Goes through the attempts of a step, by item and number.
  func forEachAttempt(of step: Int, _ body: (AttemptRecord) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT * FROM attempts WHERE run = ? AND step = ? ORDER BY item, number",
      arguments: [run.rawValue, step])
    while let row = try rows.next() { try body(RunReading.attempt(RowReader(row: row, path: path))) }
  }
}

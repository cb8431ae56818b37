import GRDB

/// Looks into a database file, and changes it, from outside the store.
struct DatabaseProbe {
  private let queue: DatabaseQueue

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    // A test may leave a transaction open to stand in the way.
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// The first column of the first row.
  func number(_ sql: String) async throws -> Int? { try await queue.read { try Int.fetchOne($0, sql: sql) } }

  /// The first column of every row, as text.
  func texts(_ sql: String) async throws -> [String] {
    try await queue.read { database in try String.fetchAll(database, sql: sql) }
  }

  /// The first column of the first row, as text.
  func text(_ sql: String) async throws -> String? { try await texts(sql).first }

  /// Carries statements out, outside of any transaction of its own.
  func execute(_ sql: String) async throws {
    try await queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }
}

internal import Engine
internal import Expressions
internal import GRDB
internal import Synchronization

/// What a search has found beside the index.
struct UnindexedFindings: Sendable {
  /// The names of runs, as a list in JSON.
  var runs: String
  /// The numbers of log lines, as a list in JSON.
  var lines: String
}

extension RunStore {
  /// Texts that are looked through at once.
  private static let textStep = 64
  /// Log lines that are looked through at once.
  private static let unindexedLineStep = 2000

  /// Looks through what the index of searches does not know, for a run log that may not be written; queries for these
  /// words then find that as well.
  ///
  /// It takes as long as writing the index would, a little at a time in memory, and leaves nothing behind.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func searchWithoutIndex(_ words: SearchWords) async throws(RunStoreError) {
    let found = try await read { database in
      let scratch = try SearchScratch(words)
      return UnindexedFindings(
        runs: try RunStore.unindexedRuns(scratch, database), lines: try RunStore.unindexedLines(scratch, database))
    }
    unindexed.withLock { $0[words] = found }
  }

  /// What ``searchWithoutIndex(_:)`` has found.
  func findings(for words: SearchWords?) -> UnindexedFindings? {
    words.flatMap { words in unindexed.withLock { $0[words] } }
  }

  private static func unindexedRuns(_ scratch: SearchScratch, _ database: Database) throws -> String {
    // A run that had not ended when it was indexed may have more to say by now.
    let runs = try String.fetchAll(
      database,
      sql: """
        SELECT id FROM runs
        WHERE NOT EXISTS (SELECT 1 FROM run_texts WHERE run = runs.id AND is_complete = 1) ORDER BY id
        """)
    var found: [Value] = []
    for start in stride(from: 0, to: runs.count, by: RunStore.textStep) {
      let part = runs[start..<min(start + RunStore.textStep, runs.count)]
      let texts = try part.map { try RunStore.searchText(of: $0, database) }
      let matches = try scratch.matches(texts.enumerated().map { (Int64($0.offset), $0.element) })
      for match in matches { found.append(.string(runs[start + Int(match)])) }
    }
    return Value.list(found).jsonString
  }

  private static func unindexedLines(_ scratch: SearchScratch, _ database: Database) throws -> String {
    var last = try Int64.fetchOne(database, sql: "SELECT line FROM log_progress WHERE id = 1") ?? 0
    var found: [Value] = []
    while true {
      let lines = try Row.fetchAll(
        database, sql: "SELECT id, message FROM logs WHERE id > ? ORDER BY id LIMIT ?",
        arguments: [last, RunStore.unindexedLineStep]
      ).map { row -> (Int64, String) in (row[0], row[1]) }
      guard let end = lines.last else { return Value.list(found).jsonString }
      last = end.0
      found += try scratch.matches(lines).map(Value.int)
    }
  }
}

/// Tells which texts hold the words of a search, by the rules of the index.
private struct SearchScratch {
  private let texts: DatabaseQueue
  private let query: String

  init(_ words: SearchWords) throws {
    query = words.query
    texts = try DatabaseQueue()
    try texts.write { database in
      try database.execute(
        sql: "CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='unicode61 remove_diacritics 2')")
    }
  }

  /// The numbers of the texts that hold the words.
  func matches(_ some: [(number: Int64, text: String)]) throws -> [Int64] {
    try texts.write { database in
      let insertion = try database.cachedStatement(sql: "INSERT INTO texts (rowid, text) VALUES (?, ?)")
      for (number, text) in some { try insertion.execute(arguments: [number, text]) }
      let found = try Int64.fetchAll(
        database, sql: "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid", arguments: [query])
      try database.execute(sql: "DELETE FROM texts")
      return found
    }
  }
}

public import Engine
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

  /// Looks through what the index of searches does not know, where that may not be written or is far behind; queries for
  /// these words then find that as well.
  ///
  /// It leaves nothing behind. Texts in which the words cannot occur are left out by a look at their bytes, which is some
  /// ten times as fast as the index would take them in.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func searchWithoutIndex(_ words: SearchWords) async throws(RunStoreError) {
    let path = path
    let found = try await read { database in
      let scratch = try SearchScratch(words)
      return UnindexedFindings(
        runs: try RunStore.unindexedRuns(scratch, database, path: path),
        lines: try RunStore.unindexedLines(scratch, database, path: path))
    }
    unindexed.withLock { $0[words] = found }
  }

  /// What ``searchWithoutIndex(_:)`` has found.
  func findings(for words: SearchWords?) -> UnindexedFindings? {
    words.flatMap { words in unindexed.withLock { $0[words] } }
  }

  private static func unindexedRuns(_ scratch: SearchScratch, _ database: Database, path: String) throws -> String {
    // A run that had not ended when it was indexed may have more to say by now.
    let runs = try String.fetchAll(
      database,
      sql: """
        SELECT id FROM runs WHERE number > (SELECT run FROM search_progress WHERE id = 1)
        UNION SELECT run FROM run_texts WHERE is_complete = 0
        """)
    let texts = [
      (scan: try RowScan(textsOfRun, database, path: path), columns: Int32(6)),
      (scan: try RowScan(textsOfParts, database, path: path), columns: Int32(2)),
    ]
    var prefilter = scratch.prefilter
    var candidates: [String] = []
    for run in runs {
      prefilter.begin()
      for (scan, columns) in texts {
        scan.begin(run)
        while try scan.next() { for column in 0..<columns { _ = scan.withBytes(column) { prefilter.add($0) } } }
      }
      if prefilter.isCandidate { candidates.append(run) }
    }
    var found: [Value] = []
    for start in stride(from: 0, to: candidates.count, by: RunStore.textStep) {
      let part = candidates[start..<min(start + RunStore.textStep, candidates.count)]
      let texts = try part.map { try RunStore.searchText(of: $0, database) }
      let matches = try scratch.matches(texts.enumerated().map { (Int64($0.offset), $0.element) })
      for match in matches { found.append(.string(candidates[start + Int(match)])) }
    }
    return Value.list(found).jsonString
  }

  private static func unindexedLines(_ scratch: SearchScratch, _ database: Database, path: String) throws -> String {
    let lines = try RowScan(
      "SELECT id, message FROM logs WHERE id > (SELECT line FROM search_progress WHERE id = 1) ORDER BY id",
      database, path: path)
    var prefilter = scratch.prefilter
    var found: [Value] = []
    var part: [(Int64, String)] = []
    while try lines.next() {
      prefilter.begin()
      _ = lines.withBytes(1) { prefilter.add($0) }
      guard prefilter.isCandidate else { continue }
      part.append((Int64(try lines.integer(0)), try lines.text(1)))
      guard part.count >= RunStore.unindexedLineStep else { continue }
      found += try scratch.matches(part).map(Value.int)
      part = []
    }
    found += try scratch.matches(part).map(Value.int)
    return Value.list(found).jsonString
  }
}

/// Tells which texts hold the words of a search, by the rules of the index.
struct SearchScratch {
  private let texts: DatabaseQueue
  private let query: String
  let prefilter: SearchPrefilter

  init(_ words: SearchWords) throws {
    query = words.query
    prefilter = SearchPrefilter(words)
    texts = try DatabaseQueue()
    try texts.write { database in
      try database.execute(
        sql: "CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='unicode61 remove_diacritics 2')")
    }
  }

  /// The numbers of the texts that hold the words.
  func matches(_ some: [(number: Int64, text: String)]) throws -> [Int64] {
    if some.isEmpty { return [] }
    return try texts.write { database in
      let insertion = try database.cachedStatement(sql: "INSERT INTO texts (rowid, text) VALUES (?, ?)")
      for (number, text) in some { try insertion.execute(arguments: [number, text]) }
      let found = try Int64.fetchAll(
        database, sql: "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid", arguments: [query])
      try database.execute(sql: "DELETE FROM texts")
      return found
    }
  }
}

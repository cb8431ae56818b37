internal import Engine
internal import Expressions
internal import GRDB

/// Finds what retention removes.
struct RetentionReading {
  let database: Database
  let policy: RetentionPolicy
  let now: Timestamp

  private static let ended = "parent IS NULL AND status IN (\(RunReading.finalStatuses))"

  /// The runs of which a part is gone already, then the oldest that exceed a bound; none that something unfinished
  /// belongs to or repeats.
  ///
  /// What goes for one bound counts for the others.
  ///
  /// - Parameter limit: At most so many.
  func surplus(limit: Int) throws -> [String] {
    let begun = try String.fetchAll(
      database,
      sql: """
        SELECT id FROM runs INDEXED BY runs_by_status WHERE status = \(RunReading.removed) AND parent IS NULL
        """
    ).filter { try Self.isFree($0, database) }
    let limit = limit - begun.count
    guard limit > 0 else { return begun }
    var found: [String] = []
    var going: Set<String> = []
    func add(_ runs: [String]) { for run in runs where going.insert(run).inserted { found.append(run) } }
    for (recipe, limits) in policy.recipes.sorted(by: { $0.key < $1.key }) {
      add(try surplus(recipe: recipe, limits, limit: limit))
    }
    // What holds for single recipes stands above the age that holds for all.
    let others = policy.recipes.keys.filter { policy.recipes[$0]?.age != nil }.sorted()
    let marks = Array(repeating: "?", count: others.count).joined(separator: ", ")
    if let age = policy.age {
      add(
        try oldest(
          "ended_at < ? AND recipe NOT IN (\(marks))", [text(before: age)] + StatementArguments(others), limit: limit))
    }
    if let bound = policy.runs, found.count < limit {
      let count =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM runs INDEXED BY runs_ended WHERE \(Self.ended)") ?? 0
      let rest = min(limit, count - bound) - found.count
      if rest > 0 { add(try oldest("1", [], limit: rest, except: going)) }
    }
    if begun.isEmpty, found.isEmpty, let size = policy.size, try DatabasePages(database).usedBytes > size {
      // About as many as are beyond it, so that the bound is looked at again before too many are gone.
      let all = max(1, try Int.fetchOne(database, sql: "SELECT count(*) FROM runs") ?? 0)
      let pages = try DatabasePages(database)
      let share = Double(pages.usedBytes - size) / Double(max(1, pages.usedBytes))
      add(try oldest("1", [], limit: min(limit, max(8, Int(Double(all) * share / 2)))))
    }
    return begun + found.prefix(limit)
  }

  private func surplus(recipe: String, _ limits: RetentionPolicy.Limits, limit: Int) throws -> [String] {
    var found: [String] = []
    if let age = limits.age {
      found += try oldest("ended_at < ? AND recipe = ?", [text(before: age), recipe], limit: limit)
    }
    // All of them are counted in an index alone, without looking at each; mostly that settles it.
    if let bound = limits.runs,
      try Int.fetchOne(database, sql: "SELECT count(*) FROM runs WHERE recipe = ?", arguments: [recipe]) ?? 0 > bound
    {
      let count =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM runs WHERE recipe = ? AND \(Self.ended)", arguments: [recipe]) ?? 0
      if count > bound { found += try oldest("recipe = ?", [recipe], limit: min(limit, count - bound)) }
    }
    return found
  }

  /// The oldest ended runs for which something holds, those apart to which an unfinished one belongs, or which one repeats.
  private func oldest(
    _ condition: String, _ arguments: StatementArguments, limit: Int, except others: Set<String> = []
  ) throws -> [String] {
    let rows = try String.fetchCursor(
      database,
      sql: """
        SELECT id FROM runs INDEXED BY runs_ended WHERE \(Self.ended) AND \(condition) ORDER BY ended_at, id
        """, arguments: arguments)
    var found: [String] = []
    while found.count < limit, let run = try rows.next() {
      if !others.contains(run), try Self.isFree(run, database) { found.append(run) }
    }
    return found
  }

  /// Whether all runs that belong to a run have ended, and those that repeat it or a part of it: they go on with what it
  /// and its parts have done.
  static func isFree(_ run: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE tree (id) AS (
            SELECT ? UNION SELECT runs.id FROM runs JOIN tree ON runs.parent = tree.id
            UNION SELECT runs.id FROM runs JOIN tree ON runs.origin = tree.id)
          SELECT 1 FROM tree JOIN runs USING (id)
          WHERE status NOT IN (\(RunReading.finalStatuses), \(RunReading.removed)) LIMIT 1
          """), arguments: [run]) == nil
  }

  /// The runs that go with a run, those without children first, the run itself last.
  static func tree(of run: String, _ database: Database) throws -> [String] {
    try String.fetchAll(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE tree (id, depth) AS (
            SELECT id, 0 FROM runs WHERE id = ? UNION SELECT runs.id, depth + 1 FROM runs JOIN tree ON parent = tree.id
            WHERE depth < 64)
          SELECT id FROM tree ORDER BY depth DESC
          """), arguments: [run])
  }

  private func text(before seconds: Double) -> String { now.adding(seconds: -seconds).rfc3339Milliseconds }

  /// No run can receive events from before this time: every run that has not ended was recorded later.
  var oldestWanted: String {
    get throws {
      let oldest = try String.fetchOne(
        database,
        sql: """
          SELECT min(\(WaitMatching.recordedAt)) FROM runs
          WHERE status IN ('queued', 'running', 'waiting', 'interrupted', 'needs_attention')
          """)
      return min(oldest ?? "9", now.rfc3339Milliseconds)
    }
  }
}

/// How large the database is.
struct DatabasePages {
  let size: Int
  let count: Int
  let free: Int

  init(_ database: Database) throws {
    size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
    count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
  }

  /// Bytes of the file.
  var bytes: Int { count * size }
  /// Bytes of what it holds.
  var usedBytes: Int { (count - free) * size }
}

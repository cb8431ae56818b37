public import Engine
internal import Expressions
internal import GRDB
import Plans
public import RecipeModel
import RecipeSyntax
import Schemas

extension RunStore {
  // MARK: - Calls

  /// Notes a call of a model that is about to begin, where no budget is against it. All processes that work with the run
  /// log take turns here, so that of several calls at once none goes beyond a budget.
  ///
  /// - Throws: ``RunStoreError``.
  public func reserve(_ call: CallReservation, budgets: [BudgetBound]) async throws -> CallAdmission {
    guard let process = writer?.owner else { throw RunStoreError.readOnly(path: path) }
    let path = path
    return try await change { writing in
      try UsageWriter(database: writing.database)
        .reserve(call, budgets, owner: writing.owner, process: process, path: path)
    }
  }

  /// Writes what calls outside of runs have used; those of runs come with the end of their attempt.
  ///
  /// - Throws: ``RunStoreError``.
  public func settle(_ usage: [CallUsage]) async throws {
    try await change { writing in
      for call in usage { try UsageWriter(database: writing.database).settle(call) }
    }
  }

  // MARK: - Reading

  /// What calls of models have used, the largest first, or by day.
  ///
  /// - Parameters:
  ///   - filter: Which calls.
  ///   - grouping: What the rows stand for.
  ///   - price: What tokens of a provider's model cost that had no price when they were used.
  /// - Throws: ``RunStoreError``.
  public func usage(
    _ filter: UsageFilter = UsageFilter(), by grouping: UsageGrouping,
    price: @Sendable (_ provider: String, _ model: String) -> EngineSettings.Price? = { _, _ in nil }
  ) async throws -> [UsageSummary] {
    let path = path
    let rows = try await look { database in try UsageReading(database: database, path: path).rows(filter, grouping) }
    var found: [String: UsageSummary] = [:]
    for row in rows {
      var summary = row.summary
      if summary.cost == nil, summary.tokens.total > 0 {
        let tokens = summary.tokens
        summary.cost = price(row.provider, row.model)?
          .cost(prompt: tokens.prompt, cached: tokens.cached, completion: tokens.completion)
        if summary.cost == nil { summary.unpriced = tokens.total }
      }
      found[summary.key, default: UsageSummary(key: summary.key)].add(summary)
    }
    return found.values.sorted { left, right in
      switch grouping {
      case .day, .run: left.key < right.key
      default: left.tokens.total != right.tokens.total ? left.tokens.total > right.tokens.total : left.key < right.key
      }
    }
  }
}

/// Reads the table of usage.
struct UsageReading {
  /// A part of a summary, of one model.
  struct Row: Sendable {
    var provider: String
    var model: String
    var summary: UsageSummary
  }

  let database: Database
  /// The database file, for errors.
  let path: String

  func rows(_ filter: UsageFilter, _ grouping: UsageGrouping) throws -> [Row] {
    var conditions = ["TRUE"]
    var arguments = StatementArguments()
    if let since = filter.since {
      conditions.append("at >= ?")
      arguments += [since.rfc3339Milliseconds]
    }
    if let until = filter.until {
      conditions.append("at < ?")
      arguments += [until.rfc3339Milliseconds]
    }
    if let recipe = filter.recipe {
      conditions.append("recipe = ?")
      arguments += [recipe]
    }
    if let provider = filter.provider {
      conditions.append("provider = ?")
      arguments += [provider]
    }
    if let run = filter.run {
      conditions.append(
        """
        run IN (WITH RECURSIVE family (id) AS (SELECT ? UNION SELECT runs.id FROM family
          JOIN runs ON runs.parent = family.id) SELECT id FROM family)
        """)
      arguments += [run.rawValue]
    }
    let rows = try GRDB.Row.fetchCursor(
      database,
      sql: """
        SELECT coalesce(\(Self.column(grouping)), '') AS key, provider, model, cost IS NULL AS unpriced, count(*) AS calls,
          sum(state = 'failed') AS failed, sum(\(try lost())) AS unknown, sum(state = 'answered') AS answered,
          sum(state = 'open' AND NOT \(try lost())) AS open,
          sum(prompt_tokens) AS prompt, sum(cached_tokens) AS cached, sum(completion_tokens) AS completion,
          sum(reasoning_tokens) AS reasoning, total(cost) AS cost,
          total(CASE WHEN state = 'answered' THEN duration_ms END) AS duration, total(first_ms) AS first,
          count(first_ms) AS streamed
        FROM usage WHERE \(conditions.joined(separator: " AND ")) GROUP BY key, provider, model, unpriced
        """, arguments: arguments)
    var found: [Row] = []
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      var summary = UsageSummary(key: try columns.text("key"))
      summary.calls = try columns.integer("calls")
      summary.failed = try columns.integer("failed")
      summary.unknown = try columns.integer("unknown")
      summary.open = try columns.integer("open")
      summary.answered = try columns.integer("answered")
      summary.tokens = TokenCount(
        prompt: try columns.integer("prompt"), completion: try columns.integer("completion"),
        cached: try columns.integer("cached"), reasoning: try columns.integer("reasoning"))
      if try columns.integer("unpriced") == 0 { summary.cost = columns.number("cost") }
      summary.duration = columns.seconds("duration") ?? 0
      summary.firstPiece = columns.seconds("first") ?? 0
      summary.streamed = try columns.integer("streamed")
      found.append(Row(provider: try columns.text("provider"), model: try columns.text("model"), summary: summary))
    }
    return found
  }

  private static func column(_ grouping: UsageGrouping) -> String {
    switch grouping {
    case .step: "CASE WHEN step IS NULL THEN recipe ELSE recipe || '.' || step END"
    case .run, .recipe, .provider, .model, .day, .action: grouping.rawValue
    }
  }

  /// The condition of calls whose answer nobody knows: those of processes that are gone among them.
  private func lost() throws -> String {
    let rows = try GRDB.Row.fetchAll(
      database,
      sql: """
        SELECT * FROM processes WHERE id IN (SELECT owner FROM usage INDEXED BY usage_open WHERE state = 'open')
        """)
    let gone = try rows.map { try OwnerRecord(RowReader(row: $0, path: path)) }.filter(Owner.isGone).map(\.id)
    let list = gone.map(String.init).joined(separator: ", ")
    return "(state = 'unknown' OR state = 'open' AND (owner IS NULL OR owner IN (\(list))))"
  }

  /// The calls of a run, in their order; at most so many.
  func calls(of run: RunID, limit: Int) throws -> [CallRecord] {
    try GRDB.Row.fetchAll(
      database,
      sql: "SELECT *, \(try lost()) AS is_lost FROM usage WHERE run = ? ORDER BY number LIMIT ?",
      arguments: [run.rawValue, limit]
    ).map { row in
      let columns = RowReader(row: row, path: path)
      let isLost = columns.optionalInteger("is_lost") == 1
      return CallRecord(
        at: try columns.time("at"), step: columns.optionalText("step"), item: columns.optionalInteger("item"),
        attempt: columns.optionalInteger("attempt"), action: try columns.text("action"),
        provider: try columns.text("provider"), model: try columns.text("model"),
        state: isLost ? .unknown : try columns.choice("state"),
        failure: columns.optionalText("failure").map(ActionFailure.Kind.init(rawValue:)),
        tokens: TokenCount(
          prompt: try columns.integer("prompt_tokens"), completion: try columns.integer("completion_tokens"),
          cached: try columns.integer("cached_tokens"), reasoning: try columns.integer("reasoning_tokens")),
        cost: columns.number("cost"), duration: columns.seconds("duration_ms"),
        firstPiece: columns.seconds("first_ms"))
    }
  }
}

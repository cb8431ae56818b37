internal import Engine
internal import Expressions
internal import GRDB
import Plans

/// Writes what calls of models use, inside a transaction.
struct UsageWriter {
  let database: Database

  // MARK: - Before a call

  /// Notes a call that is about to begin, where no budget is against it.
  ///
  /// - Parameters:
  ///   - owner: The row of `processes` that makes it.
  ///   - process: Tells which others are gone, whose calls count no more.
  func reserve(
    _ call: CallReservation, _ budgets: [BudgetBound], owner: Int64, process: Owner, path: String
  ) throws -> CallAdmission {
    if !budgets.isEmpty {
      try releaseGone(owner, process, path: path)
      for budget in budgets {
        if let excess = try excess(of: budget, call) { return .refused(excess) }
      }
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO usage (owner, at, day, run, recipe, step, item, attempt, action, provider, model, state,
          reserved_tokens, reserved_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)
        """
    ).execute(
      arguments: [
        owner, call.at.rfc3339Milliseconds, call.day, call.run?.rawValue, call.recipe, call.step, call.item,
        call.attempt, call.action, call.provider, call.model, call.tokens, call.cost ?? 0,
      ])
    return .admitted(database.lastInsertedRowID)
  }

  /// Calls of processes that are gone end here, by the rule by which their runs are claimed.
  private func releaseGone(_ owner: Int64, _ process: Owner, path: String) throws {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM processes
          WHERE id <> ? AND id IN (SELECT owner FROM usage INDEXED BY usage_open WHERE state = 'open')
          """), arguments: [owner])
    for row in rows {
      let other = try OwnerRecord(RowReader(row: row, path: path))
      guard process.isGone(other) else { continue }
      try database.execute(
        sql: """
          UPDATE usage SET state = 'unknown', owner = NULL, reserved_tokens = 0, reserved_cost = 0
          WHERE owner = ? AND state = 'open'
          """, arguments: [other.id])
    }
  }

  /// Why a budget does not admit a call; `nil` where it does.
  private func excess(of budget: BudgetBound, _ call: CallReservation) throws -> BudgetExcess? {
    let (condition, arguments) = Self.condition(budget, call)
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT total(prompt_tokens + completion_tokens + reserved_tokens) AS tokens,
            total(coalesce(cost, 0) + reserved_cost) AS cost,
            total(CASE WHEN state = 'open' THEN reserved_tokens END) AS open_tokens,
            total(CASE WHEN state = 'open' THEN reserved_cost END) AS open_cost
          FROM usage WHERE \(condition)
          """), arguments: arguments)
    let tokens = Self.count(found?["tokens"])
    let cost: Double = found?["cost"] ?? 0
    guard let lack = Self.lack(budget.bound, tokens, cost, call) else { return nil }
    let openCost: Double = found?["open_cost"] ?? 0
    var excess = BudgetExcess(budget: budget, tokens: tokens, cost: cost, isUnpriced: lack == .price)
    excess.mayPass =
      Self.lack(budget.bound, tokens - Self.count(found?["open_tokens"]), cost - openCost, call) == nil
    return excess
  }

  private enum Lack { case room, price }

  /// What keeps a call from a bound; `nil` where nothing does.
  private static func lack(_ bound: Budget.Bound, _ tokens: Int, _ cost: Double, _ call: CallReservation) -> Lack? {
    let (sum, isTooLarge) = tokens.addingReportingOverflow(call.tokens)
    if let most = bound.tokens, isTooLarge || sum > most { return .room }
    guard let most = bound.cost else { return nil }
    guard let own = call.cost else { return .price }
    // Sums of amounts in binary are off by less than this.
    return cost + own > most + 1e-9 ? .room : nil
  }

  private static func count(_ number: Double?) -> Int { number.flatMap { Int(exactly: $0.rounded()) } ?? 0 }

  private static func condition(_ budget: BudgetBound, _ call: CallReservation) -> (String, StatementArguments) {
    let span =
      switch budget.period {
      case .run: ""
      case .day: " AND day = ?"
      case .month: " AND day >= ? AND day < ?"
      }
    let month = String(call.day.prefix(7))
    let days: StatementArguments =
      switch budget.period {
      case .run: []
      case .day: [call.day]
      // No day of another month lies between these two texts.
      case .month: [month, month + "~"]
      }
    switch budget.scope {
    case .run(let run):
      return (
        """
        run IN (WITH RECURSIVE family (id) AS (SELECT ? UNION SELECT runs.id FROM family
          JOIN runs ON runs.parent = family.id) SELECT id FROM family)\(span)
        """, [run.rawValue] + days
      )
    case .recipe(let name): return ("recipe = ?\(span)", [name] + days)
    case .provider(let name): return ("provider = ?\(span)", [name] + days)
    case .all: return ("TRUE\(span)", days)
    }
  }

  // MARK: - After it

  /// Writes what a call has used.
  func settle(_ usage: CallUsage) throws {
    try database.cachedStatement(
      sql: """
        UPDATE usage SET state = ?2, owner = NULL, model = coalesce(?3, model), failure = ?4, prompt_tokens = ?5,
          cached_tokens = ?6, completion_tokens = ?7, reasoning_tokens = ?8, cost = ?9, duration_ms = ?10, first_ms = ?11,
          reserved_tokens = ?12, reserved_cost = ?13
        WHERE number = ?1
        """
    ).execute(
      arguments: [
        usage.number, usage.state.rawValue, usage.model, usage.failure?.rawValue, usage.tokens.prompt,
        usage.tokens.cached, usage.tokens.completion, usage.tokens.reasoning, usage.cost, usage.duration.milliseconds,
        usage.firstPiece?.milliseconds, usage.heldTokens, usage.heldCost,
      ])
  }
}

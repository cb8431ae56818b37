public import Engine
internal import Expressions
internal import GRDB

extension RunStore {
  /// What became of runs, by recipe, in the order of the recipes' names.
  ///
  /// - Parameters:
  ///   - filter: Which runs count; its limit does not matter.
  ///   - prices: What models cost.
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func statistics(
    _ filter: RunFilter = RunFilter(), prices: RecipeStatistics.Prices = .init()
  ) async throws(RunStoreError) -> [RecipeStatistics] {
    let (path, found) = (path, findings(for: filter.words))
    @Sendable func reading(_ database: Database) -> StatisticsReading {
      StatisticsReading(database: database, filter: filter, condition: filter.condition(found), path: path)
    }
    // One snapshot for each question: none of them keeps the -wal file from shrinking for long.
    var recipes = try await read { try reading($0).counts() }
    let durations = try await read { try reading($0).durations() }
    let usage = try await read { try reading($0).usage(prices) }
    for index in recipes.indices {
      let recipe = recipes[index].recipe
      recipes[index].median = durations[recipe]?.median
      recipes[index].percentile95 = durations[recipe]?.percentile95
      recipes[index].models = usage[recipe] ?? []
    }
    return recipes
  }
}

/// The queries behind the statistics.
private struct StatisticsReading {
  let database: Database
  let filter: RunFilter
  let condition: QueryCondition
  let path: String

  struct Durations: Sendable {
    var median: Double?
    var percentile95: Double?
  }

  func counts() throws -> [RecipeStatistics] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT recipe, status, count(*) FILTER (WHERE \(RunFilter.isWhole)) AS runs, max(started_at) AS last,
          sum((SELECT count(*) FROM attempts WHERE run = runs.id)) AS attempts,
          sum((SELECT count(*) FROM attempts WHERE run = runs.id AND number > 1)) AS retries
        FROM runs WHERE \(condition.sql) GROUP BY recipe, status ORDER BY recipe
        """, arguments: condition.arguments)
    var found: [RecipeStatistics] = []
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      let recipe = try columns.text("recipe")
      let status: RunStatus = try columns.choice("status")
      guard filter.includes(status) else { continue }
      let last = try columns.time("last")
      if found.last?.recipe != recipe {
        found.append(
          RecipeStatistics(
            recipe: recipe, runs: 0, statuses: [:], attempts: 0, retries: 0, lastStart: last, models: []))
      }
      let index = found.count - 1
      let runs = try columns.integer("runs")
      found[index].runs += runs
      if runs > 0 { found[index].statuses[status] = runs }
      found[index].attempts += columns.optionalInteger("attempts") ?? 0
      found[index].retries += columns.optionalInteger("retries") ?? 0
      found[index].lastStart = max(found[index].lastStart, last)
    }
    return found
  }

  /// The nearest ranks of the durations.
  func durations() throws -> [String: Durations] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT recipe, max(CASE WHEN rank = (count * 50 + 99) / 100 THEN duration_ms END) AS median,
          max(CASE WHEN rank = (count * 95 + 99) / 100 THEN duration_ms END) AS percentile
        FROM (
          SELECT recipe, duration_ms, row_number() OVER (PARTITION BY recipe ORDER BY duration_ms) AS rank,
            count(*) OVER (PARTITION BY recipe) AS count
          FROM runs WHERE status IN ('succeeded', 'failed') AND duration_ms IS NOT NULL
            AND \(RunFilter.isWhole) AND \(condition.sql))
        GROUP BY recipe
        """, arguments: condition.arguments)
    var found: [String: Durations] = [:]
    for row in rows {
      let columns = RowReader(row: row, path: path)
      found[try columns.text("recipe")] = Durations(
        median: columns.seconds("median"), percentile95: columns.seconds("percentile"))
    }
    return found
  }

  /// What models were asked: outputs that tell it the way contracts for models do, as `usage`.
  func usage(_ prices: RecipeStatistics.Prices) throws -> [String: [RecipeStatistics.ModelUsage]] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT recipe, coalesce(json_extract(output, '$.model'), '') AS model, count(*) AS calls,
          total(json_extract(output, '$.usage.prompt_tokens')) AS prompt,
          total(json_extract(output, '$.usage.completion_tokens')) AS completion
        FROM (
          SELECT runs.recipe, coalesce(o.value, (SELECT CAST(content AS TEXT) FROM blobs WHERE hash = o.blob)) AS output
          FROM runs JOIN outputs AS o ON o.run = runs.id
          WHERE \(condition.sql) AND EXISTS (
            SELECT 1 FROM attempts AS a WHERE a.run = o.run AND a.step = o.step AND a.item = o.item
              AND a.status = 'succeeded' AND a.kind IN ('provider', 'repair')))
        WHERE instr(output, '"usage"') > 0 AND json_valid(output) AND json_type(output, '$.usage') = 'object'
        GROUP BY recipe, model ORDER BY recipe, model
        """, arguments: condition.arguments)
    var found: [String: [RecipeStatistics.ModelUsage]] = [:]
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      let model = columns.optionalText("model") ?? ""
      let (prompt, completion) = (count(row["prompt"]), count(row["completion"]))
      found[try columns.text("recipe"), default: []].append(
        .init(
          model: model, calls: try columns.integer("calls"), promptTokens: prompt, completionTokens: completion,
          cost: prices.cost(of: model, prompt: prompt, completion: completion)))
    }
    return found
  }

  private func count(_ number: Double?) -> Int { number.flatMap { Int(exactly: $0.rounded()) } ?? 0 }
}

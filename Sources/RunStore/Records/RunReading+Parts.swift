internal import Engine
internal import Expressions
internal import GRDB

extension RunReading {
  /// A run and those that its steps run, directly and indirectly, for SQL.
  static func parts(_ run: String) -> String {
    """
    WITH RECURSIVE parts (id) AS (SELECT \(run) UNION SELECT runs.id FROM runs JOIN parts ON runs.parent = parts.id)
    SELECT id FROM parts
    """
  }

  /// The steps around a part of a run, the outermost first.
  static func places(of part: RunID, in run: RunID, _ database: Database, path: String) throws -> [LogRecord.Place] {
    let sql = """
      SELECT a.run, s.id, a.item FROM runs AS c
        JOIN attempts AS a ON a.run = c.parent AND a.idempotency_key = c.id AND a.kind = 'recipe'
        JOIN steps AS s ON s.run = a.run AND s.position = a.step WHERE c.id = ? LIMIT 1
      """
    guard part != run, let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [part.rawValue]) else {
      return []
    }
    let columns = RowReader(row: row, path: path)
    let item = try columns.integer("item")
    return try places(of: RunID(rawValue: columns.text("run")), in: run, database, path: path)
      + [LogRecord.Place(step: columns.text("id"), item: item < 0 ? nil : item)]
  }

  /// The outputs of failed steps and items, by step and item; of the step as a whole at -1.
  static func failureOutputs(of run: RunID, _ database: Database, path: String) throws -> [Int: [Int: Value]] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: "SELECT step, item, value FROM failure_outputs WHERE run = ?"),
      arguments: [run.rawValue])
    var outputs: [Int: [Int: Value]] = [:]
    while let row = try rows.next() {
      let columns = RowReader(row: row, path: path)
      outputs[try columns.integer("step"), default: [:]][try columns.integer("item")] = try columns.value(
        "value", blob: "")
    }
    return outputs
  }

  static func children(of run: RunID, _ database: Database, path: String) throws -> [RunRecord.Child] {
    // The key of an attempt that runs a recipe is the name of that run.
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT c.id, c.recipe, c.status, s.id AS step, a.item,
          (SELECT group_concat(line, char(10)) FROM (
            SELECT id || ' ' || status AS line FROM steps WHERE run = c.id ORDER BY position)) AS steps
        FROM runs AS c
          LEFT JOIN attempts AS a ON a.run = c.parent AND a.idempotency_key = c.id AND a.kind = 'recipe'
            AND a.number = (
              SELECT min(number) FROM attempts WHERE run = c.parent AND idempotency_key = c.id AND kind = 'recipe')
          LEFT JOIN steps AS s ON s.run = a.run AND s.position = a.step
        WHERE c.parent = ? AND c.status <> \(removed) ORDER BY c.id LIMIT 1000
        """, arguments: [run.rawValue])
    return try rows.map { row in
      let columns = RowReader(row: row, path: path)
      let item = columns.optionalInteger("item") ?? -1
      var child = RunRecord.Child(
        id: RunID(rawValue: try columns.text("id")), recipe: try columns.text("recipe"),
        status: try columns.choice("status"), step: columns.optionalText("step"), item: item < 0 ? nil : item)
      child.steps = (columns.optionalText("steps") ?? "").split(separator: "\n").compactMap { line in
        guard let space = line.lastIndex(of: " "),
          let status = StepStatus(rawValue: String(line[line.index(after: space)...]))
        else { return nil }
        return (String(line[..<space]), status)
      }
      return child
    }
  }
}

extension StepRecord {
  /// Adds the outputs of failures, by item; that of the step as a whole is at -1.
  mutating func addOutputs(_ outputs: [Int: Value]) {
    failure?.output = outputs[-1]
    for index in attempts.indices {
      // The last attempt of an item; that of a step is the failure of the step.
      guard let item = attempts[index].item, index + 1 == attempts.count || attempts[index + 1].item != item else {
        continue
      }
      attempts[index].failure?.output = outputs[item]
    }
  }
}

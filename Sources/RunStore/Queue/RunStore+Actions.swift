public import Engine
internal import GRDB

extension RunStore {
  /// The runs that have a step with an action, newest first; those that steps of other runs have begun are left out.
  ///
  /// - Parameters:
  ///   - action: The action's name.
  ///   - isOpen: Only those that have not ended, or only those that have.
  ///   - limit: At most so many.
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func runs(with action: String, isOpen: Bool, limit: Int) async throws(RunStoreError) -> [RunSummary] {
    let path = path
    return try await read { database in
      let rows = try Row.fetchAll(
        database,
        sql: RunReading.summarySQL + """
           WHERE parent IS NULL AND status <> \(RunReading.removed)
            AND status \(isOpen ? "NOT IN" : "IN") (\(RunReading.finalStatuses))
            AND EXISTS (SELECT 1 FROM steps WHERE steps.run = runs.id AND steps.action = ?)
          ORDER BY started_at DESC, id DESC LIMIT ?
          """, arguments: [action, max(0, limit)])
      return try rows.map { try RunReading.summary(RowReader(row: $0, path: path), database) }
    }
  }
}

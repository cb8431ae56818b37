internal import Engine
internal import Expressions
internal import GRDB

/// How ``RunStore/export(_:_:version:to:)`` writes runs.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// One line of JSON for each run, with the shape of ``RunRecord/json``.
  case jsonLines = "jsonl"
  /// Traces of OpenTelemetry in OTLP/JSON: lines that are one request to a collector each.
  ///
  /// See <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding> and
  /// <https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/>.
  case openTelemetry = "otlp"
}

extension RunStore {
  /// Runs whose names are looked up at a time.
  private static let pageOfRuns = 200

  /// Writes runs for other programs, the oldest first.
  ///
  /// Each run is as it stood at one moment. Holds a bounded part of a run in memory, a large one in a file on its way, and
  /// gives it away when it has been read, so that whoever takes it slowly keeps nobody from writing and the -wal file from
  /// growing. Runs that have not ended are left out of traces.
  ///
  /// - Parameters:
  ///   - format: How.
  ///   - filter: Which runs; its limit does not matter.
  ///   - version: The version of the program, for traces.
  ///   - sink: Takes the next bytes, UTF-8.
  /// - Returns: How many runs were written.
  /// - Throws: ``RunStoreError`` where the file cannot be read, and what `sink` throws.
  @discardableResult
  public func export(
    _ format: ExportFormat, _ filter: RunFilter = RunFilter(), version: String = "", to sink: ([UInt8]) throws -> Void
  ) async throws -> Int {
    var filter = filter
    if format == .openTelemetry {
      let ended = Set(RunStatus.allCases.filter(\.isFinal))
      filter.statuses = filter.statuses.isEmpty ? ended : filter.statuses.intersection(ended)
      // Nothing but unfinished runs was asked for.
      if filter.statuses.isEmpty { return 0 }
    }
    var count = 0
    var last: (startedAt: String, id: String) = ("", "")
    while true {
      let page = try await runs(after: last, filter)
      guard let newest = page.last else { return count }
      last = (newest.startedAt, newest.id)
      for run in page where filter.includes(run.status) {
        try Task.checkCancellation()
        let id = RunID(rawValue: run.id)
        do {
          try await put(id, format, version: version).forEachPart(sink)
          count += 1
        } catch let error as RunStoreError where error.code == .runNotFound {
          // Removed meanwhile.
          continue
        }
      }
    }
  }

  /// Writes a run down, in one snapshot of the database.
  private func put(_ run: RunID, _ format: ExportFormat, version: String) async throws(RunStoreError) -> Spool {
    let path = path
    return try await read { database in
      var spool = Spool()
      let parts = RunParts(database: database, run: run, path: path)
      switch format {
      case .jsonLines: try JSONLinesExport(parts: parts).write { try spool.append($0) }
      case .openTelemetry: try TraceExport(parts: parts, version: version).write { try spool.append($0) }
      }
      return spool
    }
  }

  private struct Listed: Sendable {
    var id: String
    var startedAt: String
    var status: RunStatus
  }

  private func runs(
    after last: (startedAt: String, id: String), _ filter: RunFilter
  ) async throws(RunStoreError) -> [Listed] {
    let (path, unindexed) = (path, findings(for: filter.words))
    return try await read { database in
      let condition = filter.condition(unindexed)
      let rows = try Row.fetchAll(
        database,
        sql: RunReading.summarySQL
          + " WHERE (started_at, id) > (?, ?) AND \(condition.sql) ORDER BY started_at, id LIMIT ?",
        arguments: [last.startedAt, last.id] + condition.arguments + [RunStore.pageOfRuns])
      return try rows.map { row in
        let columns = RowReader(row: row, path: path)
        return Listed(
          id: try columns.text("id"), startedAt: try columns.text("started_at"),
          status: try RunReading.summary(columns, database).status)
      }
    }
  }
}

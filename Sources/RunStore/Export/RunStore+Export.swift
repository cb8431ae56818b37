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
  /// Holds a bounded part of a run in memory, and reads it in short transactions, so that a long export keeps nobody from
  /// writing and the -wal file from growing. Runs that have not ended are left out of traces.
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
          switch format {
          case .jsonLines: try await JSONLinesExport(store: self, run: id).write(to: sink)
          case .openTelemetry: try await TraceExport(store: self, run: id, version: version).write(to: sink)
          }
          count += 1
        } catch let error as RunStoreError where error.code == .runNotFound {
          // Removed meanwhile.
          continue
        }
      }
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

  // MARK: - Parts of a run

  /// A run with its steps, without attempts and outputs of items.
  func outline(of run: RunID) async throws(RunStoreError) -> RunRecord {
    let path = path
    return try await read { try RunReading.record(run, limit: 0, $0, path: path) }
  }

  /// The next attempts of a step.
  func attempts(
    of run: RunID, step: Int, after last: AttemptRecord?, limit: Int
  ) async throws(RunStoreError) -> [AttemptRecord] {
    let path = path
    return try await read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM attempts WHERE run = ? AND step = ? AND (item, number) > (?, ?) ORDER BY item, number LIMIT ?
          """,
        arguments: [run.rawValue, step, last.map { $0.item ?? -1 } ?? -2, last?.number ?? 0, limit])
      return try rows.map { try RunReading.attempt(RowReader(row: $0, path: path)) }
    }
  }

  /// The next outputs of a step's items.
  func items(
    of run: RunID, step: Int, after last: Int, limit: Int
  ) async throws(RunStoreError) -> [StepRecord.Item] {
    let path = path
    return try await read { database in
      try RunReading.outputs(
        [run.rawValue, step], condition: "item > \(last)", limit: limit, database, path: path)
    }
  }
}

public import Engine
internal import Expressions
internal import GRDB

extension RunStore {
  /// Runs that are written in one snapshot of the database, unless they are large.
  private static let pageOfRuns = 1000

  /// Writes runs for other programs, the oldest first.
  ///
  /// Each run is as it stood at one moment. Holds a bounded part of them in memory, a large run in a file on its way, and
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
    var last: Place? = Place(startedAt: "", id: "")
    while let place = last {
      try Task.checkCancellation()
      let page = try await page(format, after: place, filter, version: version)
      try page.spool.forEachPart(sink)
      count += page.count
      last = page.last
    }
    return count
  }

  /// A place in the order in which runs are written.
  private struct Place: Sendable {
    var startedAt: String
    var id: String
  }

  private struct Page: Sendable {
    var spool = Spool()
    var count = 0
    /// The last run that was looked at; `nil` where there are no more.
    var last: Place?
  }

  /// Writes some runs, in one snapshot of the database.
  private func page(
    _ format: ExportFormat, after place: Place, _ filter: RunFilter, version: String
  ) async throws(RunStoreError) -> Page {
    let (path, unindexed) = (path, findings(for: filter.words))
    return try await read { database in
      var condition = filter.condition(unindexed)
      condition.add("(runs.started_at, runs.id) > (?, ?)", [place.startedAt, place.id])
      let export = try JSONLinesExport(condition, database, path: path)
      var page = Page()
      var looked = 0
      while let run = try export.next() {
        page.last = Place(startedAt: run.startedAt, id: run.id)
        looked += 1
        if filter.includes(run.status) {
          switch format {
          case .jsonLines: try export.write(run) { try page.spool.append($0) }
          case .openTelemetry:
            let parts = RunParts(database: database, run: RunID(rawValue: run.id), path: path)
            try TraceExport(parts: parts, version: version).write { try page.spool.append($0) }
          }
          page.count += 1
        }
        if looked >= RunStore.pageOfRuns || page.spool.isFull { return page }
      }
      page.last = nil
      return page
    }
  }
}

public import Engine
internal import Expressions
internal import GRDB

extension RunStore {
  /// Runs that are read together, unless they are large.
  private static let pageOfRuns = 100
  /// Places that are looked up at once.
  private static let mostPlaces = 100

  /// Writes runs for other programs, the oldest first.
  ///
  /// Each run is as it stood at one moment. Holds a bounded part of them in memory, a large run in a file on its way, and
  /// gives it away when it has been read, so that whoever takes it slowly keeps nobody from writing and the -wal file from
  /// growing. Two connections read at the same time. Runs that have not ended are left out of traces.
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
    let request = ExportRequest(format: format, filter: filter, version: version)
    var count = 0
    func give(_ page: Page) throws {
      try page.spool.forEachPart(sink)
      count += page.count
    }
    var start = Place(startedAt: "", id: "")
    while true {
      var bounds: [Place?] = try await places(after: start)
      let isLast = bounds.count < Self.mostPlaces
      if isLast { bounds.append(nil) }
      var stretches: [Stretch] = []
      for bound in bounds {
        stretches.append(Stretch(after: start, through: bound))
        if let bound { start = bound }
      }
      // Searches know one connection only, and there is one in memory.
      let second = stretches.count > 1 && filter.words == nil && !isInMemory ? try file.openReader() : nil
      defer { try? second?.close() }
      for index in stride(from: 0, to: stretches.count, by: second == nil ? 1 : 2) {
        try Task.checkCancellation()
        let pair = stretches[index..<min(index + (second == nil ? 1 : 2), stretches.count)]
        async let ahead = page(request, pair.count > 1 ? pair[index + 1] : nil, on: second)
        try await giveAll(of: pair[index], try await page(request, pair[index]), request, give)
        if let page = try await ahead { try await giveAll(of: pair[index + 1], page, request, give) }
      }
      if isLast { return count }
    }
  }

  /// Gives a page away, and what is left of its stretch.
  private func giveAll(
    of stretch: Stretch, _ page: Page?, _ request: ExportRequest, _ give: (Page) throws -> Void
  ) async throws {
    var page = page
    while let current = page {
      try give(current)
      guard let last = current.last else { return }
      try Task.checkCancellation()
      page = try await self.page(request, Stretch(after: last, through: stretch.through))
    }
  }

  private struct ExportRequest: Sendable {
    let format: ExportFormat
    let filter: RunFilter
    let version: String
  }

  /// A place in the order in which runs are written.
  private struct Place: Sendable {
    var startedAt: String
    var id: String
  }

  /// Runs between two places.
  private struct Stretch: Sendable {
    var after: Place
    /// The last of them; `nil` for all that follow.
    var through: Place?
  }

  private struct Page: Sendable {
    var spool = Spool()
    var count = 0
    /// The last run that was looked at; `nil` where the stretch has no more.
    var last: Place?
  }

  /// The places of every so many runs behind one, whatever is asked for.
  private func places(after place: Place) async throws(RunStoreError) -> [Place] {
    let (page, limit) = (Self.pageOfRuns, Self.pageOfRuns * Self.mostPlaces)
    return try await read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT started_at, id FROM (
            SELECT started_at, id, row_number() OVER (ORDER BY started_at, id) AS position FROM (
              SELECT started_at, id FROM runs WHERE (started_at, id) > (?, ?) ORDER BY started_at, id LIMIT ?))
          WHERE position % ? = 0
          """, arguments: [place.startedAt, place.id, limit, page])
      return rows.map { Place(startedAt: $0[0], id: $0[1]) }
    }
  }

  /// Writes some runs, in one snapshot of the database.
  ///
  /// - Parameters:
  ///   - stretch: Where they are; without one there is no page.
  ///   - connection: The connection that reads; `nil` for the store's.
  private func page(
    _ request: ExportRequest, _ stretch: Stretch?, on connection: DatabaseQueue? = nil
  ) async throws(RunStoreError) -> Page? {
    guard let stretch else { return nil }
    let (path, filter) = (path, request.filter)
    let unindexed = findings(for: filter.words)
    return try await read(on: connection) { database in
      var condition = filter.condition(unindexed)
      condition.add("(runs.started_at, runs.id) > (?, ?)", [stretch.after.startedAt, stretch.after.id])
      if let last = stretch.through {
        condition.add("(runs.started_at, runs.id) <= (?, ?)", [last.startedAt, last.id])
      }
      let export = try JSONLinesExport(condition, database, path: path)
      var page = Page()
      var looked = 0
      while let run = try export.next() {
        page.last = Place(startedAt: run.startedAt, id: run.id)
        looked += 1
        if filter.includes(run.status) {
          switch request.format {
          case .jsonLines: try export.write(run) { try page.spool.append($0) }
          case .openTelemetry:
            let parts = RunParts(database: database, run: RunID(rawValue: run.id), path: path)
            try TraceExport(parts: parts).write(version: request.version) { try page.spool.append($0) }
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

public import Engine
public import Expressions
internal import GRDB

/// A point of a schedule that is to run although its time is over.
public struct BackfillPoint: Sendable {
  /// The point.
  public var at: Timestamp
  /// The point of the schedule after it, where there is one.
  public var next: Timestamp?
  /// The run.
  public var start: RunStart

  /// Creates a point.
  public init(at: Timestamp, next: Timestamp?, start: RunStart) {
    self.at = at
    self.next = next
    self.start = start
  }
}

extension RunStore {
  /// Begins runs for points of a schedule that are over, all or none; they take turns. A point that has had a run is left
  /// out.
  ///
  /// - Parameters:
  ///   - source: The schedule.
  ///   - points: The points, in order.
  ///   - onlyMissed: Whether only those count that are recorded as missed.
  /// - Returns: The points that have begun runs.
  /// - Throws: ``RunStoreError``.
  public func backfill(
    _ source: String, _ points: [BackfillPoint], onlyMissed: Bool
  ) async throws -> [OccurrenceRecord] {
    let path = path
    let entries = points.map { PreparedEntry(.runStarted($0.start.inLine(.line, of: source))) }
    return try await change(isDurable: true) { writing in
      let writer = FiringWriter(writing: writing, path: path)
      guard var record = try writer.schedule(source) else { return [] }
      var written: [OccurrenceRecord] = []
      for (point, entry) in zip(points, entries) {
        if let occurrence = try writer.fill(point, entry, onlyMissed: onlyMissed, &record) {
          written.append(occurrence)
        }
      }
      record.revision += 1
      try writer.write(record)
      return written
    }
  }
}

extension FiringWriter {
  /// Begins the run of a point that is over; `nil` where it has had one, or is none that was missed.
  fileprivate func fill(
    _ point: BackfillPoint, _ entry: PreparedEntry, onlyMissed: Bool, _ record: inout ScheduleRecord
  ) throws -> OccurrenceRecord? {
    guard try !Self.hasRun(point.start.run, writing.database) else { return nil }
    let text = point.at.rfc3339Milliseconds
    let row = try Row.fetchOne(
      writing.database.cachedStatement(
        sql: "SELECT * FROM occurrences WHERE source = ? AND at <= ? ORDER BY at DESC LIMIT 1"),
      arguments: [record.source, text])
    let known = try row.map { try OccurrenceRecord(RowReader(row: $0, path: path)) }
    let covering = known.flatMap { $0.until >= point.at ? $0 : nil }
    if covering?.run != nil { return nil }
    if onlyMissed, covering?.outcome != .missed { return nil }
    if let covering {
      record.counts.add(-1, covering.outcome)
      try takeOut(point, of: covering)
    }
    record.counts.add(1, .caughtUp)
    try writing.write([entry])
    let occurrence = OccurrenceRecord(source: record.source, at: point.at, outcome: .caughtUp, run: point.start.run)
    try insert(occurrence, isOpen: true)
    return occurrence
  }

  /// Takes a point out of several that have passed together.
  private func takeOut(_ point: BackfillPoint, of passed: OccurrenceRecord) throws {
    let database = writing.database
    let key: StatementArguments = [passed.source, passed.at.rfc3339Milliseconds]
    guard passed.count > 1 else {
      return try database.execute(sql: "DELETE FROM occurrences WHERE source = ? AND at = ?", arguments: key)
    }
    try database.execute(sql: "UPDATE occurrences SET count = count - 1 WHERE source = ? AND at = ?", arguments: key)
    if passed.at == point.at, let next = point.next {
      try database.execute(
        sql: "UPDATE OR REPLACE occurrences SET at = ?3 WHERE source = ?1 AND at = ?2",
        arguments: key + [next.rfc3339Milliseconds])
    }
  }
}

public import Engine
public import Expressions
internal import GRDB
public import OpenTelemetry

extension RunStore {
  /// The most spans of a run that are pushed.
  static let mostSpans = 5000
  /// Seconds that no lease lasts: a later end was written before the clock was set back.
  private static let longestLease = 3600.0

  /// Notes whether runs that end are to be traced. If not, traces that wait are dropped.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func setTracing(_ isOn: Bool) async throws {
    guard try await isTracing() != isOn else { return }
    let now = time.now.rfc3339Milliseconds
    try await change { writing in
      let database = writing.database
      if isOn {
        try database.execute(sql: "INSERT OR IGNORE INTO trace_target (id, since) VALUES (1, ?)", arguments: [now])
      } else {
        try database.execute(sql: "DELETE FROM trace_target; DELETE FROM pending_traces")
      }
    }
  }

  /// Whether runs that end are to be traced.
  func isTracing() async throws -> Bool {
    try await look(isSettled: false) { database in
      try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM trace_target)") ?? false
    }
  }

  /// Takes traces to push; other processes leave them alone until a time, and take them then if they are still there.
  ///
  /// - Returns: The runs, in the order in which they ended.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func leaseTraces(limit: Int, until end: Timestamp) async throws -> [RunID] {
    guard try await pendingTraces() > 0 else { return [] }
    let now = time.now.rfc3339Milliseconds
    let far = time.now.adding(seconds: Self.longestLease).rfc3339Milliseconds
    return try await change { writing in
      let ids = try String.fetchAll(
        writing.database,
        sql: """
          SELECT run FROM pending_traces WHERE leased_until IS NULL OR leased_until < ?1 OR leased_until > ?2
          ORDER BY number LIMIT ?3
          """, arguments: [now, far, limit])
      for id in ids {
        try writing.database.execute(
          sql: "UPDATE pending_traces SET leased_until = ? WHERE run = ?", arguments: [end.rfc3339Milliseconds, id])
      }
      return ids.map(RunID.init(rawValue:))
    }
  }

  /// Renews the leases of traces that are still to be pushed.
  ///
  /// - Parameters:
  ///   - runs: The runs.
  ///   - end: The end of their leases until now, by which this process knows that they are its own.
  ///   - new: The end from now on.
  /// - Returns: The runs that are still leased by this process, in the order of `runs`: a lease may have ended before, and another process
  ///   may have taken the run.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func renewTraces(_ runs: [RunID], from end: Timestamp, until new: Timestamp) async throws -> [RunID] {
    try await change { writing in
      var own: [RunID] = []
      for run in runs {
        try writing.database.execute(
          sql: "UPDATE pending_traces SET leased_until = ? WHERE run = ? AND leased_until = ?",
          arguments: [new.rfc3339Milliseconds, run.rawValue, end.rfc3339Milliseconds])
        if writing.database.changesCount > 0 { own.append(run) }
      }
      return own
    }
  }

  /// Removes traces that a collector has accepted, or refused for good.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func finishTraces(_ runs: [RunID]) async throws {
    try await change { writing in
      for run in runs {
        try writing.database.execute(sql: "DELETE FROM pending_traces WHERE run = ?", arguments: [run.rawValue])
      }
    }
  }

  /// Gives traces back that could not be pushed.
  ///
  /// - Parameter end: The end of their leases; `nil` releases those of any process. A run whose lease another process has now stays
  ///   leased.
  /// - Throws: ``RunStoreError`` where the file cannot be written.
  public func releaseTraces(_ runs: [RunID], leasedUntil end: Timestamp? = nil) async throws {
    try await change { writing in
      for run in runs {
        try writing.database.execute(
          sql: "UPDATE pending_traces SET leased_until = NULL WHERE run = ?1 AND (?2 IS NULL OR leased_until = ?2)",
          arguments: [run.rawValue, end?.rfc3339Milliseconds])
      }
    }
  }

  /// The number of traces that no collector has accepted yet.
  ///
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func pendingTraces() async throws -> Int {
    try await look(isSettled: false) { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM pending_traces") ?? 0
    }
  }

  /// The spans of the trace of a run, those of the runs of its steps included, as OTLP/JSON.
  ///
  /// - Returns: The first 5000; empty if the run has been removed.
  /// - Throws: ``RunStoreError`` where the file cannot be read.
  public func spans(of run: RunID, _ style: TraceStyle) async throws(RunStoreError) -> [Value] {
    let path = path
    return try await read { database in
      let all = try String.fetchAll(
        database,
        sql: """
          SELECT id FROM runs WHERE id IN (\(RunReading.parts("?"))) AND status <> \(RunReading.removed) ORDER BY id
          """, arguments: [run.rawValue])
      var spans: [Value] = []
      do {
        for id in all {
          let parts = RunParts(database: database, run: RunID(rawValue: id), path: path)
          try TraceExport(parts: parts, style: style).forEachSpan { span in
            guard spans.count < Self.mostSpans else { throw EnoughSpans() }
            spans.append(span)
          }
        }
      } catch is EnoughSpans {
        // The rest of a very large run is not read.
      }
      return spans
    }
  }
}

/// Ends the reading of a run of which no more spans are pushed.
private struct EnoughSpans: Error {}

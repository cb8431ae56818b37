internal import Engine
public import Expressions

/// What was removed from the run log, or would be.
public struct PruneReport: Sendable, Hashable {
  /// Runs with all that belongs to them, those that steps ran included.
  public var runs = 0
  /// Contents of large values that no run holds any more.
  public var blobs = 0
  /// Events that no run can receive any more.
  public var events = 0
  /// Kept results that have expired.
  public var cachedResults = 0
  /// Versions of recipes beyond the newest ones.
  public var versions = 0
  /// Processes that are gone and own no run.
  public var processes = 0
  /// The database file before, in bytes.
  public var bytesBefore = 0
  /// The database file after, in bytes.
  public var bytesAfter = 0

  /// Creates an empty report.
  public init() {}

  /// Whether nothing was removed.
  public var isEmpty: Bool {
    runs == 0 && blobs == 0 && events == 0 && cachedResults == 0 && processes == 0 && versions == 0
  }

  /// The report for `sous db prune --json`: `{runs, blobs, events, cached_results, processes, recipe_versions,
  /// bytes_before, bytes_after}`.
  public var json: Value {
    .object([
      ("runs", .number(runs)), ("blobs", .number(blobs)), ("events", .number(events)),
      ("cached_results", .number(cachedResults)), ("processes", .number(processes)),
      ("recipe_versions", .number(versions)),
      ("bytes_before", .number(bytesBefore)), ("bytes_after", .number(bytesAfter)),
    ])
  }
}

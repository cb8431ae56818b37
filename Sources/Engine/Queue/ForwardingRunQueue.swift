public import Expressions

/// A queue that hands everything on to another one, except for what it does itself.
public protocol ForwardingRunQueue: RunQueue {
  associatedtype Base: RunQueue
  /// What everything is handed on to.
  var base: Base { get }
}

extension ForwardingRunQueue {
  /// Hands the call on.
  public func record(_ entries: [JournalEntry], durability: Durability) async throws {
    try await base.record(entries, durability: durability)
  }
  /// Hands the call on.
  public func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    try await base.claim(limit: limit, at: now)
  }
  /// Hands the call on.
  public func claim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try await base.claim(run, at: now)
  }
  /// Hands the call on.
  public func reclaim(_ run: RunID, at now: Timestamp) async throws -> ClaimOutcome {
    try await base.reclaim(run, at: now)
  }
  /// Hands the call on.
  public func snapshot(of run: RunID) async throws -> RunSnapshot { try await base.snapshot(of: run) }
  /// Hands the call on.
  public func result(of run: RunID) async throws -> RunResult? { try await base.result(of: run) }
  /// Hands the call on.
  public func hasLostOrigin(_ run: RunID) async throws -> Bool { try await base.hasLostOrigin(run) }
  /// Hands the call on.
  public func nextDue() async throws -> Timestamp? { try await base.nextDue() }
  /// Hands the call on.
  public func cancelRequests() async throws -> [RunID] { try await base.cancelRequests() }
  /// Hands the call on.
  public func repetitions(of run: RunID) async throws -> [RunID] { try await base.repetitions(of: run) }
  /// Hands the call on.
  public func requestCancel(of run: RunID) async throws { try await base.requestCancel(of: run) }
  /// Hands the call on.
  public func releaseHeld(_ run: RunID?, at now: Timestamp) async throws { try await base.releaseHeld(run, at: now) }
  /// Hands the call on.
  public func beat() async throws { try await base.beat() }
  /// Hands the call on.
  public func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    try await base.answer(run: run, step: step, item: item)
  }
}

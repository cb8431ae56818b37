import Builtins
public import Engine
import Expressions
import Localization
import RunStore
public import UseCases

/// What of the outbox is to be removed.
public struct OutboxCleaning: Sendable {
  /// Seconds after which a message that was sent or cancelled goes.
  public var sent = 30.0 * 86_400
  /// Seconds after which one that has failed goes.
  public var failed = 90.0 * 86_400

  /// Removes what was sent 30 days ago and what failed 90 days ago.
  public init() {}
}

/// What has become of the messages of the outbox.
public struct OutboxCounts: Sendable {
  /// How many were sent.
  public var sent: Int
  /// How many have failed.
  public var failed: Int
  /// How many may have been sent; a person has to settle them.
  public var unknown: Int
  /// How many wait.
  public var pending: Int
}

extension Session {
  /// Sends what is due now and ends; other runs of the queue are left alone.
  ///
  /// - Returns: How many messages were sent, have failed or became unknown since, and how many wait.
  public func runOutbox() async throws(UseCaseError) -> OutboxCounts {
    try await mapErrors { try await store.requireOriginal() }
    let before = try await counts()
    let due = RunEngine(
      queue: OutboxQueue(base: store), providers: engine.providers, time: SystemTime(), options: options)
    var order = WorkOrder()
    order.endsWhenIdle = true
    let endless = order
    try await withUpkeep {
      try await withFailureAlerts { notices in
        while true {
          try await worker(due, endless).work()
          guard !Task.isCancelled, !drain.isSet else { return }
          // What is told of failures goes out as well.
          if try await notices.turn() == 0 { return }
        }
      }
    }
    var counts = try await counts()
    counts.sent = max(0, counts.sent - before.sent)
    counts.failed = max(0, counts.failed - before.failed)
    counts.unknown = max(0, counts.unknown - before.unknown)
    return counts
  }

  /// Tries a message again that has failed, under the key that it had, and waits for the end.
  ///
  /// - Parameter run: The id of the new run; `nil` for a new one.
  /// - Throws: ``UseCaseError`` with code `run_state` where it has not failed.
  public func retryMail(_ reference: String, as run: RunID? = nil) async throws(UseCaseError) -> RunOutcome {
    let item = try await outboxItem(reference)
    guard item.state == .failed else {
      throw .runState(
        .init(
          "message \(item.run) has not failed (\(item.state.words.english))",
          de: "Nachricht \(item.run) ist nicht fehlgeschlagen (\(item.state.words.german))"))
    }
    if let repetition = item.repetition {
      throw .runState(
        .init(
          "message \(item.run) was tried again already: 'sous outbox show \(repetition)'",
          de: "Nachricht \(item.run) wurde schon noch einmal versucht: 'sous outbox show \(repetition)'"))
    }
    return try await retry(item.run.rawValue, as: run)
  }

  /// Removes messages that have come to their end a while ago, with their runs.
  ///
  /// - Returns: How many were removed.
  public func cleanOutbox(_ cleaning: OutboxCleaning) async throws(UseCaseError) -> Int {
    let now = SystemTime().now
    return try await mapErrors {
      var ended = RunFilter(statuses: [.succeeded, .failed, .cancelled, .skipped], limit: 100_000)
      ended.isMail = true
      let old = try await store.runs(ended).filter { run in
        let age = run.endedAt.map { now.seconds(since: $0) } ?? 0
        return age > (run.status == .failed ? cleaning.failed : cleaning.sent)
      }
      // A merge that is repeated sends them again.
      try mergedNames.set(old.map(\.id.rawValue), to: nil, in: Self.merges)
      return try await store.remove(old.map(\.id))
    }
  }

  private func counts() async throws(UseCaseError) -> OutboxCounts {
    try await mapErrors {
      let counts = try await store.mailCounts()
      let unknown = counts[.needsAttention] ?? 0
      let open = counts.reduce(0) { $0 + ($1.key.isFinal ? 0 : $1.value) }
      return OutboxCounts(
        sent: counts[.succeeded] ?? 0, failed: counts[.failed] ?? 0, unknown: unknown, pending: open - unknown)
    }
  }
}

/// A queue that gives out runs of the outbox alone, and those that tell of its failures.
private struct OutboxQueue: ForwardingRunQueue {
  /// So many may be in the hands of others, or wait for their group.
  private static let blocked = 1000

  let base: RunStore

  func claim(limit: Int, at now: Timestamp) async throws -> [RunID] {
    var taken: [RunID] = []
    for run in try await base.dueMails(at: now, limit: limit + Self.blocked) {
      guard taken.count < limit else { break }
      if try await base.claim(run, at: now) == .claimed { taken.append(run) }
    }
    return taken
  }

  func nextDue() async throws -> Timestamp? { try await base.nextDueMail() }
}

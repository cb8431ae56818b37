public import Expressions

/// Watches a run as it goes: a terminal, a test.
public protocol RunObserver: Sendable {
  /// Takes an event; called in order for one step, from several tasks for different ones. Returns at once.
  func observe(_ event: RunEvent)
}

/// Something a watcher of a run wants to know.
public enum RunEvent: Sendable {
  /// Something was written to the journal.
  case journal(JournalEntry)
  /// A run goes on that was left before.
  case resumed(RunSnapshot)
  /// A run waits for its turn behind another one of its concurrency group.
  case waitsForTurn(behind: RunID)
  /// Nothing is left to do in a run until then; `nil` where only something from outside ends the wait.
  case waits(until: Timestamp?)
  /// A provider is not asked for now, as its circuit breaker is open until then.
  case leftAlone(step: Int, BreakerRecord, until: Timestamp)
  /// How far an action has come; `total` is 0 when unknown.
  case progress(step: Int, item: Int?, done: UInt64, total: UInt64, label: String)
  /// A piece of an answer that is being made.
  case delta(step: Int, item: Int?, Value)
}

/// Watches nothing.
public struct SilentObserver: RunObserver {
  /// Creates a watcher.
  public init() {}
  /// Lets the event pass.
  public func observe(_ event: RunEvent) {}
}

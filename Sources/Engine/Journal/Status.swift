public import Localization

/// Where a run stands.
public enum RunStatus: String, Sendable, CaseIterable {
  /// It waits for its turn; no process works on it.
  case queued
  /// It is being worked on.
  case running
  /// It stands still until a point in time, an event or a decision; no process works on it.
  case waiting
  /// Every step is done.
  case succeeded
  /// A step failed for good.
  case failed
  /// It was left out, as another run of its concurrency group was at work.
  case skipped
  /// Somebody called it off.
  case cancelled
  /// It was stopped half-way and can be resumed.
  case interrupted
  /// Whether an effect took place is unknown; a person decides.
  case needsAttention = "needs_attention"

  /// Whether nothing more will happen in it.
  public var isFinal: Bool {
    switch self {
    case .succeeded, .failed, .skipped, .cancelled: true
    case .queued, .running, .waiting, .interrupted, .needsAttention: false
    }
  }
}

extension RunStatus {
  /// The status in a word for people.
  public var words: LocalizedText {
    switch self {
    case .queued: .init("queued", de: "wartet auf einen Platz")
    case .running: .init("running", de: "läuft")
    case .waiting: .init("waiting", de: "wartet")
    case .succeeded: .init("succeeded", de: "erfolgreich")
    case .failed: .init("failed", de: "fehlgeschlagen")
    case .skipped: .init("skipped", de: "ausgelassen")
    case .cancelled: .init("cancelled", de: "abgebrochen")
    case .interrupted: .init("interrupted", de: "unterbrochen")
    case .needsAttention: .init("needs attention", de: "braucht Aufmerksamkeit")
    }
  }
}

/// Where a step stands.
public enum StepStatus: String, Sendable, CaseIterable {
  /// Not begun.
  case pending
  /// Being worked on.
  case running
  /// Done.
  case succeeded
  /// Failed for good.
  case failed
  /// Its condition was false, or an earlier step failed.
  case skipped
  /// Called off half-way.
  case cancelled
}

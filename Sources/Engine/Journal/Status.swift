/// Where a run stands.
public enum RunStatus: String, Sendable, CaseIterable {
  /// It is being worked on.
  case running
  /// Every step is done.
  case succeeded
  /// A step failed for good.
  case failed
  /// Somebody called it off.
  case cancelled
  /// It was stopped half-way and can be resumed.
  case interrupted
  /// Whether an effect took place is unknown; a person decides.
  case needsAttention = "needs_attention"
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

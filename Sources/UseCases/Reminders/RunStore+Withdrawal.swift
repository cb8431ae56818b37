import Engine
import Expressions
import Localization
import RunStore

extension RunStore {
  /// Ends a run that waits; see ``change(_:_:at:)``.
  func withdraw(_ run: RunID, _ reason: LocalizedText, at now: Timestamp) async throws -> AmendOutcome {
    try await change(run, .withdraw(reason: reason), at: now)
  }

  /// Changes a run that waits. A process works on a new run for a moment before its first wait, and then the run cannot be
  /// changed: it is tried again for some seconds. Otherwise a reminder that was taken away could still come.
  func change(_ run: RunID, _ amendment: RunAmendment, at now: Timestamp) async throws -> AmendOutcome {
    let (time, deadline) = (SystemTime(), SystemTime().monotonic + 5)
    while true {
      let outcome = try await amend(run, amendment, replacing: nil, at: now)
      guard case .taken = outcome, time.monotonic < deadline else { return outcome }
      try await time.sleep(seconds: 0.02)
    }
  }
}

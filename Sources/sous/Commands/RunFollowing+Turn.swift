import Engine
import Expressions
import Recipes
import RunStore

extension RunFollowing {
  /// Waits until the concurrency group of a run is free, then works on the run to its end.
  ///
  /// Whoever ends the command meanwhile leaves the run as it was.
  ///
  /// - Parameter other: The run that it waits for at first.
  func takeTurn(
    _ id: RunID, _ other: RunID, _ plan: Plan, _ runner: Runner, _ observer: any RunObserver, _ control: RunControl
  ) async throws -> RunResult {
    let time = SystemTime()
    var outcome = ClaimOutcome.groupTaken(by: other)
    while let other = outcome.runInFront {
      if case .groupLeft = outcome, try await runner.bringToEnd(other, plan.concurrency?.policy ?? .queue) {
        outcome = try await desk.store.claim(id, at: time.now)
        continue
      }
      observer.observe(.waitsForTurn(behind: other))
      guard (try? await time.sleep(seconds: 0.2)) != nil else {
        return RunResult(id: id, status: .interrupted, outputs: .map([:]), failure: nil)
      }
      outcome = try await desk.store.claim(id, at: time.now)
    }
    var result = RunResult(id: id, status: .waiting, outputs: .map([:]), failure: nil)
    if case .claimed = outcome {
      let snapshot = try await desk.store.snapshot(of: id)
      if snapshot.isCancelRequested { control.cancel() }
      result = try await runner.resume(plan, snapshot, observer: observer, control: control)
    }
    // Somebody else may have been faster: then its end is awaited.
    return try await runner.follow(plan, result, observer: observer, control: control)
  }
}

extension ClaimOutcome {
  /// The run of the same concurrency group that has its turn first.
  fileprivate var runInFront: RunID? {
    switch self {
    case .groupTaken(let other), .groupLeft(let other): other
    default: nil
    }
  }
}

extension RunObserver {
  /// Shows a run that cannot go on yet, and what it waits for.
  func observeWaits(of snapshot: RunSnapshot) {
    observe(.resumed(snapshot))
    for step in snapshot.steps {
      for unit in step.units {
        if let wait = unit.wait { observe(.journal(.waitStarted(wait))) }
      }
    }
  }
}

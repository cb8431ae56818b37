import Engine
import Expressions
import Localization
import Recipes
import RunStore

extension RunFollowing {
  /// Waits until the concurrency group of a run is free, then works on the run to its end.
  ///
  /// Whoever ends the command meanwhile leaves the run as it was.
  ///
  /// - Parameter first: What became of the wish to work on the run: another one has the group.
  /// - Throws: ``CommandError`` where another run was left in the group that cannot be brought to its end here, nor is by
  ///   anybody else in a while.
  func takeTurn(
    _ id: RunID, _ first: ClaimOutcome, _ plan: Plan, _ runner: Runner, _ observer: any RunObserver,
    _ control: RunControl
  ) async throws -> RunResult {
    let time = SystemTime()
    var outcome = first
    // A run that goes on does not call off those that have come after it.
    let hasBegun = try await desk.store.snapshot(of: id).hasBegun
    let policy: Plan.Concurrency.Policy = hasBegun ? .queue : plan.concurrency?.policy ?? .queue
    var refusals = 0
    while outcome.runInFront != nil || outcome.isOfSomebodyElse {
      if let other = outcome.runInFront { observer.observe(.waitsForTurn(behind: other)) }
      if case .groupLeft(let other) = outcome {
        let isOver = try await runner.bringToEnd(other, policy, for: id, control)
        if !Task.isCancelled {
          outcome = try await desk.store.claim(id, at: time.now)
          guard !isOver, outcome == .groupLeft(by: other) else {
            refusals = 0
            continue
          }
          // Whoever the other one belongs to may just be about to go on with it.
          refusals += 1
          if refusals > 25 { throw CommandError.standsBehind(other, id) }
        }
      }
      guard (try? await time.sleep(seconds: 0.2)) != nil else {
        return RunResult(id: id, status: .interrupted, outputs: .map([:]), failure: nil)
      }
      outcome = try await desk.store.claim(id, at: time.now)
    }
    // Somebody else may have been faster.
    if case .ended = outcome, let result = try await desk.store.result(of: id) { return result }
    var result = RunResult(id: id, status: .waiting, outputs: .map([:]), failure: nil)
    if case .claimed = outcome {
      let snapshot = try await desk.store.snapshot(of: id)
      if snapshot.isCancelRequested { control.cancel() }
      result = try await runner.resume(plan, snapshot, observer: observer, control: control)
    }
    return try await runner.follow(plan, result, observer: observer, control: control)
  }
}

extension CommandError {
  /// A run that nobody can bring to its end just now has the concurrency group.
  fileprivate static func standsBehind(_ other: RunID, _ id: RunID) -> CommandError {
    .runState(
      .init(
        "run \(id) waits for run \(other) of its concurrency group, which was left: 'sous resume \(other)' goes on with it",
        de:
          "Lauf \(id) wartet auf Lauf \(other) derselben Gruppe, der liegen blieb: 'sous resume \(other)' macht damit weiter"
      ))
  }
}

extension ClaimOutcome {
  /// Whether another process works on the run by now: then its end is awaited.
  fileprivate var isOfSomebodyElse: Bool {
    if case .taken = self { true } else { false }
  }

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

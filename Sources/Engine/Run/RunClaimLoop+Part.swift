import Expressions
import Localization
import Plans

extension RunClaimLoop {
  /// Seconds after which a step looks again at its recipe's run, which somebody else has or whose group is taken.
  private static let partPause = 5.0

  /// Looks once at a run that a step of another run has begun, and works on it where that can be; otherwise the step
  /// waits.
  ///
  /// - Parameters:
  ///   - part: The run of the step's recipe.
  ///   - recipe: The recipe as it is now.
  ///   - isAncestor: Whether a run waits for this one.
  ///   - plan: Makes the plan by which it was begun.
  /// - Returns: `nil` where it is not recorded yet.
  func lookAfter(
    _ part: RunID, _ recipe: Plan, isAncestor: (RunID) async throws -> Bool,
    plan: (RunStart) async throws -> Plan
  ) async throws -> RunResult? {
    let policy = recipe.concurrency?.policy ?? .queue
    // Also one that an earlier try has left in this process.
    var outcome = try await claim(part, policy, isAgain: true, unless: isAncestor)
    if control.isCancelled, outcome.isOfGroup {
      // Cancelled meanwhile: it needs no turn to end.
      try await queue.requestCancel(of: part)
      outcome = try await queue.reclaim(part, at: time.now)
    }
    switch outcome {
    case .absent: return nil
    case .ended: return try await queue.result(of: part)
    case .waiting(let until): return .waiting(part, until: until)
    case .taken: return .waiting(part, until: time.now.adding(seconds: Self.partPause))
    case .groupTaken(let other), .groupLeft(let other):
      if try await isAncestor(other) {
        return try await engine.close(part, .failed, .groupOfAncestor(other, recipe))
      }
      // Where the process is about to end, whoever goes on decides.
      if policy == .skip, engine.options.drain?.isSet != true {
        return try await engine.close(part, .skipped, .groupTaken(by: other))
      }
      if policy == .cancel { try await queue.requestCancel(of: other) }
      return .waiting(part, until: time.now.adding(seconds: Self.partPause))
    case .claimed:
      let snapshot = try await queue.snapshot(of: part)
      // Somebody may have cancelled it alone.
      if snapshot.isCancelRequested { control.cancel() }
      do {
        return try await engine.resume(
          try await plan(snapshot.start), snapshot, observer: observer, control: control)
      } catch let error as ActionFailure {
        return try await hold(snapshot, error)
      } catch let error as EngineError where error.code == .planDiffers {
        return try await hold(snapshot, ActionFailure(.invalidInput, error.message))
      }
    }
  }
}

extension ClaimOutcome {
  /// Whether another run of the concurrency group has its turn first.
  fileprivate var isOfGroup: Bool {
    switch self {
    case .groupTaken, .groupLeft: true
    default: false
    }
  }
}

extension ActionFailure {
  fileprivate static func groupOfAncestor(_ run: RunID, _ child: Plan) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      .init(
        "it belongs to the concurrency group of run \(run), which waits for it: give recipe '\(child.name)' a group of its own",
        de: "er gehört zur concurrency-Gruppe von Lauf \(run), der auf ihn wartet: "
          + "das Rezept '\(child.name)' braucht eine eigene Gruppe"))
  }
}

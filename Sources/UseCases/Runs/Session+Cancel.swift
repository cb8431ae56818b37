public import Engine
import Localization
import Plans
import RunStore

/// What the wish to cancel a run has led to.
public enum CancelOutcome: Sendable {
  /// The run was cancelled here.
  case done(RunOutcome)
  /// The process that works on the run was asked; what people know it by.
  case asked(RunID, owner: String)
  /// Whoever works on the run next cancels it.
  case left(RunID)
}

extension Session {
  /// Cancels a run; what it has done is undone where its recipe says how.
  ///
  /// - Parameters:
  ///   - reference: The run, a unique beginning of its name, or `last`.
  ///   - isForced: Whether it ends as it stands where its recipe cannot be used any more: nothing is undone.
  /// - Throws: ``UseCaseError``: `run_state` where it has ended, is part of another run, or the outcome of a step is
  ///   unknown; `plan_unavailable`.
  public func cancel(_ reference: String, isForced: Bool = false) async throws(UseCaseError) -> CancelOutcome {
    let (id, plan, trouble) = try await mapErrors { () -> (RunID, Plan?, LocalizedText) in
      let id = try await store.resolve(reference)
      let status = try await store.status(of: id)
      guard !status.isFinal else { throw UseCaseError.hasEnded(id, status) }
      try await requireNoParent(of: id, for: "cancel")
      try await store.requireOriginal()
      if status == .needsAttention, try await !store.doubts(of: id).isEmpty { throw UseCaseError.isInDoubt(id) }
      let (plan, trouble) = try await cancellingPlan(of: id, isForced: isForced)
      return (id, plan, trouble)
    }
    let snapshot: RunSnapshot
    switch try await mapErrors({ try await RunClaimLoop(engine).requestCancel(of: id) }) {
    case .isOurs(let found): snapshot = found
    case .isAsked(let owner): return .asked(id, owner: owner)
    case .isLeft: return .left(id)
    }
    // Nobody works on it: what is to be undone, and what runs at the end, runs here.
    guard let plan else {
      return .done(try await outcome(try await mapErrors { try await engine.abandon(snapshot, trouble) }))
    }
    return .done(
      try await execute(id, of: plan, isResumed: true) { claimLoop in
        claimLoop.control.cancel()
        return try await claimLoop.engine.resume(
          plan, snapshot, observer: claimLoop.observer, control: claimLoop.control)
      })
  }

  /// The plan by which a run is cancelled, before anything is asked for; without one, why there is none.
  ///
  /// - Throws: ``UseCaseError`` where that matters, so that the run stays as it is.
  private func cancellingPlan(of id: RunID, isForced: Bool) async throws -> (Plan?, trouble: LocalizedText) {
    let snapshot = try await store.snapshot(of: id)
    do throws(UseCaseError) {
      return (try await plan(of: snapshot.start), .init(verbatim: ""))
    } catch {
      let run = try await store.run(id.rawValue).summary
      let isAtWork = run.status == .running && !run.isProcessGone
      if isForced || !snapshot.hasBegun || isAtWork { return (nil, error.message) }
      throw UseCaseError(
        error.code,
        error.message
          + LocalizedText(
            "; mend that, or end the run as it stands, with nothing undone, by 'sous cancel \(id) --force'",
            de: "; das in Ordnung bringen, oder den Lauf beenden, wie er steht, ohne etwas zurückzunehmen: "
              + "'sous cancel \(id) --force'"))
    }
  }
}

extension UseCaseError {
  fileprivate static func isInDoubt(_ id: RunID) -> UseCaseError {
    .runState(
      .init(
        "it is not known whether a step of run \(id) took effect: settle that first, 'sous answer settle \(id)', then cancel it",
        de:
          "ob ein Schritt von Lauf \(id) gewirkt hat, ist ungewiss: erst klären, 'sous answer settle \(id)', dann abbrechen"
      ))
  }

  fileprivate static func hasEnded(_ id: RunID, _ status: RunStatus) -> UseCaseError {
    let words = status.words
    return .runState(
      .init("run \(id) has ended (\(words.english))", de: "Lauf \(id) ist zu Ende (\(words.german))"))
  }
}

public import Engine
import Localization
import Plans
import RecipePlanning
import RunStore

extension Session {
  /// Runs a recipe again with what an earlier run has done already.
  ///
  /// The recipe's file counts where its steps are still those of the run, otherwise the text that the run has kept; where
  /// they differ, ``WorkspaceEvent/repeats(_:with:)`` says which one it is.
  ///
  /// - Parameters:
  ///   - reference: The earlier run, a unique beginning of its name, or `last`.
  ///   - step: The step to begin again with, whether it succeeded or not; `nil` for what did not succeed.
  ///   - isForced: Whether a message is sent a second time that was sent, or may have been.
  ///   - run: The id of the new run; `nil` for a new one.
  /// - Throws: ``UseCaseError``: `run_state` where the run has not ended or cannot be repeated, `plan_unavailable`.
  public func retry(
    _ reference: String, from step: String? = nil, isForced: Bool = false, as run: RunID? = nil
  ) async throws(UseCaseError) -> RunOutcome {
    let earlier = try await ended(reference, mayBePart: false)
    let plan = try await newestPlan(of: earlier.start)
    let position = try await mapErrors { () -> Int? in
      guard let step else { return nil }
      if let position = earlier.start.steps.firstIndex(where: { $0.id == step }) { return position }
      try await store.requireStep(step, of: earlier.start.run)
      return nil
    }
    if !isForced, let position { try await requireUnsent(earlier, from: position) }
    let request = RunRequest.new(run, trigger: "retry")
    return try await execute(request.id, of: plan) { claimLoop in
      try await claimLoop.retry(plan, earlier, from: position, request)
    }
  }

  /// Runs a recipe again with the recorded results of an earlier run in the place of everything that reaches outside.
  ///
  /// - Parameters:
  ///   - reference: The earlier run, a unique beginning of its name, or `last`.
  ///   - run: The id of the new run; `nil` for a new one.
  /// - Throws: ``UseCaseError``: `run_state` where the run has not ended, `plan_unavailable`.
  public func replay(_ reference: String, as run: RunID? = nil) async throws(UseCaseError) -> RunOutcome {
    let earlier = try await ended(reference, mayBePart: true)
    var plan = try await plan(of: earlier.start)
    // It does nothing outside, so a monitoring service must not take it for the work itself.
    plan.ping = nil
    let request = RunRequest.new(run, trigger: RunStart.replayTrigger)
    return try await execute(request.id, of: plan) { [plan] claimLoop in
      try await claimLoop.engine.replay(
        plan, earlier, request, observer: claimLoop.observer, control: claimLoop.control)
    }
  }

  /// Refuses to send a message of the outbox a second time.
  private func requireUnsent(_ earlier: RunSnapshot, from position: Int) async throws(UseCaseError) {
    let steps = earlier.start.steps
    guard steps.contains(where: { $0.action == ActionSignature.outboxTurn.name }),
      let send = steps.lastIndex(where: { $0.action == "mail.send" }), send >= position
    else { return }
    let run = earlier.start.run
    let isSent = earlier.steps.indices.contains(send) && earlier.steps[send].status == .succeeded
    let isOpen = try await mapErrors { try await !store.doubts(of: run).isEmpty }
    guard isSent || isOpen else { return }
    throw .runState(
      isSent
        ? .init(
          "message \(run) was sent: --force sends it a second time",
          de: "Nachricht \(run) ist gesendet: --force sendet sie ein zweites Mal")
        : .init(
          "whether message \(run) was sent is not known: look whether it arrived; --force sends it whatever has become of it",
          de:
            "ob Nachricht \(run) gesendet wurde, ist ungewiss: nachsehen, ob sie ankam; --force sendet sie auf jeden Fall"
        ))
  }

  /// What is recorded of a run that has ended.
  ///
  /// - Parameter mayBePart: Whether it may be a run that a step of another one has begun: its results go to nobody then.
  private func ended(_ reference: String, mayBePart: Bool) async throws(UseCaseError) -> RunSnapshot {
    try await mapErrors {
      let id = try await store.resolve(reference)
      if !mayBePart { try await requireNoParent(of: id, for: "retry") }
      let status = try await store.status(of: id)
      guard status.isFinal else {
        let words = status.words
        throw UseCaseError.runState(
          .init(
            "run \(id) has not ended (\(words.english)): 'sous resume \(id)' resumes it",
            de: "Lauf \(id) ist nicht zu Ende (\(words.german)): 'sous resume \(id)' macht damit weiter"))
      }
      return try await engine.queue.snapshot(of: id)
    }
  }

  /// The plan to repeat a recorded run with.
  private func newestPlan(of start: RunStart) async throws(UseCaseError) -> Plan {
    let events = project.workspace.surroundings.events
    // Only the run log has a recipe that Sous wrote; a file under its path is another recipe.
    if start.recipeOrigin != .file { return try await plan(of: start) }
    let planning = project.planning(start.path)
    let current = planning.hasErrors ? nil : planning.plan
    if let current, current.fingerprint == start.fingerprint { return current }
    if let current, current.name == start.recipe, current.steps.map(\.id) == start.steps.map(\.id) {
      events(.repeats(start, with: .changed))
      return current
    }
    let recorded = try await plan(of: start)
    if start.source != nil {
      events(.repeats(start, with: current == nil ? .keptAsFileIsUnusable : .keptAsFileHasOtherSteps))
    }
    return recorded
  }
}

extension RunRequest {
  /// A request for a new run.
  fileprivate static func new(_ run: RunID?, trigger: String) -> RunRequest {
    RunRequest(id: run ?? .new(), trigger: trigger)
  }
}

extension RunID {
  /// A name for a run that begins now.
  package static func new() -> RunID {
    var random = SystemRandomNumberGenerator()
    return RunID(at: SystemTime().now, using: &random)
  }
}

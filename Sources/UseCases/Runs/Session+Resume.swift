import Engine
import Expressions
import Localization
import Plans
import RunStore

extension Session {
  /// Resumes a run and works on it to its end.
  ///
  /// - Parameter reference: The run, a unique beginning of its name, or `last`.
  /// - Throws: ``UseCaseError``: `run_state` where it has ended, is part of another run, or somebody else works on it;
  ///   `plan_unavailable`, and the run stays as it is.
  public func resume(_ reference: String) async throws(UseCaseError) -> RunOutcome {
    let (id, plan, hasBegun) = try await mapErrors { () -> (RunID, Plan, Bool) in
      let id = try await store.resolve(reference)
      try await requireNoParent(of: id, for: "resume")
      try await store.requireOriginal()
      let status = try await store.status(of: id)
      guard !status.isFinal else { throw UseCaseError.hasEnded(id, status) }
      // Before it is claimed: one that cannot be planned stays as it is.
      let snapshot = try await store.snapshot(of: id)
      return (id, try await self.plan(of: snapshot.start), snapshot.hasBegun)
    }
    return try await execute(id, of: plan, isResumed: hasBegun) { claimLoop in try await claimLoop.resume(id, plan) }
  }

  /// A run that a step of another run has begun is worked on with that one alone.
  ///
  /// - Parameter command: What is asked for.
  func requireNoParent(of id: RunID, for command: String) async throws {
    var outermost = try await store.snapshot(of: id).start
    guard outermost.parent != nil else { return }
    while let parent = outermost.parent, let above = try? await store.snapshot(of: parent) { outermost = above.start }
    let whole = outermost.run
    let status = try await store.status(of: whole)
    // What has ended can neither be resumed nor cancelled, and what has not cannot be repeated.
    let command = status.isFinal ? "retry" : command == "retry" ? "resume" : command
    let words = status.words
    throw UseCaseError.runState(
      .init(
        "run \(id) is part of run \(whole) (\(words.english)) and goes with it: 'sous \(command) \(whole)'",
        de: "Lauf \(id) ist Teil von Lauf \(whole) (\(words.german)) und geht mit ihm: 'sous \(command) \(whole)'"))
  }
}

extension UseCaseError {
  fileprivate static func hasEnded(_ run: RunID, _ status: RunStatus) -> UseCaseError {
    let words = status.words
    return .runState(
      .init(
        "run \(run) has ended (\(words.english)); 'sous retry \(run)' runs it again",
        de: "Lauf \(run) ist zu Ende (\(words.german)); 'sous retry \(run)' lässt ihn noch einmal laufen"))
  }
}

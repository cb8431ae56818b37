public import Localization

extension Runner {
  /// Ends a run that belongs to this process and cannot go on, as it stands: nothing is taken back, and nothing runs at the
  /// end. So do the runs that its steps have begun.
  ///
  /// - Parameters:
  ///   - snapshot: How far it has come.
  ///   - reason: Why it cannot go on.
  /// - Throws: ``EngineError`` with code ``EngineError/Code/journal`` when the journal cannot be written.
  public func abandon(_ snapshot: RunSnapshot, _ reason: LocalizedText) async throws(EngineError) -> RunResult {
    let run = snapshot.start.run
    let failure = ActionFailure(
      .invalidInput,
      LocalizedText(
        "called off as it stood, nothing taken back: ", de: "abgebrochen, wie er stand, nichts zurückgenommen: ")
        + reason)
    do {
      for unit in snapshot.steps.flatMap(\.units) {
        guard let last = unit.lastAttempt, last.provider == RunContext.recipe, unit.output == nil else { continue }
        try await abandon(child: RunID(rawValue: last.key), reason)
      }
      let now = time.now
      var entries: [JournalEntry] = [
        .log(LogLine(run: run, level: .error, message: failure.message.english, at: now))
      ]
      for (index, step) in snapshot.steps.enumerated() where step.status == .pending || step.status == .running {
        for unit in step.units where unit.wait != nil {
          entries.append(.waitEnded(run: run, step: index, item: unit.item, at: now))
        }
        entries.append(
          .stepFinished(
            StepEnd(run: run, step: index, status: step.status == .pending ? .skipped : .cancelled, at: now)))
      }
      try await recorder.record(entries, durability: .accepted)
      return try await close(run, .cancelled, failure)
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(run, error)
    }
  }

  /// Leaves a run to a person that cannot go on as it is: looking again would not help.
  @discardableResult
  func giveUp(_ snapshot: RunSnapshot, _ failure: ActionFailure) async throws -> RunResult {
    let run = snapshot.start.run
    let line = LogLine(run: run, level: .error, message: failure.message.english, at: time.now)
    try await recorder.record([.log(line)], durability: .accepted)
    return try await close(run, .needsAttention, failure)
  }

  /// Ends a run that a step of such a run has begun, unless somebody else works on it.
  private func abandon(child: RunID, _ reason: LocalizedText) async throws {
    guard let queue = options.queue, try await queue.reclaim(child, at: time.now) != .absent else { return }
    try await queue.requestCancel(of: child)
    guard try await queue.reclaim(child, at: time.now) == .claimed else { return }
    _ = try await abandon(queue.snapshot(of: child), reason)
  }
}

public import Localization
import Plans

extension RunEngine {
  /// Ends a run that belongs to this process and cannot be resumed, as it stands: nothing is undone, and nothing runs at the
  /// end. So do the runs that its steps have begun.
  ///
  /// Where nobody knows whether something in it took effect that must not be done twice, it needs attention instead, and can
  /// be cancelled once a person has settled that.
  ///
  /// - Parameters:
  ///   - snapshot: How far it has come.
  ///   - reason: Why it cannot be resumed.
  /// - Throws: ``EngineError`` with code ``EngineError/Code/journal`` when the journal cannot be written.
  public func abandon(_ snapshot: RunSnapshot, _ reason: LocalizedText) async throws(EngineError) -> RunResult {
    let run = snapshot.start.run
    let failure = ActionFailure(
      .invalidInput,
      LocalizedText(
        "cancelled as it stood, nothing undone: ", de: "abgebrochen, wie er stand, nichts zurückgenommen: ")
        + reason)
    do {
      var doubts: [Doubt] = []
      for (index, step) in snapshot.steps.enumerated() {
        for unit in step.units where unit.output == nil {
          guard let last = unit.lastAttempt else { continue }
          let isInDoubt =
            last.kind == .recipe
            ? try await abandon(child: RunID(rawValue: last.key), reason)
            : snapshot.start.steps[index].effect == .once && step.isOpen && unit.progress.unverified != nil
          if isInDoubt { doubts.append(Doubt(step: index, item: unit.item, last: last)) }
        }
      }
      let now = time.now
      var entries: [JournalEntry] = [
        .log(LogLine(run: run, level: .error, message: failure.message.english, at: now))
      ]
      if !doubts.isEmpty { return try await leave(snapshot, in: doubts, entries) }
      for (index, step) in snapshot.steps.enumerated() where step.isOpen {
        for unit in step.units where unit.output == nil {
          guard let last = unit.lastAttempt, last.kind == .builtin, last.endedAt == nil else { continue }
          _ = await options.programs?.end(key: last.key)
        }
        for unit in step.units where unit.wait != nil {
          entries.append(.waitEnded(run: run, step: index, item: unit.item, at: now))
        }
        entries.append(
          .stepFinished(
            StepEnd(run: run, step: index, status: step.status == .pending ? .skipped : .cancelled, at: now)))
      }
      try await queue.record(entries, durability: .accepted)
      return try await close(run, .cancelled, failure)
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(run, error)
    }
  }

  /// An attempt of which nobody knows whether it took effect.
  private struct Doubt {
    let step: Int
    let item: Int?
    let last: AttemptSnapshot
  }

  /// Leaves a run that is to be cancelled to a person, as it stands.
  private func leave(
    _ snapshot: RunSnapshot, in doubts: [Doubt], _ entries: [JournalEntry]
  ) async throws -> RunResult {
    let (run, now) = (snapshot.start.run, time.now)
    var entries = entries
    var reason: ActionFailure?
    for doubt in doubts {
      let last = doubt.last
      let step = snapshot.start.steps[doubt.step]
      // The reason on record of one that was in doubt before stays.
      let failure = last.doubt ?? .inDoubt(step.action, of: step.id, run, last.failure ?? .lost(.crashed))
      reason = reason ?? failure
      guard last.doubt == nil else { continue }
      var end = AttemptEnd(
        run: run, step: doubt.step, item: doubt.item, number: last.number, failure: failure, outputBytes: 0,
        duration: last.duration ?? 0, retryDelay: nil, at: last.endedAt ?? now)
      end.isUncertain = true
      entries.append(.attemptFinished(end))
    }
    reason?.advice = .init(
      "look whether it did, say so with 'sous answer settle \(run) --done' or '--not-done', then call the run off again",
      de:
        "nachsehen, mit 'sous answer settle \(run) --done' oder '--not-done' sagen, dann den Lauf noch einmal abbrechen"
    )
    try await queue.record(entries, durability: .synced)
    return try await close(run, .needsAttention, reason)
  }

  /// Leaves a run that cannot be resumed as it is to a person: trying again would not help.
  @discardableResult
  func giveUp(_ snapshot: RunSnapshot, _ failure: ActionFailure) async throws -> RunResult {
    let run = snapshot.start.run
    let line = LogLine(run: run, level: .error, message: failure.message.english, at: time.now)
    try await queue.record([.log(line)], durability: .accepted)
    return try await close(run, .needsAttention, failure)
  }

  /// Ends a run that a step of such a run has begun, unless somebody else works on it.
  ///
  /// - Returns: Whether it needs attention now.
  private func abandon(child: RunID, _ reason: LocalizedText) async throws -> Bool {
    guard try await queue.reclaim(child, at: time.now) != .absent else { return false }
    try await queue.requestCancel(of: child)
    guard try await queue.reclaim(child, at: time.now) == .claimed else { return false }
    return try await abandon(queue.snapshot(of: child), reason).status == .needsAttention
  }
}

extension StepSnapshot {
  /// Whether it has not ended.
  fileprivate var isOpen: Bool { status == .pending || status == .running }
}

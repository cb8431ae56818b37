import Builtins
package import Engine
import Expressions
import Localization
import Plans
import RunStore

/// Queues the next delivery of a reminder in the run log.
///
/// The run's name is made from the delivery, so that an attempt that is repeated after a crash queues nothing twice.
struct StoredRounds: ReminderRounds {
  let store: RunStore

  func endEarlierRepetitions(for run: RunID) async throws {
    let start = try await store.snapshot(of: run).start
    guard start.recipeOrigin == .file else { return }
    let reason = LocalizedText("the reminder of run \(run) has come", de: "die Erinnerung von Lauf \(run) ist gekommen")
    for old in try await ReminderRun.all(in: store, areOpen: true) {
      guard old.start.recipe == start.recipe, old.start.path == start.path, old.round.reminder < run,
        old.round.wait == .acknowledgement, old.summary.id != run
      else { continue }
      _ = try await store.withdraw(old.summary.id, reason, at: SystemTime().now)
    }
  }

  func queue(_ round: ReminderRound, after run: RunID) async throws(ActionFailure) -> RunID? {
    do {
      let start = try await store.snapshot(of: run).start
      let next = Self.start(round, like: start, at: SystemTime().now)
      if round.round > 1, try await isReplaced(round.reminder, start) { return nil }
      if try await store.hasRun(next.run) { return next.run }
      try await store.record([.runStarted(next)], durability: .synced)
      return next.run
    } catch {
      throw ActionFailure(
        .io,
        LocalizedText("the next delivery cannot be queued: ", de: "die nächste Zustellung lässt sich nicht einreihen: ")
          + UseCaseError(error).message)
    }
  }

  /// The run of a delivery, as it joins the queue.
  ///
  /// - Parameters:
  ///   - round: The delivery.
  ///   - start: The run before it, of the same recipe.
  static func start(_ round: ReminderRound, like start: RunStart, at now: Timestamp) -> RunStart {
    var next = start
    next.run = RunID(at: round.due, of: "\(round.reminder)\n\(round.round)\n\(round.due.rfc3339)\n\(start.run)")
    next.trigger = ReminderRound.eventType
    next.event = round.event
    next.at = now
    (next.parent, next.origin, next.knownRepetitions) = (nil, nil, nil)
    (next.isQueued, next.givesWay, next.displacesOthers) = (true, false, false)
    return next
  }

  /// Whether a later point of a schedule of the same recipe has come: then that one is repeated.
  private func isReplaced(_ reminder: RunID, _ start: RunStart) async throws -> Bool {
    guard start.recipeOrigin == .file else { return false }
    let later = try await store.runs(RunFilter(recipe: start.recipe, limit: 50))
    for run in later {
      guard run.trigger == "schedule", run.path == start.path, run.id > reminder, run.id != start.run else { continue }
      // What comes ahead of the next point replaces nothing yet.
      if try await store.snapshot(of: run.id).start.event["lead_seconds"]?.isNull ?? true { return true }
    }
    return false
  }
}

extension RunStore {
  /// Whether a run is known.
  package func hasRun(_ run: RunID) async throws -> Bool {
    do throws(RunStoreError) {
      _ = try await status(of: run)
      return true
    } catch {
      guard error.code == .runNotFound else { throw error }
      return false
    }
  }
}

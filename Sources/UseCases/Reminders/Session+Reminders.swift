import Builtins
public import Engine
public import Expressions
import Foundation
import Localization
import Plans
import RunStore

/// What was done to a reminder.
public struct ReminderChange: Sendable {
  /// What names the reminder.
  public var id: String
  /// What it reminds of.
  public var title: String
  /// When it is delivered next; `nil` for never.
  public var next: Timestamp?
  /// The recipe that was removed, or that goes on; `nil` where there is none.
  public var path: String?
}

extension Session {
  /// Puts a reminder off: one that is to come, one that is repeated, or one that was delivered and then comes once more.
  ///
  /// It happens as a whole before the delivery begins, or it is refused and nothing has changed.
  ///
  /// - Parameters:
  ///   - reference: A beginning of its name, or its text or a part of it.
  ///   - time: When it comes.
  /// - Throws: ``UseCaseError``: `wrong_input` where none or several are meant, `run_state` where it is being delivered.
  public func snooze(
    _ reference: String, until time: Timestamp, now: Timestamp = SystemTime().now
  ) async throws(UseCaseError) -> ReminderChange {
    try await mapErrors {
      if let open = try await reminder(reference, isOpen: true, now) {
        let round = open.round.putOff(until: time, wasNoticed: open.round.reminder != open.summary.id)
        var start = open.start
        start.event = round.event
        let outcome = try await store.change(open.summary.id, .restart(start), at: now)
        try Self.require(outcome, open)
        return ReminderChange(id: round.reminder.rawValue, title: open.start.recipe, next: time)
      }
      guard let past = try await reminder(reference, isOpen: false, now) else { throw noReminder(reference, now) }
      let next = StoredRounds.start(past.round.snoozed(until: time), like: past.start, at: now)
      if try await !store.hasRun(next.run) { try await store.record([.runStarted(next)], durability: .synced) }
      return ReminderChange(id: past.round.reminder.rawValue, title: past.start.recipe, next: time)
    }
  }

  /// Acknowledges a reminder: what is still to be delivered of it is not delivered any more. A recipe goes on with its next
  /// occurrence.
  ///
  /// - Throws: ``UseCaseError``: `wrong_input` where none or several are meant, `run_state` where it is being delivered.
  public func acknowledge(
    _ reference: String, by person: String, now: Timestamp = SystemTime().now
  ) async throws(UseCaseError) -> ReminderChange {
    try await mapErrors {
      let reason = LocalizedText("acknowledged by \(person)", de: "quittiert von \(person)")
      for _ in 0..<5 {
        guard let open = try await reminder(reference, isOpen: true, now) else { break }
        let outcome = try await store.withdraw(open.summary.id, reason, at: now)
        // A delivery that has ended meanwhile has queued the next one: that one is meant then.
        if case .ended = outcome { continue }
        try Self.require(outcome, open)
        return ReminderChange(id: open.round.reminder.rawValue, title: open.start.recipe)
      }
      if let past = try await reminder(reference, isOpen: false, now) { throw UseCaseError.isOver(past) }
      throw noReminder(reference, now)
    }
  }

  /// Deletes a reminder: its run, or its recipe and what is still to be delivered of it.
  ///
  /// - Throws: ``UseCaseError``: `wrong_input` where none or several are meant, `run_state` where it is being delivered.
  public func deleteReminder(
    _ reference: String, by person: String, now: Timestamp = SystemTime().now
  ) async throws(UseCaseError) -> ReminderChange {
    try await mapErrors {
      let reason = LocalizedText("deleted by \(person)", de: "gelöscht von \(person)")
      let recipes = project.reminderRecipes(named: reference, now: now)
      guard let recipe = recipes.first else {
        guard let open = try await reminder(reference, isOpen: true, now) else { throw noReminder(reference, now) }
        try await withdraw(open, reason, now)
        return ReminderChange(id: open.round.reminder.rawValue, title: open.start.recipe)
      }
      guard recipes.count == 1 else { throw UseCaseError.severalReminders(recipes.map(\.path)) }
      let open = try await ReminderRun.all(in: store, areOpen: true).filter { run in
        run.start.recipeOrigin == .file
          && CheckedFiles.canonical(project.workspace.surroundings.resolve(run.start.path)) == recipe.path
      }
      // The file first: without it nothing more is queued.
      try FileManager.default.removeItem(atPath: recipe.path)
      var left: [RunID] = []
      for run in open {
        switch try await store.withdraw(run.summary.id, reason, at: now) {
        case .done, .ended, .absent: break
        case .taken, .begun, .changed, .part: left.append(run.summary.id)
        }
      }
      guard left.isEmpty else { throw UseCaseError.isRemovedButLeft(left, recipe.path) }
      return ReminderChange(id: recipe.plan.name, title: recipe.plan.name, path: recipe.path)
    }
  }

  private func withdraw(_ run: ReminderRun, _ reason: LocalizedText, _ now: Timestamp) async throws {
    let outcome = try await store.withdraw(run.summary.id, reason, at: now)
    try Self.require(outcome, run)
  }

  /// The one reminder that is meant; `nil` for none.
  private func reminder(_ reference: String, isOpen: Bool, _ now: Timestamp) async throws -> ReminderRun? {
    let all = try await ReminderRun.all(in: store, areOpen: isOpen, limit: isOpen ? ReminderRun.most : 500)
    let found = all.newest.meant(by: reference)
    guard found.count <= 1 || !isOpen else {
      throw UseCaseError.severalReminders(found.map { "\($0.round.reminder) (\($0.start.recipe))" })
    }
    // Of those that are over, the last one.
    return found.first
  }

  private func noReminder(_ reference: String, _ now: Timestamp) -> UseCaseError {
    if let recipe = project.reminderRecipes(named: reference, now: now).first {
      return .runState(
        .init(
          "nothing of '\(recipe.plan.name)' is due; its recipe is \(recipe.path)",
          de: "von '\(recipe.plan.name)' ist nichts fällig; das Rezept ist \(recipe.path)"))
    }
    return .notFound(
      .init(
        "no reminder '\(reference)'; 'sous reminders' lists them",
        de: "keine Erinnerung '\(reference)'; 'sous reminders' zählt sie auf"))
  }

  private static func require(_ outcome: AmendOutcome, _ run: ReminderRun) throws(UseCaseError) {
    switch outcome {
    case .done: return
    case .ended: throw .isOver(run)
    case .begun where run.summary.status == .needsAttention:
      throw .runState(
        .init(
          "'\(run.start.recipe)' needs attention: 'sous answer settle \(run.summary.id)'; nothing was changed",
          de:
            "'\(run.start.recipe)' braucht Aufmerksamkeit: 'sous answer settle \(run.summary.id)'; nichts wurde geändert"
        ))
    case .changed, .absent, .part:
      throw .runState(
        .init(
          "'\(run.start.recipe)' was changed meanwhile (run \(run.summary.id)); nothing was changed, try again",
          de: "'\(run.start.recipe)' wurde inzwischen geändert (Lauf \(run.summary.id)); noch einmal versuchen"))
    case .taken, .begun:
      throw .runState(
        .init(
          "'\(run.start.recipe)' is being delivered just now (run \(run.summary.id)); nothing was changed",
          de: "'\(run.start.recipe)' wird gerade zugestellt (Lauf \(run.summary.id)); nichts wurde geändert"))
    }
  }
}

extension UseCaseError {
  fileprivate static func isOver(_ run: ReminderRun) -> UseCaseError {
    .runState(
      .init(
        "nothing more comes of '\(run.start.recipe)'; 'sous reminders snooze' lets it come once more",
        de: "von '\(run.start.recipe)' kommt nichts mehr; 'sous reminders snooze' lässt sie noch einmal kommen"))
  }

  fileprivate static func isRemovedButLeft(_ runs: [RunID], _ path: String) -> UseCaseError {
    let names = runs.map(\.rawValue).joined(separator: ", ")
    return .runState(
      .init(
        "\(path) is removed; what is being delivered or needs attention is left: \(names) ('sous cancel' ends it)",
        de:
          "\(path) ist entfernt; was gerade zugestellt wird oder Aufmerksamkeit braucht, bleibt: \(names) "
          + "('sous cancel' beendet es)"))
  }

  fileprivate static func severalReminders(_ names: [String]) -> UseCaseError {
    .wrongInput(
      .init(
        "several reminders are meant: \(names.joined(separator: ", "))",
        de: "mehrere Erinnerungen sind gemeint: \(names.joined(separator: ", "))"))
  }
}

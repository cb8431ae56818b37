import Builtins
import Engine
import Expressions
import Foundation
import Localization
import Notes
import Plans
import RecipeModel
import RecipeSyntax
import RunStore
import Schedules

/// The reminders of notes: ordinary reminders of `sous reminders`, which name their notes.
struct NoteReminders: Sendable {
  let project: Project
  let store: RunStore

  /// Queues the reminder of a note. Its name is made from note and time, so that nothing is queued twice.
  ///
  /// - Returns: The run that reminds; `nil` where the note has no reminder to come.
  func queue(_ note: Note, now: Timestamp) async throws -> RunID? {
    guard let time = note.reminder, time > now else { return nil }
    let run = RunID(at: time, of: "note\n\(note.id)\n\(time.rfc3339)")
    if try await store.hasRun(run) { return run }
    let named = LocalizedText("Note \(note.number)", de: "Notiz \(note.number)").string(in: Self.language)
    let date = Date(timeIntervalSince1970: Double(time.seconds))
    var draft = ReminderDraft(note.heading.isEmpty ? named : note.heading, when: .once(date), zone: .current)
    draft.note = "\(named): sous notes show \(note.number)"
    let text = ReminderText(draft: draft, ways: try project.reminderWays())
    let plan = try project.plan(
      of: SourceText(path: project.oneTimeReminder, text: text.once(at: date)), from: .reminder)
    let engine = RunEngine(
      queue: store, providers: project.host, time: SystemTime(), options: RunEngine.Options())
    try await engine.enqueue(plan, RunRequest(id: run, inputs: .map([:]), trigger: "remind"))
    return run
  }

  /// Withdraws what is still to be delivered of a reminder; nothing where it is over.
  func withdraw(_ run: String, now: Timestamp) async throws {
    let reason = LocalizedText("the note's reminder was taken away", de: "die Erinnerung der Notiz wurde entfernt")
    for open in try await ReminderRun.all(in: store, areOpen: true)
    where open.round.reminder.rawValue == run {
      _ = try await store.withdraw(open.summary.id, reason, at: now)
    }
  }

  private static var language: Language { Language.preferred(environment: ProcessInfo.processInfo.environment) }
}

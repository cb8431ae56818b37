public import Engine
public import Expressions
import Localization
public import Notes

/// Keeps notes and their reminders together: what a command and what a step does to notes goes through here.
public struct NoteKeeper: Sendable {
  /// The notes.
  public let notes: NoteStore
  let reminders: NoteReminders

  /// Keeps a note, and queues its reminder.
  ///
  /// - Throws: `wrong_input` where the reminder is past, and what ``Notes/NoteStore/save(_:)`` throws.
  public func save(_ draft: NoteDraft, now: Timestamp = SystemTime().now) async throws -> NoteStore.Kept {
    // A call that has saved before may come again after the time of its reminder.
    let isKnown = try draft.call.map { try notes.savedNote(ofCall: $0) != nil } ?? false
    if !isKnown { try Self.check(draft.note.reminder, now) }
    var kept = try notes.save(draft)
    kept.note = try await settle(kept.note, now)
    return kept
  }

  /// Changes a note; its reminder follows.
  public func change(
    _ reference: String, adding files: [NoteDraft.File] = [], now: Timestamp = SystemTime().now,
    _ body: (inout Note) throws -> Void
  ) async throws -> Note {
    let (before, after) = try notes.change(reference, at: now, adding: files) { note in
      let reminder = note.reminder
      try body(&note)
      if note.reminder != reminder { try Self.check(note.reminder, now) }
    }
    if before.reminder != after.reminder, let run = before.reminderRun {
      try await reminders.withdraw(run, now: now)
      try notes.setReminderRun(nil, of: after.id)
    }
    return try await settle(after, now)
  }

  /// Deletes notes, and withdraws their reminders.
  ///
  /// - Parameter ids: Their ids.
  /// - Returns: Those that there were.
  public func delete(_ ids: [String], now: Timestamp = SystemTime().now) async throws -> [Note] {
    let deleted = try notes.delete(ids)
    for run in deleted.compactMap(\.reminderRun) { try await reminders.withdraw(run, now: now) }
    return deleted
  }

  /// Sees to it that a note's reminder is queued, also where a process has ended between the two.
  func settle(_ note: Note, _ now: Timestamp) async throws -> Note {
    var note = note
    guard let run = try await reminders.queue(note, now: now)?.rawValue, run != note.reminderRun else { return note }
    try notes.setReminderRun(run, of: note.id)
    note.reminderRun = run
    return note
  }

  static func check(_ reminder: Timestamp?, _ now: Timestamp) throws(UseCaseError) {
    guard let reminder, reminder <= now else { return }
    throw .wrongInput(
      LocalizedText(
        "the reminder is past: \(reminder.spokenLocalTime)",
        de: "die Erinnerung ist vorbei: \(reminder.spokenLocalTime)"))
  }
}

extension Session {
  /// Works with the notes, which are made where there are none yet.
  public func withNotes<Answer>(
    _ body: (NoteKeeper) async throws -> Answer
  ) async throws(UseCaseError) -> Answer {
    try await mapErrors {
      let notes = try NoteStore.opened(
        project.workspace.notes, language: project.workspace.surroundings.language)
      defer { notes.close() }
      return try await body(NoteKeeper(notes: notes, reminders: NoteReminders(project: project, store: store)))
    }
  }
}

extension Workspace {
  /// The file of the notes.
  public var notes: String { stateFolder + "/notes.db" }

  /// Reads the notes.
  ///
  /// - Parameter ifMissing: The answer where there are none yet.
  public func readingNotes<Answer>(
    _ body: (NoteStore) throws -> Answer, ifMissing: () throws -> Answer
  ) throws(UseCaseError) -> Answer {
    try mapErrors {
      guard let store = try NoteStore(path: notes, creates: false) else { return try ifMissing() }
      defer { store.close() }
      return try body(store)
    }
  }

  /// Works with the notes alone, which are made where there are none yet: what has no reminder needs no run log.
  public func changingNotes<Answer>(_ body: (NoteStore) throws -> Answer) throws(UseCaseError) -> Answer {
    try mapErrors {
      let store = try NoteStore.opened(notes, language: surroundings.language)
      defer { store.close() }
      return try body(store)
    }
  }
}

public import Expressions
internal import Foundation
internal import GRDB
internal import Hashing
internal import Localization

extension NoteStore {
  /// A note that was kept.
  public struct Kept: Sendable {
    /// The note.
    public var note: Note
    /// Whether it is new; one of a call that has saved before is not.
    public var isNew: Bool
  }

  /// Keeps a note with its files, all or nothing.
  ///
  /// - Returns: The note as it is kept. Of a call that has saved before, that note as it was saved if it was deleted since.
  /// - Throws: ``NoteError``: `invalid_input` if it is too large or its id is taken, `io`.
  public func save(_ draft: NoteDraft) throws(NoteError) -> Kept {
    var draft = draft
    draft.note = try checked(draft.note)
    return try write { [draft] database in
      if let call = draft.call,
        let id = try String.fetchOne(database, sql: "SELECT note FROM saves WHERE call = ?", arguments: [call])
      {
        var known = draft.note
        known.id = id
        return Kept(note: try note(id, database) ?? known, isNew: false)
      }
      guard try !isKnown(draft.note.id, database) else {
        throw NoteError(
          .invalid, "there is a note \(draft.note.id) already", de: "es gibt schon eine Notiz \(draft.note.id)")
      }
      return Kept(note: try insert(draft, database), isNew: true)
    }
  }

  /// Keeps several notes, all or none; those whose ids are known are left alone.
  ///
  /// - Parameter categories: Categories that are made first, in this order, if they are missing. They take the place of those
  ///   that a new store begins with, where nothing has been done in it.
  /// - Returns: The notes that are new.
  public func add(_ drafts: [NoteDraft], categories: [NoteCategory] = []) throws(NoteError) -> [Note] {
    var checkedDrafts: [NoteDraft] = []
    for var draft in drafts {
      draft.note = try checked(draft.note)
      checkedDrafts.append(draft)
    }
    return try write { [checkedDrafts] database in
      try add(categories, database)
      var added: [Note] = []
      for draft in checkedDrafts where try !isKnown(draft.note.id, database) {
        added.append(try insert(draft, database))
      }
      return added
    }
  }

  /// Changes a note as a whole; no other writer can change it in between.
  ///
  /// - Parameters:
  ///   - reference: See ``note(_:)``.
  ///   - now: The time of the change.
  ///   - added: Files that it gets in addition.
  /// - Returns: The note before and after.
  /// - Throws: ``NoteError``: `not_found`, `ambiguous`, `invalid_input`, `io`.
  public func change(
    _ reference: String, at now: Timestamp, adding added: [NoteDraft.File] = [],
    _ body: (inout Note) throws -> Void
  ) throws(NoteError) -> (before: Note, after: Note) {
    try write { database in
      let before = try meant(reference, database)
      var after = before
      try body(&after)
      (after.id, after.number, after.files) = (before.id, before.number, before.files)
      if after == before, added.isEmpty { return (before, before) }
      after.updated = now
      after = try checked(after)
      after.category = try after.category.map { try categoryName($0, database) }
      try database.execute(
        sql: """
          UPDATE notes SET kind = ?, title = ?, text = ?, corrected = ?, summary = ?, category = ?, tags = ?, source = ?,
            uses_model = ?, reminder = ?, reminder_run = ?, created = ?, updated = ? WHERE number = ?
          """, arguments: StatementArguments(columns(after) + [after.number]))
      try writeTags(after, database)
      try writeFiles(added, of: after.number, after: before.files.count, database)
      return (before, try note(after.id, database) ?? after)
    }
  }

  /// Notes which run reminds of a note, which is not a change of the note.
  public func setReminderRun(_ run: String?, of id: String) throws(NoteError) {
    try write { database in
      try database.execute(sql: "UPDATE notes SET reminder_run = ? WHERE id = ?", arguments: [run, id])
    }
  }

  /// Deletes notes with their files.
  ///
  /// - Parameter ids: Their ids.
  /// - Returns: Those that there were.
  public func delete(_ ids: [String]) throws(NoteError) -> [Note] {
    try write { database in
      var deleted: [Note] = []
      for id in ids {
        guard let note = try note(id, database) else { continue }
        try database.execute(sql: "DELETE FROM notes WHERE number = ?", arguments: [note.number])
        deleted.append(note)
      }
      return deleted
    }
  }

  /// A new id: a UUID in upper case.
  public static func newID() -> String { UUID().uuidString }

  /// An id in the form in which it is kept; `nil` if it is not a UUID.
  public static func id(_ text: String) -> String? { UUID(uuidString: text)?.uuidString }

  // MARK: - Inside a transaction

  private func isKnown(_ id: String, _ database: Database) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM notes WHERE id = ?)", arguments: [id]) ?? false
  }

  private func insert(_ draft: NoteDraft, _ database: Database) throws -> Note {
    var note = draft.note
    note.category = try note.category.map { try categoryName($0, database) }
    try database.execute(
      sql: """
        INSERT INTO notes (kind, title, text, corrected, summary, category, tags, source, uses_model, reminder,
          reminder_run, created, updated, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, arguments: StatementArguments(columns(note) + [note.id]))
    note.number = Int(database.lastInsertedRowID)
    try writeTags(note, database)
    try writeFiles(draft.files, of: note.number, after: 0, database)
    if let call = draft.call {
      try database.execute(sql: "INSERT INTO saves (call, note) VALUES (?, ?)", arguments: [call, note.id])
    }
    return try self.note(note.id, database) ?? note
  }

  private func columns(_ note: Note) -> [(any DatabaseValueConvertible)?] {
    [
      note.kind.rawValue, note.title, note.text, note.corrected, note.summary, note.category,
      note.tags.joined(separator: "\n"), note.source, note.usesModel.map { $0 ? 1 : 0 }, note.reminder?.stored,
      note.reminderRun, note.created.stored, note.updated.stored,
    ]
  }

  private func writeTags(_ note: Note, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM note_tags WHERE note = ?", arguments: [note.number])
    for tag in note.tags {
      try database.execute(
        sql: "INSERT INTO note_tags (note, folded, tag) VALUES (?, ?, ?)",
        arguments: [note.number, tag.lowercased(), tag])
    }
  }

  private func writeFiles(
    _ files: [NoteDraft.File], of note: Int, after count: Int, _ database: Database
  ) throws {
    for (index, given) in files.enumerated() {
      var file = given.file
      if let content = given.content { (file.hash, file.size) = try writeContent(content, of: file, database) }
      try database.execute(
        sql: "INSERT INTO note_files (note, position, role, name, type, size, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [note, count + index, file.role.rawValue, file.name, file.type, file.size, file.hash])
    }
  }

  /// Keeps a content, once however many notes have it.
  private func writeContent(
    _ content: () throws -> [UInt8], of file: NoteFile, _ database: Database
  ) throws -> (hash: String, size: Int) {
    let temporary = "new"
    let running = RunningHash()
    var (size, position) = (0, 0)
    while true {
      let piece = try content()
      if piece.isEmpty { break }
      size += piece.count
      guard size <= Self.fileLimit else {
        throw NoteError(
          .invalid, "'\(file.name)' has more than \(Self.fileLimit >> 20) MiB",
          de: "'\(file.name)' hat mehr als \(Self.fileLimit >> 20) MiB")
      }
      running.update(piece)
      try database.execute(
        sql: "INSERT INTO contents (hash, position, content) VALUES (?, ?, ?)",
        arguments: [temporary, position, Data(piece)])
      position += 1
    }
    let hash = running.finish()
    let isKnown = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM contents WHERE hash = ?)", arguments: [hash])
    try database.execute(
      sql: isKnown == true ? "DELETE FROM contents WHERE hash = ?1" : "UPDATE contents SET hash = ?2 WHERE hash = ?1",
      arguments: isKnown == true ? [temporary] : [temporary, hash])
    return (hash, size)
  }

  /// A note as it can be kept: no tag twice, no empty words, nothing too large.
  private func checked(_ note: Note) throws(NoteError) -> Note {
    var note = note
    var seen: Set<String> = []
    note.tags = note.tags.map { Note.trimmed($0.split(whereSeparator: \.isNewline).joined(separator: " ")) }
      .filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
    note.category = note.category.map { Note.trimmed($0.split(whereSeparator: \.isNewline).joined(separator: " ")) }
    if note.category?.isEmpty == true { note.category = nil }
    let texts = [note.text, note.corrected, note.summary, note.title, note.source].compactMap(\.self)
    guard texts.allSatisfy({ $0.utf8.count <= Self.textLimit }) else {
      throw NoteError(
        .invalid, "a text of a note has at most \(Self.textLimit >> 20) MiB",
        de: "ein Text einer Notiz hat höchstens \(Self.textLimit >> 20) MiB")
    }
    guard note.tags.count <= 200, (note.tags + [note.category ?? ""]).allSatisfy({ $0.utf8.count <= 800 }) else {
      throw NoteError(
        .invalid, "a note has at most 200 tags, and names have at most 200 characters",
        de: "eine Notiz hat höchstens 200 Schlagwörter, und Namen haben höchstens 200 Zeichen")
    }
    for time in [note.created, note.updated, note.reminder].compactMap(\.self) where time.stored == nil {
      throw NoteError(
        .invalid, "\(time.rfc3339) is not a time of a note: the years 1678 to 2261 can be kept",
        de: "\(time.rfc3339) ist keine Zeit einer Notiz: die Jahre 1678 bis 2261 lassen sich halten")
    }
    return note
  }
}

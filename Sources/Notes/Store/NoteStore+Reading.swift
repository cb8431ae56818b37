internal import Expressions
internal import Foundation
internal import GRDB
internal import Localization

extension NoteStore {
  /// A page of notes.
  public struct Page: Sendable {
    /// The notes, the newest first.
    public var notes: [Note]
    /// How many there are on all pages.
    public var total: Int
    /// Where the next page begins; `nil` if this is the last.
    public var cursor: String?

    /// Creates a page.
    public init(notes: [Note] = [], total: Int = 0, cursor: String? = nil) {
      (self.notes, self.total, self.cursor) = (notes, total, cursor)
    }
  }

  /// The note that a reference means: its number, a beginning of its id of at least four characters, its heading, or a
  /// part of its heading.
  ///
  /// - Throws: ``NoteError``: `not_found`, `ambiguous` with the notes that could be meant, `io`.
  public func note(_ reference: String) throws(NoteError) -> Note {
    try read { try meant(reference, $0) }
  }

  /// The note of an id; `nil` if there is none.
  public func note(id: String) throws(NoteError) -> Note? {
    guard let id = Self.id(id) else { return nil }
    return try read { try note(id, $0) }
  }

  /// Whether a call has saved a note; its id, whether or not the note is still there.
  public func savedNote(ofCall call: String) throws(NoteError) -> String? {
    try read { try String.fetchOne($0, sql: "SELECT note FROM saves WHERE call = ?", arguments: [call]) }
  }

  /// Notes, the newest first.
  ///
  /// - Parameters:
  ///   - filter: Which.
  ///   - limit: At most so many.
  ///   - cursor: Where the page before ended.
  /// - Throws: ``NoteError``: `invalid_input` for a cursor that is none, `io`.
  public func notes(
    _ filter: NoteFilter = NoteFilter(), limit: Int, cursor: String? = nil
  ) throws(NoteError) -> Page {
    var position: (created: Int64, number: Int64)?
    if let cursor {
      let parts = cursor.split(separator: "/").compactMap { Int64($0) }
      guard parts.count == 2 else {
        throw NoteError(.invalid, "'\(cursor)' is not a cursor", de: "'\(cursor)' ist kein Cursor")
      }
      position = (parts[0], parts[1])
    }
    return try read { [position] database in
      let (condition, arguments) = Self.condition(filter)
      let total =
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM notes WHERE \(condition)", arguments: StatementArguments(arguments)) ?? 0
      let after = position == nil ? "" : " AND (created, number) < (?, ?)"
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT * FROM notes WHERE \(condition)\(after) ORDER BY created DESC, number DESC LIMIT ?",
        arguments: StatementArguments(
          arguments + (position.map { [$0.created, $0.number] } ?? []) + [max(1, limit) + 1]))
      let notes = try rows.prefix(max(1, limit)).map { try Self.note($0, database) }
      let last = notes.last.map { "\($0.created.stored ?? 0)/\($0.number)" }
      return Page(notes: notes, total: total, cursor: rows.count > max(1, limit) ? last : nil)
    }
  }

  /// Notes that contain all words, or words that begin like them, in title, texts or tags; case and diacritics do not count.
  /// The best first. Where there is no word but emoji and the like, notes that contain all of these, the newest first: the
  /// index has words alone.
  public func search(
    _ words: String, _ filter: NoteFilter = NoteFilter(), limit: Int
  ) throws(NoteError) -> [FoundNote] {
    let wanted = words.split { !($0.isLetter || $0.isNumber) }.prefix(50)
    guard !wanted.isEmpty else { return try searchSigns(words, filter, limit: limit) }
    let query = wanted.map(Self.phrase).joined(separator: " AND ")
    return try read { database in
      let (condition, arguments) = Self.condition(filter)
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT notes.*, snippet(note_search, -1, char(1), char(2), '…', 24) AS passage
          FROM note_search JOIN notes ON notes.number = note_search.rowid
          WHERE note_search MATCH ? AND \(condition)
          ORDER BY bm25(note_search, 8.0, 1.0, 1.0, 2.0, 4.0), notes.created DESC LIMIT ?
          """, arguments: StatementArguments([query] + arguments + [max(1, limit)]))
      return try rows.map {
        FoundNote(note: try Self.note($0, database), passage: Self.pieces($0["passage"] ?? ""))
      }
    }
  }

  private func searchSigns(
    _ signs: String, _ filter: NoteFilter, limit: Int
  ) throws(NoteError) -> [FoundNote] {
    let wanted = signs.split(whereSeparator: \.isWhitespace).prefix(50).map(String.init)
    guard !wanted.isEmpty else { return [] }
    return try read { database in
      let (condition, arguments) = Self.condition(filter)
      let all =
        "coalesce(title, '') || '\n' || text || '\n' || coalesce(corrected, '') || '\n'"
        + " || coalesce(summary, '') || '\n' || tags"
      let signs = wanted.map { _ in " AND instr(\(all), ?) > 0" }.joined()
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT *, \(all) AS passage FROM notes WHERE \(condition)\(signs) ORDER BY created DESC LIMIT ?",
        arguments: StatementArguments(arguments + wanted + [max(1, limit)]))
      return try rows.map {
        FoundNote(note: try Self.note($0, database), passage: Self.passage($0["passage"] ?? "", around: wanted[0]))
      }
    }
  }

  /// The first line with a sign, with the text around it.
  private static func passage(_ text: String, around sign: String) -> [FoundNote.Piece] {
    guard let hit = text.range(of: sign, options: .literal) else { return [] }
    let before = text[..<hit.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    let after = text[hit.upperBound...].prefix { !$0.isNewline }
    let pieces: [FoundNote.Piece] = [
      .init(before.count > 60 ? "…" + before.suffix(60) : String(before), isHit: false), .init(sign, isHit: true),
      .init(after.count > 60 ? after.prefix(60) + "…" : String(after), isHit: false),
    ]
    return pieces.filter { !$0.text.isEmpty }
  }

  /// A word, or a word that begins with it, as it may be written: "strasse" and "straße"; "zuerich" also as a whole for
  /// "zürich". The index itself takes accents away.
  private static func phrase(of word: some StringProtocol) -> String {
    let word = word.lowercased()
    var spellings: [String] = []
    for spelling in [word, word.replacing("ss", with: "ß"), word.replacing("ß", with: "ss")] {
      spellings.append("\"\(spelling)\"*")
      let plain = [("ae", "a"), ("oe", "o"), ("ue", "u")].reduce(spelling) { $0.replacing($1.0, with: $1.1) }
      if plain != spelling { spellings.append("\"\(plain)\"") }
    }
    return "(" + spellings.joined(separator: " OR ") + ")"
  }

  /// The tags that notes have, with how many, the most used first.
  public func tags() throws(NoteError) -> [(tag: String, count: Int)] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT min(tag) AS tag, count(*) AS count FROM note_tags GROUP BY folded ORDER BY 2 DESC, 1"
      ).map { ($0["tag"] ?? "", $0["count"] ?? 0) }
    }
  }

  /// Reads the content of a file piece by piece.
  ///
  /// - Throws: ``NoteError``: `not_found` if there is no such content, `io`, and what the body throws as `io`.
  public func readContent(_ hash: String, _ body: ([UInt8]) throws -> Void) throws(NoteError) {
    try read { database in
      let pieces = try Data.fetchCursor(
        database, sql: "SELECT content FROM contents WHERE hash = ? ORDER BY position", arguments: [hash])
      while let piece = try pieces.next() { try body(Array(piece)) }
    }
  }

  // MARK: - Inside a transaction

  func note(_ id: String, _ database: Database) throws -> Note? {
    try Row.fetchOne(database, sql: "SELECT * FROM notes WHERE id = ?", arguments: [id])
      .map { try Self.note($0, database) }
  }

  func meant(_ reference: String, _ database: Database) throws -> Note {
    let wanted = Note.trimmed(reference)
    if let number = Int64(wanted.hasPrefix("#") ? String(wanted.dropFirst()) : wanted),
      let row = try Row.fetchOne(database, sql: "SELECT * FROM notes WHERE number = ?", arguments: [number])
    {
      return try Self.note(row, database)
    }
    if let id = Self.id(wanted), let note = try note(id, database) { return note }
    if wanted.utf8.count >= 4, wanted.utf8.allSatisfy({ $0 == 0x2D || isxdigit(Int32($0)) != 0 }) {
      let rows = try Row.fetchAll(
        database, sql: "SELECT * FROM notes WHERE substr(id, 1, ?) = ? LIMIT 6",
        arguments: [wanted.utf8.count, wanted.uppercased()])
      if !rows.isEmpty { return try one(of: try rows.map { try Self.note($0, database) }, reference) }
    }
    var exact: [Note] = []
    var partial: [Note] = []
    let folded = wanted.lowercased()
    guard !folded.isEmpty else { throw Self.noNote(reference) }
    let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM notes ORDER BY created DESC, number DESC")
    while let row = try cursor.next() {
      let heading = Self.plainNote(row).heading.lowercased()
      if heading == folded { exact.append(try Self.note(row, database)) }
      if partial.count < 6, heading.contains(folded) { partial.append(try Self.note(row, database)) }
    }
    return try one(of: exact.isEmpty ? partial : exact, reference)
  }

  private func one(of notes: [Note], _ reference: String) throws(NoteError) -> Note {
    guard let note = notes.first else { throw Self.noNote(reference) }
    guard notes.count == 1 else {
      let list = notes.prefix(5).map { "\($0.number) (\($0.heading))" }.joined(separator: ", ")
      throw NoteError(.ambiguous, "several notes are meant: \(list)", de: "mehrere Notizen sind gemeint: \(list)")
    }
    return note
  }

  private static func noNote(_ reference: String) -> NoteError {
    NoteError(
      .notFound, "no note '\(reference)'; 'sous notes' lists them",
      de: "keine Notiz '\(reference)'; 'sous notes' zählt sie auf")
  }

  private static func condition(
    _ filter: NoteFilter
  ) -> (sql: String, arguments: [any DatabaseValueConvertible]) {
    var (parts, arguments): ([String], [any DatabaseValueConvertible]) = (["1"], [])
    if let category = filter.category {
      parts.append(
        """
        coalesce(notes.category, (SELECT name FROM categories WHERE is_default = 1))
          = (SELECT name FROM categories WHERE folded = ?)
        """)
      arguments.append(category.lowercased())
    }
    for tag in filter.tags {
      parts.append("EXISTS (SELECT 1 FROM note_tags WHERE note = notes.number AND folded = ?)")
      arguments.append(tag.lowercased())
    }
    if let kind = filter.kind {
      parts.append("notes.kind = ?")
      arguments.append(kind.rawValue)
    }
    for (time, sql) in [
      (filter.since, "notes.created >= ?"), (filter.before, "notes.created < ?"),
      (filter.remindedAfter, "notes.reminder > ?"),
    ] {
      guard let time else { continue }
      parts.append(sql)
      arguments.append(time.stored ?? (time.seconds < 0 ? .min : .max))
    }
    return (parts.joined(separator: " AND "), arguments)
  }

  private static func note(_ row: Row, _ database: Database) throws -> Note {
    var note = plainNote(row)
    note.files = try Row.fetchAll(
      database, sql: "SELECT * FROM note_files WHERE note = ? ORDER BY position", arguments: [note.number]
    ).map { file in
      NoteFile(
        NoteFile.Role(rawValue: file["role"] ?? "") ?? .attachment, name: file["name"] ?? "", type: file["type"] ?? "",
        size: file["size"], hash: file["hash"])
    }
    return note
  }

  /// A note without its files.
  private static func plainNote(_ row: Row) -> Note {
    var note = Note(
      id: row["id"] ?? "", kind: Note.Kind(rawValue: row["kind"] ?? "") ?? .text, text: row["text"] ?? "",
      created: Timestamp(stored: row["created"] ?? 0))
    note.number = row["number"] ?? 0
    note.title = row["title"]
    note.corrected = row["corrected"]
    note.summary = row["summary"]
    note.category = row["category"]
    note.tags = (row["tags"] as String? ?? "").split(separator: "\n").map(String.init)
    note.source = row["source"]
    note.usesModel = (row["uses_model"] as Int?).map { $0 != 0 }
    note.reminder = (row["reminder"] as Int64?).map { Timestamp(stored: $0) }
    note.reminderRun = row["reminder_run"]
    note.updated = Timestamp(stored: row["updated"] ?? 0)
    return note
  }

  private static func pieces(_ passage: String) -> [FoundNote.Piece] {
    var pieces: [FoundNote.Piece] = []
    var isHit = false
    var text = ""
    func end() {
      if !text.isEmpty { pieces.append(.init(text, isHit: isHit)) }
      text = ""
    }
    for scalar in passage.unicodeScalars {
      if scalar.value == 1 || scalar.value == 2 {
        end()
        isHit = scalar.value == 1
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    end()
    return pieces
  }
}

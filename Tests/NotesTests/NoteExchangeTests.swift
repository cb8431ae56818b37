import Expressions
import Foundation
import Localization
import Notes
import Schedules
import SeededRandom
import Testing

@Suite struct NoteExchangeTests {
  // MARK: - Reading

  @Test func theEntriesOfTheDocumentsAreRead() throws {
    let json = """
      [{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","date":785678400.25,"type":"audio","title":"Sitzung",
        "text":"ähm","audioFileName":"memo 1.m4a","category":"Protokoll","tags":["a","b"],
        "reminderDate":790000000,"useAI":true,"aiText":"Korrigiert."}]
      """
    let read = try NoteImport(try Value(json: json), now: .start)
    #expect(read.remarks.isEmpty)
    let entry = try #require(read.entries.first)
    #expect(entry.note.id == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
    // 785678400 s after 2001-01-01 UTC is 2025-11-24 12:00 UTC.
    #expect(entry.note.created.rfc3339 == "2025-11-24T12:00:00.25Z")
    #expect(entry.note.reminder?.rfc3339 == "2026-01-13T12:26:40Z")
    #expect(entry.note.kind == .audio)
    #expect((entry.note.title, entry.note.text) == ("Sitzung", "ähm"))
    #expect((entry.note.corrected, entry.note.category) == ("Korrigiert.", "Protokoll"))
    #expect((entry.note.tags, entry.note.usesModel) == (["a", "b"], true))
    #expect(entry.paths == ["memo 1.m4a"])
  }

  @Test(
    arguments: [
      (
        #"{"content":"alt","audioURL":"file:///var/mobile/Documents/a%20b.m4a","createdAt":0}"#, Note.Kind.audio,
        "a b.m4a"
      ),
      (#"{"text":"x","audioURL":null,"createdAt":"2025-01-15T09:30:00Z","useAI":false}"#, .text, nil),
      (#"{"text":"x","audioURL":{"relative":"aufnahme.m4a"},"date":1}"#, .audio, "aufnahme.m4a"),
      (#"{"text":"x","type":{"text":{}},"audioFileName":"../../etc/passwd","date":1}"#, .text, "passwd"),
      (
        #"{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","timestamp":"2025-01-15","originalTranscription":"x","correctedText":"","summary":""}"#,
        .audio, nil
      ),
    ] as [(String, Note.Kind, String?)])
  func olderFormsAreRead(_ entry: String, _ kind: Note.Kind, _ audio: String?) throws {
    let read = try NoteImport(try Value(json: "[\(entry)]"), now: .start)
    let found = try #require(read.entries.first)
    #expect(found.note.kind == kind)
    #expect(found.note.audio?.name == audio)
    #expect(found.note.corrected == nil)
    #expect(found.note.created < .start)
  }

  @Test func whatIsNoEntryIsTold() throws {
    let json = #"[1, {"x":1}, {"id":"no uuid","text":"a"}, {"text":"b","date":1e300}, {"id":"x","text":7}]"#
    let read = try NoteImport(try Value(json: json), now: .start)
    #expect(read.entries.map(\.note.text) == ["a", "b"])
    #expect(read.entries.map(\.note.created) == [.start, .start])
    #expect(read.remarks.filter(\.isLeftOut).map(\.position) == [1, 2, 5])
    let invalid = NoteError(.invalid, .init(verbatim: ""))
    #expect(throws: invalid) { try NoteImport(try Value(json: #"{"a":1}"#), now: .start) }
    let newer = NoteError(.foreign, .init(verbatim: ""))
    #expect(throws: newer) {
      try NoteImport(try Value(json: #"{"format":"sous-notes","version":2,"notes":[]}"#), now: .start)
    }
  }

  @Test func entriesWithoutAnIdKeepTheOneThatTheirContentGives() throws {
    func ids(_ json: String) throws -> [String] {
      try NoteImport(try Value(json: json), now: .start).entries.map(\.note.id)
    }
    let first = try ids(
      #"""
      [{"text":"a","date":1},{"text":"a","date":1},{"text":"a","date":2},{"text":"b"},{"id":"7","text":"b"},
       {"aiText":"c"},{"aiText":"d"}]
      """#)
    #expect(Set(first).count == 7)
    #expect(first.allSatisfy { NoteStore.id($0) == $0 })
    // The same in other forms and another order of fields, with what a model has made since.
    #expect(
      try ids(
        #"""
        [{"createdAt":"2001-01-01T00:00:01Z","content":"a","aiText":"A"},{"date":1.0,"text":"a","tags":["x"]},
         {"text":"a","date":2},{"text":"b"},{"text":"b","id":"7"},{"aiText":"c"},{"aiText":"d"}]
        """#) == first)
  }

  // MARK: - Both ways

  @Test(arguments: 0..<10 as Range<UInt64>)
  func entriesComeBackAsTheyWere(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let entries = (0..<30).map { _ in Self.entry(&random) }
    let read = try NoteImport(.list(entries), now: .start)
    #expect(read.remarks.isEmpty)
    let notes = try TemporaryNotes()
    let drafts = read.entries.map { entry in
      NoteDraft(
        entry.note,
        files: entry.note.files.map { .init($0.role, name: $0.name, type: $0.type, bytes: Array(entry.note.id.utf8)) })
    }
    let added = try notes.store.add(drafts)
    let export = NoteExport.entries(added)
    #expect(export.json == .list(entries))
    // As text too: numbers keep their last digit.
    #expect(try Value(json: export.json.json()) == .list(entries))
    #expect(export.files.count == read.entries.count { !$0.paths.isEmpty })
    // A second time nothing is new.
    #expect(try notes.store.add(drafts).isEmpty)
  }

  @Test func everythingComesBackFromAFullExport() throws {
    let first = try TemporaryNotes()
    var note = Note(id: NoteStore.newID(), kind: .audio, text: "t", created: .start.adding(seconds: 0.123456))
    (note.title, note.corrected, note.summary, note.category) = ("T", "c", "s", "Neu")
    (note.tags, note.source, note.usesModel, note.reminder) = (["x"], "mail", false, .start.adding(seconds: 9))
    note.updated = .start.adding(seconds: 5)
    let files: [NoteDraft.File] = [
      .init(.audio, name: "a.m4a", type: "audio/mp4", bytes: [1]),
      .init(.attachment, name: "a.m4a", type: "audio/mp4", bytes: [2]),
      .init(NoteFile(.attachment, name: "weg.txt", type: "text/plain"), content: nil),
    ]
    let kept = try first.store.save(NoteDraft(note, files: files)).note
    try first.store.addCategory("Leer", color: "#010203")
    let categories = try first.store.categories()
    let export = NoteExport.full([kept], categories: categories)
    #expect(Set(export.files.map(\.path)).count == 2)
    #expect(export.missing == ["weg.txt"])
    let read = try NoteImport(try Value(json: export.json.json()), now: .start)
    let entry = try #require(read.entries.first)
    #expect(entry.paths.prefix(2) == export.files.map(\.path)[...])
    var expected = kept
    (expected.number, expected.files) = (0, entry.note.files)
    #expect(entry.note == expected)
    #expect(entry.note.files.map(\.role) == kept.files.map(\.role))
    #expect(read.categories.map(\.name) == categories.map(\.name))
    #expect(read.categories.map(\.color) == categories.map(\.color))
    #expect(NoteExport.full([kept], categories: categories).json == export.json)
  }

  @Test func categoriesOfAFullExportTakeThePlaceOfThoseOfANewStore() throws {
    let first = try TemporaryNotes()
    try first.store.deleteCategory("Netzwerk")
    try first.store.addCategory("Eigene", color: "#010203")
    try first.store.changeCategory("Eigene", position: 1, isDefault: true)
    let categories = try first.store.categories()
    let json = NoteExport.full([], categories: categories).json
    let read = try NoteImport(json, now: .start)
    let second = try TemporaryNotes()
    _ = try second.store.add([], categories: read.categories)
    #expect(try second.store.categories() == categories)
    // Where somebody has begun, what is there stays.
    let third = try TemporaryNotes()
    try third.add("x")
    _ = try third.store.add([], categories: read.categories)
    #expect(try third.store.categories().map(\.name) == ["Allgemein", "Netzwerk", "Dokumentation", "Eigene"])
    #expect(try third.store.defaultCategory() == "Allgemein")
  }

  private static func entry(_ random: inout SeededGenerator) -> Value {
    let words = ["Größe", "\"Zitat\"", "👩‍👩‍👧", "a\nb", "ß", "\u{2028}", "\\", "x"]
    func text() -> String {
      (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
    }
    func sometimes(_ value: @autoclosure () -> Value) -> Value? { Bool.random(using: &random) ? value() : nil }
    func date() -> Value {
      Bool.random(using: &random)
        ? .int(.random(in: -900_000_000...900_000_000, using: &random))
        // As Foundation gives the present: whole microseconds or less, never a whole second.
        : .double(
          Double(Int64.random(in: 1...800_000_000, using: &random)) + Double.random(in: 0.001...0.999, using: &random))
    }
    let isAudio = Bool.random(using: &random)
    var entry: ValueMap = [
      "id": .string(
        UUID(
          uuid: (
            1, 2, 3, 4, 5, 6, 7, 8, .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
            .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
            .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
            .random(in: 0...255, using: &random), .random(in: 0...255, using: &random)
          )
        ).uuidString), "date": date(), "type": .string(isAudio ? "audio" : "text"),
      "tags": .list(
        Set(
          (0..<3).map { _ in words.randomElement(using: &random) ?? "" }.filter {
            !$0.contains("\n") && !$0.contains("\u{2028}")
          }
        ).map { .string($0) }),
    ]
    if let title = sometimes(.string(text())) { entry["title"] = title }
    if let value = sometimes(.string(text())) { entry["text"] = value }
    if isAudio { entry["audioFileName"] = .string("\(UInt32.random(in: 0...UInt32.max, using: &random)).m4a") }
    if let value = sometimes("Kategorie") { entry["category"] = value }
    if let value = sometimes(date()) { entry["reminderDate"] = value }
    if let value = sometimes(.bool(Bool.random(using: &random))) { entry["useAI"] = value }
    if let value = sometimes(.string(text())) { entry["aiText"] = value }
    return .map(entry)
  }

  // MARK: - Texts

  @Test func markdownHasTheLayoutOfTheDocuments() throws {
    let zone = try #require(Zone("Europe/Zurich"))
    var first = Note(id: "1", text: "ähm", created: try #require(Timestamp(rfc3339: "2025-01-15T08:30:00Z")))
    (first.corrected, first.summary) = ("Korrigiert.", "Kurz gesagt.")
    let second = Note(id: "2", text: "Nur Text", created: try #require(Timestamp(rfc3339: "2025-07-01T22:05:00Z")))
    let now = try #require(Timestamp(rfc3339: "2026-11-24T09:00:00Z"))
    #expect(
      NoteText.markdown([first, second], zone: zone, now: now) == """
        # Sprachnotizen Export
        Exportiert am 24.11.2026, 10:00

        ---

        ## 15.01.2025, 09:30

        **Zusammenfassung:** Kurz gesagt.

        Korrigiert.

        ---

        ## 02.07.2025, 00:05

        Nur Text

        ---

        """)
    #expect(
      NoteText.text(of: first, zone: zone)
        == "Sprachnotiz vom 15.01.2025, 09:30\n\nZusammenfassung:\nKurz gesagt.\n\nKorrigiert.\n")
    #expect(NoteText.fileName(now, zone: zone, ending: "md") == "sprachnotizen_2026-11-24.md")
  }

  @Test(arguments: [
    ("a/b\\c.pdf", "c.pdf"), ("..", "file"), ("", "file"), ("x\u{0}\n.txt", "x.txt"), ("Größe.m4a", "Größe.m4a"),
    (".envrc", "envrc"),
  ])
  func namesOfFilesLeadNowhereElse(_ name: String, _ expected: String) {
    #expect(NoteFileNames.safe(name) == expected)
  }
}

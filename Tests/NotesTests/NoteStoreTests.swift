import Expressions
import Foundation
import Localization
import Notes
import Testing

@Suite struct NoteStoreTests {
  @Test func aNoteComesBackWithAllItHas() throws {
    let notes = try TemporaryNotes()
    var note = Note(id: NoteStore.newID(), kind: .audio, text: "ähm also", created: .start)
    (note.title, note.corrected, note.summary, note.category) = ("Titel", "Also.", "Kurz.", "Protokoll")
    (note.tags, note.source, note.usesModel) = (["a", "B"], "memo.m4a", true)
    note.reminder = .start.adding(seconds: 60)
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    let kept = try notes.store.save(
      NoteDraft(
        note,
        files: [
          .init(.audio, name: "memo.m4a", type: "audio/mp4", bytes: bytes),
          .init(NoteFile(.attachment, name: "weg.pdf", type: "application/pdf"), content: nil),
        ]))
    #expect(kept.isNew)
    let found = try #require(try notes.store.note(id: note.id.lowercased()))
    #expect(found == kept.note)
    #expect(found.number == 1)
    #expect(found.audio?.size == 600_000)
    #expect(try notes.content(try #require(found.audio?.hash)) == bytes)
    #expect(found.attachments.map(\.hash) == [nil])
    var expected = note
    (expected.number, expected.files) = (1, found.files)
    #expect(found == expected)
  }

  @Test func oneCallSavesOneNote() throws {
    let notes = try TemporaryNotes()
    func save() throws -> NoteStore.Kept {
      try notes.store.save(NoteDraft(Note(id: NoteStore.newID(), text: "x", created: .start), call: "run/step"))
    }
    let first = try save()
    let second = try save()
    #expect(first.isNew && !second.isNew)
    #expect(second.note.id == first.note.id)
    #expect(try notes.store.notes(limit: 10).total == 1)
    // What a person has deleted does not come back by a repeated attempt.
    _ = try notes.store.delete([first.note.id])
    #expect(try save().note.id == first.note.id)
    #expect(try notes.store.notes(limit: 10).total == 0)
  }

  @Test func aSaveThatFailsLeavesNothing() throws {
    struct Broken: Error {}
    let notes = try TemporaryNotes()
    let left = Counter(3)
    let file = NoteDraft.File(NoteFile(.audio, name: "a.m4a", type: "audio/mp4")) {
      if left.decrement() { return [1, 2, 3] }
      throw Broken()
    }
    let note = Note(id: NoteStore.newID(), text: "x", created: .start)
    #expect(throws: NoteError(.failed, .init(verbatim: ""))) {
      try notes.store.save(NoteDraft(note, files: [file], call: "c"))
    }
    #expect(try notes.store.notes(limit: 10).total == 0)
    #expect(try notes.store.savedNote(ofCall: "c") == nil)
  }

  @Test func theNewestComeFirstPageByPage() throws {
    let notes = try TemporaryNotes()
    for number in 1...7 { try notes.add("n\(number)", at: Int64(number % 3)) }
    var seen: [Int] = []
    var cursor: String?
    repeat {
      let page = try notes.store.notes(limit: 3, cursor: cursor)
      #expect(page.total == 7)
      seen += page.notes.map(\.number)
      cursor = page.cursor
    } while cursor != nil
    #expect(seen == [5, 2, 7, 4, 1, 6, 3])
    #expect(throws: NoteError(.invalid, .init(verbatim: ""))) { try notes.store.notes(limit: 3, cursor: "x") }
  }

  @Test func filtersNarrowTheList() throws {
    let notes = try TemporaryNotes()
    try notes.add("eins", at: 1) { ($0.category, $0.tags) = ("Netzwerk", ["Ärger", "x"]) }
    try notes.add("zwei", at: 2) { ($0.kind, $0.tags) = (.audio, ["ärger"]) }
    try notes.add("drei", at: 3)
    func found(_ change: (inout NoteFilter) -> Void) throws -> [String] {
      var filter = NoteFilter()
      change(&filter)
      return try notes.store.notes(filter, limit: 10).notes.map(\.text)
    }
    #expect(try found { $0.category = "netzwerk" } == ["eins"])
    // Notes without a category belong to the default one.
    #expect(try found { $0.category = "Allgemein" } == ["drei", "zwei"])
    #expect(try found { $0.category = "Unbekannt" } == [])
    #expect(try found { $0.tags = ["ÄRGER"] } == ["zwei", "eins"])
    #expect(try found { $0.tags = ["ärger", "X"] } == ["eins"])
    #expect(try found { $0.kind = .audio } == ["zwei"])
    #expect(try found { $0.since = Timestamp.start.adding(seconds: 2) } == ["drei", "zwei"])
    #expect(try found { $0.before = Timestamp.start.adding(seconds: 2) } == ["eins"])
  }

  @Test func tagsStandOnceWhateverTheirCase() throws {
    let notes = try TemporaryNotes()
    let note = try notes.add("x") { $0.tags = ["Bau", " bau ", "", "Über uns", "BAU"] }
    #expect(note.tags == ["Bau", "Über uns"])
    let changed = try notes.store.change("1", at: .start) { $0.tags.append("über UNS") }
    #expect(changed.after.tags == ["Bau", "Über uns"])
    try notes.add("y") { $0.tags = ["bau"] }
    #expect(try notes.store.tags().map(\.count) == [2, 1])
  }

  @Test func aNoteIsFoundByNumberIdAndHeading() throws {
    let notes = try TemporaryNotes()
    let first = try notes.add("Erste Zeile\nzweite") { $0.id = "ABCD0000-0000-4000-8000-000000000001" }
    try notes.add("Zweite Notiz") { $0.id = "ABCD0000-0000-4000-8000-000000000002" }
    #expect(first.heading == "Erste Zeile")
    #expect(try notes.store.note("2").text == "Zweite Notiz")
    #expect(try notes.store.note("#1").text == first.text)
    #expect(try notes.store.note("zweite").number == 2)
    #expect(try notes.store.note("ABCD0000-0000-4000-8000-000000000001").number == 1)
    #expect(throws: NoteError(.ambiguous, .init(verbatim: ""))) { try notes.store.note("abcd0000") }
    #expect(throws: NoteError(.notFound, .init(verbatim: ""))) { try notes.store.note("dritte") }
    #expect(throws: NoteError(.notFound, .init(verbatim: ""))) { try notes.store.note(" ") }
  }

  @Test func contentsAreKeptOnceAndGoWithTheLastNote() throws {
    let notes = try TemporaryNotes()
    func save() throws -> Note {
      let note = Note(id: NoteStore.newID(), kind: .audio, text: "", created: .start)
      return try notes.store.save(
        NoteDraft(note, files: [.init(.audio, name: "a.m4a", type: "audio/mp4", bytes: [1, 2, 3])])
      ).note
    }
    let (first, second) = (try save(), try save())
    let hash = try #require(first.audio?.hash)
    #expect(hash == second.audio?.hash)
    _ = try notes.store.delete([first.id])
    #expect(try notes.content(hash) == [1, 2, 3])
    _ = try notes.store.delete([second.id])
    #expect(try notes.content(hash) == [])
  }

  @Test func aFileOfAnotherProgramIsLeftAlone() throws {
    let folder = NSTemporaryDirectory() + "/foreign-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/notes.db"
    try Data("something else entirely, and long enough to be no empty file".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: NoteError.self) { try NoteStore.opened(path, language: .english) }
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("something else"))
    let missing = try NoteStore(path: folder + "/none.db", creates: false)
    #expect(missing.map(\.path) == nil)
  }

  @Test func othersOfTheMachineCannotReadNotes() throws {
    let notes = try TemporaryNotes()
    let mode = try FileManager.default.attributesOfItem(atPath: notes.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func timesFromTheEdgesAreRefused() throws {
    let notes = try TemporaryNotes()
    let note = Note(id: NoteStore.newID(), text: "x", created: Timestamp(seconds: 250_000_000_000))
    #expect(throws: NoteError(.invalid, .init(verbatim: ""))) { try notes.store.save(NoteDraft(note)) }
  }
}

/// Counts down.
final class Counter: @unchecked Sendable {
  // Used by one thread of a test.
  private var left: Int
  init(_ left: Int) { self.left = left }
  func decrement() -> Bool {
    left -= 1
    return left >= 0
  }
}

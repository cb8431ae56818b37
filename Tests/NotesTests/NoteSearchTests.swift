import Expressions
import Notes
import Testing

@Suite struct NoteSearchTests {
  @Test(arguments: [
    ("glasfaser", ["router"]), ("GLASFASER", ["router"]), ("glas", ["router"]), ("Zürich", ["buero"]),
    ("zurich", ["buero"]), ("wichtig", ["router"]), ("wich büro", []), ("büro", ["buero"]), ("router glas", ["router"]),
    ("zuerich", ["buero"]), ("buero zuerich", ["buero"]), ("bahnstrasse", ["router"]), ("bahnstraße", ["router"]),
    ("\"quote", []), ("AND OR", []), ("***", []), ("zusammengefasst", ["buero"]), ("verbessert", ["router"]),
  ])
  func wordsAreFoundInTitleTextsAndTags(_ words: String, _ expected: [String]) throws {
    let notes = try TemporaryNotes()
    try notes.add("Die Glasfaser ist in der Bahnstraße") {
      ($0.title, $0.tags, $0.source, $0.corrected) = ("Router", ["Wichtig"], "router", "verbessert")
    }
    try notes.add("Neues Büro in Zürich") { ($0.summary, $0.source) = ("zusammengefasst", "buero") }
    #expect(try notes.store.search(words, limit: 10).compactMap(\.note.source) == expected)
  }

  @Test(arguments: [
    ("🎉", [3, 1]), ("👩‍👩‍👧", [2]), ("🎉 ✅", [3]), ("🎉 Fest", [1]), ("🚀", []), ("%", [2]), ("_", []), (" ", []),
  ])
  func emojiAreFoundWhereTheyStandAlone(_ words: String, _ expected: [Int]) throws {
    let notes = try TemporaryNotes()
    try notes.add("Das Fest 🎉 beginnt", at: 1)
    try notes.add("👩‍👩‍👧 zu 50%", at: 2)
    try notes.add("Liste") {
      ($0.title, $0.tags, $0.created) = ("🎉🎉", ["✅"], .start.adding(seconds: 3))
    }
    let found = try notes.store.search(words, limit: 10)
    #expect(found.map(\.note.number) == expected)
    if words == "🎉" {
      #expect(found.last?.passage.map(\.text) == ["Das Fest ", "🎉", " beginnt"])
      #expect(found.last?.passage.map(\.isHit) == [false, true, false])
    }
  }

  @Test func hitsAreMarked() throws {
    let notes = try TemporaryNotes()
    try notes.add("Der Zürcher Hauptbahnhof und die Zürichbergstrasse")
    let found = try #require(try notes.store.search("zur", limit: 10).first)
    #expect(found.passage.filter(\.isHit).map(\.text) == ["Zürcher", "Zürichbergstrasse"])
    #expect(found.passage.map(\.text).joined() == found.note.text)
  }

  @Test func whatChangesIsFoundAnew() throws {
    let notes = try TemporaryNotes()
    try notes.add("alt")
    _ = try notes.store.change("1", at: .start) { $0.text = "neu" }
    #expect(try notes.store.search("alt", limit: 10).isEmpty)
    #expect(try notes.store.search("neu", limit: 10).count == 1)
    _ = try notes.store.delete([try notes.store.note("1").id])
    #expect(try notes.store.search("neu", limit: 10).isEmpty)
  }

  @Test func aTitleCountsMoreThanAText() throws {
    let notes = try TemporaryNotes()
    try notes.add("Rechnung und noch einmal Rechnung", at: 9)
    try notes.add("etwas anderes") { $0.title = "Rechnung" }
    #expect(try notes.store.search("rechnung", limit: 10).map(\.note.number) == [2, 1])
  }
}

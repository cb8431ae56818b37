import Localization
import Notes
import TestSupport
import Testing

@Suite struct NoteCategoryTests {
  @Test func theFirstOnesAreThere() throws {
    let notes = try TemporaryNotes()
    let found = try notes.store.categories()
    #expect(found.map(\.name) == ["Allgemein", "Netzwerk", "Dokumentation"])
    #expect(found.map(\.isDefault) == [true, false, false])
    #expect(found.allSatisfy { $0.color != nil })
    #expect(try notes.store.defaultCategory() == "Allgemein")
  }

  @Test func theFirstOnesAreInTheLanguageOfTheFirstUse() throws {
    let folder = try TemporaryFolder()
    let path = folder("notes.db")
    let store = try NoteStore.opened(path, language: .english)
    #expect(try store.categories() == NoteCategory.first(in: .english))
    store.close()
    // A file that exists keeps its categories.
    let later = try NoteStore.opened(path, language: .german)
    defer { later.close() }
    #expect(try later.defaultCategory() == NoteCategory.first(in: .english).first?.name)
  }

  @Test func notesFollowTheirCategory() throws {
    let notes = try TemporaryNotes()
    try notes.add("a") { $0.category = "netzwerk" }
    try notes.add("b") { $0.category = "Neu" }
    try notes.add("c")
    #expect(try notes.store.note("1").category == "Netzwerk")
    try notes.store.changeCategory("NETZWERK", to: "Netz", color: "#ABCDEF", position: 1)
    #expect(try notes.store.note("1").category == "Netz")
    #expect(try notes.store.categories().map(\.name) == ["Netz", "Allgemein", "Dokumentation", "Neu"])
    #expect(try notes.store.categories().first?.color == "#abcdef")
    #expect(try notes.store.categories().map(\.count) == [1, 1, 0, 1])
    try notes.store.deleteCategory("neu")
    #expect(try notes.store.note("2").category == nil)
  }

  @Test func anotherDefaultMovesNoNote() throws {
    let notes = try TemporaryNotes()
    try notes.add("a")
    try notes.store.changeCategory("Netzwerk", isDefault: true)
    try notes.add("b")
    #expect(try notes.store.categories().map(\.count) == [1, 1, 0])
    #expect(try notes.store.defaultCategory() == "Netzwerk")
    try notes.store.deleteCategory("Allgemein")
    #expect(try notes.store.categories().map(\.count) == [2, 0])
  }

  @Test func whatCannotBeIsRefused() throws {
    let notes = try TemporaryNotes()
    let invalid = NoteError(.invalid, .init(verbatim: ""))
    #expect(throws: invalid) { try notes.store.deleteCategory("Allgemein") }
    #expect(throws: invalid) { try notes.store.addCategory("ALLGEMEIN", color: nil) }
    #expect(throws: invalid) { try notes.store.addCategory("x", color: "rot") }
    #expect(throws: invalid) { try notes.store.addCategory("  ", color: nil) }
    #expect(throws: invalid) { try notes.store.changeCategory("Netzwerk", to: "allgemein") }
    #expect(throws: NoteError(.notFound, .init(verbatim: ""))) { try notes.store.changeCategory("x", color: "") }
    #expect(try notes.store.categories().count == 3)
  }
}

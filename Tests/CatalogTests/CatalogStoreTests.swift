import Catalog
import Expressions
import Foundation
import Localization
import RecipeModel
import RecipeSyntax
import Testing

/// A small catalog with recipes that name what is in it.
private func project() throws -> TemporaryProject {
  let project = try TemporaryProject()
  try project.write("sous.yaml", "providers: {}\n")
  try project.write("catalog/post/folder.yaml", "name: Post\nkeywords: \"Ton: ernst; Ort: Bern\"\n")
  try project.write(
    "catalog/post/kurz.yaml",
    "# mine\nname: Kurz\nkeywords: { Ton: locker }\nprompt: \"{{ Ton }} {{ Ort }} {{ Wer }}\"\n")
  try project.write("catalog/post/innen/eins.yaml", "prompt: eins\norder: 2\n")
  try project.write("catalog/post/innen/zwei.yaml", "prompt: zwei\norder: 1\n")
  try project.write("catalog/verweis.yaml", "name: Verweis\npreset: post/kurz\n")
  try project.write("catalog/recipes/beide.yaml", "elements: [post/, post/kurz, verweis, post/innen/eins]\n")
  try project.write(
    "catalog/cookbooks/buch.yaml", "contents:\n  - chapter: A\n    contents:\n      - recipe: recipes/beide\n")
  try project.write(
    "rezepte/a.yaml", "# first\nsteps:\n  - uses: chat.complete\n    with: { prompt: post/kurz, input: x } # here\n")
  try project.write(
    "rezepte/b.yaml", "kind: chain\nprompts:\n  - use: \"post/innen/eins.de\"\n  - use: recipes/beide\n")
  return project
}

@Suite struct CatalogStoreTests {
  @Test func theTreeIsOrderedByNumberThenByName() throws {
    let project = try project()
    let snapshot = try project.store.snapshot()
    #expect(snapshot.children(of: "post").map(\.label) == ["post/innen/", "post/kurz"])
    #expect(snapshot.children(of: "post/innen").map(\.label) == ["post/innen/zwei", "post/innen/eins"])
    #expect(snapshot.titlePath(.file("post/kurz")) == "Post/Kurz")
  }

  @Test(arguments: ["post/kurz", "./post/kurz", "Post/Kurz", "post/kurz.yaml", "POST/kurz"])
  func anEntryIsFoundByFileNameAndByWhatPeopleSee(name: String) throws {
    let project = try project()
    #expect(try project.store.snapshot().find(name) == .file("post/kurz"))
  }

  @Test func aNameThatIsNotThereIsAnErrorWithTheNearest() throws {
    let project = try project()
    let error = try #require(#expect(throws: CatalogError.self) { try project.store.prompt("post/kurs") })
    #expect(error.code == .notFound)
    #expect(error.message.english.contains("post/kurz"))
  }

  @Test func thePromptTellsWhereItsKeywordsComeFrom() throws {
    let project = try project()
    let prompt = try project.store.prompt("verweis", keywords: [("Ort", "Basel")])
    // The item stands at the root, so the folder of its preset has no say; what nothing fills stays.
    #expect(prompt.text == "locker Basel {{ Wer }}")
    #expect(try project.store.prompt("post/kurz").text == "locker Bern {{ Wer }}")
    let tone = try #require(try project.store.prompt("post/kurz").keywords.first { $0.name == "Ton" })
    #expect(tone.place.hasSuffix("catalog/post/kurz.yaml:3"))
    #expect(tone.replaced.map { $0.hasSuffix("catalog/post/folder.yaml:2") } == [true])
  }

  @Test func keywordsOfACookbookCountForWhatStandsBelowAComposition() throws {
    let project = try project()
    try project.write(
      "catalog/cookbooks/buch.yaml",
      "keywords: { Wer: Anna }\ncontents:\n  - recipe: recipes/andere\n    contents: [{ recipe: recipes/beide }]\n")
    try project.write("catalog/recipes/andere.yaml", "elements: [post/]\n")
    #expect(try project.store.prompt("recipes/beide").keywords.first { $0.name == "Wer" }?.value == "Anna")
  }

  @Test func bracesThatAreNotClosedAreRefused() throws {
    let project = try project()
    let before = project.files
    var fields = CatalogFields()
    for text in ["Hallo {{ Wer", "{{ Wer }} und {{ Ort }", #"Hallo {{ "}}" und mehr"#] {
      fields.text = text
      let error = try #require(
        #expect(throws: CatalogError.self) { try project.store.add(.preset, "post/neu", fields, now: moment) })
      #expect(error.message.english.contains("'prompt' has '{{' without '}}'"))
    }
    #expect(project.files == before)
    fields.text = #"{{ Wer }} und {{ "{{" }}"#
    _ = try project.store.add(.preset, "post/neu", fields, now: moment)
    #expect(project.files["post/neu.yaml"] != nil)
  }

  @Test func movingChangesWhateverNamesTheEntry() throws {
    let project = try project()
    let result = try project.store.move("post/kurz", to: "neu/knapp", recursive: false)
    #expect(result.name == "neu/knapp")
    #expect(project.files["neu/knapp.yaml"]?.hasPrefix("# mine\n") == true)
    #expect(project.files["post/kurz.yaml"] == nil)
    #expect(project.files["verweis.yaml"] == "name: Verweis\npreset: neu/knapp\n")
    #expect(project.files["recipes/beide.yaml"] == "elements: [post/, neu/knapp, verweis, post/innen/eins]\n")
    #expect(
      project.text("rezepte/a.yaml")
        == "# first\nsteps:\n  - uses: chat.complete\n    with: { prompt: neu/knapp, input: x } # here\n")
    #expect(result.rewritten.map { $0.hasSuffix("rezepte/a.yaml") } == [true])
  }

  @Test func aFolderTakesAlongWhatIsInItWhenItIsToldTo() throws {
    let project = try project()
    #expect(throws: CatalogError.self) { try project.store.move("post/innen/", to: "archiv/", recursive: false) }
    let before = project.files
    #expect(throws: CatalogError.self) { try project.store.move("post/", to: "post/innen/tief", recursive: true) }
    #expect(project.files == before)
    _ = try project.store.move("post", to: "archiv/post", recursive: true)
    #expect(project.files["archiv/post/innen/eins.yaml"] == "prompt: eins\norder: 2\n")
    #expect(project.files.keys.filter { $0.hasPrefix("post/") }.isEmpty)
    #expect(
      project.files["recipes/beide.yaml"]
        == "elements: [archiv/post/, archiv/post/kurz, verweis, archiv/post/innen/eins]\n")
    #expect(project.text("rezepte/b.yaml")?.contains("use: archiv/post/innen/eins.de\n") == true)
    #expect(try project.store.prompt("recipes/beide").text.hasPrefix("# Post\n\nlocker Bern"))
  }

  @Test func aNameInABlockCannotFollowAndIsNamed() throws {
    let project = try project()
    try project.write(
      "rezepte/c.yaml", "steps:\n  - uses: chat.complete\n    with:\n      prompt: >-\n        post/kurz\n")
    let before = project.files
    let error = try #require(
      #expect(throws: CatalogError.self) { try project.store.move("post/kurz", to: "neu/", recursive: false) })
    #expect(error.code == .referenced)
    #expect(error.message.english.contains("rezepte/c.yaml:4"))
    #expect(project.files == before)
    #expect(project.text("rezepte/a.yaml")?.contains("post/kurz") == true)
  }

  @Test func deletingIsRefusedWhileSomethingNamesTheEntry() throws {
    let project = try project()
    let error = try #require(
      #expect(throws: CatalogError.self) { try project.store.delete("post/kurz", recursive: false) })
    #expect(error.code == .referenced)
    for place in ["recipes/beide.yaml:1", "rezepte/a.yaml:4"] { #expect(error.message.english.contains(place)) }
    #expect(throws: CatalogError.self) { try project.store.delete("recipes/beide", recursive: false) }
    try project.write("rezepte/a.yaml", "steps: []\n")
    try project.write("rezepte/b.yaml", "steps: []\n")
    _ = try project.store.delete("cookbooks/buch", recursive: false)
    _ = try project.store.delete("recipes/beide", recursive: false)
    // The item goes with its preset.
    let result = try project.store.delete("post/kurz", recursive: false)
    #expect(result.affected == ["post/kurz", "verweis"])
    _ = try project.store.delete("post", recursive: true)
    #expect(project.files.isEmpty)
  }

  @Test func editingLeavesTheRestOfAFileAsItIs() throws {
    let project = try project()
    var fields = CatalogFields()
    fields.keywords = "Ton: neu"
    fields.icon = "abcdef"
    fields.isDefault = true
    _ = try project.store.edit("post/kurz", fields, now: moment)
    #expect(
      project.files["post/kurz.yaml"] == """
        # mine
        name: Kurz
        keywords: "Ton: neu"
        prompt: "{{ Ton }} {{ Ort }} {{ Wer }}"
        icon: abc
        default: true
        updated: "2027-01-15T08:00:00Z"

        """)
    // One preset at most is the default.
    var other = CatalogFields()
    other.isDefault = true
    _ = try project.store.edit("post/innen/eins", other, now: moment)
    #expect(project.store.prompts.defaults == ["post/innen/eins"])
    var empty = CatalogFields()
    empty.icon = ""
    _ = try project.store.edit("post/kurz", empty, now: moment)
    #expect(project.files["post/kurz.yaml"]?.contains("icon") == false)
  }

  @Test(arguments: [
    ("name: Kurz  # who\nprompt: x\n", "name: Neu  # who\nprompt: x\n"),
    ("name: \"a # b\" # who\nprompt: x\n", "name: Neu # who\nprompt: x\n"),
    ("name: # who\n  Kurz\nprompt: x\n", "name: Neu # who\nprompt: x\n"),
    ("name: |  # who\n  Kurz # text\nprompt: x\n", "name: Neu  # who\nprompt: x\n"),
    ("prompt: x\nname: { en: Kurz } # who\n", "prompt: x\nname: # who\n  en: Neu\n"),
    ("name:\n  # above\n  en: Kurz # who\nprompt: x\n", "# above\n# who\nname:\n  en: Neu\nprompt: x\n"),
    ("# top\n{ name: Kurz, # who\n  prompt: x } # end\n", "# top\n# who\n# end\nname: Neu\nprompt: x\n"),
    ("name: Kurz # é\r\nprompt: x # y\r\n", "name: Neu # é\r\nprompt: x # y\r\n"),
  ])
  func editingKeepsComments(_ before: String, _ after: String) throws {
    let project = try project()
    try project.write("catalog/post/kurz.yaml", before)
    var fields = CatalogFields()
    fields.title = "Neu"
    _ = try project.store.edit("post/kurz", fields, now: moment)
    let text = try #require(project.files["post/kurz.yaml"])
    #expect(text.hasPrefix(after))
    #expect(text.dropFirst(after.count).hasPrefix("updated:"))
  }

  @Test func commentsStayBehindTheElementsThatStay() throws {
    let project = try project()
    try project.write(
      "catalog/recipes/beide.yaml",
      "elements:  # all\n  - post/  # first\n  # alone\n  - post/kurz # gone\n  - \"verweis\" # last\n# end\n")
    var fields = CatalogFields()
    fields.elements = ["verweis", "post/"]
    _ = try project.store.edit("recipes/beide", fields, now: moment)
    #expect(
      project.files["recipes/beide.yaml"]?.hasPrefix(
        "# alone\n# gone\nelements:  # all\n  - verweis # last\n  - post/  # first\n# end\nupdated:") == true)
  }

  @Test func copiesOfKilledProcessesAreRemoved() throws {
    let project = try project()
    let gone = Int32.max - 1
    let others = [
      "catalog.\(gone).partial/post/kurz.yaml", "catalog.\(gone).old/a.yaml",
      "catalog/post/kurz.yaml.\(gone).partial", "rezepte/a.yaml.\(gone).partial",
    ]
    let kept = ["catalog.\(getppid()).partial/a.yaml", "catalog.x.partial", "catalog.yaml", "catalog/notes.partial"]
    for path in others + kept { try project.write(path, "x") }
    _ = try project.store.move("post/kurz", to: "neu/knapp", recursive: false)
    for path in others { #expect(project.text(path) == nil, "\(path)") }
    for path in kept { #expect(project.text(path) == "x", "\(path)") }
    #expect(!FileManager.default.fileExists(atPath: project.path + "/catalog.\(gone).partial"))
    // Killed between putting the catalog aside and putting the new one in its place.
    try FileManager.default.moveItem(atPath: project.path + "/catalog", toPath: project.path + "/catalog.\(gone).old")
    _ = try project.store.delete("cookbooks/buch", recursive: false)
    #expect(project.files["neu/knapp.yaml"] != nil)
  }

  @Test(arguments: [
    String(repeating: "a", count: 300), "post/folder", "post/" + String(repeating: "ü", count: 101), "a b",
  ])
  func namesThatNoFileCanHaveAreRefused(_ name: String) throws {
    let project = try project()
    let before = project.files
    var fields = CatalogFields()
    fields.text = "x"
    let added = #expect(throws: CatalogError.self) { try project.store.add(.preset, name, fields, now: moment) }
    let moved = #expect(throws: CatalogError.self) { try project.store.move("post/kurz", to: name, recursive: false) }
    #expect([added?.code, moved?.code] == [.invalid, .invalid])
    #expect(project.files == before)
  }

  @Test func whatComesWithSousBecomesAFileWhenItIsEdited() throws {
    let project = try project()
    var fields = CatalogFields()
    fields.text = "Kürzer"
    fields.language = .german
    _ = try project.store.edit("general/summarise", fields, now: moment)
    #expect(try project.store.prompt("general/summarise.de").text == "Kürzer")
    #expect(try project.store.prompt("general/summarise").text.hasPrefix("Summarise"))
  }

  @Test func entriesOfEveryKindCanBeAdded() throws {
    let project = try project()
    var preset = CatalogFields()
    preset.title = "Ganz höflich!"
    preset.text = "Zeile 1\nZeile 2"
    #expect(try project.store.add(.preset, "post/", preset, now: moment).name == "post/ganz-höflich")
    #expect(try project.store.add(.preset, "post/", preset, now: moment).name == "post/ganz-höflich-2")
    #expect(throws: CatalogError.self) { try project.store.add(.preset, "post/kurz", preset, now: moment) }
    var item = CatalogFields()
    item.preset = "post/ganz-höflich"
    item.keywords = "A: b"
    _ = try project.store.add(.item, "kopie", item, now: moment)
    var composition = CatalogFields()
    composition.elements = ["post/", "kopie"]
    #expect(try project.store.add(.composition, "neu", composition, now: moment).name == "recipes/neu")
    #expect(try project.store.prompt("recipes/neu").text == "# Post\n\nZeile 1\nZeile 2")
    var book = CatalogFields()
    book.contents = ["recipes/beide", "chapter:Neu", "recipes/neu"]
    _ = try project.store.add(.cookbook, "zwei", book, now: moment)
    #expect(try project.store.snapshot().files["cookbooks/zwei.yaml"]?.recipes == ["recipes/beide", "recipes/neu"])
    var wrong = CatalogFields()
    wrong.elements = ["post/kurs"]
    let error = #expect(throws: CatalogError.self) { try project.store.add(.composition, "x", wrong, now: moment) }
    #expect(error?.code == .notFound)
    wrong.elements = ["recipes/neu"]
    let nested = #expect(throws: CatalogError.self) { try project.store.add(.composition, "x", wrong, now: moment) }
    #expect(nested?.code == .invalid)
    book.contents = ["post/kurz"]
    let noComposition = #expect(throws: CatalogError.self) { try project.store.add(.cookbook, "y", book, now: moment) }
    #expect(noComposition?.code == .invalid)
  }

  @Test func anOrderIsWrittenDown() throws {
    let project = try project()
    _ = try project.store.reorder("post/innen", ["eins"])
    #expect(
      try project.store.snapshot().children(of: "post/innen").map(\.label) == ["post/innen/eins", "post/innen/zwei"])
    #expect(throws: CatalogError.self) { try project.store.reorder("post/innen", ["kurz"]) }
  }

  @Test func theFirstStartWritesPromptsOnceAndDeletedOnesStayAway() throws {
    let project = try TemporaryProject()
    let written = try project.store.begin()
    for name in ["mail/reply/draft", "mail/forward/note", "mail/analyze/facts", "notes/protocol", "general/summarise"] {
      #expect(written.contains(name + ".yaml"))
    }
    let bundled = try project.store.prompt("mail/reply/draft").text
    _ = try project.store.delete("general", recursive: true)
    try FileManager.default.removeItem(atPath: project.path + "/catalog/mail/triage.yaml")
    #expect(try project.store.begin().isEmpty)
    let snapshot = try project.store.snapshot()
    #expect(!snapshot.folders.contains("general"))
    #expect(snapshot.files["mail/triage.yaml"] == nil)
    #expect(!project.store.prompts.names.contains("mail/triage"))
    #expect(try project.store.prompt("mail/reply/draft").text == bundled)
    // One that comes with Sous and was never a file stays away as well.
    let other = try TemporaryProject()
    _ = try other.store.delete("general/explain", recursive: false)
    #expect(!other.store.prompts.names.contains("general/explain"))
    #expect(other.store.prompts.names.contains("general/summarise"))
  }

  @Test func aWrongFileIsNamedAndTheOthersWork() throws {
    let project = try project()
    try project.write("catalog/post/falsch.yaml", "prmpt: x\n")
    let snapshot = try project.store.snapshot()
    #expect(snapshot.problems.contains { $0.path.hasSuffix("post/falsch.yaml") })
    #expect(try project.store.prompt("post/kurz").text.hasPrefix("locker"))
    #expect(throws: CatalogError.self) { try project.store.exportCatalog(now: moment) }
  }

  @Test func whatIsMadeHereIsExportedWithIdsThatStay() throws {
    let project = try project()
    let first = try project.store.exportCatalog(now: moment)
    #expect(try project.store.exportCatalog(now: moment) == first)
    let other = try TemporaryProject()
    _ = try other.store.importCatalog(first.json(), readsExpressions: true)
    #expect(try other.store.exportCatalog(now: moment) == first)
    #expect(try other.store.prompt("recipes/beide").text == project.store.prompt("recipes/beide").text)
  }
}

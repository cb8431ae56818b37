import Catalog
import Expressions
import Foundation
import Localization
import RecipeModel
import Testing

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// A made-up catalog in the JSON form, with all that an import must not lose.
struct MadeCatalog {
  var dice: Dice
  var items: [ValueMap] = []
  var presets: [ValueMap] = []
  var recipes: [ValueMap] = []
  var cookbooks: [ValueMap] = []
  var entries: [ValueMap] = []

  init(seed: UInt64, count: Int, recipeCount: Int) {
    dice = Dice(state: seed)
    var folders: [String] = []
    var depth: [String: Int] = [:]
    for number in 0..<count {
      var item: ValueMap = ["id": .string(uuid()), "name": .string(name(number)), "icon": .string(icon())]
      item["keywords"] = .string(keywords())
      item["sortOrder"] = .int(Int64.random(in: -3...20, using: &dice))
      let id = item["id"]?.stringValue ?? ""
      // A chain of forty folders first, so that deep ones are there.
      if number < 40 {
        if let parent = folders.last { item["parentID"] = .string(parent) }
      } else if let parent = folders.randomElement(using: &dice), dice.chance(85) {
        item["parentID"] = .string(dice.chance(20) ? parent.lowercased() : parent)
      } else if dice.chance(50) {
        item["parentID"] = .null
      }
      if number < 40 || dice.chance(20) {
        folders.append(id)
        depth[id] = number
        if dice.chance(30) { item["presetID"] = .null }
        if dice.chance(30) { item["isFolder"] = true }
      } else {
        item["presetID"] = preset(number)
      }
      if dice.chance(15) { item["färbung"] = ["ton": .list([.int(1), .null, "x"])] }
      items.append(item)
    }
    // Presets that stand in no menu.
    for number in 0..<5 { _ = preset(1000 + number) }
    items.shuffle(using: &dice)
    for number in 0..<recipeCount {
      var recipe: ValueMap = ["id": .string(uuid()), "name": .string(name(number)), "keywords": .string(keywords())]
      recipe["icon"] = .string(icon())
      let elements = (0..<Int.random(in: 1...9, using: &dice)).compactMap { _ in
        items.randomElement(using: &dice)?["id"]
      }
      recipe["elementIDs"] = .list(elements)
      if dice.chance(70) {
        recipe["separator"] = .string(["\n\n", "\n", " · ", "\n\n---\n\n", "{{"].randomElement(using: &dice) ?? "")
      }
      recipes.append(recipe)
    }
    for number in 0..<3 {
      let book = uuid()
      cookbooks.append([
        "id": .string(book), "name": .string("Buch \(number)"), "icon": "📘", "keywords": .string(keywords()),
        "sortOrder": .int(Int64(3 - number)),
      ])
      var chapters: [String] = []
      for place in 0..<14 {
        let id = uuid()
        var entry: ValueMap = [
          "id": .string(id), "cookbookID": .string(book), "name": .string("Kapitel \(place)"),
          "sortOrder": .int(Int64.random(in: 0...9, using: &dice)),
        ]
        if let chapter = chapters.randomElement(using: &dice), dice.chance(60) { entry["parentID"] = .string(chapter) }
        if dice.chance(50) {
          entry["recipeID"] = recipes.randomElement(using: &dice)?["id"]
        } else {
          chapters.append(id)
        }
        entries.append(entry)
      }
    }
  }

  var json: Value {
    [
      "version": 1, "exportDate": "2026-03-01T10:20:30Z", "app": "AILO 3.2",
      "menuItems": .list(items.map { .map($0) }), "presets": .list(presets.map { .map($0) }),
      "recipes": .list(recipes.map { .map($0) }), "cookbooks": .list(cookbooks.map { .map($0) }),
      "recipeMenuItems": .list(entries.map { .map($0) }),
    ]
  }

  private mutating func preset(_ number: Int) -> Value {
    if let known = presets.randomElement(using: &dice), dice.chance(25) { return known["id"] ?? .null }
    var preset: ValueMap = ["id": .string(uuid()), "name": .string(name(number)), "text": .string(text(number))]
    preset["icon"] = .string(icon())
    preset["keywords"] = .string(keywords())
    preset["isDefault"] = .bool(number == 50)
    preset["createdAt"] = "2025-02-03T04:05:06Z"
    preset["updatedAt"] = .string(dice.chance(50) ? "2025-02-04T04:05:06.789+02:00" : "2025-02-03T04:05:06Z")
    if dice.chance(10) { preset["createdAt"] = nil }
    if dice.chance(10) { preset["isDefault"] = .null }
    if dice.chance(10) { preset["icon"] = nil }
    if dice.chance(10) { preset["future"] = .map(["a": .list([true, .double(1.5)])]) }
    presets.append(preset)
    return preset["id"] ?? .null
  }

  private mutating func uuid() -> String {
    let words = (dice.next(), dice.next())
    let digits = [words.0, words.1].map {
      String(repeating: "0", count: 16 - String($0, radix: 16).count) + String($0, radix: 16)
    }
    .joined()
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { Array(digits)[$0].map(String.init).joined() }
    let text = parts.joined(separator: "-")
    return dice.chance(50) ? text.uppercased() : text
  }

  private mutating func name(_ number: Int) -> String {
    [
      "Korrektur", "Straße \(number)", "true", " a: b #\(number)", "日本語", "", "Mail", "recipes", "folder", "x\ny",
      "- [\"q\"]", "🍲",
    ]
    .randomElement(using: &dice) ?? ""
  }

  private mutating func icon() -> String { ["✉️", "👩‍👩‍👧", "abcdef", "", "📝📝"].randomElement(using: &dice) ?? "" }

  private mutating func keywords() -> String {
    [
      "", "Anrede: Du; Stil: formell; Länge: kurz", "key:value;key2:value2", "Stil: a; Stil: b", "tag1; tag2;; x:y:z",
      "Art des Briefs : privat ;", "A: {{ B }}; C: ;", ":leer", "Anrede:Sie",
    ].randomElement(using: &dice) ?? ""
  }

  private mutating func text(_ number: Int) -> String {
    [
      "Korrigiere den Text \(number).", "Zeile 1\nZeile 2\n\nZeile 4", "Nutze {{ Anrede }} und {{{x}}", "ends\n",
      "\ttab\r\nwindows",
      "  eingerückt\n# kein Kommentar", "", "\u{FEFF}bom \u{0} \u{85} \u{2028} \u{7F}", "---\na: b",
      "trailing  \n   \nx",
    ].randomElement(using: &dice) ?? ""
  }
}

/// The documents' rules once more, written straight down.
struct PlainEvaluation {
  let made: MadeCatalog

  private func find(_ list: [ValueMap], _ id: Value?) -> ValueMap? {
    guard let id = id?.stringValue else { return nil }
    return list.first { $0["id"]?.stringValue?.lowercased() == id.lowercased() }
  }

  private func pairs(_ object: ValueMap?) -> [(String, String)] {
    (object?["keywords"]?.stringValue ?? "").components(separatedBy: ";").compactMap { piece in
      guard let colon = piece.firstIndex(of: ":") else { return nil }
      let key = piece[..<colon].trimmingCharacters(in: .whitespaces)
      return key.isEmpty ? nil : (key, piece[piece.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
  }

  private func chain(_ item: ValueMap) -> [ValueMap] {
    (find(made.items, item["parentID"]).map { chain($0) } ?? []) + [item]
  }

  /// The text, and the keywords by name; `nil` where a composition has no text.
  func prompt(_ recipe: ValueMap, books: [ValueMap]) -> (text: String, keywords: [String: String]) {
    var parts: [String] = []
    var all: [(String, String)] = []
    var later: [(String, String)] = []
    for id in recipe["elementIDs"]?.listValue ?? [] {
      guard let item = find(made.items, id) else { continue }
      for link in chain(item) { all += pairs(link) }
      if let preset = find(made.presets, item["presetID"]) {
        let text = preset["text"]?.stringValue ?? ""
        parts.append(text)
        later += pairs(preset)
      } else {
        parts.append("# " + (item["name"]?.stringValue ?? ""))
      }
    }
    for book in books { later += pairs(book) }
    all += later + pairs(recipe)
    return (
      parts.joined(separator: recipe["separator"]?.stringValue ?? "\n\n"), Dictionary(all) { _, last in last }
    )
  }
}

@Suite struct ExchangeTests {
  @Test(arguments: [1, 2] as [UInt64]) func whatIsImportedIsExportedAgain(seed: UInt64) throws {
    let project = try TemporaryProject()
    let made = MadeCatalog(seed: seed, count: 200, recipeCount: 20)
    let result = try project.store.importCatalog(made.json.json())
    #expect(result.counts.map(\.count) == [200, made.presets.count, 20, 3, 42])
    #expect(try project.store.snapshot().problems.isEmpty)
    let exported = try project.store.exportCatalog(now: moment)
    #expect(exported["exportDate"] == made.json["exportDate"])
    for key in ["menuItems", "presets", "recipes", "cookbooks", "recipeMenuItems"] {
      let (was, now) = (made.json[key]?.listValue ?? [], exported[key]?.listValue ?? [])
      #expect(was.count == now.count)
      for (was, now) in zip(was, now) where was != now { Issue.record("\(was.jsonString) became \(now.jsonString)") }
    }
    #expect(exported == made.json)
  }

  @Test(arguments: [4] as [UInt64]) func compositionsGiveWhatTheirRulesSay(seed: UInt64) throws {
    let project = try TemporaryProject()
    var made = MadeCatalog(seed: seed, count: 200, recipeCount: 20)
    // Folder names are made of file names where they are empty; that rule is tried elsewhere.
    for index in made.items.indices where made.items[index]["name"] == "" { made.items[index]["name"] = "Ohne" }
    _ = try project.store.importCatalog(made.json.json())
    let snapshot = try project.store.snapshot()
    let files = snapshot.files.values.filter { $0.kind == .composition }
    #expect(files.count == 20)
    for recipe in made.recipes {
      let file = try #require(files.first { $0.id == recipe["id"]?.stringValue })
      let books = made.cookbooks.filter { book in
        made.entries.contains { $0["cookbookID"] == book["id"] && $0["recipeID"] == recipe["id"] }
      }.sorted { ($0["sortOrder"]?.intValue ?? 0) < ($1["sortOrder"]?.intValue ?? 0) }
      let expected = PlainEvaluation(made: made).prompt(recipe, books: books)
      let prompt = try project.store.prompt(file.name)
      #expect(prompt.text == expected.text)
      #expect(Dictionary(prompt.keywords.map { ($0.name, $0.value) }) { $1 } == expected.keywords)
    }
  }

  @Test func aChangeOfAFileIsExportedAndTheRestStays() throws {
    let project = try TemporaryProject()
    let made = MadeCatalog(seed: 7, count: 60, recipeCount: 3)
    _ = try project.store.importCatalog(made.json.json())
    let preset = try #require(
      try project.store.snapshot().files.values.first { $0.kind == .preset && $0.id != nil && $0.isListed })
    var fields = CatalogFields()
    fields.text = "Neu"
    _ = try project.store.edit(preset.name, fields, now: moment)
    let exported = try project.store.exportCatalog(now: moment)
    #expect(exported["exportDate"] == "2027-01-15T08:00:00Z")
    var changed = 0
    for (was, now) in zip(made.json["presets"]?.listValue ?? [], exported["presets"]?.listValue ?? []) where was != now
    {
      changed += 1
      #expect(now["id"]?.stringValue == preset.id)
      #expect(now["text"] == "Neu")
      #expect(now["updatedAt"] == "2027-01-15T08:00:00Z")
      #expect(now["future"] == was["future"])
    }
    #expect(changed == 1)
    #expect(exported["menuItems"] == made.json["menuItems"])
  }

  @Test func mistakesAreAllNamedAndNothingIsWritten() throws {
    let project = try TemporaryProject()
    let (a, b) = ("00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000B")
    let json: Value = [
      "version": 1,
      "menuItems": [
        ["id": .string(a), "name": "A", "parentID": .string(b)],
        ["id": .string(b), "name": "B", "parentID": .string(a)],
        ["id": .string(a.lowercased()), "name": "again"], ["id": "no", "name": 5],
        [
          "id": "00000000-0000-0000-0000-00000000000C", "name": "C", "presetID": "00000000-0000-0000-0000-00000000000F",
        ],
      ],
      "presets": [],
      "recipes": [["id": .string(a), "name": "R", "elementIDs": ["00000000-0000-0000-0000-0000000000EE"]]],
    ]
    let first = #expect(throws: CatalogError.self) { try project.store.importCatalog(json.json()) }
    for place in ["menuItems[3].id", "menuItems[3].name"] { #expect(first?.description.contains(place) == true) }
    var mended = json.mapValue ?? ValueMap()
    var items = mended["menuItems"]?.listValue ?? []
    items.remove(at: 3)
    mended["menuItems"] = .list(items)
    let second = #expect(throws: CatalogError.self) { try project.store.importCatalog(Value.map(mended).json()) }
    let places = ["menuItems[2].id", "menuItems[3].presetID", "recipes[0].elementIDs[0]", "menuItems[0].parentID"]
    for place in places { #expect(second?.description.contains(place) == true, "\(place)") }
    #expect(project.files.isEmpty)
  }

  @Test func otherSpellingsAreReadAndAContradictionIsNamed() throws {
    let project = try TemporaryProject()
    let json = #"""
      {"menuitems": [
         {"id": "00000000-0000-0000-0000-00000000000A", "name": "Ordner", "isFolder": false},
         {"id": "00000000-0000-0000-0000-00000000000B", "name": "Innen", "parentId": "00000000-0000-0000-0000-00000000000a"}]}
      """#
    let result = try project.store.importCatalog(Array(json.utf8))
    #expect(result.remarks.map(\.english).contains { $0.contains("menuitems[0]") && $0.contains("isFolder") })
    let exported = try project.store.exportCatalog(now: moment)
    #expect(exported["menuItems"]?[1]?["parentID"] == "00000000-0000-0000-0000-00000000000a")
    #expect(project.files["ordner/innen/folder.yaml"] != nil)
  }

  @Test func olderFormsMoveToMigriertAndACookbook() throws {
    let project = try TemporaryProject()
    let json = #"""
      {"config.ai.preprompts": "[{\"id\":\"00000000-0000-0000-0000-0000000000A1\",\"name\":\"Korrektur\",\"text\":\"Korrigiere.\"},{\"id\":\"00000000-0000-0000-0000-0000000000A2\",\"name\":\"Frei\",\"text\":\"Frei.\"}]",
       "config.ai.preprompt.menu": [{"id": "00000000-0000-0000-0000-0000000000B1", "name": "Korrektur", "presetID": "00000000-0000-0000-0000-0000000000A1"}],
       "config.ai.preprompt.recipes": [{"id": "00000000-0000-0000-0000-0000000000C1", "name": "Rezept", "elementIDs": ["00000000-0000-0000-0000-0000000000B1"]}],
       "config.ai.preprompt": "Sei freundlich.",
       "config.ai.preprompt.selected": "00000000-0000-0000-0000-0000000000A2"}
      """#
    _ = try project.store.importCatalog(Array(json.utf8))
    let snapshot = try project.store.snapshot()
    #expect(snapshot.files["migriert/frei.yaml"]?.isDefault == true)
    #expect(project.text("catalog/migriert/pre-prompt.yaml")?.contains("Sei freundlich.") == true)
    #expect(snapshot.files["korrektur.yaml"]?.kind == .preset)
    #expect(snapshot.files["cookbooks/kochbuch.yaml"]?.recipes == ["recipes/rezept"])
    #expect(project.store.prompts.defaults == ["migriert/frei"])
    #expect(try project.store.prompt("recipes/rezept").text == "Korrigiere.")
    #expect(try project.store.importCatalog(Array(json.utf8)).files.isEmpty)
  }

  @Test func theOldestTextMayStandBeforeTheListThatCameAfterIt() throws {
    let project = try TemporaryProject()
    let json = #"""
      {"config.ai.preprompt": "Alt.",
       "config.ai.preprompts": [{"id": "00000000-0000-0000-0000-0000000000A1", "name": "Neu", "text": "Neu."}]}
      """#
    _ = try project.store.importCatalog([0xEF, 0xBB, 0xBF] + Array(json.utf8))
    #expect(project.text("catalog/migriert/pre-prompt.yaml")?.contains("Alt.") == true)
    #expect(project.text("catalog/migriert/neu.yaml")?.contains("Neu.") == true)
  }

  @Test func namesAndFoldersOfAnyLengthHaveFiles() throws {
    let project = try TemporaryProject()
    func id(_ number: Int) -> String {
      let digits = String(number)
      return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
    var items: [Value] = []
    for number in 0..<50 {
      let name = String(repeating: "Ein sehr langer Name ", count: 8) + "e" + String(repeating: "\u{301}", count: 300)
      items.append([
        "id": .string(id(number)), "parentID": number == 0 ? .null : .string(id(number - 1)), "name": .string(name),
      ])
    }
    items.append(["id": .string(id(90)), "name": .string("a" + String(repeating: "\u{301}", count: 400))])
    let json: Value = ["version": 1, "menuItems": .list(items)]
    _ = try project.store.importCatalog(json.json())
    #expect(try project.store.exportCatalog(now: moment)["menuItems"] == .list(items))
  }

  @Test func aPresetWithoutATextAddsNothingToAComposition() throws {
    let project = try TemporaryProject()
    let json = #"""
      {"version": 1,
       "menuItems": [
         {"id": "00000000-0000-0000-0000-0000000000B1", "name": "A", "presetID": "00000000-0000-0000-0000-0000000000A1"},
         {"id": "00000000-0000-0000-0000-0000000000B2", "name": "F"}],
       "presets": [{"id": "00000000-0000-0000-0000-0000000000A1", "name": "A", "text": ""}],
       "recipes": [{"id": "00000000-0000-0000-0000-0000000000C1", "name": "R", "separator": "|", "elementIDs":
         ["00000000-0000-0000-0000-0000000000B1", "00000000-0000-0000-0000-0000000000B2"]}]}
      """#
    _ = try project.store.importCatalog(Array(json.utf8))
    #expect(try project.store.prompt("recipes/r").text == "|# F")
  }

  @Test func aSecondImportOfTheSameChangesNothing() throws {
    let project = try TemporaryProject()
    let made = MadeCatalog(seed: 9, count: 50, recipeCount: 2)
    _ = try project.store.importCatalog(made.json.json())
    let before = project.files
    #expect(try project.store.importCatalog(made.json.json()).files.isEmpty)
    #expect(project.files == before)
    // What says something else under the same id is refused.
    var other = made
    other.presets[0]["text"] = "anders"
    let error = #expect(throws: CatalogError.self) { try project.store.importCatalog(other.json.json()) }
    #expect(error?.code == .exists)
    #expect(project.files == before)
  }

  @Test func numbersKeepAllTheirDigits() throws {
    let project = try TemporaryProject()
    let numbers =
      #"[123456789012345678901234567890, -9223372036854775808, 18446744073709551615, 0.1, 3.14159265358979323846264, 1e400]"#
    let text = "\u{F8FF}number 1 \\\"\u{F8FF}number 12345678901234567890123\\\""
    let json = #"""
      {"version": 1, "menuItems": [], "recipes": [], "cookbooks": [], "recipeMenuItems": [], "own": \#(numbers), "presets": [
        {"id": "00000000-0000-0000-0000-0000000000A1", "name": "P", "text": "\#(text)", "own": \#(numbers)}]}
      """#
    _ = try project.store.importCatalog(Array(json.utf8))
    let exported = String(
      decoding: CatalogStore.text(of: try project.store.exportCatalog(now: moment)), as: UTF8.self)
    let plain = exported.filter { !$0.isWhitespace }
    #expect(plain.components(separatedBy: "\"own\":" + numbers.filter { !$0.isWhitespace }).count == 3)
    #expect(exported.contains(text))
    let wrong = json.replacingOccurrences(of: #""name": "P""#, with: #""name": 123456789012345678901234567890"#)
    #expect(throws: CatalogError.self) { try project.store.importCatalog(Array(wrong.utf8), replaces: true) }
  }

  @Test func anImportLeavesWhatIsThereOrTakesItsPlace() throws {
    let project = try TemporaryProject()
    try project.write("catalog/mine/one.yaml", "prompt: One\n")
    let made = MadeCatalog(seed: 9, count: 50, recipeCount: 2)
    _ = try project.store.importCatalog(made.json.json())
    #expect(project.files["mine/one.yaml"] == "prompt: One\n")
    #expect(try project.store.exportCatalog(now: moment)["presets"]?.listValue?.count == made.presets.count + 1)
    _ = try project.store.importCatalog(made.json.json(), replaces: true)
    #expect(project.files["mine/one.yaml"] == nil)
    #expect(try project.store.exportCatalog(now: moment) == made.json)
  }
}

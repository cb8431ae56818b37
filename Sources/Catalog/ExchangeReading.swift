import Expressions
import Foundation
import Hashing
import Localization

/// Reads the JSON form and finds all that is wrong with it before anything is written.
struct ExchangeReading {
  private(set) var content = Exchange.Content()
  private(set) var problems: [LocalizedText] = []

  init(_ bytes: [UInt8]) throws(CatalogError) {
    let json: Value
    do {
      json = try Value(
        json: LongNumbers.marked(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes))
    } catch {
      throw CatalogError(.broken, LocalizedText("this is no JSON: ", de: "das ist kein JSON: ") + error.message)
    }
    var isOld = false
    switch json {
    case .map(let map): isOld = sections(map)
    case .list(let list):
      isOld = true
      if let section = Self.section(of: list) {
        take(.list(list), section, named: section.rawValue)
      } else {
        report(
          "", "an array of presets, menu items, recipes or cookbooks is expected",
          de: "erwartet wird ein Array aus Presets, Menüeinträgen, Rezepten oder Kochbüchern")
      }
    default: report("", "an object is expected", de: "erwartet wird ein Objekt")
    }
    if problems.isEmpty { check() }
    if problems.isEmpty, isOld { migrate() }
    guard problems.isEmpty else {
      let shown = problems.prefix(30).reduce(LocalizedText(verbatim: "")) { $0 + LocalizedText(verbatim: "\n  ") + $1 }
      throw CatalogError(
        .broken,
        LocalizedText("nothing was imported:", de: "nichts wurde importiert:") + shown
          + LocalizedText(verbatim: problems.count > 30 ? "\n  …" : ""))
    }
  }

  private mutating func report(_ place: String, _ english: String, de german: String) {
    let head = place.isEmpty ? "" : place + ": "
    problems.append(LocalizedText(head + english, de: head + german))
  }

  // MARK: Arrays

  /// Takes the arrays of an object; whether they have the names of older storage.
  private mutating func sections(_ map: ValueMap) -> Bool {
    var isOld = false
    var seen: Set<Exchange.Section> = []
    for (key, value) in map.entries {
      let name = key.text
      if name.hasPrefix("config.") { isOld = true }
      if let section = Exchange.Section.allCases.first(where: { $0.spellings.contains(name) }) {
        guard seen.insert(section).inserted else {
          report(name, "the array stands there twice", de: "das Array steht doppelt da")
          continue
        }
        take(value, section, named: name)
      } else if name == "config.ai.preprompt" {
        single(value, name)
      } else {
        content.rest[name] = value
      }
    }
    if let version = map["version"], version.intValue != 1, !version.isNull {
      report("version", "only version 1 is known", de: "nur Version 1 ist bekannt")
    }
    if content.objects.isEmpty {
      report(
        "", "there is no array of a catalog, such as 'menuItems'",
        de: "kein Array eines Katalogs ist da, etwa 'menuItems'")
    }
    return isOld
  }

  /// The oldest form: one text.
  private mutating func single(_ value: Value, _ name: String) {
    guard let text = value.stringValue else {
      report(name, "a text is expected", de: "erwartet wird ein Text")
      return
    }
    guard !text.isEmpty else { return }
    let preset: ValueMap = ["id": .string(Self.uuid("preprompt:" + text)), "name": "Pre-Prompt", "text": .string(text)]
    content.objects[.presets, default: []].append(Exchange.Object(fields: preset, place: name))
  }

  private mutating func take(_ value: Value, _ section: Exchange.Section, named name: String) {
    var value = value
    // Older storage keeps an array as a text of JSON.
    if let text = value.stringValue, let inner = try? Value(json: LongNumbers.marked(Array(text.utf8))) {
      value = inner
    }
    if value.isNull { value = .list([]) }
    guard let list = value.listValue else {
      report(name, "an array is expected", de: "erwartet wird ein Array")
      return
    }
    guard list.count <= 10_000 else {
      report(name, "at most 10 000 entries are read", de: "höchstens 10 000 Einträge werden gelesen")
      return
    }
    var objects = content.objects[section] ?? []
    for (index, element) in list.enumerated() {
      let place = "\(name)[\(index)]"
      guard var fields = element.mapValue else {
        report(place, "an object is expected", de: "erwartet wird ein Objekt")
        continue
      }
      if fields["parentID"] == nil, let parent = fields["parentId"] {
        fields["parentID"] = parent
        fields["parentId"] = nil
      }
      types(fields, section, place)
      objects.append(Exchange.Object(fields: fields, place: place))
    }
    content.objects[section] = objects
  }

  private static func section(of list: [Value]) -> Exchange.Section? {
    guard let first = list.first?.mapValue else { return nil }
    if first["text"] != nil { return .presets }
    if first["elementIDs"] != nil { return .recipes }
    if first["cookbookID"] != nil { return .entries }
    if first["parentID"] != nil || first["parentId"] != nil || first["presetID"] != nil || first["isFolder"] != nil {
      return .items
    }
    return first["sortOrder"] == nil ? nil : .cookbooks
  }

  /// Checks what kind of values the known fields hold.
  private mutating func types(_ fields: ValueMap, _ section: Exchange.Section, _ place: String) {
    for name in ["name", "icon", "keywords", "text", "separator"] {
      if let value = fields[name], !value.isNull, value.stringValue.map(LongNumbers.isMarked) ?? true {
        report("\(place).\(name)", "a text is expected", de: "erwartet wird ein Text")
      }
    }
    for name in ["id", "parentID", "presetID", "cookbookID", "recipeID"] {
      guard let value = fields[name], !value.isNull else {
        if name == "id" { report(place, "the id is missing", de: "die ID fehlt") }
        continue
      }
      if value.stringValue.flatMap({ UUID(uuidString: $0) }) == nil {
        report("\(place).\(name)", "a UUID is expected", de: "erwartet wird eine UUID")
      }
    }
    if let order = fields["sortOrder"], !order.isNull,
      order.intValue.map({ (-1_000_000_000...1_000_000_000).contains($0) }) != true
    {
      report("\(place).sortOrder", "a whole number is expected", de: "erwartet wird eine ganze Zahl")
    }
    if let flag = fields["isDefault"], !flag.isNull, flag.boolValue == nil {
      report("\(place).isDefault", "true or false is expected", de: "erwartet wird true oder false")
    }
    if let ids = fields["elementIDs"], !ids.isNull {
      if ids.listValue.map({ $0.allSatisfy { $0.stringValue.flatMap { UUID(uuidString: $0) } != nil } }) != true {
        report("\(place).elementIDs", "a list of UUIDs is expected", de: "erwartet wird eine Liste von UUIDs")
      }
    }
    if section == .items, let isFolder = fields["isFolder"]?.boolValue,
      isFolder != (fields["presetID"] ?? .null).isNull
    {
      content.remarks.append(
        LocalizedText(
          "\(place): 'isFolder' says otherwise than 'presetID', which counts",
          de: "\(place): 'isFolder' widerspricht 'presetID', das gilt"))
    }
  }

  // MARK: References

  private mutating func check() {
    for section in Exchange.Section.allCases {
      var seen: [String: String] = [:]
      for object in content[section] {
        if let first = seen.updateValue(object.place, forKey: object.id) {
          report(
            "\(object.place).id", "\(object.id) is the id of \(first) already",
            de: "\(object.id) ist schon die ID von \(first)")
        }
      }
    }
    refer(.items, "parentID", .items)
    refer(.items, "presetID", .presets)
    refer(.entries, "parentID", .entries)
    refer(.entries, "cookbookID", .cookbooks)
    refer(.entries, "recipeID", .recipes)
    let items = Dictionary(content[.items].map { ($0.id, $0) }) { first, _ in first }
    for recipe in content[.recipes] {
      for (index, id) in (recipe.fields["elementIDs"]?.listValue ?? []).enumerated() {
        guard let id = id.stringValue, items[id.uppercased()] == nil else { continue }
        report("\(recipe.place).elementIDs[\(index)]", "nothing has the id \(id)", de: "nichts hat die ID \(id)")
      }
    }
    for item in content[.items] {
      if let parent = item.id("parentID").flatMap({ items[$0] }), parent.id("presetID") != nil {
        report("\(item.place).parentID", "\(parent.place) is no folder", de: "\(parent.place) ist kein Ordner")
      }
    }
    let entries = Dictionary(content[.entries].map { ($0.id, $0) }) { first, _ in first }
    for entry in content[.entries] {
      if entry.id("cookbookID") == nil {
        report(entry.place, "'cookbookID' is missing", de: "'cookbookID' fehlt")
      }
      if let parent = entry.id("parentID").flatMap({ entries[$0] }), parent.id("cookbookID") != entry.id("cookbookID") {
        report(
          "\(entry.place).parentID", "\(parent.place) stands in another cookbook",
          de: "\(parent.place) steht in einem anderen Kochbuch")
      }
    }
    circles(content[.items])
    circles(content[.entries])
    let defaults = content[.presets].filter { $0.fields["isDefault"]?.boolValue == true }
    if defaults.count > 1 {
      content.remarks.append(
        LocalizedText(
          "\(defaults.count) presets are marked as default; the first counts",
          de: "\(defaults.count) Presets sind als Vorgabe markiert; das erste gilt"))
    }
  }

  private mutating func refer(_ section: Exchange.Section, _ field: String, _ target: Exchange.Section) {
    let known = Set(content[target].map(\.id))
    for object in content[section] {
      guard let id = object.id(field), !known.contains(id) else { continue }
      report("\(object.place).\(field)", "nothing has the id \(id)", de: "nichts hat die ID \(id)")
    }
  }

  private mutating func circles(_ objects: [Exchange.Object]) {
    let parents = Dictionary(objects.map { ($0.id, $0.id("parentID")) }) { first, _ in first }
    var settled: Set<String> = []
    for object in objects {
      var path: Set<String> = []
      var current: String? = object.id
      while let id = current, !settled.contains(id) {
        guard path.insert(id).inserted else {
          report("\(object.place).parentID", "its parents go round in a circle", de: "seine Eltern bilden einen Kreis")
          break
        }
        current = parents[id] ?? nil
      }
      if path.count > 60 {
        report("\(object.place).parentID", "more than 60 folders deep", de: "mehr als 60 Ordner tief")
      }
      settled.formUnion(path.count > 60 ? [] : path)
    }
  }

  // MARK: Older forms

  /// Presets that stand nowhere go to a folder, compositions that stand nowhere into a cookbook.
  private mutating func migrate() {
    if let selected = content.rest["config.ai.preprompt.selected"]?.stringValue?.uppercased(),
      !content[.presets].contains(where: { $0.fields["isDefault"]?.boolValue == true }),
      let index = content[.presets].firstIndex(where: { $0.id == selected })
    {
      content.objects[.presets]?[index].fields["isDefault"] = true
    }
    for key in content.rest.keys.map(\.text) where key.hasPrefix("config.") { content.rest[key] = nil }
    let listed = Set(content[.items].compactMap { $0.id("presetID") })
    let loose = content[.presets].filter { !listed.contains($0.id) }
    if !loose.isEmpty {
      let folder = Self.uuid("folder:Migriert")
      let last = content[.items].filter { $0.id("parentID") == nil }.map(\.order).max() ?? -1
      add(
        .items,
        ["id": .string(folder), "name": "Migriert", "icon": "📦", "keywords": "", "sortOrder": .int(Int64(last) + 1)])
      for (index, preset) in loose.enumerated() {
        add(
          .items,
          [
            "id": .string(Self.uuid("item:" + preset.id)), "parentID": .string(folder),
            "name": .string(preset.text("name")),
            "icon": .string(preset.text("icon")), "keywords": "", "sortOrder": .int(Int64(index)),
            "presetID": preset.fields["id"] ?? .null,
          ])
      }
      content.remarks.append(
        .count(loose.count, "preset goes", "presets go", de: "Preset kommt", "Presets kommen")
          + LocalizedText(" into the folder 'Migriert'", de: " in den Ordner 'Migriert'"))
    }
    let placed = Set(content[.entries].compactMap { $0.id("recipeID") })
    let free = content[.recipes].filter { !placed.contains($0.id) }
    guard !free.isEmpty else { return }
    let book = Self.uuid("cookbook:Migriert")
    add(
      .cookbooks,
      [
        "id": .string(book), "name": "Kochbuch", "icon": "📖", "keywords": "",
        "sortOrder": .int(Int64(content[.cookbooks].count)),
      ])
    for (index, recipe) in free.enumerated() {
      add(
        .entries,
        [
          "id": .string(Self.uuid("entry:" + recipe.id)), "cookbookID": .string(book),
          "recipeID": recipe.fields["id"] ?? .null, "name": .string(recipe.text("name")),
          "sortOrder": .int(Int64(index)),
        ])
    }
    content.remarks.append(
      .count(free.count, "composition goes", "compositions go", de: "Komposition kommt", "Kompositionen kommen")
        + LocalizedText(" into the cookbook 'Kochbuch'", de: " ins Kochbuch 'Kochbuch'"))
  }

  private mutating func add(_ section: Exchange.Section, _ fields: ValueMap) {
    content.objects[section, default: []].append(Exchange.Object(fields: fields, place: section.rawValue))
  }

  /// A UUID that the same text always gives.
  static func uuid(_ text: String) -> String { ContentHash.uuid(of: Array(text.utf8)) }
}

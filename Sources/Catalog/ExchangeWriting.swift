import Expressions
import Plans
import RecipeModel
import RecipeSyntax

/// Makes the JSON form of the files of a catalog.
struct ExchangeWriting {
  private let snapshot: CatalogSnapshot
  /// The moment that presets without a date are given.
  private static let noDate = "2001-01-01T00:00:00Z"
  private(set) var objects: [Exchange.Section: [ValueMap]] = [:]
  private var itemIDs: [String: String] = [:]
  private var presetIDs: [String: String] = [:]
  private var recipeIDs: [String: String] = [:]

  init(_ snapshot: CatalogSnapshot) {
    self.snapshot = snapshot
    let places = snapshot.descendants(of: "").filter { !snapshot.isBundled($0) }
    for place in places { identify(place) }
    for section in Exchange.Section.allCases { objects[section] = [] }
    var numbers: [String: Int] = [:]
    for place in places {
      let folder = CatalogSnapshot.parent(of: place.name)
      let file = snapshot.file(place)
      switch file?.kind ?? .folder {
      case .folder, .preset, .item:
        // The folders of compositions and cookbooks are no menu.
        if case .folder("recipes") = place, file == nil { continue }
        if case .folder("cookbooks") = place, file == nil { continue }
        let number = numbers[folder, default: 0]
        numbers[folder] = number + 1
        item(place, file, number)
        if let file, file.kind == .preset { preset(file) }
      case .composition: if let file { recipe(file) }
      case .cookbook: if let file { cookbook(file, numbers["cookbooks/", default: 0]) }
      }
      if file?.kind == .cookbook { numbers["cookbooks/", default: 0] += 1 }
    }
  }

  private mutating func identify(_ place: CatalogSnapshot.Place) {
    let file = snapshot.file(place)
    let made = ExchangeReading.uuid(place.path)
    switch file?.kind ?? .folder {
    case .folder, .item: itemIDs[place.label] = file?.id ?? made
    case .preset:
      presetIDs[place.name] = file?.id ?? made
      itemIDs[place.label] = file?.map["item"]?.mapping?["id"]?.string ?? ExchangeReading.uuid("item:" + place.path)
    case .composition: recipeIDs[place.name] = file?.id ?? made
    case .cookbook: break
    }
  }

  private func id(_ text: String?) -> Value { text.map { .string($0) } ?? .null }

  private func set(_ map: inout ValueMap, _ name: String, _ value: String?) {
    if let value { map[name] = .string(value) }
  }

  private mutating func item(_ place: CatalogSnapshot.Place, _ file: CatalogFile?, _ number: Int) {
    guard file?.isListed ?? true else { return }
    let own = file?.map["item"]?.mapping
    let folder = CatalogSnapshot.parent(of: place.name)
    var map: ValueMap = ["id": id(itemIDs[place.label])]
    set(&map, "parentID", folder.isEmpty ? nil : itemIDs[folder + "/"])
    map["name"] = .string(own?["name"]?.scalar?.text ?? snapshot.title(place))
    map["icon"] = .string(own?["icon"]?.scalar?.text ?? file?.icon ?? "")
    let words = file?.kind == .preset ? own?["keywords"] : file?.map["keywords"]
    map["keywords"] = .string(file?.keywordText(of: words) ?? "")
    map["sortOrder"] = .int(Int64(file?.order ?? number))
    if file?.kind == .preset { set(&map, "presetID", presetIDs[place.name]) }
    if file?.kind == .item, let target = file?.target {
      set(&map, "presetID", presetIDs[PromptCatalog.split(target).name])
    }
    objects[.items]?.append(map)
  }

  private mutating func preset(_ file: CatalogFile) {
    let language = snapshot.language
    var map: ValueMap = [
      "id": id(presetIDs[file.name]), "name": .string(file.title(in: language)),
      "text": .string(Self.text(file.text("prompt", in: language) ?? "")), "icon": .string(file.icon),
      "keywords": .string(file.keywordText(of: file.map["keywords"]) ?? ""), "isDefault": .bool(file.isDefault),
    ]
    let created = file.text("created", in: language)
    map["createdAt"] = .string(created ?? Self.noDate)
    map["updatedAt"] = .string(file.text("updated", in: language) ?? created ?? Self.noDate)
    for key in ["system", "task", "description"] { set(&map, key, file.text(key, in: language)) }
    let texts = file.texts("prompt")
    if texts.count > 1 || texts.first?.language.isEmpty == false {
      var all = ValueMap()
      for text in texts { all[text.language] = .string(text.text) }
      map["texts"] = .map(all)
    }
    if !file.isLiteral, (map["text"]?.stringValue ?? "").contains("{{") { map["expressions"] = true }
    objects[.presets]?.append(map)
  }

  /// A blank stands for no text at all.
  private static func text(_ text: String) -> String { text == " " ? "" : text }

  private mutating func recipe(_ file: CatalogFile) {
    let object: ValueMap = [
      "id": id(recipeIDs[file.name]), "name": .string(file.title(in: snapshot.language)), "icon": .string(file.icon),
      "keywords": .string(file.keywordText(of: file.map["keywords"]) ?? ""),
      "elementIDs": .list(
        file.elements.compactMap { itemIDs[PromptCatalog.split($0).name].map { .string($0) } }),
      "separator": .string(file.separator),
    ]
    objects[.recipes]?.append(object)
  }

  private mutating func cookbook(_ file: CatalogFile, _ number: Int) {
    let book = file.id ?? ExchangeReading.uuid("cookbook:" + file.name)
    let object: ValueMap = [
      "id": .string(book), "name": .string(file.title(in: snapshot.language)), "icon": .string(file.icon),
      "keywords": .string(file.keywordText(of: file.map["keywords"]) ?? ""),
      "sortOrder": .int(Int64(file.order ?? number)),
    ]
    objects[.cookbooks]?.append(object)
    entries(file.map["contents"], book, nil, file.name, 0)
  }

  private mutating func entries(_ node: Node?, _ book: String, _ parent: String?, _ path: String, _ depth: Int) {
    guard depth < 64 else { return }
    for (index, entry) in (node?.sequence ?? []).enumerated() {
      let map = entry.mapping
      let target = (map?["recipe"]?.string ?? entry.string).map { PromptCatalog.split($0).name }
      let path = "\(path)/\(index)"
      let own = map?["id"]?.string ?? ExchangeReading.uuid("entry:" + path)
      var object: ValueMap = ["id": .string(own), "cookbookID": .string(book)]
      set(&object, "parentID", parent)
      if let target { set(&object, "recipeID", recipeIDs[target]) }
      let title = map?["name"]?.scalar?.text ?? map?["chapter"]?.scalar?.text
      object["name"] = .string(title ?? target.map { snapshot.title(.file($0)) } ?? "")
      object["sortOrder"] = map?["order"]?.scalar?.value ?? .int(Int64(index))
      objects[.entries]?.append(object)
      entries(map?["contents"], book, own, path, depth + 1)
    }
  }
}

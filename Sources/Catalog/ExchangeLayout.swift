import Expressions
import RecipeModel

/// Turns an imported JSON document into the files of the catalog: chooses the path of each object and writes its text.
struct ExchangeLayout {
  typealias Entries = [(key: String, value: YAMLText.Item)]

  private let content: Exchange.Content
  private let readsExpressions: Bool
  /// The files by path below the catalog.
  private(set) var files: [String: String] = [:]
  private var taken: Set<String>
  /// The names of items by their ids; folders end in `/`.
  private var itemNames: [String: String] = [:]
  private var presetNames: [String: String] = [:]
  private var recipeNames: [String: String] = [:]
  private let presets: [String: Exchange.Object]
  /// The item in whose place the preset's own file stands.
  private var homes: [String: String] = [:]

  /// Makes the files.
  ///
  /// - Parameters:
  ///   - content: What was read, without mistakes.
  ///   - taken: The names in use, in lower case.
  ///   - readsExpressions: Whether `{{ }}` of presets that say so are expressions.
  init(_ content: Exchange.Content, taken: Set<String>, readsExpressions: Bool) {
    self.content = content
    self.taken = taken
    self.readsExpressions = readsExpressions
    presets = Dictionary(content[.presets].map { ($0.id, $0) }) { first, _ in first }
    for item in content[.items] {
      guard let preset = item.id("presetID"), homes[preset] == nil else { continue }
      homes[preset] = item.id
    }
    nameItems()
    for preset in content[.presets] where homes[preset.id] == nil {
      presetNames[preset.id] = CatalogNames.unused(preset.text("name"), in: "", taken: &self.taken)
    }
    for recipe in content[.recipes] {
      recipeNames[recipe.id] = CatalogNames.unused(recipe.text("name"), in: "recipes", taken: &self.taken)
    }
    writeItems()
    writePresets()
    writeRecipes()
    writeCookbooks()
  }

  // MARK: Names

  private mutating func nameItems() {
    var byParent: [String: [Exchange.Object]] = [:]
    for item in content[.items] { byParent[item.id("parentID") ?? "", default: []].append(item) }
    var open: [(parent: String, folder: String)] = [("", "")]
    while let (parent, folder) = open.popLast() {
      for item in byParent[parent] ?? [] {
        let name = CatalogNames.unused(item.text("name"), in: folder, taken: &taken)
        guard let preset = item.id("presetID") else {
          itemNames[item.id] = name + "/"
          open.append((item.id, name))
          continue
        }
        itemNames[item.id] = name
        if homes[preset] == item.id { presetNames[preset] = name }
      }
    }
  }

  // MARK: Files

  private func common(_ object: Exchange.Object) -> Entries {
    var entries: Entries = [("name", .text(object.text("name")))]
    let icon = String(object.text("icon").prefix(CatalogFile.iconLimit))
    if !icon.isEmpty { entries.append(("icon", .text(icon))) }
    return entries
  }

  private func keywords(_ object: Exchange.Object) -> Entries {
    let text = object.text("keywords")
    return text.isEmpty ? [] : [("keywords", .text(text))]
  }

  private func order(_ object: Exchange.Object) -> Entries {
    object.fields["sortOrder"]?.intValue == nil ? [] : [("order", .bare(String(object.order)))]
  }

  private func identity(_ object: Exchange.Object) -> Entries {
    object.fields["id"]?.stringValue.map { [("id", .text($0))] } ?? []
  }

  /// Braces in what comes from elsewhere are text.
  private func literal(_ texts: String...) -> Entries {
    texts.contains { $0.contains("{{") } ? [("literal", .bare("true"))] : []
  }

  private mutating func writeItems() {
    for item in content[.items] {
      guard let name = itemNames[item.id] else { continue }
      let entries = common(item) + order(item) + keywords(item) + literal(item.text("keywords"))
      if name.hasSuffix("/") {
        files[name + "folder.yaml"] = YAMLText.map(entries + identity(item))
      } else if let preset = item.id("presetID"), homes[preset] != item.id, let target = presetNames[preset] {
        files[name + ".yaml"] = YAMLText.map(entries + [("preset", .text(target))] + identity(item))
      }
    }
  }

  private mutating func writePresets() {
    let items = Dictionary(content[.items].map { ($0.id, $0) }) { first, _ in first }
    var hasDefault = false
    for preset in content[.presets] {
      guard let name = presetNames[preset.id] else { continue }
      let item = homes[preset.id].flatMap { items[$0] }
      var entries = common(preset)
      if let item { entries += order(item) }
      for key in ["description", "task"] {
        guard let text = preset.fields[key]?.stringValue, !text.isEmpty else { continue }
        if key != "task" || CatalogFile.tasks.contains(text) { entries.append((key, .text(text))) }
      }
      entries += keywords(preset)
      if preset.fields["isDefault"]?.boolValue == true, !hasDefault {
        hasDefault = true
        entries.append(("default", .bare("true")))
      }
      let system = preset.text("system")
      let isTemplate = readsExpressions && preset.fields["expressions"]?.boolValue == true
      if !isTemplate {
        entries += literal(preset.text("text"), preset.text("keywords"), item?.text("keywords") ?? "", system)
      }
      if !system.isEmpty { entries.append(("system", .text(system))) }
      let text = preset.text("text")
      // A preset without a text is kept; a blank is what a file has at least.
      entries.append(("prompt", .text(text.isEmpty ? " " : text)))
      if let item {
        let own = self.own(item, beside: preset)
        if !own.isEmpty { entries.append(("item", .map(own))) }
      } else {
        entries.append(("listed", .bare("false")))
      }
      entries += identity(preset)
      for (key, field) in [("created", "createdAt"), ("updated", "updatedAt")] {
        if let date = preset.fields[field]?.stringValue { entries.append((key, .text(date))) }
      }
      files[name + ".yaml"] = YAMLText.map(entries)
    }
  }

  /// What an item says otherwise than its preset.
  private func own(_ item: Exchange.Object, beside preset: Exchange.Object) -> Entries {
    var entries: Entries = []
    if item.text("name") != preset.text("name") { entries.append(("name", .text(item.text("name")))) }
    let icon = String(item.text("icon").prefix(CatalogFile.iconLimit))
    if icon != String(preset.text("icon").prefix(CatalogFile.iconLimit)) { entries.append(("icon", .text(icon))) }
    return entries + keywords(item) + identity(item)
  }

  private mutating func writeRecipes() {
    for recipe in content[.recipes] {
      guard let name = recipeNames[recipe.id] else { continue }
      let elements = (recipe.fields["elementIDs"]?.listValue ?? []).compactMap {
        $0.stringValue.flatMap { itemNames[$0.uppercased()] }
      }
      var entries = common(recipe) + keywords(recipe) + [("elements", .texts(elements))]
      if let separator = recipe.fields["separator"]?.stringValue, separator != "\n\n" {
        entries.append(("separator", .text(separator)))
      }
      entries += literal(recipe.text("keywords"), recipe.text("separator")) + identity(recipe)
      files[name + ".yaml"] = YAMLText.map(entries)
    }
  }

  private mutating func writeCookbooks() {
    var byParent: [String: [Exchange.Object]] = [:]
    for entry in content[.entries] {
      byParent[(entry.id("cookbookID") ?? "") + "/" + (entry.id("parentID") ?? ""), default: []].append(entry)
    }
    for book in content[.cookbooks] {
      let name = CatalogNames.unused(book.text("name"), in: "cookbooks", taken: &taken)
      let entries =
        common(book) + order(book) + keywords(book)
        + [("contents", .maps(contents(book.id, "", byParent)))] + literal(book.text("keywords")) + identity(book)
      files[name + ".yaml"] = YAMLText.map(entries)
    }
  }

  private func contents(_ book: String, _ parent: String, _ byParent: [String: [Exchange.Object]]) -> [Entries] {
    let objects = (byParent[book + "/" + parent] ?? []).enumerated()
      .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
    return objects.enumerated().map { index, object in
      let entry = object.element
      var entries: Entries = []
      if let recipe = entry.id("recipeID").flatMap({ recipeNames[$0] }) {
        entries = [("recipe", .text(recipe)), ("name", .text(entry.text("name")))]
      } else {
        entries = [("chapter", .text(entry.text("name")))]
      }
      if entry.fields["sortOrder"]?.intValue != nil, entry.order != index {
        entries.append(("order", .bare(String(entry.order))))
      }
      let inner = contents(book, entry.id, byParent)
      return entries + identity(entry) + (inner.isEmpty ? [] : [("contents", .maps(inner))])
    }
  }
}

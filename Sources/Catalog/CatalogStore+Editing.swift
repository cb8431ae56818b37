import Expressions
package import Foundation
package import Localization
import Plans
package import RecipeModel
import RecipeSyntax
import Schemas

/// What a person says about an entry of the catalog; what is `nil` stays as it is, an empty text removes the key.
package struct CatalogFields: Sendable {
  package var title: String?
  package var icon: String?
  package var keywords: String?
  package var description: String?
  package var text: String?
  package var system: String?
  package var task: String?
  package var order: Int?
  package var isDefault: Bool?
  package var preset: String?
  package var elements: [String]?
  package var separator: String?
  /// The compositions of a cookbook; those behind `chapter:NAME` stand in a chapter of that name.
  package var contents: [String]?
  /// The language whose text is changed where a preset has several; `nil` for the process's own.
  package var language: Language?

  /// Nothing is said.
  package init() {}

  /// The kind of a new entry that has these fields.
  ///
  /// - Parameter name: The name of the entry; that of a folder ends in `/`.
  package func kind(named name: String) throws(CatalogError) -> CatalogFile.Kind {
    if text != nil { return .preset }
    if preset != nil { return .item }
    if elements != nil { return .composition }
    if contents != nil { return .cookbook }
    if name.hasSuffix("/") { return .folder }
    throw CatalogError(
      .invalid, "give a text, a preset, elements or contents; a folder ends in '/'",
      de: "Text, Preset, Elemente oder Inhalt nennen; ein Ordner endet mit '/'")
  }
}

extension CatalogStore {
  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - kind: What it is.
  ///   - name: Its name, `mail/short`, or a folder with `/` at its end and the title says the rest.
  ///   - fields: What is in it.
  ///   - now: The present.
  package func add(
    _ kind: CatalogFile.Kind, _ name: String, _ fields: CatalogFields, now: Date
  ) throws(CatalogError) -> CatalogResult {
    try change { (snapshot) throws(CatalogError) in
      var taken = Set(snapshot.descendants(of: "").map { $0.name.lowercased() })
      var plain = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
      if plain.hasSuffix("/"), kind != .folder {
        guard let title = fields.title else {
          throw CatalogError(.invalid, "--name is missing", de: "--name fehlt")
        }
        plain = CatalogNames.unused(title, in: String(plain.dropLast()), taken: &taken)
      }
      if plain.hasSuffix("/") { plain = String(plain.dropLast()) }
      if kind == .composition, !plain.contains("/") { plain = "recipes/" + plain }
      if kind == .cookbook, !plain.hasPrefix("cookbooks/") { plain = "cookbooks/" + plain }
      try CatalogNames.check(plain)
      let place: CatalogSnapshot.Place = kind == .folder ? .folder(plain) : .file(plain)
      guard snapshot.file(place) == nil else {
        throw CatalogError(.exists, "'\(place.label)' is there already", de: "'\(place.label)' gibt es schon")
      }
      try Self.check(fields, kind, snapshot)
      var entries = Self.entries(fields, kind)
      if kind != .folder {
        let stamp = Self.stamp(now)
        entries += [("created", .text(stamp)), ("updated", .text(stamp))]
      }
      var changes = CatalogChanges()
      changes.write(place.path, entries.isEmpty ? "name: \(YAMLText.scalar(plain))\n" : YAMLText.map(entries))
      Self.settleDefault(fields, place, snapshot, &changes)
      return (changes, CatalogResult(name: place.label))
    }
  }

  /// Changes an entry; one that comes with Sous becomes a file of the project.
  ///
  /// - Parameter version: The version that the entry must have; `nil` for any.
  /// - Throws: ``CatalogError``: `object_changed` for an entry of another version.
  package func edit(
    _ name: String, _ fields: CatalogFields, now: Date, ifVersion version: String? = nil
  ) throws(CatalogError) -> CatalogResult {
    try change { (snapshot) throws(CatalogError) in
      let place = try snapshot.find(name)
      try snapshot.require(version, of: place)
      guard place != .folder("") else { throw CatalogError(.invalid, "name an entry", de: "einen Eintrag nennen") }
      let kind = snapshot.file(place)?.kind ?? .folder
      try Self.check(fields, kind, snapshot)
      guard
        let file = snapshot.file(place)
          ?? CatalogFile.read(place.name, isFolder: true, SourceText(path: place.path, text: "")).file
      else { throw Self.unreadable(place) }
      var edits: [FileEdit.Change] = Self.entries(fields, kind).map { ($0.key, $0.value) }
      for index in edits.indices {
        edits[index].value = merged(file, edits[index].key, edits[index].value, fields.language ?? language)
      }
      if fields.isDefault == false { edits.append(("default", nil)) }
      if kind != .folder { edits.append(("updated", .text(Self.stamp(now)))) }
      var changes = CatalogChanges()
      changes.write(place.path, FileEdit(file: file).setting(edits))
      Self.settleDefault(fields, place, snapshot, &changes)
      return (changes, CatalogResult(name: place.label))
    }
  }

  /// Puts the entries of a folder into an order; those that are not named follow as they were.
  package func reorder(_ folder: String, _ names: [String]) throws(CatalogError) -> CatalogResult {
    try change { (snapshot) throws(CatalogError) in
      guard case .folder(let folder) = try snapshot.find(folder) else {
        throw CatalogError(.invalid, "'\(folder)' is no folder", de: "'\(folder)' ist kein Ordner")
      }
      let children = snapshot.children(of: folder)
      var order: [CatalogSnapshot.Place] = []
      for name in names {
        let prefix = folder.isEmpty ? "" : folder + "/"
        let place: CatalogSnapshot.Place
        if let inner = try? snapshot.find(prefix + name) { place = inner } else { place = try snapshot.find(name) }
        guard children.contains(place) else {
          throw CatalogError(
            .notFound, "'\(place.label)' does not stand in '\(folder)/'",
            de: "'\(place.label)' steht nicht in '\(folder)/'")
        }
        if !order.contains(place) { order.append(place) }
      }
      order += children.filter { !order.contains($0) }
      var changes = CatalogChanges()
      for (number, place) in order.enumerated() where snapshot.file(place)?.order != number + 1 {
        guard
          let file = snapshot.file(place)
            ?? CatalogFile.read(place.name, isFolder: true, SourceText(path: place.path, text: "")).file
        else { throw Self.unreadable(place) }
        changes.write(place.path, FileEdit(file: file).setting([("order", .bare(String(number + 1)))]))
      }
      return (changes, CatalogResult(name: folder + "/", affected: order.map(\.label)))
    }
  }

  /// Writes the prompts that come with Sous as files; those that were written or deleted once stay as they are.
  package func begin() throws(CatalogError) -> [String] {
    try change { (snapshot) throws(CatalogError) in
      var changes = CatalogChanges()
      let offered = OfferedPrompts(folder: folder).names
      for (path, text) in BundledPrompts.files {
        let name = BundledPrompts.offeredName(of: path)
        guard !offered.contains(name) else { continue }
        changes.offered.insert(name)
        if snapshot.texts[path] == nil { changes.write(path, text + "\n") }
      }
      return (changes, changes.files.keys.sorted())
    }
  }

  // MARK: Parts

  /// One preset at most is the default: the one before loses its mark.
  private static func settleDefault(
    _ fields: CatalogFields, _ place: CatalogSnapshot.Place, _ snapshot: CatalogSnapshot,
    _ changes: inout CatalogChanges
  ) {
    guard fields.isDefault == true else { return }
    for (path, file) in snapshot.files where file.isDefault && path != place.path {
      changes.write(path, FileEdit(file: file).setting([("default", nil)]))
    }
  }

  private static func entries(_ fields: CatalogFields, _ kind: CatalogFile.Kind) -> [(
    key: String, value: YAMLText.Item
  )] {
    var entries: [(key: String, value: YAMLText.Item)] = []
    func add(_ key: String, _ text: String?) {
      if let text { entries.append((key, .text(text))) }
    }
    add("name", fields.title)
    add("icon", fields.icon.map { String($0.prefix(CatalogFile.iconLimit)) })
    add("description", fields.description)
    if let order = fields.order { entries.append(("order", .bare(String(order)))) }
    add("task", fields.task)
    add("keywords", fields.keywords)
    add("system", fields.system)
    add("preset", fields.preset)
    if let elements = fields.elements { entries.append(("elements", .texts(elements))) }
    add("separator", fields.separator)
    if let contents = fields.contents { entries.append(("contents", .maps(chapters(contents)))) }
    add("prompt", fields.text)
    if fields.isDefault == true { entries.append(("default", .bare("true"))) }
    return entries
  }

  private static func chapters(_ contents: [String]) -> [[(key: String, value: YAMLText.Item)]] {
    var result: [[(key: String, value: YAMLText.Item)]] = []
    var chapter: (name: String, recipes: [String])?
    func close() {
      guard let open = chapter else { return }
      result.append([
        ("chapter", .text(open.name)), ("contents", .maps(open.recipes.map { [("recipe", .text($0))] })),
      ])
    }
    for entry in contents {
      if entry.hasPrefix("chapter:") {
        close()
        chapter = (entry.dropFirst(8).trimmingCharacters(in: .whitespaces), [])
      } else if chapter != nil {
        chapter?.recipes.append(entry)
      } else {
        result.append([("recipe", .text(entry))])
      }
    }
    close()
    return result
  }

  /// A text in its language among those that the file has in others; an empty one removes the key.
  private func merged(
    _ file: CatalogFile, _ key: String, _ value: YAMLText.Item?, _ language: Language
  ) -> YAMLText.Item? {
    guard case .text(let text)? = value else { return value }
    if text.isEmpty, key != "prompt", key != "separator" { return nil }
    var texts = file.texts(key)
    guard texts.count > 1 || texts.first.map({ !$0.language.isEmpty }) ?? false else { return value }
    if let index = texts.firstIndex(where: { $0.language == language.rawValue }) {
      texts[index].text = text
    } else {
      texts.append((language.rawValue, text))
    }
    return .map(texts.map { ($0.language, .text($0.text)) })
  }

  private static func check(
    _ fields: CatalogFields, _ kind: CatalogFile.Kind, _ snapshot: CatalogSnapshot
  ) throws(CatalogError) {
    let wanted: [(String, Bool, CatalogFile.Kind)] = [
      ("prompt", fields.text != nil, .preset), ("preset", fields.preset != nil, .item),
      ("elements", fields.elements != nil, .composition), ("contents", fields.contents != nil, .cookbook),
    ]
    for (key, isGiven, owner) in wanted where isGiven && owner != kind {
      throw CatalogError(
        .invalid, "'\(key)' is for another kind of entry", de: "'\(key)' gehört zu einer anderen Art von Eintrag")
    }
    if fields.text?.isEmpty == true {
      throw CatalogError(.invalid, "the text is empty", de: "der Text ist leer")
    }
    for (key, text) in [("prompt", fields.text), ("system", fields.system)] where text.map(Template.isClosed) == false {
      throw CatalogError(
        .invalid, "'\(key)' has '{{' without '}}'; two braces as text are written {{ \"{{\" }}",
        de: "'\(key)' hat '{{' ohne '}}'; zwei Klammern als Text schreiben sich {{ \"{{\" }}")
    }
    if fields.isDefault != nil, kind != .preset {
      throw CatalogError(.invalid, "only a preset is the default", de: "nur ein Preset ist die Vorgabe")
    }
    if let task = fields.task, !task.isEmpty, !CatalogFile.tasks.contains(task) {
      throw CatalogError(
        .invalid, "the task is one of \(CatalogFile.tasks.joined(separator: ", "))",
        de: "die Aufgabe ist eine von \(CatalogFile.tasks.joined(separator: ", "))")
    }
    let recipes = (fields.contents ?? []).filter { !$0.hasPrefix("chapter:") }
    for name in [fields.preset].compactMap(\.self) + (fields.elements ?? []) + recipes {
      let place = try snapshot.find(name)
      guard place.label == PromptCatalog.split(name).name else {
        throw CatalogError(
          .notFound, "the catalog has no '\(name)' — did you mean '\(place.label)'?",
          de: "der Katalog hat kein '\(name)' — meinten Sie '\(place.label)'?")
      }
    }
    for name in fields.elements ?? [] {
      guard let file = try snapshot.file(snapshot.find(name)), file.kind == .composition || file.kind == .cookbook
      else { continue }
      throw CatalogError(
        .invalid, "'\(name)' cannot be an element; elements are presets, items and folders",
        de: "'\(name)' kann kein Element sein; Elemente sind Presets, Einträge und Ordner")
    }
    for name in recipes {
      guard let file = try snapshot.file(snapshot.find(name)), file.kind != .composition else { continue }
      throw CatalogError(
        .invalid, "'\(name)' is no composition; a cookbook holds compositions",
        de: "'\(name)' ist keine Komposition; ein Kochbuch enthält Kompositionen")
    }
  }

  private static func unreadable(_ place: CatalogSnapshot.Place) -> CatalogError {
    CatalogError(
      .broken, "the file of '\(place.label)' is wrong; see 'sous catalog tree'",
      de: "die Datei von '\(place.label)' ist falsch; siehe 'sous catalog tree'")
  }

  static func stamp(_ date: Date) -> String { Timestamp(seconds: Int64(date.timeIntervalSince1970)).rfc3339 }
}

import Expressions
import Localization
import Plans
package import RecipeSyntax
import Schemas

/// A file of the prompt catalog: what it is, and its texts with their places.
package struct CatalogFile: Sendable {
  /// What a file is, as its keys say.
  package enum Kind: String, Sendable, CaseIterable {
    /// `folder.yaml`: what all of its folder have in common.
    case folder
    /// `prompt`: a prompt with a name.
    case preset
    /// `preset`: points to a preset and has a name, an icon and keywords of its own.
    case item
    /// `elements`: presets and folders that make one prompt together.
    case composition
    /// `contents`: compositions in chapters.
    case cookbook
  }

  /// The most characters an icon has; the rest is cut.
  package static let iconLimit = 3

  /// The kinds of work that a preset can ask for.
  package static let tasks = StepTask.names

  /// The name of what is in it: `mail/summary`; of a folder its path.
  package let name: String
  /// What it is.
  package let kind: Kind
  /// The file as it was read.
  package let document: YAMLDocument
  /// Its keys.
  package let map: Node.Mapping

  /// The name of a file: `mail/summary.yaml` for `mail/summary`, `mail/folder.yaml` for the folder `mail`.
  package static func path(of name: String, isFolder: Bool) -> String {
    isFolder ? (name.isEmpty ? "folder.yaml" : name + "/folder.yaml") : name + ".yaml"
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: The name of what is in it.
  ///   - isFolder: Whether it is a `folder.yaml`.
  ///   - source: Its text.
  /// - Returns: `nil` where it cannot be used, and what is wrong with it.
  package static func read(
    _ name: String, isFolder: Bool, _ source: SourceText
  ) -> (file: CatalogFile?, diagnostics: [Diagnostic]) {
    let (document, problems) = YAMLDocument.parse(source, allowsEmpty: isFolder)
    guard let document else { return (nil, problems) }
    guard let root = document.root, !(isFolder && root.isNull) else {
      let empty = Node.Mapping(entries: [])
      return (isFolder ? CatalogFile(name: name, kind: .folder, document: document, map: empty) : nil, problems)
    }
    let reader = FieldReader(document)
    let definition = isFolder ? RecipeDefinitions.folder : RecipeDefinitions.preset
    guard let map = reader.map(root, isFolder ? "folder" : "preset", keys: definition.keyNames) else {
      return (nil, problems + reader.diagnostics)
    }
    let kind = isFolder ? Kind.folder : Self.kind(map)
    let file = CatalogFile(name: name, kind: kind, document: document, map: map)
    let isUsable = file.check(reader, root)
    return (isUsable ? file : nil, problems + reader.diagnostics)
  }

  private static func kind(_ map: Node.Mapping) -> Kind {
    if map["elements"] != nil { return .composition }
    if map["contents"] != nil { return .cookbook }
    return map["preset"] != nil ? .item : .preset
  }

  /// Reports what is wrong; `false` where the file cannot be used.
  private func check(_ reader: FieldReader, _ root: Node) -> Bool {
    if kind == .preset {
      guard let prompt = map["prompt"] else {
        reader.report(
          .missingKey, LocalizedText("the preset has no 'prompt'", de: "dem Preset fehlt 'prompt'"),
          at: map.entries.first?.nameRange ?? root.range)
        return false
      }
      for node in variants(prompt) where reader.name(node, "prompt") == nil { return false }
    }
    if let node = map["preset"], reader.name(node, "preset") == nil { return false }
    if let node = map["elements"] {
      guard let elements = reader.list(node, "elements") else { return false }
      for (place, element) in elements.enumerated() where reader.name(element, "elements[\(place)]") == nil {
        return false
      }
    }
    if let node = map["contents"], reader.list(node, "contents") == nil { return false }
    for key in ["system", "description", "name"] {
      for node in map[key].map({ variants($0) }) ?? [] where reader.string(node, key) == nil { return false }
    }
    for key in ["icon", "id", "separator", "created", "updated"] {
      if let node = map[key], reader.string(node, key) == nil { return false }
    }
    if let node = map["order"], reader.integer(node, "order", in: -1_000_000_000...1_000_000_000) == nil {
      return false
    }
    for key in ["default", "listed", "literal"] {
      if let node = map[key], reader.bool(node, key) == nil { return false }
    }
    if let task = map["task"].flatMap({ reader.name($0, "task") }), !StepTask.names.contains(task.value) {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'task' is one of \(StepTask.names.joined(separator: ", "))",
          de: "'task' ist eines von \(StepTask.names.joined(separator: ", "))"),
        at: task.range, suggestion: reader.suggestion(for: task.value, among: StepTask.names))
    }
    return true
  }

  // MARK: Texts

  /// The texts of a value: itself, or those of a map by language.
  private func variants(_ node: Node) -> [Node] {
    Self.isByLanguage(node) ? (node.mapping?.entries.map(\.value) ?? []) : [node]
  }

  /// Whether a value is a map from languages to texts.
  private static func isByLanguage(_ node: Node) -> Bool {
    guard let entries = node.mapping?.entries, !entries.isEmpty else { return false }
    return entries.allSatisfy { $0.name.count == 2 && $0.name.allSatisfy { $0.isASCII && $0.isLowercase } }
  }

  /// The value for a language: its own, otherwise the English, otherwise the first.
  static func chosen(_ node: Node, _ language: String) -> Node {
    guard isByLanguage(node), let map = node.mapping else { return node }
    return map[language] ?? map["en"] ?? map.entries.first?.value ?? node
  }

  /// The text of a key in a language.
  package func text(_ key: String, in language: String) -> String? {
    map[key].flatMap { Self.chosen($0, language).scalar?.text }
  }

  /// The text of a key in every language it has; one without a language stands under "".
  package func texts(_ key: String) -> [(language: String, text: String)] {
    guard let node = map[key] else { return [] }
    guard Self.isByLanguage(node), let entries = node.mapping?.entries else {
      return [("", node.scalar?.text ?? "")]
    }
    return entries.map { ($0.name, $0.value.scalar?.text ?? "") }
  }

  /// The text of a key with its place.
  package func placed(_ key: String, in language: String) -> PlacedText? {
    guard let node = map[key].map({ Self.chosen($0, language) }), let text = node.scalar?.text else { return nil }
    return PlacedText(text: isLiteral ? Self.escaped(text) : text, node: node, document: document)
  }

  /// A text whose braces are no expressions.
  static func escaped(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "{")) ? text.parts(between: "{{").joined(separator: "{{ \"{{\" }}") : text
  }

  // MARK: Fields

  /// What people call it; the last part of its name where the file says nothing.
  package func title(in language: String) -> String {
    if let name = text("name", in: language), !name.isEmpty { return name }
    return name.split(separator: "/").last.map(String.init) ?? name
  }

  /// Its icon, at most three characters.
  package var icon: String { String((map["icon"]?.scalar?.text ?? "").prefix(Self.iconLimit)) }
  /// The UUID that it has in other programs.
  package var id: String? { map["id"]?.string }
  /// Where it stands among its neighbours: by this number, then by name; those without one come last.
  package var order: Int? {
    if case .int(let number)? = map["order"]?.scalar?.value { Int(number) } else { nil }
  }
  /// Whether it is used where no other one is chosen.
  package var isDefault: Bool { map["default"]?.scalar?.value == .bool(true) }
  /// Whether it stands in the menu.
  package var isListed: Bool { map["listed"]?.scalar?.value != .bool(false) }
  /// Whether `{{` in it is text.
  package var isLiteral: Bool { map["literal"]?.scalar?.value == .bool(true) }
  /// The preset that an item points to.
  package var target: String? { map["preset"]?.string }
  /// The items and folders of a composition; folders end in `/`.
  package var elements: [String] { map["elements"]?.sequence?.compactMap(\.string) ?? [] }
  /// What stands between the elements of a composition.
  package var separator: String { map["separator"]?.string ?? "\n\n" }
  /// The compositions of a cookbook, those of its chapters too.
  package var recipes: [String] { Self.recipes(map["contents"], depth: 0) }

  private static func recipes(_ node: Node?, depth: Int) -> [String] {
    guard depth < 64 else { return [] }
    return (node?.sequence ?? []).flatMap { entry -> [String] in
      let own = entry.mapping?["recipe"]?.string ?? entry.string
      return [own].compactMap(\.self) + recipes(entry.mapping?["contents"], depth: depth + 1)
    }
  }
}

extension String {
  /// The parts between the occurrences of a text.
  fileprivate func parts(between separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let found = rest.firstRange(of: separator) {
      parts.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return parts + [rest]
  }
}

import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

extension DocumentFeatures {
  /// The kinds of completion items that are used: LSP 3.17, `CompletionItemKind`.
  enum CompletionKind: Int64 {
    case method = 2
    case function = 3
    case field = 5
    case variable = 6
    case module = 9
    case property = 10
    case value = 12
    case enumMember = 20
    case reference = 18
    case file = 17
    case event = 23
  }

  /// The completions at an offset.
  func completion(at offset: Int) -> [Value] {
    let line = buffer.lineRange(buffer.line(of: offset))
    let entry = outline.entry(valueAt: offset)
    if let entry, !entry.isCollection, entry.key != nil || isTemplate(entry, offset) || startsWithQuote(entry) {
      return values(at: entry.path, from: entry.value.lowerBound, to: offset)
    }
    // Blanks at the end of an expression are not part of its value.
    if entry == nil, let before = self.entry(before: offset), !before.isCollection,
      cursor(in: before, to: offset) != nil
    {
      return values(at: before.path, from: before.value.lowerBound, to: offset)
    }
    // An empty value after a colon is at the end of its line.
    if let empty = outline.entries.last(where: { $0.value.isEmpty && $0.key != nil && follows($0, offset, line) }) {
      return values(at: empty.path, from: offset, to: offset)
    }
    if let entry = outline.entry(keyAt: offset), let key = entry.key {
      return keys(at: Array(entry.path.dropLast()), key.lowerBound..<key.upperBound, hasColon: hasColon(key))
    }
    if let entry, entry.isCollection, offset > entry.value.lowerBound, offset < entry.value.upperBound {
      let start = wordStart(offset)
      return keys(at: entry.path, start..<offset, isFlow: true)
        + values(at: entry.path + [.index(0)], from: start, to: offset)
    }
    return bareLine(line, offset)
  }

  private func isTemplate(_ entry: Outline.Entry, _ offset: Int) -> Bool {
    buffer.text(entry.value.lowerBound..<offset).contains("{{")
  }

  private func startsWithQuote(_ entry: Outline.Entry) -> Bool {
    guard let first = entry.value.first else { return false }
    return buffer.bytes[first] == UInt8(ascii: "\"") || buffer.bytes[first] == UInt8(ascii: "'")
  }

  private func follows(_ entry: Outline.Entry, _ offset: Int, _ line: Range<Int>) -> Bool {
    guard let key = entry.key, key.lowerBound >= line.lowerBound, key.upperBound < offset, offset <= line.upperBound
    else { return false }
    return buffer.bytes[key.upperBound..<offset].allSatisfy { $0 == UInt8(ascii: ":") || $0 == 32 }
  }

  private func hasColon(_ key: Range<Int>) -> Bool {
    key.upperBound < buffer.bytes.count && buffer.bytes[key.upperBound] == UInt8(ascii: ":")
  }

  private func wordStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, ExpressionCursor.isName(buffer.bytes[start - 1]) || buffer.bytes[start - 1] == UInt8(ascii: ".") {
      start -= 1
    }
    return start
  }

  /// A line that has only the beginning of a key or a value.
  private func bareLine(_ line: Range<Int>, _ offset: Int) -> [Value] {
    var dashes: [Int] = []
    var start = line.lowerBound
    while start < offset {
      if buffer.bytes[start] == UInt8(ascii: "-") {
        dashes.append(start - line.lowerBound)
      } else if buffer.bytes[start] != 32 {
        break
      }
      start += 1
    }
    if start < offset, buffer.bytes[start] == UInt8(ascii: "#") { return [] }
    let before = Outline(buffer, before: buffer.line(of: offset))
    let path = before.container(column: start - line.lowerBound, dashes: dashes)
    return keys(at: path, start..<offset) + values(at: path, from: start, to: offset)
  }

  // MARK: Keys

  private func keys(
    at path: Outline.Path, _ replaced: Range<Int>, hasColon: Bool = false, isFlow: Bool = false
  ) -> [Value] {
    let present = Set(outline.keys(below: path).filter { $0.key != replaced }.map(\.name))
    let tail = hasColon ? "" : ": "
    var items = names(below: path).filter { !present.contains($0.name) }.map { name in
      item(name.name, name.kind, replaced, detail: name.detail, documentation: name.summary, insert: name.name + tail)
    }
    for (index, key) in definedKeys(at: path).enumerated() where !present.contains(key.name) {
      let snippet = hasColon || isFlow ? nil : snippet(key.shape)
      items.append(
        item(
          key.name, .property, replaced, detail: detail(key.shape), documentation: key.summary.string(in: language),
          insert: key.name + (snippet ?? tail), isSnippet: snippet != nil, order: (key.isRequired ? 0 : 1000) + index))
    }
    for (index, field) in (schema(at: path)?.fields ?? []).enumerated() where !present.contains(field.name) {
      items.append(
        item(
          field.name, .property, replaced, detail: field.schema.type, documentation: field.schema.summary,
          insert: field.name + tail, order: (field.isRequired ? 0 : 1000) + index))
    }
    return items
  }

  /// The keys of a place by the table of definitions; where it takes one of several maps, those of all.
  private func definedKeys(at path: Outline.Path) -> [KeyDefinition] {
    if let call = callMapping(at: path) { return call.keys }
    let maps = path.isEmpty ? file.map { [RecipeDefinitions.root(of: $0, kind: scope.kind)] } ?? [] : mappings(at: path)
    var seen: Set<String> = []
    return maps.flatMap(\.keys).filter { seen.insert($0.name).inserted }
  }

  /// A name that is a key and that no table lists.
  private struct OfferedName {
    var name: String
    var kind: CompletionKind
    var detail = ""
    var summary = ""
  }

  /// The names that can be keys at a place: contracts, keywords of the catalog, steps and inputs of a tested recipe.
  private func names(below path: Outline.Path) -> [OfferedName] {
    if path == [.key("defaults")] {
      return planner.catalog.contractNames.map { OfferedName(name: $0, kind: .module) }
    }
    if let test { return names(below: path, test) }
    guard file == .recipe, path.last == .key("keywords") else { return [] }
    // Catalog settings can be overridden; a step can override those of the recipe as well.
    let inherited = path.count == 1 ? scope.inheritedKeywords : scope.inheritedKeywords(at: path)
    var names = inherited.map { OfferedName(name: $0.name, kind: .value, detail: $0.text, summary: $0.path) }
    if path.count > 1 {
      names += scope.keywords(at: []).filter { own in !names.contains { $0.name == own.name } }
        .map { OfferedName(name: $0.name, kind: .value, detail: $0.text) }
    }
    return names
  }

  private func names(below path: Outline.Path, _ test: TestedRecipe) -> [OfferedName] {
    guard path.count >= 3, path[0] == .key("tests") else { return [] }
    switch Array(path.dropFirst(2)) {
    case [.key("inputs")]:
      return test.inputs.map { OfferedName(name: $0.name, kind: .variable, detail: SchemaFields($0.schema).type) }
    case [.key("keywords")]:
      return test.keywords.map { OfferedName(name: $0, kind: .value) }
    case [.key("steps")], [.key("expect"), .key("steps")]:
      return test.steps.map { OfferedName(name: $0.id, kind: .reference, detail: $0.uses) }
    case [.key("expect"), .key("outputs")]:
      return test.outputs.map { OfferedName(name: $0, kind: .field) }
    default:
      return []
    }
  }

  /// The text after a key with a value of several lines; editors add the indentation of the current line themselves.
  private func snippet(_ shape: ValueShape) -> String? {
    let indent = "  "
    for shape in Self.shapes(shape) {
      switch shape {
      case .list(.mapping): return ":\n\(indent)- $0"
      case .mapping, .map: return ":\n\(indent)$0"
      case .text, .name, .word, .boolean, .integer, .number, .duration, .expression: return nil
      default: continue
      }
    }
    return nil
  }

  private func detail(_ shape: ValueShape) -> String {
    Self.shapes(shape).compactMap { shape -> String? in
      switch shape {
      case .text: say("text", de: "Text")
      case .name(let role): role.rawValue
      case .word(let words): words.joined(separator: " | ")
      case .boolean: "true | false"
      case .integer: say("integer", de: "ganze Zahl")
      case .number: say("number", de: "Zahl")
      case .duration: say("duration", de: "Dauer")
      case .expression: say("expression", de: "Ausdruck")
      case .list: say("list", de: "Liste")
      case .map, .mapping: say("map", de: "Map")
      case .anything, .null, .any: nil
      }
    }.joined(separator: ", ")
  }

  // MARK: Values

  private func values(at path: Outline.Path, from start: Int, to offset: Int) -> [Value] {
    let written = buffer.text(start..<offset)
    if file == .recipe, let cursor = ExpressionCursor(unquotedStart(written), isExpression: isExpression(path)) {
      return expression(cursor, path, offset)
    }
    let quoted = written.hasPrefix("\"") || written.hasPrefix("'")
    let replaced = start + (quoted ? 1 : 0)..<offset
    if file == .recipe, path == [.key("kind")] {
      return OpenDocument.recipeKinds.map { item($0, .enumMember, replaced) }
    }
    var items: [Value] = []
    for shape in Self.shapes(shape(at: path)) { items += choices(of: shape, at: path, replaced) }
    if let schema = schema(at: path) {
      items += schema.choices.map { item($0.stringValue ?? $0.jsonString, .enumMember, replaced) }
      if schema.type == "boolean" { items += ["true", "false"].map { item($0, .value, replaced) } }
    }
    if isPromptInput(path) { items += names(.prompt, at: path, replaced) }
    if path.last == .key("recipe"), callMapping(at: Array(path.dropLast())) != nil {
      items += names(.recipe, at: path, replaced)
    }
    return items
  }

  private func unquotedStart(_ text: String) -> String {
    text.hasPrefix("\"") || text.hasPrefix("'") ? String(text.dropFirst()) : text
  }

  private func choices(of shape: ValueShape, at path: Outline.Path, _ replaced: Range<Int>) -> [Value] {
    switch shape {
    case .word(let words): words.map { item($0, .enumMember, replaced) }
    case .boolean: ["true", "false"].map { item($0, .value, replaced) }
    case .name(let role): names(role, at: path, replaced)
    case .text where file == .configuration && path.count == 3 && path.last == .key("plugin"):
      Set(
        surroundings.plugins(configuration) + planner.providers.names.compactMap { planner.providers.pluginID(of: $0) }
      )
      .sorted().map { item($0, .module, replaced) }
    default: []
    }
  }

  private func names(_ role: ValueShape.NameRole, at path: Outline.Path, _ replaced: Range<Int>) -> [Value] {
    switch role {
    case .action:
      return actions.map { action in
        item(
          action.name, .function, replaced, detail: action.summary.string(in: language),
          documentation: markdown(action))
      }
    case .contract: return planner.catalog.contractNames.map { item($0, .module, replaced) }
    case .provider:
      return configuration.providers.map { provider in
        item(provider.name, .module, replaced, detail: planner.providers.pluginID(of: provider.name) ?? "")
      }
    case .step:
      if let test { return test.steps.map { item($0.id, .reference, replaced, detail: $0.uses) } }
      let own = scope.step(at: path)
      return scope.steps.filter { !$0.id.isEmpty && $0.index != own?.index && $0.block == own?.block ?? [] }.map {
        item($0.id, .reference, replaced, detail: $0.uses)
      }
    case .prompt:
      // A catalog of thousands is offered by its names alone.
      let names = planner.prompts.names
      return names.map { name in
        let prompt = names.count <= 200 ? planner.prompts.description(of: name) : nil
        return item(
          name, .file, replaced, detail: prompt?.summary ?? "", documentation: prompt.map(markdown) ?? "", order: 100)
      }
    case .recipe:
      let folder = FileAddress.folder(of: document.path)
      return surroundings.recipes(folder).filter { folder + "/" + $0 != document.path }.map {
        item($0, .file, replaced)
      }
    }
  }

  /// The actions that a step can name: those of Sous, of the contracts, and those that one plugin alone has.
  private var actions: [ActionSignature] {
    var all = planner.catalog.signatures
    all[ActionSignature.recipe.name] = .recipe
    for name in planner.providers.names {
      for action in (try? planner.providers.describe(name))?.actions ?? [] { all[action.name] = action }
    }
    return all.values.sorted { $0.name < $1.name }
  }

  // MARK: Items

  func item(
    _ label: String, _ kind: CompletionKind, _ replaced: Range<Int>, detail: String = "", documentation: String = "",
    insert: String? = nil, isSnippet: Bool = false, order: Int = 2000
  ) -> Value {
    var map: ValueMap = ["label": .string(label), "kind": .int(kind.rawValue)]
    if !detail.isEmpty { map["detail"] = .string(detail) }
    if !documentation.isEmpty { map["documentation"] = markup(documentation, for: .completion) }
    let digits = String(order)
    map["sortText"] = .string(String(repeating: "0", count: max(0, 5 - digits.count)) + digits + label)
    map["filterText"] = .string(label)
    if isSnippet, takesSnippets { map["insertTextFormat"] = 2 }
    let text = isSnippet && !takesSnippets ? Self.plain(insert ?? label) : insert ?? label
    map["textEdit"] = ["range": range(replaced), "newText": .string(text)]
    return .map(map)
  }

  /// A snippet up to its first place to fill in.
  private static func plain(_ snippet: String) -> String { String(snippet.prefix { $0 != "$" }) }
}

import Expressions
import Localization
import Recipes

extension DocumentFeatures {
  /// The kinds of completion items that are used: LSP 3.17, `CompletionItemKind`.
  private enum Kind: Int64 {
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

  /// What can be written at an offset.
  func completion(at offset: Int) -> [Value] {
    let line = buffer.lineRange(buffer.line(of: offset))
    let entry = outline.entry(valueAt: offset)
    if let entry, !entry.isCollection, entry.key != nil || isTemplate(entry, offset) || startsWithQuote(entry) {
      return values(at: entry.path, from: entry.value.lowerBound, to: offset)
    }
    // An empty value after a colon stands at the end of its line.
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

  /// A line on which nothing but the beginning of a key or a value stands.
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
    if let definition = callMapping(at: path) ?? RecipeDefinitions.mapping(at: path, of: file, kind: scope.kind) {
      return definition.keys.enumerated().filter { !present.contains($1.name) }.map { index, key in
        let snippet = hasColon || isFlow ? nil : snippet(key.shape)
        return item(
          key.name, .property, replaced, detail: detail(key.shape), documentation: key.summary.string(in: language),
          insert: hasColon ? key.name : key.name + (snippet ?? ": "), isSnippet: snippet != nil,
          order: (key.isRequired ? 0 : 1000) + index)
      }
    }
    guard let schema = inputSchema(at: path) else {
      if file == .configuration, path == [.key("defaults")] {
        return planner.catalog.contractNames.map { item($0, .module, replaced, insert: $0 + (hasColon ? "" : ": ")) }
      }
      return []
    }
    return schema.fields.enumerated().filter { !present.contains($1.name) }.map { index, field in
      item(
        field.name, .property, replaced, detail: field.schema.type, documentation: field.schema.summary,
        insert: field.name + (hasColon ? "" : ": "), order: (field.isRequired ? 0 : 1000) + index)
    }
  }

  /// What follows a key whose value goes over lines; editors add the indentation of the current line themselves.
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
    if let schema = inputSchema(at: path) {
      items += schema.choices.map { item($0.stringValue ?? $0.jsonString, .enumMember, replaced) }
      if schema.type == "boolean" { items += ["true", "false"].map { item($0, .value, replaced) } }
      if path.count == 4, path[3] == .key("prompt") { items += names(.prompt, at: path, replaced) }
    }
    if path.count == 4, path[3] == .key("recipe"), callMapping(at: Array(path.dropLast())) != nil {
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
    case .text where path.first == .key("providers") && path.last == .key("plugin"):
      Set(planner.providers.names.compactMap { planner.providers.pluginID(of: $0) }).sorted()
        .map { item($0, .module, replaced) }
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
      let own = scope.step(at: path)?.index
      return scope.steps.filter { !$0.id.isEmpty && $0.index != own }.map {
        item($0.id, .reference, replaced, detail: $0.uses)
      }
    case .prompt: return planner.prompts.names.map { item($0, .file, replaced) }
    case .recipe: return []
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

  // MARK: Expressions

  private func expression(_ cursor: ExpressionCursor, _ path: Outline.Path, _ offset: Int) -> [Value] {
    let environment = cursor.environment(scope.environment(at: path))
    let replaced = offset - cursor.word.utf8.count..<offset
    guard let receiver = cursor.receiver else { return start(environment, path, replaced) }
    guard let type = ExpressionCursor.type(of: receiver, environment) else { return [] }
    var items: [Value] = []
    if case .object(let object) = type {
      items = object.fields.sorted { $0.key < $1.key }.map { name, type in
        item(name, .field, replaced, detail: type.description, order: 0)
      }
    }
    // Nobody measures the steps or the inputs.
    if ["steps", "inputs", "keywords"].contains(receiver) { return items }
    var methods: [String: [FunctionSignature]] = [:]
    for signature in FunctionSignature.standard where signature.isMethod {
      guard let taken = signature.parameters.first, taken.accepts(type) else { continue }
      methods[signature.name, default: []].append(signature)
    }
    items += methods.sorted { $0.key < $1.key }.map { name, signatures in
      function(name, signatures, .method, replaced)
    }
    switch type {
    case .list, .map, .object, .dynamic:
      items += ["all", "exists", "exists_one", "filter", "map"].map { name in
        item(
          name, .method, replaced, detail: "\(name)(x, …)", insert: "\(name)(${1:x}, $0)", isSnippet: true, order: 5000)
      }
    default: break
    }
    return items
  }

  private func start(_ environment: Environment, _ path: Outline.Path, _ replaced: Range<Int>) -> [Value] {
    var items = environment.variables.sorted { $0.key < $1.key }.map { name, type in
      item(name, .variable, replaced, detail: type.description, order: 0)
    }
    let values = scope.keywords(at: path)
    items += environment.keywords.sorted().map { name in
      item(
        name, .value, replaced, detail: say("keyword", de: "Schlüsselwort"),
        documentation: values.first { $0.name == name }?.text ?? "", order: 1000)
    }
    var functions: [String: [FunctionSignature]] = [:]
    for signature in FunctionSignature.standard where !signature.isMethod {
      guard let first = signature.name.utf8.first, ExpressionCursor.isName(first) else { continue }
      functions[signature.name, default: []].append(signature)
    }
    items += functions.sorted { $0.key < $1.key }.filter { $0.key != "in" }.map { name, signatures in
      function(name, signatures, .function, replaced)
    }
    return items
  }

  private func function(
    _ name: String, _ signatures: [FunctionSignature], _ kind: Kind, _ replaced: Range<Int>
  ) -> Value {
    let takes = signatures.contains { $0.parameters.count > ($0.isMethod ? 1 : 0) }
    return item(
      name, kind, replaced, detail: signatures[0].description,
      documentation: signatures.map { "`\($0)`" }.joined(separator: "\n\n"),
      insert: takes ? "\(name)($0)" : "\(name)()", isSnippet: true, order: 4000)
  }

  // MARK: Items

  private func item(
    _ label: String, _ kind: Kind, _ replaced: Range<Int>, detail: String = "", documentation: String = "",
    insert: String? = nil, isSnippet: Bool = false, order: Int = 2000
  ) -> Value {
    var map: ValueMap = ["label": .string(label), "kind": .int(kind.rawValue)]
    if !detail.isEmpty { map["detail"] = .string(detail) }
    if !documentation.isEmpty { map["documentation"] = ["kind": "markdown", "value": .string(documentation)] }
    let digits = String(order)
    map["sortText"] = .string(String(repeating: "0", count: max(0, 5 - digits.count)) + digits + label)
    map["filterText"] = .string(label)
    if isSnippet { map["insertTextFormat"] = 2 }
    map["textEdit"] = ["range": range(replaced), "newText": .string(insert ?? label)]
    return .map(map)
  }
}

extension ValueType {
  /// Whether a parameter of this type takes a value of another, as far as the outermost types tell.
  fileprivate func accepts(_ other: ValueType) -> Bool {
    switch (self, other) {
    case (.dynamic, _), (.parameter, _), (_, .dynamic), (_, .parameter): true
    default: name == other.name
    }
  }
}

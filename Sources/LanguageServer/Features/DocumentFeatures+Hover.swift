import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

extension DocumentFeatures {
  /// The hover text at an offset; `null` if there is none.
  func hover(at offset: Int) -> Value {
    if let entry = outline.entry(keyAt: offset), let key = entry.key, let text = keyText(entry.path) {
      return hover(text, key)
    }
    guard let entry = outline.entry(valueAt: offset), !entry.isCollection else { return .null }
    let environment = scope.environment(at: entry.path)
    if let part = expressionPart(entry, offset) {
      let text = expressionText(part, part.cursor.environment(environment), entry, environment)
      return text.map { hover($0, part.range) } ?? .null
    }
    if let typed = typedPart(entry, offset, environment) { return hover(typed.text, typed.range) }
    return valueText(entry).map { hover($0, entry.value) } ?? .null
  }

  private func hover(_ markdown: String, _ range: Range<Int>) -> Value {
    ["contents": markup(markdown, for: .hover), "range": self.range(range)]
  }

  private func keyText(_ path: Outline.Path) -> String? {
    guard case .key(let name)? = path.last else { return nil }
    let parent = Array(path.dropLast())
    let key = callMapping(at: parent)?.key(name) ?? tableKey(at: path)
    if let key { return "**\(name)** — \(key.summary.string(in: language))" }
    guard let schema = schema(at: path) else { return nil }
    return "**\(name)**: `\(schema.type)`" + (schema.summary.isEmpty ? "" : "\n\n\(schema.summary)")
  }

  private func valueText(_ entry: Outline.Entry) -> String? {
    for shape in Self.shapes(shape(at: entry.path)) {
      guard case .name(let role) = shape else { continue }
      switch role {
      case .action: return RecipeScope.action(entry.text, planner).map(markdown)
      case .provider:
        guard let plugin = planner.providers.pluginID(of: entry.text) else { return nil }
        var text = "**\(entry.text)** — " + say("plugin `\(plugin)`", de: "Plugin `\(plugin)`")
        if let contracts = try? planner.providers.describe(entry.text).contracts, !contracts.isEmpty {
          text += ": " + contracts.map { "`\($0)`" }.joined(separator: ", ")
        }
        return text
      case .step: return scope.steps.first { $0.id == entry.text }.map { "**\($0.id)** — `\($0.uses)`" }
      case .prompt: return planner.prompts.description(of: entry.text).map(markdown)
      case .contract, .recipe: continue
      }
    }
    if isPromptInput(entry.path) { return planner.prompts.description(of: entry.text).map(markdown) }
    return nil
  }

  /// A prompt of the catalog with its keywords.
  func markdown(_ prompt: PromptDescription) -> String {
    var text = "**\(prompt.name)**"
    if let summary = prompt.summary { text += " — \(summary)" }
    text += "\n\n```\n\(prompt.prompt)\n```"
    if !prompt.keywords.isEmpty {
      text += "\n\n" + say("keywords", de: "Schlüsselwörter") + "\n\n"
      text += prompt.keywords.map { "- `\($0.name)`: \($0.text)" }.joined(separator: "\n")
    }
    return text
  }

  /// An action with its effect and the shapes of its input and output.
  func markdown(_ action: ActionSignature) -> String {
    var text = "**\(action.name)** — \(action.summary.string(in: language))\n\n"
    text += say("effect", de: "Wirkung") + ": `\(action.effect.rawValue)`"
    if let contract = action.contract { text += " · " + say("contract", de: "Vertrag") + ": `\(contract)`" }
    let input = SchemaFields(action.input).markdown
    let output = SchemaFields(action.output).markdown
    if !input.isEmpty { text += "\n\n`with`\n\n" + input }
    if !output.isEmpty { text += "\n\n`output`\n\n" + output }
    return text
  }

  // MARK: Expressions

  /// A name of an expression with what precedes it.
  struct ExpressionPart {
    var cursor: ExpressionCursor
    var name: String
    var range: Range<Int>
    /// The chain up to and with the name: `steps.unread.output`.
    var chain: String { cursor.receiver.map { $0 + "." + name } ?? name }
  }

  /// The name of an expression that an offset is in.
  func expressionPart(_ entry: Outline.Entry, _ offset: Int) -> ExpressionPart? {
    guard file == .recipe else { return nil }
    var end = offset
    while end < entry.value.upperBound, ExpressionCursor.isName(buffer.bytes[end]) { end += 1 }
    guard let cursor = cursor(in: entry, to: end), !cursor.word.isEmpty, !cursor.isInText else { return nil }
    return ExpressionPart(cursor: cursor, name: cursor.word, range: end - cursor.word.utf8.count..<end)
  }

  private func expressionText(
    _ part: ExpressionPart, _ environment: Environment, _ entry: Outline.Entry, _ outer: Environment
  ) -> String? {
    let isKeyword =
      part.cursor.receiver == nil ? environment.keywords.contains(part.name) : part.cursor.receiver == "keywords"
    if isKeyword, environment.variables[part.chain] == nil, let text = keywordText(part.name, entry.path) {
      return text
    }
    if buffer.bytes[part.range.upperBound...].first == UInt8(ascii: "(") {
      let isNamespaced = part.cursor.receiver.map { ExpressionCursor.isNamespace($0) } ?? true
      let receiver = part.cursor.receiver.flatMap { ExpressionCursor.type(of: $0, environment) }
      let name = isNamespaced ? part.chain : part.name
      if let text = functionText(name, isMethod: !isNamespaced, on: receiver) {
        // The type of this call, if the whole expression is valid.
        let result = type(at: part.range.lowerBound, entry, outer)?.type
        return text + (result.map { "\n\n→ `\($0.description(in: language))`" } ?? "")
      }
    }
    let known = type(at: part.range.lowerBound, entry, outer)?.type
    let type = known ?? ExpressionCursor.type(of: part.chain, environment)
    return type.map { "```\n\(part.chain): \($0.description(in: language))\n```" }
  }

  private func keywordText(_ name: String, _ path: Outline.Path) -> String? {
    if let keyword = scope.keywords(at: path).first(where: { $0.name == name }), let key = keyword.key {
      let line = buffer.line(of: key.lowerBound) + 1
      return "**\(name)** = `\(keyword.text)`\n\n"
        + say("keyword, defined in line \(line)", de: "Schlüsselwort, festgelegt in Zeile \(line)")
    }
    return scope.inheritedKeywords(at: path).first { $0.name == name }.map { keyword in
      "**\(name)** = `\(keyword.text)`\n\n"
        + say("keyword of the catalog, \(keyword.path)", de: "Schlüsselwort des Katalogs, \(keyword.path)")
    }
  }

  // MARK: Static types

  /// The smallest part of an expression at an offset that is not a name, with its type.
  private func typedPart(
    _ entry: Outline.Entry, _ offset: Int, _ environment: Environment
  ) -> (text: String, range: Range<Int>)? {
    guard let found = type(at: offset, entry, environment) else { return nil }
    let source = String(buffer.text(found.range).prefix(200))
    return ("```\n\(source): \(found.type.description(in: language))\n```", found.range)
  }

  /// The static type of the smallest part of an expression at an offset; `nil` if the file, or the expression, cannot be read.
  private func type(
    at offset: Int, _ entry: Outline.Entry, _ environment: Environment
  ) -> (type: ValueType, range: Range<Int>)? {
    guard file == .recipe, let yaml = document.yaml, let node = yaml.root?.node(at: entry.path), let text = node.string,
      let position = Self.position(of: offset, in: node, yaml)
    else { return nil }
    let typed: TypedRange?
    if text.contains("{{") {
      typed = (try? Template(text, in: environment))?.type(at: position)
    } else if isExpression(entry.path) {
      typed = (try? Expression(text, in: environment))?.type(at: position)
    } else {
      typed = nil
    }
    guard let typed else { return nil }
    let range = yaml.range(of: typed.range, in: node)
    return (typed.type, range.start.offset..<max(range.start.offset, range.end.offset))
  }

  /// The UTF-8 offset in the text of a value of what is at an offset of the file.
  private static func position(of offset: Int, in node: Node, _ yaml: YAMLDocument) -> Int? {
    let count = node.string?.utf8.count ?? 0
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if yaml.range(of: middle..<middle, in: node).start.offset < offset { low = middle + 1 } else { high = middle }
    }
    return low <= count && yaml.range(of: low..<low, in: node).start.offset == offset ? low : nil
  }
}

extension Node {
  /// The value at a path; `nil` if there is none.
  func node(at path: Outline.Path) -> Node? {
    var node = self
    for element in path {
      switch element {
      case .key(let name):
        guard let next = node.mapping?[name] else { return nil }
        node = next
      case .index(let index):
        guard let elements = node.sequence, elements.indices.contains(index) else { return nil }
        node = elements[index]
      }
    }
    return node
  }
}

import Expressions
import Localization
import Recipes

extension DocumentFeatures {
  /// What is to be said about an offset; `null` where there is nothing.
  func hover(at offset: Int) -> Value {
    if let entry = outline.entry(keyAt: offset), let key = entry.key, let text = keyText(entry.path) {
      return hover(text, key)
    }
    guard let entry = outline.entry(valueAt: offset), !entry.isCollection else { return .null }
    if let part = expressionPart(entry, offset) {
      let environment = part.cursor.environment(scope.environment(at: entry.path))
      return expressionText(part, environment, entry.path).map { hover($0, part.range) } ?? .null
    }
    return valueText(entry).map { hover($0, entry.value) } ?? .null
  }

  private func hover(_ markdown: String, _ range: Range<Int>) -> Value {
    ["contents": ["kind": "markdown", "value": .string(markdown)], "range": self.range(range)]
  }

  private func keyText(_ path: Outline.Path) -> String? {
    guard case .key(let name)? = path.last else { return nil }
    let parent = Array(path.dropLast())
    let key = callMapping(at: parent)?.key(name) ?? RecipeDefinitions.key(at: path, of: file, kind: scope.kind)
    if let key { return "**\(name)** — \(key.summary.string(in: language))" }
    guard let schema = inputSchema(at: path) else { return nil }
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
      case .contract, .prompt, .recipe: continue
      }
    }
    return nil
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

  /// A name of an expression with what stands before it.
  struct ExpressionPart {
    var cursor: ExpressionCursor
    var name: String
    var range: Range<Int>
    /// The chain up to and with the name: `steps.unread.output`.
    var chain: String { cursor.receiver.map { $0 + "." + name } ?? name }
  }

  /// The name of an expression that an offset stands in.
  func expressionPart(_ entry: Outline.Entry, _ offset: Int) -> ExpressionPart? {
    guard file == .recipe else { return nil }
    var end = offset
    while end < entry.value.upperBound, ExpressionCursor.isName(buffer.bytes[end]) { end += 1 }
    var written = buffer.text(entry.value.lowerBound..<end)
    if written.hasPrefix("\"") || written.hasPrefix("'") { written.removeFirst() }
    guard let cursor = ExpressionCursor(written, isExpression: isExpression(entry.path)), !cursor.word.isEmpty else {
      return nil
    }
    return ExpressionPart(cursor: cursor, name: cursor.word, range: end - cursor.word.utf8.count..<end)
  }

  private func expressionText(_ part: ExpressionPart, _ environment: Environment, _ path: Outline.Path) -> String? {
    let isKeyword =
      part.cursor.receiver == nil ? environment.keywords.contains(part.name) : part.cursor.receiver == "keywords"
    if isKeyword, environment.variables[part.chain] == nil,
      let keyword = scope.keywords(at: path).first(where: { $0.name == part.name }), let key = keyword.key
    {
      let line = buffer.line(of: key.lowerBound) + 1
      return "**\(part.name)** = `\(keyword.text)`\n\n"
        + say("keyword, defined in line \(line)", de: "Schlüsselwort, festgelegt in Zeile \(line)")
    }
    if let type = ExpressionCursor.type(of: part.chain, environment) {
      return "```\n\(part.chain): \(type.description(in: language))\n```"
    }
    let signatures = FunctionSignature.standard.filter {
      $0.name == part.name && $0.isMethod == (part.cursor.receiver != nil)
    }
    guard !signatures.isEmpty else { return nil }
    return "```\n" + signatures.map(\.description).joined(separator: "\n") + "\n```"
  }
}

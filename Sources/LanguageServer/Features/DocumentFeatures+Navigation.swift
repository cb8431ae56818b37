import Expressions
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

extension DocumentFeatures {
  /// Where the thing at an offset is defined; `null` if that is unknown.
  func definition(at offset: Int) -> Value {
    if let alias = alias(at: offset) { return alias }
    guard let entry = outline.entry(valueAt: offset), !entry.isCollection else { return .null }
    if let part = expressionPart(entry, offset) {
      return definition(of: part, at: entry.path)
    }
    if isPromptInput(entry.path) { return prompt(entry.text) }
    if let call = callMapping(at: Array(entry.path.dropLast())), call.key("recipe") != nil, entry.name == "recipe" {
      return recipe(entry.text)
    }
    for shape in Self.shapes(shape(at: entry.path)) {
      guard case .name(let role) = shape else { continue }
      switch role {
      case .step: return step(entry.text).map(location) ?? .null
      case .provider: return provider(entry.text)
      case .prompt: return prompt(entry.text)
      case .recipe: return recipe(entry.text)
      case .action, .contract: continue
      }
    }
    return .null
  }

  private func recipe(_ name: String) -> Value {
    guard !name.isEmpty, !name.contains("{{") else { return .null }
    let file = name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? name : name + ".yaml"
    return Self.startOfFile(FileAddress.path(file, beside: document.path))
  }

  /// The file of a prompt of the catalog; those that come with Sous have none.
  private func prompt(_ name: String) -> Value {
    guard let prompt = planner.prompts.description(of: name), prompt.path.hasPrefix("/") else { return .null }
    return Self.startOfFile(prompt.path)
  }

  private func definition(of part: ExpressionPart, at path: Outline.Path) -> Value {
    var names = part.chain.split(separator: ".").map(String.init)
    guard let root = names.first else { return .null }
    names.removeFirst()
    switch root {
    case "steps": return names.first.flatMap { step($0, for: path) }.map(location) ?? .null
    case "inputs":
      guard let name = names.first else { return .null }
      return outline.entry([.key("inputs"), .key(name)])?.key.map(location) ?? .null
    default:
      let steps = scope.steps.filter { path.starts(with: $0.path) }.reversed()
      let variables = steps.lazy.compactMap { outline.entry($0.path + [.key("as")]) }
      if let variable = variables.first(where: { $0.text == root }) { return location(variable.value) }
      return keyword(root == "keywords" ? names.first ?? root : root, at: path)
    }
  }

  private func keyword(_ name: String, at path: Outline.Path) -> Value {
    if let key = scope.keywords(at: path).first(where: { $0.name == name })?.key { return location(key) }
    guard let keyword = scope.inheritedKeywords(at: path).first(where: { $0.name == name }), keyword.path.hasPrefix("/")
    else { return .null }
    let buffer = TextBuffer(read(keyword.path)?.text ?? "")
    let range = keyword.range.start.offset..<max(keyword.range.start.offset, keyword.range.end.offset)
    return ["uri": .string(FileAddress.uri(of: keyword.path)), "range": Self.range(range, in: buffer, encoding)]
  }

  /// The place of the `id` of a step.
  ///
  /// - Parameter path: Where it is used: a block, and then what is around it, has it first.
  func step(_ id: String, for path: Outline.Path = []) -> Range<Int>? {
    let named = scope.steps.filter { $0.id == id }
    guard let step = named.last(where: { path.starts(with: $0.block) }) ?? named.first else { return nil }
    return outline.entry(step.path + [.key("id")])?.value
  }

  private func provider(_ name: String) -> Value {
    guard let provider = configuration.provider(name), let source = configurationSource else { return .null }
    let range = provider.nameRange.start.offset..<max(provider.nameRange.end.offset, provider.nameRange.start.offset)
    return [
      "uri": .string(FileAddress.uri(of: source.path)),
      "range": Self.range(range, in: TextBuffer(source.text), encoding),
    ]
  }

  private static func startOfFile(_ path: String) -> Value {
    let start: Value = ["line": 0, "character": 0]
    return ["uri": .string(FileAddress.uri(of: path)), "range": ["start": start, "end": start]]
  }

  /// The anchor of the alias at an offset.
  private func alias(at offset: Int) -> Value? {
    let bytes = buffer.bytes
    var start = min(offset, bytes.count)
    while start > 0, ExpressionCursor.isName(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "-") { start -= 1 }
    guard start > 0, bytes[start - 1] == UInt8(ascii: "*"), start == 1 || bytes[start - 2] <= 32 else { return nil }
    var end = start
    while end < bytes.count, ExpressionCursor.isName(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
    let anchor = [UInt8(ascii: "&")] + bytes[start..<end]
    var index = start - 1
    // The last anchor of the name before the alias counts.
    while index > 0 {
      index -= 1
      if bytes[index...].starts(with: anchor),
        index + anchor.count >= bytes.count || bytes[index + anchor.count] <= 32
      {
        return location(index..<index + anchor.count)
      }
    }
    return nil
  }
}

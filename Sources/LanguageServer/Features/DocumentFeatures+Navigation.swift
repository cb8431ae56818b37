import Expressions
import Foundation
import Recipes

extension DocumentFeatures {
  /// Where the thing at an offset is defined; `null` where that is unknown.
  func definition(at offset: Int) -> Value {
    if let alias = alias(at: offset) { return alias }
    guard let entry = outline.entry(valueAt: offset), !entry.isCollection else { return .null }
    if let part = expressionPart(entry, offset) {
      return definition(of: part, at: entry.path)
    }
    if entry.path.count == 4, entry.path[3] == .key("recipe"),
      callMapping(at: Array(entry.path.dropLast())) != nil
    {
      let folder = (document.path as NSString).deletingLastPathComponent
      let path = folder + "/" + entry.text + (entry.text.hasSuffix(".yaml") ? "" : ".yaml")
      return Self.startOfFile((path as NSString).standardizingPath)
    }
    for shape in Self.shapes(shape(at: entry.path)) {
      guard case .name(let role) = shape else { continue }
      switch role {
      case .step: return step(entry.text).map(location) ?? .null
      case .provider: return provider(entry.text)
      case .recipe, .action, .contract, .prompt: continue
      }
    }
    return .null
  }

  private func definition(of part: ExpressionPart, at path: Outline.Path) -> Value {
    var names = part.chain.split(separator: ".").map(String.init)
    guard let root = names.first else { return .null }
    names.removeFirst()
    switch root {
    case "steps": return names.first.flatMap { step($0) }.map(location) ?? .null
    case "inputs":
      guard let name = names.first else { return .null }
      return outline.entry([.key("inputs"), .key(name)])?.key.map(location) ?? .null
    default:
      let name = root == "keywords" ? names.first ?? root : root
      return scope.keywords(at: path).first { $0.name == name }?.key.map(location) ?? .null
    }
  }

  /// The place of the `id` of a step.
  func step(_ id: String) -> Range<Int>? {
    guard let step = scope.steps.first(where: { $0.id == id }) else { return nil }
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

  /// The steps, inputs and further parts of the file as an outline.
  func symbols() -> Value {
    var symbols: [Value] = []
    for entry in outline.keys(below: []) where entry.name != "steps" {
      guard let key = entry.key else { continue }
      symbols.append(
        symbol(entry.name, kind: 7, whole: key.lowerBound..<max(key.upperBound, entry.value.upperBound), key))
    }
    for step in scope.steps {
      let entries = outline.entries.filter { $0.path.starts(with: step.path) }
      let start = entries.compactMap { $0.key?.lowerBound ?? $0.value.lowerBound }.min()
      let end = entries.map(\.value.upperBound).max()
      guard let start, let end, start <= end else { continue }
      let place = outline.entry(step.path + [.key("id")])?.value ?? start..<end
      let name = step.id.isEmpty ? (step.uses.isEmpty ? "\(step.index + 1)" : step.uses) : step.id
      symbols.append(symbol(name, detail: step.uses, kind: 12, whole: start..<end, place))
    }
    return .list(symbols)
  }

  private func symbol(
    _ name: String, detail: String = "", kind: Int64, whole: Range<Int>, _ selection: Range<Int>
  ) -> Value {
    [
      "name": .string(name.isEmpty ? "?" : name), "detail": .string(detail), "kind": .int(kind),
      "range": range(whole), "selectionRange": range(selection.clamped(to: whole)),
    ]
  }
}

import Expressions
import Schemas

extension DocumentFeatures {
  /// A part of the file with its own parts.
  struct Symbol {
    var name: String
    var detail = ""
    /// LSP 3.17, `SymbolKind`.
    var kind: Int64
    var whole: Range<Int>
    var selection: Range<Int>
    var children: [Symbol] = []
  }

  /// The parts of the file: steps with their actions, inputs, and whatever else is at the top.
  ///
  /// - Parameter isFlat: Whether the client knows no parts of parts.
  func symbols(isFlat: Bool) -> Value {
    let symbols = topSymbols
    guard isFlat else { return .list(symbols.map { value($0) }) }
    return .list(
      symbols.flatMap { symbol in
        [information(symbol, container: nil)] + symbol.children.map { information($0, container: symbol.name) }
      })
  }

  private var topSymbols: [Symbol] {
    let extents = extents
    return outline.keys(below: []).flatMap { entry -> [Symbol] in
      guard let key = entry.key else { return [] }
      if ["steps", "prompts", "rules", "tests"].contains(entry.name) { return elements(of: entry.path, extents) }
      var symbol = Symbol(
        name: entry.name, detail: entry.isCollection || entry.text.contains("\n") ? "" : String(entry.text.prefix(80)),
        kind: 7, whole: extents[entry.path] ?? key, selection: key)
      if ["inputs", "outputs", "keywords", "providers", "defaults"].contains(entry.name) {
        symbol.children = outline.keys(below: entry.path).compactMap { child in
          guard let key = child.key else { return nil }
          let type = outline.text(child.path + [.key("type")]) ?? outline.text(child.path + [.key("plugin")])
          return Symbol(
            name: child.name, detail: type ?? (child.isCollection ? "" : String(child.text.prefix(80))),
            // Inputs are variables, what is set is a constant.
            kind: entry.name == "inputs" ? 13 : 14, whole: extents[child.path] ?? key, selection: key)
        }
      }
      return [symbol]
    }
  }

  /// The maps of a list, each by what names it.
  private func elements(of path: Outline.Path, _ extents: [Outline.Path: Range<Int>]) -> [Symbol] {
    var symbols: [Symbol] = []
    var index = 0
    while let whole = extents[path + [.index(index)]] {
      let base = path + [.index(index)]
      let naming = ["id", "name", "use", "uses"].compactMap { outline.entry(base + [.key($0)]) }
        .first { !$0.text.isEmpty }
      let action = ["uses", "use", "when"].compactMap { outline.text(base + [.key($0)]) }.first { !$0.isEmpty }
      index += 1
      symbols.append(
        Symbol(
          name: naming?.text ?? "\(index)", detail: action ?? "", kind: 12, whole: whole,
          selection: naming?.value ?? whole))
    }
    return symbols
  }

  /// From the first to the last byte of what is at each path of one or two elements.
  private var extents: [Outline.Path: Range<Int>] {
    var extents: [Outline.Path: Range<Int>] = [:]
    for entry in outline.entries {
      let start = entry.key?.lowerBound ?? entry.value.lowerBound
      let end = max(entry.value.upperBound, entry.key?.upperBound ?? 0, start)
      for count in 1...2 where entry.path.count >= count {
        let path = Array(entry.path.prefix(count))
        let known = extents[path] ?? start..<end
        extents[path] = min(known.lowerBound, start)..<max(known.upperBound, end)
      }
    }
    return extents
  }

  private func value(_ symbol: Symbol) -> Value {
    var map: ValueMap = [
      "name": .string(symbol.name.isEmpty ? "?" : symbol.name), "detail": .string(symbol.detail),
      "kind": .int(symbol.kind), "range": range(symbol.whole),
      "selectionRange": range(symbol.selection.clamped(to: symbol.whole)),
    ]
    if !symbol.children.isEmpty { map["children"] = .list(symbol.children.map { value($0) }) }
    return .map(map)
  }

  private func information(_ symbol: Symbol, container: String?) -> Value {
    var map: ValueMap = [
      "name": .string(symbol.name.isEmpty ? "?" : symbol.name), "kind": .int(symbol.kind),
      "location": location(symbol.whole),
    ]
    if let container { map["containerName"] = .string(container) }
    return .map(map)
  }
}

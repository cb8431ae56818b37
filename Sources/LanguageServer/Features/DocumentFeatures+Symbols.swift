import Expressions
import Recipes

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

  /// The parts of the file: steps with their actions, inputs, and whatever else stands at the top.
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
    outline.keys(below: []).flatMap { entry -> [Symbol] in
      guard let key = entry.key else { return [] }
      if ["steps", "prompts", "rules", "tests"].contains(entry.name) { return elements(of: entry.path) }
      var symbol = Symbol(
        name: entry.name, detail: entry.isCollection || entry.text.contains("\n") ? "" : String(entry.text.prefix(80)),
        kind: 7, whole: extent(of: entry.path) ?? key, selection: key)
      if ["inputs", "outputs", "keywords", "providers", "defaults"].contains(entry.name) {
        symbol.children = outline.keys(below: entry.path).compactMap { child in
          guard let key = child.key else { return nil }
          let type = outline.text(child.path + [.key("type")]) ?? outline.text(child.path + [.key("plugin")])
          return Symbol(
            name: child.name, detail: type ?? (child.isCollection ? "" : String(child.text.prefix(80))),
            // Inputs are variables, what is set is a constant.
            kind: entry.name == "inputs" ? 13 : 14, whole: extent(of: child.path) ?? key, selection: key)
        }
      }
      return [symbol]
    }
  }

  /// The maps of a list, each by what names it.
  private func elements(of path: Outline.Path) -> [Symbol] {
    var seen: Set<Int> = []
    let positions = outline.entries.compactMap { entry -> Int? in
      guard entry.path.count > path.count, entry.path.starts(with: path),
        case .index(let index) = entry.path[path.count],
        seen.insert(index).inserted
      else { return nil }
      return index
    }
    return positions.compactMap { index in
      let base = path + [.index(index)]
      guard let whole = extent(of: base) else { return nil }
      let naming = ["id", "name", "use", "uses"].compactMap { outline.entry(base + [.key($0)]) }
        .first { !$0.text.isEmpty }
      let action = ["uses", "use", "when"].compactMap { outline.text(base + [.key($0)]) }.first { !$0.isEmpty }
      return Symbol(
        name: naming?.text ?? "\(index + 1)", detail: action ?? "", kind: 12, whole: whole,
        selection: naming?.value ?? whole)
    }
  }

  /// From the first to the last byte of what stands at a path.
  private func extent(of path: Outline.Path) -> Range<Int>? {
    let entries = outline.entries.filter { $0.path.starts(with: path) }
    guard let start = entries.map({ $0.key?.lowerBound ?? $0.value.lowerBound }).min(),
      let end = entries.map({ max($0.value.upperBound, $0.key?.upperBound ?? 0) }).max(), start <= end
    else { return nil }
    return start..<end
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

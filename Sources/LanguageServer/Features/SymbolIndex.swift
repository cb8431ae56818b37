import Expressions
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// The names of a recipe — steps, inputs, keywords, loop variables — with every place that defines or uses them.
struct SymbolIndex {
  /// The kind of a name.
  enum Symbol: Hashable {
    case step(String)
    case input(String)
    case keyword(String)
    /// The name of a step's items.
    case variable(String, step: Outline.Path)

    var name: String {
      switch self {
      case .step(let name), .input(let name), .keyword(let name), .variable(let name, _): name
      }
    }

    /// The same sort of thing by another name.
    func renamed(_ name: String) -> Symbol {
      switch self {
      case .step: .step(name)
      case .input: .input(name)
      case .keyword: .keyword(name)
      case .variable(_, let step): .variable(name, step: step)
      }
    }
  }

  /// An occurrence of a name.
  struct Occurrence {
    var symbol: Symbol
    /// The bytes of the name alone, without quotes.
    var range: Range<Int>
    var isDefinition: Bool
  }

  /// In the order of the text.
  let occurrences: [Occurrence]

  /// Finds all names of a recipe.
  ///
  /// - Parameters:
  ///   - document: The recipe.
  ///   - inherited: Keywords that it gets from the catalog.
  init(_ document: YAMLDocument, inherited: Set<String>) {
    var builder = SymbolIndexBuilder(document, inherited: inherited)
    builder.build()
    occurrences = builder.occurrences.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The name at an offset; the place behind its last letter counts to it.
  func occurrence(at offset: Int) -> Occurrence? {
    occurrences.filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
      .max { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// All places of a name.
  func occurrences(of symbol: Symbol) -> [Occurrence] { occurrences.filter { $0.symbol == symbol } }
}

/// Walks the values of a recipe and collects the names.
private struct SymbolIndexBuilder {
  private let document: YAMLDocument
  private let kind: String?
  private var keywords: Set<String>
  private var seen: Set<Range<Int>> = []
  private(set) var occurrences: [SymbolIndex.Occurrence] = []

  /// The names that expressions know whatever the recipe says.
  private let roots: Set<String>

  init(_ document: YAMLDocument, inherited: Set<String>) {
    self.document = document
    keywords = inherited
    kind = document.root?.mapping?["kind"]?.string
    roots = PlanVariables.reserved.union(kind.flatMap(RecipeKind.init)?.variables ?? [])
  }

  mutating func build() {
    guard let root = document.root else { return }
    // Keywords first: only defined ones can be written without `keywords.`.
    collectKeywords(root, [])
    walk(root, [], [])
  }

  // MARK: Keywords

  private mutating func collectKeywords(_ node: Node, _ path: Outline.Path) {
    if let mapping = node.mapping {
      for entry in mapping.entries where !entry.isMerged {
        let inner = path + [.key(entry.name)]
        if isKeywords(inner) { define(keywords: entry.value) } else { collectKeywords(entry.value, inner) }
      }
    }
    for (index, element) in (node.sequence ?? []).enumerated() { collectKeywords(element, path + [.index(index)]) }
  }

  /// Whether keywords are at a path: of the recipe, a step, a prompt, or in the input of a chat.
  private func isKeywords(_ path: Outline.Path) -> Bool {
    guard path.last == .key("keywords") else { return false }
    if RecipeDefinitions.key(at: path, of: .recipe, kind: kind) != nil { return true }
    guard path.dropLast().last == .key("with"), StepPath.isStep(path.dropLast(2)), let root = document.root else {
      return false
    }
    return NodePath.find(Array(path.dropLast(2)), in: root).node.mapping?["uses"]?.string == "chat.complete"
  }

  private mutating func define(keywords node: Node) {
    if let mapping = node.mapping {
      for entry in mapping.entries where !entry.isMerged {
        keywords.insert(entry.name)
        add(.keyword(entry.name), bytes(of: entry.nameRange), isDefinition: true)
      }
      return
    }
    for (name, range) in KeywordList.names(in: node.string ?? "") {
      keywords.insert(name)
      add(.keyword(name), bytes(of: document.range(of: range, in: node)), isDefinition: true)
    }
  }

  // MARK: Walking

  /// - Parameter variables: The items of the loops around it, the innermost first.
  private mutating func walk(_ node: Node, _ path: Outline.Path, _ variables: [SymbolIndex.Symbol]) {
    if let mapping = node.mapping {
      let outer = variables
      var variables = variables
      let isStep = StepPath.isStep(path)
      if isStep, mapping["for_each"] != nil || mapping["matrix"] != nil {
        let name = mapping["as"]?.string ?? (mapping["for_each"] == nil ? "matrix" : "item")
        variables.insert(.variable(name, step: path), at: 0)
      }
      for entry in mapping.entries where !entry.isMerged {
        if path == [.key("inputs")] {
          add(.input(entry.name), bytes(of: entry.nameRange), isDefinition: true)
        }
        // Its items are not known yet where a step says whether it runs, and what it goes through.
        let isOutside = isStep && ["for_each", "matrix", "when"].contains(entry.name)
        walk(entry.value, path + [.key(entry.name)], isOutside ? outer : variables)
      }
      return
    }
    if let elements = node.sequence {
      for (index, element) in elements.enumerated() {
        walk(element, path + [.index(index)], variables)
      }
      return
    }
    guard let text = node.string else { return }
    let shapes = DocumentFeatures.shapes(RecipeDefinitions.shape(at: path, of: .recipe, kind: kind))
    let isOfPrompt = path.count == 3 && path[0] == .key("prompts")
    if path.last == .key("id"), isOfPrompt || StepPath.isStep(path.dropLast()) {
      return add(.step(text), whole(node, text), isDefinition: true)
    }
    if path.last == .key("as"), isOfPrompt || StepPath.isStep(path.dropLast()), let variable = variables.first {
      return add(variable, whole(node, text), isDefinition: true)
    }
    if shapes.contains(.name(.step)) { return add(.step(text), whole(node, text)) }
    guard text.contains("{{") || shapes.contains(.expression) else { return }
    var environment = Environment(checksTypes: false)
    for name in roots where name != "keywords" { environment.variables[name] = .dynamic }
    for variable in variables { environment.variables[variable.name] = .dynamic }
    environment.keywords = keywords
    for reference in ExpressionReferences.find(in: text, environment) {
      use(reference, text: text, node: node, variables)
    }
  }

  private mutating func use(
    _ reference: Reference, text: String, node: Node, _ variables: [SymbolIndex.Symbol]
  ) {
    guard let root = reference.components.first else { return }
    let field = reference.components.dropFirst().first
    let symbol: SymbolIndex.Symbol
    var component = root
    if reference.isKeyword {
      symbol = .keyword(root.name)
    } else if let variable = variables.first(where: { $0.name == root.name }) {
      symbol = variable
    } else if root.name == "steps" || root.name == "inputs", let field {
      symbol = root.name == "steps" ? .step(field.name) : .input(field.name)
      component = field
    } else {
      return
    }
    // In `steps["unread"]` the quotes are not part of the name.
    var range = component.range
    let written = Array(text.utf8)
    guard range.upperBound <= written.count else { return }
    if range.count == component.name.utf8.count + 2 { range = range.lowerBound + 1..<range.upperBound - 1 }
    guard written[range].elementsEqual(component.name.utf8) else { return }
    add(symbol, bytes(of: document.range(of: range, in: node)))
  }

  private func whole(_ node: Node, _ text: String) -> Range<Int> {
    bytes(of: document.range(of: 0..<text.utf8.count, in: node))
  }

  private func bytes(of range: SourceRange) -> Range<Int> {
    range.start.offset..<max(range.start.offset, range.end.offset)
  }

  private mutating func add(_ symbol: SymbolIndex.Symbol, _ range: Range<Int>, isDefinition: Bool = false) {
    var range = range
    let bytes = document.source.bytes
    guard range.upperBound <= bytes.count, let first = range.first else { return }
    // A key is found with its quotes.
    if bytes[first] == UInt8(ascii: "\"") || bytes[first] == UInt8(ascii: "'"), range.count >= 2 {
      range = range.lowerBound + 1..<range.upperBound - 1
    }
    // A name that is written with escapes, or through an alias, is not changed.
    guard bytes[range].elementsEqual(symbol.name.utf8), seen.insert(range).inserted else { return }
    occurrences.append(.init(symbol: symbol, range: range, isDefinition: isDefinition))
  }
}

/// The text form of keywords: `"Anrede: Du; Stil: knapp"`.
enum KeywordList {
  /// The names with their UTF-8 offsets.
  static func names(in text: String) -> [(name: String, range: Range<Int>)] {
    let bytes = Array(text.utf8)
    var result: [(String, Range<Int>)] = []
    var start = 0
    var depth = 0
    for index in 0...bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      let byte = index < bytes.count ? bytes[index] : UInt8(ascii: ";")
      if byte == UInt8(ascii: "{"), next == byte { depth += 1 }
      if byte == UInt8(ascii: "}"), next == byte, depth > 0 { depth -= 1 }
      guard byte == UInt8(ascii: ";"), depth == 0 || index == bytes.count else { continue }
      if let colon = bytes[start..<index].firstIndex(of: UInt8(ascii: ":")) {
        var lower = start
        var upper = colon
        while lower < upper, bytes[lower] <= 32 { lower += 1 }
        while upper > lower, bytes[upper - 1] <= 32 { upper -= 1 }
        if lower < upper { result.append((String(decoding: bytes[lower..<upper], as: UTF8.self), lower..<upper)) }
      }
      start = index + 1
    }
    return result
  }
}

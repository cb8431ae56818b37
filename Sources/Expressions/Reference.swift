/// A place where an expression reads from what it was given: a variable or keyword, and the fields it goes through.
public struct Reference: Sendable, Hashable {
  /// One name of the chain with its place.
  public struct Component: Sendable, Hashable {
    /// The name; for `a["b"]` the text of the string.
    public var name: String
    /// The name's UTF-8 offsets in the text that was compiled.
    public var range: Range<Int>

    /// Creates a component.
    public init(name: String, range: Range<Int>) {
      self.name = name
      self.range = range
    }
  }

  /// The chain, the root first: `steps`, `unread`, `output`. It ends where an index is computed or a function called.
  public var components: [Component]
  /// Whether the root is a keyword, named bare or through `keywords`; that word itself is left out then.
  public var isKeyword: Bool

  /// Creates a reference.
  public init(components: [Component], isKeyword: Bool = false) {
    self.components = components
    self.isKeyword = isKeyword
  }

  /// The names of the chain.
  public var path: [String] { components.map(\.name) }
}

/// Collects the references of an expression, in source order.
struct ReferenceCollector {
  private var scope: NameScope
  private var references: [Reference] = []

  static func references(in node: SyntaxNode, _ environment: Environment) -> [Reference] {
    var collector = ReferenceCollector(scope: NameScope(environment))
    collector.visit(node)
    return collector.references
  }

  private init(scope: NameScope) {
    self.scope = scope
  }

  private mutating func visit(_ node: SyntaxNode) {
    if let (components, isAbsolute) = chain(node) {
      record(components, isAbsolute: isAbsolute)
      return
    }
    switch node.kind {
    case .literal, .name: break
    case .keyword(let name):
      references.append(Reference(components: [.init(name: name, range: node.range)], isKeyword: true))
    case .select(let target, _, _), .presence(let target, _):
      visit(target)
    case .index(let target, let index, _):
      visit(target)
      visit(index)
    case .call(_, let arguments):
      for argument in arguments { visit(argument) }
    case .method(let target, let name, let arguments):
      let isKnown = { (function: String) in FunctionLibrary.standard.isGlobal(function) }
      if scope.namespacedFunction(target, name.text, isKnown: isKnown) == nil { visit(target) }
      for argument in arguments { visit(argument) }
    case .list(let elements):
      for element in elements { visit(element.value) }
    case .map(let entries):
      for entry in entries {
        visit(entry.key)
        visit(entry.value)
      }
    case .and(let operands), .or(let operands):
      for operand in operands { visit(operand) }
    case .conditional(let condition, let first, let second):
      visit(condition)
      visit(first)
      visit(second)
    case .comprehension(let comprehension):
      visit(comprehension.target)
      within(comprehension.variables) { collector in
        if let condition = comprehension.condition { collector.visit(condition) }
        collector.visit(comprehension.body)
      }
    case .bind(let name, let value, let body):
      visit(value)
      within([name]) { $0.visit(body) }
    case .optionalMap(let target, let name, let body, _):
      visit(target)
      within([name]) { $0.visit(body) }
    }
  }

  private mutating func within(_ locals: [SyntaxNode.Name], _ body: (inout ReferenceCollector) -> Void) {
    scope.locals += locals.map(\.text)
    body(&self)
    scope.locals.removeLast(locals.count)
  }

  /// The names of a chain of selections and literal indexes that begins with a name.
  private func chain(_ node: SyntaxNode) -> (components: [SyntaxNode.Name], isAbsolute: Bool)? {
    switch node.kind {
    case .name(let name, let isAbsolute):
      return ([SyntaxNode.Name(text: name, range: node.range)], isAbsolute)
    case .select(let target, let field, _), .presence(let target, let field):
      guard let (components, isAbsolute) = chain(target) else { return nil }
      return (components + [field], isAbsolute)
    case .index(let target, let index, _):
      guard case .literal(.string(let name)) = index.kind, let (components, isAbsolute) = chain(target) else {
        return nil
      }
      return (components + [SyntaxNode.Name(text: name, range: index.range)], isAbsolute)
    default:
      return nil
    }
  }

  private mutating func record(_ components: [SyntaxNode.Name], isAbsolute: Bool) {
    var isKeyword = false
    var components = components
    switch scope.meaning(of: components, isAbsolute: isAbsolute) {
    case .local, .type: return
    case .keyword: isKeyword = true
    case .keywords:
      isKeyword = true
      components.removeFirst()
    case .variable, .unknown: break
    }
    references.append(
      Reference(components: components.map { .init(name: $0.text, range: $0.range) }, isKeyword: isKeyword))
  }
}

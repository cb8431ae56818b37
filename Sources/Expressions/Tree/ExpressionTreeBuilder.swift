/// Makes the tree that ``ExpressionTree`` shows from parsed syntax and the types that the checker has found.
struct ExpressionTreeBuilder {
  private var scope: NameScope
  private let types: [Range<Int>: ValueType]

  init(_ environment: Environment, types: [TypedRange]) {
    scope = NameScope(environment)
    // A part that represents a whole chain is typed after the parts of the chain.
    self.types = Dictionary(types.map { ($0.range, $0.type) }, uniquingKeysWith: { _, last in last })
  }

  mutating func tree(_ node: SyntaxNode) -> ExpressionTree {
    if let components = node.chain { return chain(components.names, isAbsolute: components.isAbsolute, node) }
    return tree(kind(of: node), node.range)
  }

  private func tree(_ kind: ExpressionTree.Kind, _ range: Range<Int>) -> ExpressionTree {
    ExpressionTree(kind: kind, type: types[range] ?? .dynamic, range: range)
  }

  private mutating func kind(of node: SyntaxNode) -> ExpressionTree.Kind {
    switch node.kind {
    case .literal(let value): return .literal(value)
    case .keyword(let name): return .keyword(name)
    case .name(let name, _): return .unknown(name)
    case .select(let target, let field, let isOptional):
      return .field(of: tree(target), name: field.text, isOptional: isOptional)
    case .presence(let target, let field): return .presence(of: tree(target), name: field.text)
    case .index(let target, let index, let isOptional):
      if case .literal(.string(let name)) = index.kind {
        return .field(of: tree(target), name: name, isOptional: isOptional)
      }
      return .element(of: tree(target), at: tree(index), isOptional: isOptional)
    case .call(let name, let arguments): return .call(function: name.text, arguments: trees(arguments))
    case .method(let target, let name, let arguments):
      let isKnown = { (function: String) in FunctionLibrary.standard.isGlobal(function) }
      if let function = scope.namespacedFunction(target, name.text, isKnown: isKnown) {
        return .call(function: function, arguments: trees(arguments))
      }
      return .call(function: name.text, arguments: [tree(target)] + trees(arguments))
    case .and(let operands): return .and(trees(operands))
    case .or(let operands): return .or(trees(operands))
    case .conditional(let condition, let first, let second):
      return .conditional(tree(condition), then: tree(first), otherwise: tree(second))
    case .list(let elements):
      var result: [ExpressionTree.Element] = []
      for element in elements { result.append(.init(value: tree(element.value), isOptional: element.isOptional)) }
      return .list(result)
    case .map(let entries):
      var result: [ExpressionTree.Entry] = []
      for entry in entries {
        result.append(.init(key: tree(entry.key), value: tree(entry.value), isOptional: entry.isOptional))
      }
      return .map(result)
    case .comprehension(let comprehension):
      let target = tree(comprehension.target)
      let names = comprehension.variables.map(\.text)
      scope.locals += names
      defer { scope.locals.removeLast(names.count) }
      return .comprehension(
        .init(
          macro: comprehension.macro, target: target, variables: names,
          condition: comprehension.condition.map { tree($0) }, body: tree(comprehension.body)))
    case .bind(let name, let value, let body):
      return .bind(name: name.text, value: tree(value), body: self.body(body, knowing: name.text))
    case .optionalMap(let target, let name, let body, let isFlat):
      return .optionalMap(
        of: tree(target), name: name.text, body: self.body(body, knowing: name.text), isFlat: isFlat)
    }
  }

  private mutating func trees(_ nodes: [SyntaxNode]) -> [ExpressionTree] {
    var result: [ExpressionTree] = []
    for node in nodes { result.append(tree(node)) }
    return result
  }

  private mutating func body(_ node: SyntaxNode, knowing local: String) -> ExpressionTree {
    scope.locals.append(local)
    defer { scope.locals.removeLast() }
    return tree(node)
  }

  /// A chain of names: what its beginning means, then the fields.
  private func chain(_ names: [SyntaxNode.Name], isAbsolute: Bool, _ node: SyntaxNode) -> ExpressionTree {
    let start = node.range.lowerBound
    var length = 1
    let root: ExpressionTree.Kind
    switch scope.meaning(of: names, isAbsolute: isAbsolute) {
    case .local(let position): root = .local(scope.locals[position])
    case .variable(let name, _, let count): (root, length) = (.variable(name), count)
    case .keywords where names.count > 1: (root, length) = (.keyword(names[1].text), 2)
    case .keywords: root = .keywords
    case .keyword(let name): root = .keyword(name)
    case .type(let type, let count): (root, length) = (.type(type), count)
    case .unknown: root = .unknown(names.first?.text ?? "")
    }
    var result = tree(root, start..<names[length - 1].range.upperBound)
    for name in names.dropFirst(length) {
      result = tree(.field(of: result, name: name.text, isOptional: false), start..<name.range.upperBound)
    }
    return result
  }
}

extension SyntaxNode {
  /// As ``qualifiedName``, for a chain with a name at least.
  fileprivate var chain: (names: [Name], isAbsolute: Bool)? {
    qualifiedName.flatMap { $0.components.isEmpty ? nil : ($0.components, $0.isAbsolute) }
  }
}

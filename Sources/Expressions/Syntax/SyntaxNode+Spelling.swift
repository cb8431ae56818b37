/// One spelling for the texts that expressions compare with a field: where values have one form, literals get the same.
public struct LiteralSpelling: Sendable {
  /// The field whose values have that form: `address`.
  public let field: String
  /// The form of a literal that is compared with the field, or with a part of it.
  public let form: @Sendable (String) -> String

  /// Creates a spelling.
  public init(field: String, form: @escaping @Sendable (String) -> String) {
    self.field = field
    self.form = form
  }
}

extension SyntaxNode {
  private static let comparisons: Set<String> = ["_==_", "_!=_", "@in"]
  private static let searches: Set<String> = ["contains", "startsWith", "endsWith", "matches"]

  /// The node with each literal in the spelling of the field that it is compared with.
  func spelled(_ spelling: LiteralSpelling) -> SyntaxNode {
    var node = self
    func inner(_ nodes: [SyntaxNode]) -> [SyntaxNode] { nodes.map { $0.spelled(spelling) } }
    switch kind {
    case .literal, .name, .keyword: break
    case .select(let target, let name, let isOptional):
      node.kind = .select(target.spelled(spelling), name, isOptional: isOptional)
    case .presence(let target, let name): node.kind = .presence(target.spelled(spelling), name)
    case .index(let target, let index, let isOptional):
      node.kind = .index(target.spelled(spelling), index.spelled(spelling), isOptional: isOptional)
    case .call(let name, let arguments):
      let isComparison = Self.comparisons.contains(name.text) && arguments.contains { $0.reads(spelling.field) }
      node.kind = .call(name, inner(isComparison ? arguments.map { $0.respelled(spelling) } : arguments))
    case .method(let target, let name, let arguments):
      let isSearch = Self.searches.contains(name.text) && target.reads(spelling.field)
      node.kind = .method(
        target.spelled(spelling), name, inner(isSearch ? arguments.map { $0.respelled(spelling) } : arguments))
    case .list(let elements):
      node.kind = .list(elements.map { Element(value: $0.value.spelled(spelling), isOptional: $0.isOptional) })
    case .map(let entries):
      node.kind = .map(
        entries.map {
          Entry(key: $0.key.spelled(spelling), value: $0.value.spelled(spelling), isOptional: $0.isOptional)
        })
    case .and(let operands): node.kind = .and(inner(operands))
    case .or(let operands): node.kind = .or(inner(operands))
    case .conditional(let condition, let first, let second):
      node.kind = .conditional(condition.spelled(spelling), first.spelled(spelling), second.spelled(spelling))
    case .comprehension(var comprehension):
      comprehension.target = comprehension.target.spelled(spelling)
      comprehension.condition = comprehension.condition?.spelled(spelling)
      comprehension.body = comprehension.body.spelled(spelling)
      node.kind = .comprehension(comprehension)
    case .bind(let name, let value, let body):
      node.kind = .bind(name, value: value.spelled(spelling), body: body.spelled(spelling))
    case .optionalMap(let target, let name, let body, let isFlat):
      node.kind = .optionalMap(target.spelled(spelling), name, body: body.spelled(spelling), isFlat: isFlat)
    }
    return node
  }

  /// A literal, or a list of literals, in a spelling; other nodes unchanged.
  private func respelled(_ spelling: LiteralSpelling) -> SyntaxNode {
    var node = self
    switch kind {
    case .literal(.string(let text)): node.kind = .literal(.string(spelling.form(text)))
    case .list(let elements):
      node.kind = .list(elements.map { Element(value: $0.value.respelled(spelling), isOptional: $0.isOptional) })
    default: break
    }
    return node
  }

  /// Whether the value of a node is that of a field, or is made from it: `a.address.lowerAscii()`, `to.map(a, a.address)`.
  private func reads(_ field: String) -> Bool {
    switch kind {
    case .select(let target, let name, _): name.text == field || target.reads(field)
    case .index(let target, _, _): target.reads(field)
    case .method(let target, _, _): target.reads(field)
    case .call(_, let arguments): arguments.contains { $0.reads(field) }
    case .comprehension(let comprehension): comprehension.body.reads(field)
    case .conditional(_, let first, let second): first.reads(field) || second.reads(field)
    default: false
    }
  }
}

/// How many levels of lists, maps and optionals an expression can put round the values it is given.
///
/// A value of many levels is compared, hashed and freed by as many nested calls, so the levels have to be bounded. That
/// of the brackets in the source does not do it: `list.map(a, [[a]]).map(a, [[a]])` adds three levels with every link.
struct NestingBound {
  /// The most levels an expression may add, which is also the most that ``EvaluationLimits/standard`` lets a value have.
  static let maximum = EvaluationLimits.standard.depth

  private var locals: [(name: String, levels: Int)] = []

  /// An upper bound of the levels added, variables counted as none.
  static func levels(_ node: SyntaxNode) -> Int {
    var bound = NestingBound()
    return bound.levels(node)
  }

  private mutating func levels(_ node: SyntaxNode) -> Int {
    switch node.kind {
    case .literal, .keyword, .presence, .and, .or:
      return 0
    case .name(let name, _):
      return locals.last { $0.name == name }?.levels ?? 0
    case .select(let target, _, let isOptional):
      return inner(levels(target)) + (isOptional ? 1 : 0)
    case .index(let target, _, let isOptional):
      return inner(levels(target)) + (isOptional ? 1 : 0)
    case .call(_, let arguments):
      return max(1, deepest(arguments))
    case .method(let target, _, let arguments):
      return max(1, levels(target), deepest(arguments)) + (wraps(node) ? 1 : 0)
    case .list(let elements):
      return 1 + deepest(elements.map(\.value))
    case .map(let entries):
      return 1 + deepest(entries.map(\.value))
    case .conditional(_, let first, let second):
      return max(levels(first), levels(second))
    case .comprehension(let comprehension):
      return levels(comprehension)
    case .bind(let name, let value, let body):
      return within([name], levels(value)) { $0.levels(body) }
    case .optionalMap(let target, let name, let body, let isFlat):
      return within([name], inner(levels(target))) { $0.levels(body) } + (isFlat ? 0 : 1)
    }
  }

  private mutating func levels(_ comprehension: SyntaxNode.Comprehension) -> Int {
    let target = levels(comprehension.target)
    switch comprehension.macro {
    case .all, .exists, .existsOne: return 0
    case .filter, .sortBy: return max(1, target)
    case .groupBy: return 1 + max(1, target)
    case .map, .transformList, .transformMap, .transformMapEntry:
      return 1 + within(comprehension.variables, inner(target)) { $0.levels(comprehension.body) }
    }
  }

  /// The nesting levels that are left for an element.
  private func inner(_ levels: Int) -> Int { max(0, levels - 1) }

  private mutating func deepest(_ nodes: [SyntaxNode]) -> Int {
    nodes.reduce(0) { max($0, levels($1)) }
  }

  /// Whether a method is one of the functions that put a value into an optional.
  private func wraps(_ node: SyntaxNode) -> Bool {
    guard case .method(let target, let name, _) = node.kind, case .name("optional", _) = target.kind else {
      return false
    }
    return name.text == "of" || name.text == "ofNonZeroValue"
  }

  private mutating func within(
    _ names: [SyntaxNode.Name], _ levels: Int, _ body: (inout NestingBound) -> Int
  ) -> Int {
    locals += names.map { ($0.text, levels) }
    defer { locals.removeLast(names.count) }
    return body(&self)
  }
}

extension Value {
  /// Whether lists, maps and optionals nest at most so deep.
  func nests(within levels: Int) -> Bool {
    switch self {
    case .list(let elements): levels > 0 && elements.allSatisfy { $0.nests(within: levels - 1) }
    case .map(let map): levels > 0 && map.storage.allSatisfy { $0.value.nests(within: levels - 1) }
    case .optional(let wrapped?): levels > 0 && wrapped.nests(within: levels - 1)
    default: true
    }
  }
}

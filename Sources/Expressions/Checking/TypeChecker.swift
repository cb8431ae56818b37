internal import Localization

/// Deduces the type of an expression and collects everything that cannot work, all of it in one go.
///
/// After a problem the part that has it counts as `dyn`, so that one mistake is reported once.
struct TypeChecker {
  var scope: NameScope
  /// The types of ``NameScope/locals``.
  var localTypes: [ValueType] = []
  var inference = TypeInference()
  var problems: [ExpressionError] = []
  /// The type of every part met so far; parts of a chain and the names of macros count as parts.
  var types: [TypedRange] = []
  /// The only texts that a field can have, by the end of its name in the source.
  var words: [Int: [String]] = [:]

  /// The result of checking an expression.
  struct Result {
    var type: ValueType
    /// The types of all parts, in the order they were met.
    var types: [TypedRange]
    /// The problems in source order.
    var problems: [ExpressionError]
  }

  /// Checks an expression.
  static func check(_ node: SyntaxNode, in environment: Environment) -> Result {
    var checker = TypeChecker(scope: NameScope(environment))
    let type = checker.type(of: node)
    let inference = checker.inference
    return Result(
      type: inference.resolved(type, freeAsDynamic: true),
      types: checker.types.map {
        TypedRange(range: $0.range, type: inference.resolved($0.type, freeAsDynamic: true))
      },
      problems: checker.problems.sorted { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) })
  }

  private init(scope: NameScope) {
    self.scope = scope
  }

  mutating func report(
    _ code: ExpressionError.Code, _ message: LocalizedText, at range: Range<Int>, suggestion: String? = nil
  ) -> ValueType {
    problems.append(ExpressionError(code, message, range: range, suggestion: suggestion))
    return .dynamic
  }

  // MARK: Nodes

  mutating func type(of node: SyntaxNode) -> ValueType {
    let found = deducedType(of: node)
    types.append(TypedRange(range: node.range, type: found))
    return found
  }

  private mutating func deducedType(of node: SyntaxNode) -> ValueType {
    switch node.kind {
    case .literal(let value):
      return value.runtimeType
    case .keyword:
      return .dynamic
    case .name, .select:
      if let (components, isAbsolute) = node.qualifiedName {
        return type(ofChain: components, isAbsolute: isAbsolute, node)
      }
      guard case .select(let target, let field, let isOptional) = node.kind else { return .dynamic }
      return select(field, of: type(of: target), isOptional: isOptional)
    case .presence(let target, let field):
      _ = select(field, of: type(of: target), isOptional: false)
      return .bool
    case .index(let target, let index, let isOptional):
      return element(of: target, at: index, isOptional: isOptional)
    case .call(let name, let arguments):
      return call(name, arguments.map { ($0, type(of: $0)) }, isMethod: false, at: node.range)
    case .method(let target, let name, let arguments):
      if let function = scope.namespacedFunction(target, name.text, isKnown: { isKnownFunction($0) }) {
        let qualified = SyntaxNode.Name(text: function, range: target.range.lowerBound..<name.range.upperBound)
        return call(qualified, arguments.map { ($0, type(of: $0)) }, isMethod: false, at: node.range)
      }
      if let problem = unknownMethod(target, name, arguments) { return problem }
      return call(name, ([target] + arguments).map { ($0, type(of: $0)) }, isMethod: true, at: node.range)
    case .list(let elements):
      return .list(listElement(elements))
    case .map(let entries):
      return mapType(entries)
    case .and(let operands), .or(let operands):
      for operand in operands { expectBool(operand) }
      return .bool
    case .conditional(let condition, let first, let second):
      expectBool(condition)
      return conditional(first, second)
    case .comprehension(let comprehension):
      return type(of: comprehension, at: node.range)
    case .bind(let name, let value, let body):
      return withLocals([(name, type(of: value))]) { $0.type(of: body) }
    case .optionalMap(let target, let name, let body, let isFlat):
      return optionalMap(target, name, body, isFlat: isFlat)
    }
  }

  /// Checks something in which some names represent what a macro gives them.
  mutating func withLocals(
    _ locals: [(SyntaxNode.Name, ValueType)], _ body: (inout TypeChecker) -> ValueType
  ) -> ValueType {
    for (name, type) in locals {
      scope.locals.append(name.text)
      localTypes.append(type)
      types.append(TypedRange(range: name.range, type: type))
    }
    let result = body(&self)
    scope.locals.removeLast(locals.count)
    localTypes.removeLast(locals.count)
    return result
  }

  mutating func expectBool(_ node: SyntaxNode) {
    let found = type(of: node)
    if !inference.assign(found, to: .bool) {
      let shown = inference.resolved(found).words
      _ = report(
        .wrongType,
        LocalizedText(
          "a bool is wanted here, not \(shown.english)", de: "Hier wird bool verlangt, nicht \(shown.german)"),
        at: node.range)
    }
  }

  private mutating func conditional(_ first: SyntaxNode, _ second: SyntaxNode) -> ValueType {
    let firstType = type(of: first)
    let secondType = type(of: second)
    // `x ? "text" : null` says what everyone means by it, though the language proper has no type for it.
    if case .null = inference.resolved(firstType) { return inference.join(firstType, secondType) }
    if case .null = inference.resolved(secondType) { return inference.join(firstType, secondType) }
    guard inference.assign(firstType, to: secondType) else {
      let shown = (inference.resolved(firstType).words, inference.resolved(secondType).words)
      return report(
        .wrongType,
        LocalizedText(
          "the two results have different types, \(shown.0.english) and \(shown.1.english); "
            + "dyn(…) round them allows it",
          de: "Die beiden Ergebnisse haben verschiedene Typen, \(shown.0.german) und \(shown.1.german); "
            + "dyn(…) darum erlaubt es"),
        at: first.range.lowerBound..<second.range.upperBound)
    }
    return inference.join(firstType, secondType)
  }

  // MARK: Literals

  private mutating func listElement(_ elements: [SyntaxNode.Element]) -> ValueType {
    var result: ValueType?
    for element in elements {
      var found = type(of: element.value)
      if element.isOptional { found = unwrapped(found, at: element.value.range) }
      result = result.map { inference.join($0, found) } ?? found
    }
    return result ?? inference.fresh()
  }

  private mutating func mapType(_ entries: [SyntaxNode.Entry]) -> ValueType {
    var key: ValueType?
    var value: ValueType?
    for entry in entries {
      let foundKey = type(of: entry.key)
      var foundValue = type(of: entry.value)
      if entry.isOptional { foundValue = unwrapped(foundValue, at: entry.value.range) }
      switch inference.resolved(foundKey) {
      case .bool, .int, .uint, .string, .dynamic, .parameter: break
      case let other:
        _ = report(
          .wrongType,
          LocalizedText(
            "keys are bool, int, uint or string, not \(other)",
            de: "Schlüssel sind bool, int, uint oder string, nicht \(other.words.german)"), at: entry.key.range)
      }
      key = key.map { inference.join($0, foundKey) } ?? foundKey
      value = value.map { inference.join($0, foundValue) } ?? foundValue
    }
    return .map(key ?? inference.fresh(), value ?? inference.fresh())
  }

  /// The type within an optional.
  private mutating func unwrapped(_ type: ValueType, at range: Range<Int>) -> ValueType {
    switch inference.resolved(type) {
    case .optional(let wrapped): return wrapped
    case .dynamic, .parameter: return .dynamic
    case let other:
      return report(
        .wrongType,
        LocalizedText(
          "an optional is wanted behind '?', not \(other)",
          de: "Hinter '?' wird ein Optional verlangt, nicht \(other.words.german)"),
        at: range)
    }
  }

  private mutating func optionalMap(
    _ target: SyntaxNode, _ name: SyntaxNode.Name, _ body: SyntaxNode, isFlat: Bool
  ) -> ValueType {
    let found = inference.resolved(type(of: target))
    var wrapped = ValueType.dynamic
    switch found {
    case .optional(let inner): wrapped = inner
    case .dynamic, .parameter: break
    default:
      _ = report(
        .wrongType,
        LocalizedText(
          "an optional is wanted here, not \(found)",
          de: "Hier wird ein Optional verlangt, nicht \(found.words.german)"),
        at: target.range)
    }
    let result = withLocals([(name, wrapped)]) { $0.type(of: body) }
    if !isFlat { return .optional(result) }
    switch inference.resolved(result) {
    case .optional, .dynamic, .parameter: return result
    case let other:
      return report(
        .wrongType,
        LocalizedText(
          "optFlatMap() wants an optional as result, not \(other)",
          de: "optFlatMap() verlangt ein Optional als Ergebnis, nicht \(other.words.german)"), at: body.range)
    }
  }
}

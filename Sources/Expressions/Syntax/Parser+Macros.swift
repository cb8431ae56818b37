internal import Localization

extension Parser {
  /// Expands a macro that looks like a function: `has(a.b)`.
  static func expand(
    _ name: SyntaxNode.Name, _ arguments: [SyntaxNode], range: Range<Int>
  ) throws(ExpressionError) -> SyntaxNode? {
    guard name.text == "has", arguments.count == 1 else { return nil }
    guard case .select(let target, let field, isOptional: false) = arguments[0].kind else {
      throw .syntax(
        LocalizedText("has() takes a field: has(a.b)", de: "has() erwartet ein Feld: has(a.b)"),
        at: arguments[0].range)
    }
    return SyntaxNode(.presence(target, field), range)
  }

  /// Expands a macro that looks like a method: `list.exists(e, e > 1)`, `cel.bind(x, 1, x + x)`.
  static func expand(
    _ target: SyntaxNode, _ name: SyntaxNode.Name, _ arguments: [SyntaxNode], range: Range<Int>
  ) throws(ExpressionError) -> SyntaxNode? {
    switch (name.text, arguments.count) {
    case ("all", 2...3), ("exists", 2...3):
      return try test(name.text == "all" ? .all : .exists, target, arguments, range)
    case ("exists_one", 2...3), ("existsOne", 2...3):
      return try test(.existsOne, target, arguments, range)
    case ("filter", 2):
      return try test(.filter, target, arguments, range)
    case ("map", 2...3):
      return try transformation(.map, variableCount: 1, target, arguments, range)
    case ("sortBy", 2):
      return try transformation(.sortBy, variableCount: 1, target, arguments, range)
    case ("groupBy", 2):
      return try transformation(.groupBy, variableCount: 1, target, arguments, range)
    case ("transformList", 3...4):
      return try transformation(.transformList, variableCount: 2, target, arguments, range)
    case ("transformMap", 3...4):
      return try transformation(.transformMap, variableCount: 2, target, arguments, range)
    case ("transformMapEntry", 3...4):
      return try transformation(.transformMapEntry, variableCount: 2, target, arguments, range)
    case ("bind", 3):
      guard case .name("cel", _) = target.kind else { return nil }
      let variable = try variables(arguments.prefix(1))[0]
      return SyntaxNode(.bind(variable, value: arguments[1], body: arguments[2]), range)
    case ("optMap", 2), ("optFlatMap", 2):
      let variable = try variables(arguments.prefix(1))[0]
      return SyntaxNode(
        .optionalMap(target, variable, body: arguments[1], isFlat: name.text == "optFlatMap"), range)
    default:
      return nil
    }
  }

  /// A macro whose last argument is the test: `(e, test)`, `(i, e, test)`.
  private static func test(
    _ macro: ComprehensionMacro, _ target: SyntaxNode, _ arguments: [SyntaxNode], _ range: Range<Int>
  ) throws(ExpressionError) -> SyntaxNode {
    let comprehension = SyntaxNode.Comprehension(
      macro: macro, target: target, variables: try variables(arguments.dropLast()), condition: nil,
      body: arguments[arguments.count - 1])
    return SyntaxNode(.comprehension(comprehension), range)
  }

  /// A macro with an optional condition before the last argument: `(e, result)`, `(e, condition, result)`.
  private static func transformation(
    _ macro: ComprehensionMacro, variableCount: Int, _ target: SyntaxNode, _ arguments: [SyntaxNode],
    _ range: Range<Int>
  ) throws(ExpressionError) -> SyntaxNode {
    let comprehension = SyntaxNode.Comprehension(
      macro: macro, target: target, variables: try variables(arguments.prefix(variableCount)),
      condition: arguments.count == variableCount + 2 ? arguments[variableCount] : nil,
      body: arguments[arguments.count - 1])
    return SyntaxNode(.comprehension(comprehension), range)
  }

  private static func variables(_ arguments: ArraySlice<SyntaxNode>) throws(ExpressionError) -> [SyntaxNode.Name] {
    var names: [SyntaxNode.Name] = []
    for argument in arguments {
      guard case .name(let text, isAbsolute: false) = argument.kind else {
        throw .syntax(
          LocalizedText("a plain name is expected here", de: "Hier wird ein einfacher Name erwartet"),
          at: argument.range)
      }
      if names.contains(where: { $0.text == text }) {
        throw .syntax(
          LocalizedText("the two names must differ", de: "Die beiden Namen müssen verschieden sein"),
          at: argument.range)
      }
      names.append(SyntaxNode.Name(text: text, range: argument.range))
    }
    return names
  }
}

internal import Localization

/// Turns a parsed expression into nodes that evaluate: names become slots, functions become code, what is constant is
/// computed at once.
struct Compiler {
  private var scope: NameScope
  /// The slots of ``NameScope/locals``.
  private var localSlots: [Int] = []
  private var variableSlots: [String: Int] = [:]
  private var slotCount = 0
  /// The parts of the expression that fail whatever the values are.
  private var faults: [ExpressionError] = []

  /// The cost limit of a computation ahead of evaluation; above it, the computation is done at evaluation.
  private static let foldingLimits = EvaluationLimits(cost: 2000, depth: 50)

  /// Compiles an expression; evaluating it takes so many slots, and these parts of it always fail.
  static func compile(
    _ node: SyntaxNode, in environment: Environment
  ) -> (node: any Evaluable, slotCount: Int, faults: [ExpressionError]) {
    var compiler = Compiler(scope: NameScope(environment))
    let compiled = compiler.compile(node)
    return (compiled, compiler.slotCount, compiler.faults)
  }

  private init(scope: NameScope) {
    self.scope = scope
  }

  private mutating func newSlot() -> Int {
    defer { slotCount += 1 }
    return slotCount
  }

  // MARK: Nodes

  private mutating func compile(_ node: SyntaxNode) -> any Evaluable {
    switch node.kind {
    case .literal(let value):
      return ConstantNode(value)
    case .keyword(let name):
      return KeywordNode(name: name, range: node.range)
    case .name, .select:
      if let (components, isAbsolute) = node.qualifiedName { return chain(components, isAbsolute: isAbsolute) }
      guard case .select(let target, let field, let isOptional) = node.kind else { return ConstantNode(.null) }
      return SelectNode(target: compile(target), field: field, isOptional: isOptional)
    case .presence(let target, let field):
      return PresenceNode(target: compile(target), field: field)
    case .index(let target, let index, let isOptional):
      let parts = [compile(target), compile(index)]
      return folded(IndexNode(target: parts[0], index: parts[1], isOptional: isOptional, range: index.range), parts)
    case .call(let name, let arguments):
      return call(name.text, arguments, isMethod: false, range: node.range)
    case .method(let target, let name, let arguments):
      let library = FunctionLibrary.standard
      if let function = scope.namespacedFunction(target, name.text, isKnown: { library.isGlobal($0) }) {
        return call(function, arguments, isMethod: false, range: node.range)
      }
      return call(name.text, [target] + arguments, isMethod: true, range: node.range)
    case .list(let elements):
      let compiled = elements.map { (node: compile($0.value), isOptional: $0.isOptional, range: $0.value.range) }
      return folded(ListNode(compiled), compiled.map(\.node))
    case .map(let entries):
      let compiled = entries.map { entry in
        MapNode.Entry(
          key: compile(entry.key), value: compile(entry.value), isOptional: entry.isOptional,
          keyRange: entry.key.range, valueRange: entry.value.range)
      }
      return folded(MapNode(compiled), compiled.flatMap { [$0.key, $0.value] })
    case .and(let operands):
      return AndNode(operands.map { condition($0) })
    case .or(let operands):
      return OrNode(operands.map { condition($0) })
    case .conditional(let test, let first, let second):
      return ConditionalNode(condition(test), compile(first), compile(second))
    case .comprehension(let comprehension):
      return compile(comprehension, range: node.range)
    case .bind(let name, let value, let body):
      let value = compile(value)
      let slot = newSlot()
      return BindNode(slot: slot, value: value, body: withLocals([(name, slot)]) { $0.compile(body) })
    case .optionalMap(let target, let name, let body, let isFlat):
      let target = compile(target)
      let slot = newSlot()
      return OptionalMapNode(
        target: target, slot: slot, body: withLocals([(name, slot)]) { $0.compile(body) }, isFlat: isFlat,
        range: node.range)
    }
  }

  /// A node that must be a bool; a place is added where the node itself would name none.
  private mutating func condition(_ node: SyntaxNode) -> any Evaluable {
    let compiled = compile(node)
    switch compiled {
    case is AndNode, is OrNode, is EqualityNode, is OrderNode, is PresenceNode, is MatchNode, is ComprehensionNode:
      return compiled
    default:
      return OperandNode(compiled, range: node.range)
    }
  }

  private mutating func withLocals<Result>(
    _ locals: [(name: SyntaxNode.Name, slot: Int)], _ body: (inout Compiler) -> Result
  ) -> Result {
    scope.locals += locals.map(\.name.text)
    localSlots += locals.map(\.slot)
    let result = body(&self)
    scope.locals.removeLast(locals.count)
    localSlots.removeLast(locals.count)
    return result
  }

  private mutating func compile(
    _ comprehension: SyntaxNode.Comprehension, range: Range<Int>
  ) -> any Evaluable {
    let target = compile(comprehension.target)
    let slots = comprehension.variables.map { _ in newSlot() }
    return withLocals(Array(zip(comprehension.variables, slots))) { compiler in
      let filter = comprehension.condition.map { compiler.condition($0) }
      let isTest =
        switch comprehension.macro {
        case .all, .exists, .existsOne, .filter: true
        default: false
        }
      let body = isTest ? compiler.condition(comprehension.body) : compiler.compile(comprehension.body)
      return ComprehensionNode(
        macro: comprehension.macro, target: target, slots: slots, filter: filter, body: body, range: range)
    }
  }

  // MARK: Names

  private mutating func chain(_ components: [SyntaxNode.Name], isAbsolute: Bool) -> any Evaluable {
    let meaning = scope.meaning(of: components, isAbsolute: isAbsolute)
    let root: any Evaluable
    var length = 1
    switch meaning {
    case .local(let position):
      root = LocalNode(slot: localSlots[position])
    case .keyword(let name):
      root = KeywordNode(name: name, range: components[0].range)
    case .keywords where components.count > 1 && scope.environment.keywords.contains(components[1].text):
      root = KeywordNode(name: components[1].text, range: components[1].range)
      length = 2
    case .keywords:
      root = KeywordsNode()
    case .variable(let name, _, let consumed) where scope.environment.checksTypes:
      root = VariableNode(name: name, slot: slot(of: name), range: components[0].range)
      length = consumed
    case .type(let type, let consumed) where scope.environment.checksTypes:
      root = ConstantNode(.type(type))
      length = consumed
    case .variable, .type, .unknown:
      return uncheckedName(components, isAbsolute: isAbsolute, meaning)
    }
    return components.dropFirst(length).reduce(root) { target, field in
      SelectNode(target: target, field: field, isOptional: false)
    }
  }

  private mutating func slot(of variable: String) -> Int {
    if let known = variableSlots[variable] { return known }
    let slot = newSlot()
    variableSlots[variable] = slot
    return slot
  }

  private func uncheckedName(
    _ components: [SyntaxNode.Name], isAbsolute: Bool, _ meaning: NameScope.Meaning
  ) -> any Evaluable {
    var candidates: [(name: String, length: Int)] = []
    for length in stride(from: components.count, through: 1, by: -1) {
      let name = components.prefix(length).map(\.text).joined(separator: ".")
      for prefix in isAbsolute ? [""] : scope.containerPrefixes { candidates.append((prefix + name, length)) }
    }
    var fallback: (value: Value, length: Int)?
    if case .type(let type, let length) = meaning { fallback = (.type(type), length) }
    return UncheckedNameNode(candidates: candidates, components: components, fallback: fallback)
  }

  // MARK: Calls

  private mutating func call(
    _ name: String, _ arguments: [SyntaxNode], isMethod: Bool, range: Range<Int>
  ) -> any Evaluable {
    let compiled = arguments.map { compile($0) }
    if compiled.count == 2, let special = specialCall(name, compiled, isMethod: isMethod, range: range) {
      return folded(special, compiled)
    }
    let library = FunctionLibrary.standard
    guard let function = library.function(name, isMethod: isMethod, arity: compiled.count) else {
      let count = LocalizedText.count(compiled.count, "argument", "arguments", de: "Argument", "Argumenten")
      return FailingNode(
        Fault(
          .unknownName,
          LocalizedText(
            "there is no function '\(OperatorName.display(name))' of \(count.english)",
            de: "Es gibt keine Funktion '\(OperatorName.display(name))' mit \(count.german)"),
          range: range))
    }
    let node: any Evaluable
    switch function.implementation {
    case .unary(let body):
      node = UnaryCallNode(name: name, argument: compiled[0], body: body, range: range)
    case .binary(let body):
      node = BinaryCallNode(name: name, first: compiled[0], second: compiled[1], body: body, range: range)
    case .many(let body):
      node = CallNode(name: name, arguments: compiled, body: body, range: range)
    }
    if let fault = function.constantFault?(compiled.map { ($0 as? ConstantNode)?.value }) {
      faults.append(fault.at(range).error)
      return node
    }
    return function.isPure ? folded(node, compiled) : node
  }

  /// Nodes made for one operator or function.
  private func specialCall(
    _ name: String, _ arguments: [any Evaluable], isMethod: Bool, range: Range<Int>
  ) -> (any Evaluable)? {
    let (left, right) = (arguments[0], arguments[1])
    switch (name, isMethod) {
    case ("_==_", false): return EqualityNode(left, right, isNegated: false, range: range)
    case ("_!=_", false): return EqualityNode(left, right, isNegated: true, range: range)
    case ("_<_", false): return OrderNode(left, right, .less, function: name, range: range)
    case ("_<=_", false): return OrderNode(left, right, .lessOrEqual, function: name, range: range)
    case ("_>_", false): return OrderNode(left, right, .greater, function: name, range: range)
    case ("_>=_", false): return OrderNode(left, right, .greaterOrEqual, function: name, range: range)
    case ("or", true): return AlternativeNode(left, right, unwraps: false, range: range)
    case ("orValue", true): return AlternativeNode(left, right, unwraps: true, range: range)
    case ("matches", _):
      guard let constant = right as? ConstantNode, case .string(let text) = constant.value,
        let pattern = try? RegularExpression(text)
      else { return nil }
      return MatchNode(text: left, pattern: pattern, range: range)
    default: return nil
    }
  }

  // MARK: Constants

  /// The value of a node all of whose parts are constant; the node itself where it fails or costs too much.
  private mutating func folded(_ node: any Evaluable, _ parts: [any Evaluable]) -> any Evaluable {
    guard parts.allSatisfy({ $0 is ConstantNode }) else { return node }
    var frame = Frame(Bindings(), slotCount: 0, limits: Self.foldingLimits)
    do throws(Fault) {
      return ConstantNode(try node.evaluate(&frame))
    } catch {
      if !error.isFinal { faults.append(error.error) }
      return node
    }
  }
}

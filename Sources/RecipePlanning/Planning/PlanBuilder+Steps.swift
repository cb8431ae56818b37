import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

extension PlanBuilder {
  /// Lowers a step; `nil` where its action is unknown. Its expressions are checked in any case.
  func step(_ position: Int, _ action: ActionSignature?) -> PlanStep? {
    let step = recipe.steps[position]
    var scope = self.scope(step: position)
    var variables: [(name: String, value: BoundValue)] = []
    for (name, text) in step.variables {
      let bound = binder(scope).bind(text, literal: .string(text.text))
      variables.append((name, bound.value))
      scope.variables[name] = PlanVariables.type(of: bound.shape)
    }
    let condition =
      step.condition.flatMap { self.condition($0, scope) }
      ?? step.madeCondition.flatMap { compiler.expression($0, scope) }
    let loop = loop(step, scope)
    if step.isLoop {
      let name = step.variable?.value ?? "item"
      checkVariable(name, step, scope)
      scope.variables[name] = loop?.item ?? .dynamic
      scope.variables["index"] = .int
      declareItems(position, loop?.item ?? .dynamic)
    }
    var expansion = PromptExpansion(builder: self, step: step, isChat: action?.name == PromptExpansion.action)
    expansion.expand(&scope)
    let (input, shape) = bindInput(step, action, scope, expansion)
    let block = step.block == nil ? nil : block(position, scope)
    guard let action, block != nil || step.block == nil else { return nil }
    if action.name == ActionSignature.values.name, step.givesOn == nil { declareValues(position, shape) }
    if action.isWait { checkWait(step) }
    if action.name == ActionSignature.recipe.name { checkChild(step, children[position]?.plan) }
    let searched = searches[position]
    var routing = step.routing
    if let contract = action.contract, RoutingSettings.contracts.contains(contract) {
      routing = routing.falling(back: recipe.routing)
    }
    let providers = resolver.providers(step, searched ?? action, expansion.task, routing)
    var planned = PlanStep(
      id: step.id.value, title: step.title, action: resolver.strictest(action, of: providers), providers: providers,
      input: input,
      condition: condition, loop: loop?.loop, keywords: expansion.keywords,
      retry: step.retry.applied(to: recipe.retry.applied(to: .standard)),
      timeout: step.timeout ?? (action.isProgram ? ActionSignature.programTimeout : nil),
      onError: step.onError, range: step.range)
    planned.retry.repeatsFailed = action.isProgram && step.retriesPrograms
    planned.repetition = repetition(position, action, scope)
    planned.demands = Permission.demands(of: planned.action, by: resolver.descriptions(of: providers))
    checkPermissions(of: planned, at: step.uses?.range ?? step.range)
    planned.variables = variables
    planned.isImplied = step.isImplied
    planned.isRecord =
      [.mailFilter, .reminder].contains(recipe.kind) && ActionSignature.recording.contains(action.name)
    planned.presetKeywords = expansion.inheritedNames
    planned.phase = step.phase
    planned.routing = routing
    planned.cache = cache(step, planned.action, scope, input)
    if let searched { planned.selection = selection(step, scope, by: searched, of: providers) }
    if let child = children[position] {
      planned.child = child.plan
      planned.input = input.entry("inputs") ?? .literal(.map([:]))
    }
    if let block { (planned.child, planned.input) = (block.plan, block.input) }
    return planned
  }

  /// Warns of a step that needs more than the recipe allows, once for each place: the calls of a tool are steps of several
  /// rounds.
  private func checkPermissions(of step: PlanStep, at range: SourceRange) {
    guard let allowed = recipe.permissions else { return }
    let missing = step.demands.subtracting(allowed).sorted()
    guard !missing.isEmpty, warned.insert("\(range.start.offset) \(missing)").inserted else { return }
    let words = missing.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    reader.report(
      .permissionMissing,
      LocalizedText(
        "the step '\(step.id)' will fail: it needs \(words), which 'permissions' does not allow; add it there or remove the step",
        de:
          "der Schritt '\(step.id)' wird fehlschlagen: Er braucht \(words), das 'permissions' nicht erlaubt; dort aufnehmen "
          + "oder den Schritt entfernen"),
      at: range, severity: .warning)
  }

  /// What `values` gives back has the type of what it is given.
  private func declareValues(_ position: Int, _ shape: Value) {
    guard case .map(let map) = shape else { return }
    let step = recipe.steps[position]
    var fields: [String: ValueType] = [:]
    for entry in map.entries {
      if case .string(let name) = entry.key { fields[name] = PlanVariables.type(of: entry.value) }
    }
    let id = step.id.value
    let output = ValueType.object(ObjectType(name: PlanVariables.outputName(id), fields: fields))
    compiler.stepTypes[position] = PlanVariables.step(id, output: output, isLoop: step.isLoop, item: .dynamic)
  }

  /// Binds a value that a kind of recipe implies.
  func bind(_ made: MadeValue, _ scope: Scope) -> ValueBinder.Bound {
    switch made {
    case .node(let node): return binder(scope).bind(node)
    case .oneOrMore(let node):
      let bound = binder(scope).bind(node)
      return PlanVariables.type(of: bound.shape) == .string ? .list([bound]) : bound
    case .literal(let value): return ValueBinder.Bound(value: .literal(value), shape: value)
    case .text(let text): return binder(scope).bind(text, literal: .string(text.text))
    case .list(let elements, _):
      return .list(elements.map { bind($0, scope) })
    case .map(let entries, _):
      return .map(entries.map { ($0.name, bind($0.value, scope)) })
    }
  }

  // MARK: when

  func condition(_ node: Node, _ scope: Scope, key: String = "when") -> Expression? {
    guard let text = reader.condition(node, key), let expression = compiler.expression(text, scope) else { return nil }
    guard expression.resultType == .bool || expression.resultType == .dynamic else {
      reader.report(
        .wrongType,
        LocalizedText(
          "'\(key)' must be true or false, but is \(expression.resultType)",
          de: "'\(key)' muss true oder false ergeben, ergibt aber \(expression.resultType.words.german)"),
        at: text.range(nil))
      return nil
    }
    return expression
  }

  // MARK: for_each

  private func loop(_ step: Recipe.Step, _ scope: Scope) -> (loop: PlanStep.Loop, item: ValueType)? {
    if let node = step.matrix { return matrix(node, step, scope) }
    guard let node = step.items ?? step.madeItems?.node, !node.isInvalid else { return nil }
    let bound: ValueBinder.Bound
    if let text = step.madeItems {
      bound = binder(scope).bind(text, literal: .string(text.text))
    } else {
      bound = list(node, scope)
    }
    let type = PlanVariables.type(of: bound.shape)
    guard let item = PlanVariables.item(of: type), step.madeItems != nil || !node.isNull else {
      reader.report(
        .wrongType,
        LocalizedText(
          "'for_each' goes through a list or a map, not \(type)",
          de: "'for_each' geht durch eine Liste oder eine Map, nicht durch \(type.words.german)"),
        at: node.range)
      return nil
    }
    let loop = PlanStep.Loop(
      items: bound.value, variable: step.variable?.value ?? "item", parallel: step.parallel)
    return (loop, item)
  }

  /// A list that is written, or made by an expression with or without braces.
  func list(_ node: Node, _ scope: Scope) -> ValueBinder.Bound {
    guard let text = node.string else { return binder(scope).bind(node) }
    let placed = PlacedText(text: text, node: node, document: reader.document)
    if text.contains("{{") { return binder(scope).bind(placed, literal: .string(text)) }
    let wrapped = PlacedText(text: "{{ \(text) }}", node: node, document: reader.document, base: -3)
    return binder(scope).bind(wrapped, literal: .string(wrapped.text))
  }

  private func checkVariable(_ name: String, _ step: Recipe.Step, _ scope: Scope) {
    guard scope.keywords[name] != nil else { return }
    reader.report(
      .invalidName,
      LocalizedText(
        "the loop variable '\(name)' has the name of a keyword; choose another with 'as'",
        de: "die Schleifenvariable '\(name)' heißt wie ein Schlüsselwort; mit 'as' einen anderen Namen wählen"),
      at: step.variable?.range ?? step.id.range)
  }

  private func declareItems(_ position: Int, _ item: ValueType) {
    guard case .object(let type)? = compiler.stepTypes[position], case .list(let output)? = type.fields["output"] else {
      return
    }
    compiler.stepTypes[position] = PlanVariables.step(
      recipe.steps[position].id.value, output: output, isLoop: true, item: item)
  }

  // MARK: with

  private func bindInput(
    _ step: Recipe.Step, _ action: ActionSignature?, _ scope: Scope, _ expansion: PromptExpansion
  ) -> (value: BoundValue, shape: Value) {
    // What it gives is checked when the step runs.
    if let node = step.wholeInput {
      let bound = binder(scope).bind(node)
      return (bound.value, bound.shape)
    }
    if let text = step.wholeText {
      let bound = binder(scope).bind(text, literal: .string(text.text))
      return (bound.value, bound.shape)
    }
    var entries: [(name: String, value: BoundValue)] = []
    var shape = ValueMap()
    var isLiteral = true
    let secretFields = SecretBinder.fields(of: action)
    for entry in step.input?.mapping?.entries ?? [] where !expansion.replaced.contains(entry.name) {
      if entry.name == "keywords", expansion.takesKeywords { continue }
      let binder = binder(scope)
      binder.checkKey(entry)
      var bound =
        secretFields.contains(entry.name) ? SecretBinder(binder: binder).bind(entry.value) : binder.bind(entry.value)
      if entry.name == "environment", action?.isProgram ?? false, !environment.isEmpty {
        bound = withEnvironment(entry.value, bound, binder)
      }
      isLiteral = isLiteral && bound.isLiteral
      entries.append((entry.name, bound.value))
      shape[entry.name] = bound.shape
    }
    if action?.isProgram ?? false, !environment.isEmpty, step.input?.mapping?["environment"] == nil {
      let bound = ValueBinder.Bound.map(environment)
      isLiteral = isLiteral && bound.isLiteral
      entries.append(("environment", bound.value))
      shape["environment"] = bound.shape
    }
    for (name, bound) in expansion.input {
      isLiteral = isLiteral && bound.isLiteral
      entries.append((name, bound.value))
      shape[name] = bound.shape
    }
    for (name, made) in step.made {
      let bound = bind(made, scope)
      isLiteral = isLiteral && bound.isLiteral
      entries.append((name, bound.value))
      shape[name] = bound.shape
    }
    if !step.tools.isEmpty {
      let tools = offeredTools(step)
      entries.append(("tools", .literal(tools)))
      shape["tools"] = tools
    }
    if let calls = step.toolCalls {
      for (name, value) in callRules(calls) {
        entries.append((name, .literal(value)))
        shape[name] = value
      }
    }
    if let action, !step.isInputBroken { check(.map(shape), step, action) }
    return (isLiteral ? .literal(.map(shape)) : .map(entries), .map(shape))
  }

  /// The variables of a program: those of the recipe's `env`, and its own, which override them.
  private func withEnvironment(_ node: Node, _ bound: ValueBinder.Bound, _ binder: ValueBinder) -> ValueBinder.Bound {
    guard let own = node.mapping else {
      guard !node.isInvalid else { return bound }
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "with 'env' in the recipe, write the variables of the step one by one: 'environment: { NAME: \"{{ … }}\" }'",
          de: "mit 'env' im Rezept stehen die Variablen des Schritts einzeln: 'environment: { NAME: \"{{ … }}\" }'"),
        at: node.range)
      return bound
    }
    return .map(
      environment.filter { own[$0.name] == nil }
        + own.entries.map { ($0.name, SecretBinder(binder: binder).bind($0.value)) })
  }

  /// Where in a step's `with` something violates a schema.
  func range(of violation: SchemaViolation, _ step: Recipe.Step) -> SourceRange? {
    if violation.path.isEmpty {
      return violation.code == .missingKey ? step.uses?.range : step.input?.range ?? step.uses?.range
    }
    if case .key(let name)? = violation.path.first, let made = step.made.first(where: { $0.name == name }) {
      return made.value.node.map { NodePath.find(Array(violation.path.dropFirst()), in: $0).range } ?? step.uses?.range
    }
    guard let input = step.input else { return step.uses?.range }
    return NodePath.find(violation.path, in: input, atKey: violation.code == .unknownKey).range
  }

  /// Reports errors of a step's input: against the action's schema, and of its URL, folders, paths and program text.
  private func check(_ shape: Value, _ step: Recipe.Step, _ action: ActionSignature) {
    for violation in action.input.validate(shape: shape) {
      let isMissing = violation.code == .missingKey
      let range = range(of: violation, step)
      var message = violation.message
      if isMissing, violation.path.isEmpty {
        message =
          LocalizedText("'\(action.name)': ", de: "'\(action.name)': ") + message
          + LocalizedText(" in 'with'", de: " in 'with'")
      } else if violation.code != .unknownKey, !violation.path.isEmpty {
        message = LocalizedText(verbatim: "'\(violation.pathText)' ") + message
      }
      reader.report(
        Diagnostic(violation.code, message, path: reader.path, range: range, suggestion: violation.suggestion))
    }
    checkAnswerSchema(step, action)
    checkURL(of: step, action)
    checkPlaces(of: step, action)
    checkProgramText(of: step, action, shape)
    checkInheritedVariables(of: step, action)
  }

  private func checkAnswerSchema(_ step: Recipe.Step, _ action: ActionSignature) {
    guard action.name == PromptExpansion.action, let node = step.input?.mapping?["schema"], node.mapping != nil else {
      return
    }
    for problem in Schema(document: node.value).remarks() {
      reader.report(Diagnostic(problem, at: NodePath.find(problem.path, in: node).range, path: reader.path))
    }
  }
}

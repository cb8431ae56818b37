import Expressions
import Hashing
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// Lowers one recipe.
final class PlanBuilder {
  let planner: Planner
  let recipe: Recipe
  /// The builders of the blocks of steps, by position.
  private(set) var blocks: [Int: PlanBuilder] = [:]
  /// The variables around the block that this builder lowers; `nil` for a recipe.
  private var outerScope: Scope?
  let reader: FieldReader
  let resolver: ActionResolver
  let compiler: ExpressionCompiler
  private let inputs: [Plan.Input]
  /// The types of the recipe's keywords.
  private var keywordTypes: [String: ValueType] = [:]
  /// The texts of presets that were used, by path.
  var sources: [String: SourceText] = [:]
  private let fingerprint = RunningHash()
  /// Places that a warning of missing permissions was given for.
  var warned: Set<String> = []
  /// The types of the declared outputs, once the plan is built.
  private(set) var outputTypes: [String: ValueType] = [:]

  /// The actions of the steps, by position.
  private(set) var actions: [ActionSignature?] = []

  /// The variables of all programs, bound once.
  private(set) var environment: [(name: String, bound: ValueBinder.Bound)] = []

  private let childRecipes: ChildRecipes
  /// The recipes that steps run, by position.
  private(set) var children: [Int: ChildRecipes.Child] = [:]
  /// What steps that sort messages ask their providers with, by position.
  private(set) var searches: [Int: ActionSignature] = [:]

  init(planner: Planner, recipe: Recipe, reader: FieldReader, children: ChildRecipes) {
    childRecipes = children
    self.planner = planner
    self.recipe = recipe
    self.reader = reader
    var defaults = planner.defaults
    for (contract, routes) in Self.defaults(of: recipe.stepDefaults.providers, planner, reader) {
      defaults[contract] = routes
    }
    for entry in recipe.defaults { defaults[entry.contract.value] = entry.providers.map(\.value) }
    resolver = ActionResolver(
      catalog: planner.catalog, lookup: planner.providers, defaults: defaults, reader: reader)
    inputs = recipe.inputs.map { Plan.Input(name: $0.name.value, schema: $0.schema, isRequired: $0.isRequired) }
    let graph = StepGraph(explicit: Self.needs(recipe, reader))
    compiler = ExpressionCompiler(reader: reader, recipe: recipe, graph: graph)
  }

  /// Creates the builder of a block.
  private init(block: [Recipe.Step], of outer: PlanBuilder) {
    (planner, childRecipes, reader, resolver, inputs) =
      (outer.planner, outer.childRecipes, outer.reader, outer.resolver, outer.inputs)
    recipe = Self.recipe(ofBlock: block, in: outer.recipe)
    compiler = ExpressionCompiler(
      reader: reader, recipe: recipe, graph: StepGraph(explicit: Self.needs(recipe, outer.reader, isBlock: true)))
    findActions()
  }

  /// Lowers a block.
  ///
  /// - Parameter scope: The variables of its expressions, apart from its own steps.
  func build(in scope: Scope, of outer: ExpressionCompiler) -> Plan? {
    compiler.around = ExpressionCompiler.Surroundings(compiler: outer, scope: scope)
    var inner = scope
    inner.variables = scope.variables.mapValues(\.jsonForm)
    inner.variables["run"] = PlanVariables.run
    outerScope = inner
    var plan = build()
    plan?.outputs = blockOutputs
    return plan
  }

  /// Another version of what a step runs is another version of the recipe.
  func note(childFingerprint text: String) { fingerprint.update(text.utf8) }

  /// Looks up what the steps do, and with it the types of their outputs.
  private func findActions() {
    actions = recipe.steps.indices.map { action($0) }
    declareStepTypes(actions)
  }

  func build() -> Plan? {
    fingerprint.update(recipe.document.source.bytes)
    if outerScope != nil { fingerprint.update(recipe.steps.map(\.id.value).joined(separator: " ").utf8) }
    reportCycles()
    checkDefaults()
    let keywords = bindKeywords()
    bindEnvironment()
    if outerScope == nil { findActions() }
    var drafts = [PlanStep?](repeating: nil, count: recipe.steps.count)
    let order = compiler.graph.order + recipe.steps.indices.filter { !compiler.graph.order.contains($0) }
    for position in order {
      compiler.graph.refresh(position)
      drafts[position] = step(position, actions[position])
    }
    for position in recipe.steps.indices where recipe.steps[position].rules != nil { carry(from: position, &drafts) }
    let outputs = recipe.outputs.map { output in
      let bound = bind(output.value, scope(step: nil))
      // Whoever runs this recipe as a step sees its outputs as they are recorded.
      outputTypes[output.name.value] = PlanVariables.type(of: bound.shape).jsonForm
      return (name: output.name.value, value: bound.value)
    }
    var concurrency = recipe.concurrency.map { declared in
      // Before a run begins, its inputs and keywords are all there is.
      var scope = recipeScope()
      scope.keywords = keywordTypes
      var group = Plan.Concurrency(
        group: binder(scope).bind(declared.group).value, policy: declared.policy, max: declared.max)
      group.range = declared.group.range
      return group
    }
    var steps: [PlanStep] = []
    for position in recipe.steps.indices {
      guard var step = drafts[position] else { return nil }
      step.needs = compiler.graph.needs[position]
      steps.append(step)
    }
    if let turn = recipe.turn { concurrency = self.turn(turn, steps) }
    if recipe.kind == .send { nameAccount(&steps) }
    var plan = Plan(
      name: recipe.name, summary: recipe.summary, path: recipe.document.source.path,
      fingerprint: fingerprint.finish(), inputs: inputs, keywords: keywords, triggers: triggers(steps),
      concurrency: concurrency, timeout: recipe.timeout, steps: steps, outputs: outputs)
    plan.kind = recipe.kind.rawValue
    plan.repetition = recipe.repetition
    plan.reminding = recipe.reminding
    plan.dispatch = recipe.dispatch
    plan.priority = recipe.priority
    plan.onFailure = recipe.onFailure
    plan.ping = recipe.ping
    plan.tool = recipe.tool
    plan.outputTypes = outputTypes
    checkPing()
    plan.budget = recipe.budget
    plan.permissions = recipe.permissions
    plan.source = String(decoding: recipe.document.source.bytes, as: UTF8.self)
    for child in children.values.compactMap(\.plan) + steps.compactMap(\.child).filter({ $0.block != nil }) {
      if child.block != nil {
        plan.recipes.merge(child.recipes) { own, _ in own }
        continue
      }
      plan.recipes[child.path] = child.source
      plan.recipes.merge(child.recipes) { own, _ in own }
    }
    refuseFiltersOfOwnFolder(plan)
    warnOfOwnArrivals(plan)
    return plan
  }

  /// Tells the steps of a message's turn by which transport it goes.
  private func nameAccount(_ steps: inout [PlanStep]) {
    guard let account = steps.last?.providers.first else { return }
    for turn in steps.indices where steps[turn].action.name == ActionSignature.outboxTurn.name {
      guard case .map(let entries) = steps[turn].input else { continue }
      steps[turn].input = .map(entries.map { $0.name == "account" ? ($0.name, .literal(.string(account))) : $0 })
    }
  }

  /// The action of a step; that of one that runs a recipe takes and gives what the recipe does.
  private func action(_ position: Int) -> ActionSignature? {
    let step = recipe.steps[position]
    if let block = step.block {
      blocks[position] = PlanBuilder(block: block, of: self)
      return .block
    }
    switch step.uses?.value {
    case ActionSignature.values.name: return .values
    case ActionSignature.textSplit.name: return .textSplit
    case ActionSignature.recipe.name:
      // A missing name is reported when the input is checked.
      guard let node = step.input?.mapping?["recipe"] else {
        return ChildRecipes.Child(plan: nil, outputs: [:], path: "").signature
      }
      let child = childRecipes.child(node, reader) ?? ChildRecipes.Child(plan: nil, outputs: [:], path: "")
      children[position] = child
      // Another version of the other recipe is another version of this one.
      if let plan = child.plan { fingerprint.update(plan.fingerprint.utf8) }
      return child.signature
    case ActionSignature.toolCalls.name where step.isImplied: return .toolCalls
    case ActionSignature.toolResults.name where step.isImplied: return .toolResults
    case ActionSignature.note.name where recipe.kind == .mailFilter: return .note
    case ActionSignature.noted.name where recipe.kind == .mailFilter: return .noted
    case ActionSignature.claim.name where recipe.kind == .mailFilter: return .claim
    case ActionSignature.departed.name where recipe.kind == .mailFilter: return .departed
    case ActionSignature.outcome.name where recipe.kind == .mailFilter: return .outcome
    case ActionSignature.filterResult.name where recipe.kind == .mailFilter: return .filterResult
    case ActionSignature.outboxDue.name where recipe.kind == .send: return .outboxDue
    case ActionSignature.outboxTurn.name where recipe.kind == .send: return .outboxTurn
    case ActionSignature.select.name:
      guard let search = resolver.search(for: step), let rules = step.rules else { return nil }
      searches[position] = search
      return .select(rules, search: search)
    case let name? where recipe.kind == .reminder && name.hasPrefix("reminder."):
      return ActionSignature.ofReminders.first { $0.name == name }
    default: return resolver.action(step).map { wait($0, step) }
    }
  }

  /// The action of a wait as its step uses it: what a literal form asks for is what `fields` of the output has.
  private func wait(_ action: ActionSignature, _ step: Recipe.Step) -> ActionSignature {
    guard action.isWait, action.name == ActionSignature.approve.name, let form = step.input?.mapping?["form"],
      form.mapping != nil
    else { return action }
    return action.answering(form: form.value)
  }

  /// An action with `parse` as its step uses it: without a literal `parse: json` the output has no fields to go into.
  private func parsing(_ action: ActionSignature, _ step: Recipe.Step) -> ActionSignature {
    guard action.parsesOutput, step.wholeInput == nil, step.wholeText == nil else { return action }
    guard let node = step.input?.mapping?["parse"] else { return action.parsing(as: "text") }
    return node.string.map { action.parsing(as: $0) } ?? action
  }

  // MARK: The graph

  private func reportCycles() {
    for cycle in compiler.graph.cycles {
      let ids = (cycle + cycle.prefix(1)).map { recipe.steps[$0].id.value }.joined(separator: " → ")
      // The place to mend is a step's needs; the line cannot be changed.
      let culprit = cycle.first { recipe.steps[$0].needs != nil } ?? cycle[0]
      let following = cycle[((cycle.firstIndex(of: culprit) ?? 0) + 1) % cycle.count]
      let need = recipe.steps[culprit].needs?.first { $0.value == recipe.steps[following].id.value }
      reader.report(
        .dependencyCycle,
        LocalizedText("steps wait for each other: \(ids)", de: "Schritte warten aufeinander: \(ids)"),
        at: need?.range ?? recipe.steps[culprit].id.range)
    }
  }

  /// The defaults by contract that `provider` under `defaults` means: each of its providers for the contracts that it offers.
  private static func defaults(
    of providers: [Located<String>]?, _ planner: Planner, _ reader: FieldReader
  ) -> [String: [String]] {
    var defaults: [String: [String]] = [:]
    for route in providers ?? [] {
      let name = ProviderRoute(route.value).provider
      guard planner.providers.names.contains(name) else {
        reader.report(
          .unknownProvider, LocalizedText("unknown provider '\(name)'", de: "unbekannter Provider '\(name)'"),
          at: route.range, suggestion: reader.suggestion(for: name, among: planner.providers.names))
        continue
      }
      for contract in (try? planner.providers.describe(name))?.contracts ?? [] {
        defaults[contract, default: []].append(route.value)
      }
    }
    return defaults
  }

  private func checkDefaults() {
    let known = planner.providers.names
    for entry in recipe.defaults {
      let embedded = planner.providers.embeddedDefault(for: entry.contract.value)
      for route in entry.providers {
        let name = ProviderRoute(route.value).provider
        guard !known.contains(name), name != embedded else { continue }
        reader.report(
          .unknownProvider,
          LocalizedText("unknown provider '\(name)'", de: "unbekannter Provider '\(name)'"),
          at: route.range, suggestion: reader.suggestion(for: name, among: known))
      }
    }
    for entry in recipe.defaults where !planner.catalog.contractNames.contains(entry.contract.value) {
      reader.report(
        .unknownContract,
        LocalizedText(
          "unknown contract '\(entry.contract.value)'", de: "unbekannter Vertrag '\(entry.contract.value)'"),
        at: entry.contract.range,
        suggestion: reader.suggestion(for: entry.contract.value, among: planner.catalog.contractNames))
    }
  }

  // MARK: Scopes

  private func variables() -> [String: ValueType] {
    outerScope?.variables ?? [
      "inputs": PlanVariables.inputs(inputs), "run": PlanVariables.run, "recipe": PlanVariables.recipe,
      "event": .dynamic,
    ]
  }

  /// What the recipe's own keywords may use: no steps and no other keywords.
  private func recipeScope() -> Scope {
    Scope(step: nil, allowsSteps: false, variables: variables(), keywords: [:])
  }

  func scope(step: Int?) -> Scope {
    var variables = variables()
    switch step.map({ recipe.steps[$0].phase }) {
    case nil, .main?: break
    case .onFailure?: variables["failure"] = PlanVariables.failure(kinds: RecipeDefinitions.failureKinds)
    // After a cancellation, and at the end of a run that succeeded, it is null.
    case .undo?, .finally?: variables["failure"] = .dynamic
    }
    return Scope(step: step, variables: variables, keywords: keywordTypes)
  }

  func binder(_ scope: Scope) -> ValueBinder { ValueBinder(compiler: compiler, scope: scope) }

  private func bindKeywords() -> [(name: String, value: BoundValue)] {
    if let outerScope {
      // A run of the block begins with the values that they have around it.
      keywordTypes = outerScope.keywords
      return outerScope.keywords.keys.sorted().map { ($0, .literal(.null)) }
    }
    let bound = bind(keywords: recipe.keywords, recipeScope())
    for keyword in bound { keywordTypes[keyword.name] = keyword.type }
    return bound.map { ($0.name, $0.value) }
  }

  /// Binds `env`, which may use inputs and keywords, but no steps.
  private func bindEnvironment() {
    var scope = recipeScope()
    scope.keywords = keywordTypes
    environment = recipe.environment.map { entry in
      if let scalar = entry.value.scalar, SchemaType(of: scalar.value) != .string {
        let text = Value.string(scalar.text)
        return (entry.name, ValueBinder.Bound(value: .literal(text), shape: text))
      }
      return (entry.name, SecretBinder(binder: binder(scope)).bind(entry.value))
    }
    // Without steps their absence is the problem.
    guard let entry = recipe.environment.first, outerScope == nil, !recipe.steps.isEmpty,
      !Self.runsProgram(recipe.steps)
    else { return }
    reader.report(
      .conflictingKeys,
      LocalizedText(
        "'env' has no effect: no step of this recipe runs a program with 'exec'",
        de: "'env' ist wirkungslos: kein Schritt dieses Rezepts führt mit 'exec' ein Programm aus"),
      at: entry.nameRange, severity: .warning)
  }

  /// Whether a step runs a program, or a step of a block.
  private static func runsProgram(_ steps: [Recipe.Step]) -> Bool {
    steps.contains { $0.uses?.value.hasPrefix("exec") ?? false || runsProgram($0.block ?? []) }
  }

  /// Binds keywords; literal values are texts whatever they look like.
  func bind(
    keywords: [KeywordSource], _ scope: Scope
  ) -> [(name: String, value: BoundValue, type: ValueType)] {
    keywords.map { keyword in
      if PlanVariables.reserved.contains(keyword.name) {
        reader.report(
          Diagnostic(
            .invalidName,
            LocalizedText(
              "'\(keyword.name)' is a variable of every recipe and cannot name a keyword",
              de: "'\(keyword.name)' ist eine Variable jedes Rezepts und kann kein Schlüsselwort benennen"),
            path: keyword.text.document.source.path, range: keyword.nameRange))
      }
      let bound = binder(scope).bind(keyword.text, literal: .string(keyword.text.text))
      return (keyword.name, bound.value, PlanVariables.type(of: bound.shape))
    }
  }

  // MARK: Types

  private func declareStepTypes(_ actions: [ActionSignature?]) {
    for (position, step) in recipe.steps.enumerated() {
      // Tests may answer with any output of the action; expressions go by what the step asks for.
      guard let action = actions[position].map({ parsing($0, step) }) else { continue }
      if let uses = step.uses {
        let answer = action.name == PromptExpansion.action ? step.input?.mapping?["schema"] : nil
        compiler.origins.outputs[step.id.value] = TypeOrigin.Output(action: action, uses: uses.range, answer: answer)
      }
      let output: ValueType
      switch action.name {
      case ActionSignature.recipe.name: output = children[position]?.type(of: step.id.value) ?? .dynamic
      case ActionSignature.block.name: output = blocks[position]?.blockType(step.id.value) ?? .dynamic
      default: output = PlanVariables.output(action, id: step.id.value, answer: answerSchema(step, action))
      }
      compiler.stepTypes[position] = stepType(position, output: output)
      if let source = step.givesOn, let origin = recipe.steps.firstIndex(where: { $0.id.value == source }) {
        compiler.stepTypes[position] = compiler.stepTypes[origin]
      }
    }
  }

  /// The type of `steps.ID` for an output.
  func stepType(_ position: Int, output: ValueType, item: ValueType = .dynamic) -> ValueType {
    let step = recipe.steps[position]
    return PlanVariables.step(step.id.value, output: output, isLoop: step.isLoop, item: item)
  }

  /// The literal schema of a chat step's answer.
  private func answerSchema(_ step: Recipe.Step, _ action: ActionSignature) -> Schema? {
    guard action.name == PromptExpansion.action, let node = step.input?.mapping?["schema"], node.mapping != nil else {
      return nil
    }
    return Schema(document: node.value)
  }

  /// A preset of the catalog together with what is wrong with its files.
  func preset(_ name: String) -> PromptPreset? {
    let (preset, diagnostics) = planner.prompts.preset(name)
    for diagnostic in diagnostics { reader.report(diagnostic) }
    if let preset {
      for document in preset.documents {
        let source = document.source
        if sources.updateValue(source, forKey: source.path) == nil { fingerprint.update(source.bytes) }
      }
    }
    return preset
  }

  /// The names of all presets.
  var presetNames: [String] { planner.prompts.names }
}

import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

/// The names that expressions of a recipe can refer to, read from an outline that may be incomplete.
struct RecipeScope {
  /// A step as it is written.
  struct Step {
    var id: String
    var uses: String
    /// The position among all steps, blocks and decisions before the steps in them.
    var index: Int
    var needs: [String]?
    var isFinally: Bool
    var path: Outline.Path
    /// The path of the block around it; empty for a step of the recipe.
    var block: Outline.Path
  }

  let outline: Outline
  let planner: Planner
  /// The top of the file when it was last valid YAML.
  let tree: Node?
  let kind: String?
  let steps: [Step]

  init(outline: Outline, planner: Planner, tree: Node?) {
    self.outline = outline
    self.planner = planner
    self.tree = tree
    kind = outline.text([.key("kind")])
    var byPath: [Outline.Path: Step] = [:]
    for entry in outline.entries {
      guard let path = StepPath.step(in: entry.path) else { continue }
      for length in 1...path.count
      where byPath[Array(path[..<length])] == nil && StepPath.isStep(Array(path[..<length])) {
        let path = Array(path[..<length])
        byPath[path] = Step(
          id: "", uses: "", index: byPath.count, needs: nil, isFinally: false, path: path,
          block: StepPath.block(around: path))
      }
      guard var step = byPath[path] else { continue }
      let rest = Array(entry.path[path.count...])
      if rest.count == 1, case .key(let name) = rest[0] {
        switch name {
        case "id": step.id = entry.text
        case "uses": step.uses = entry.text
        case "finally": step.isFinally = entry.text == "true"
        case "needs": step.needs = entry.isCollection || entry.text.isEmpty ? [] : [entry.text]
        default: break
        }
      } else if rest.count == 2, rest[0] == .key("needs") {
        step.needs = (step.needs ?? []) + [entry.text]
      }
      byPath[path] = step
    }
    steps = byPath.values.sorted { $0.index < $1.index }
  }

  /// The step that a path leads into.
  func step(at path: Outline.Path) -> Step? {
    guard let place = StepPath.step(in: path) else { return nil }
    return steps.first { $0.path == place }
  }

  /// The action a step names.
  func action(of step: Step) -> ActionSignature? { Self.action(step.uses, planner) }

  static func action(_ name: String, _ planner: Planner) -> ActionSignature? {
    if let known = planner.catalog[name] { return known }
    if name == ActionSignature.recipe.name { return .recipe }
    let plugin = name.prefix { $0 != "." }
    for provider in planner.providers.names where planner.providers.pluginID(of: provider) == String(plugin) {
      if let found = (try? planner.providers.describe(provider))?.actions.first(where: { $0.name == name }) {
        return found
      }
    }
    return nil
  }

  /// The steps that have run, or may have, when one runs; all of them outside of a step.
  func predecessors(of step: Step?) -> [Step] {
    guard let step, let around = steps.first(where: { $0.path == step.block }) else { return neighbours(before: step) }
    // A block knows what the step that it is knows.
    return predecessors(of: around) + neighbours(before: step)
  }

  /// The same among the steps of one block, or of the recipe.
  private func neighbours(before step: Step?) -> [Step] {
    let named = steps.filter { !$0.id.isEmpty && $0.block == step?.block ?? [] }
    guard let step else { return named }
    if step.isFinally { return named.filter { $0.index != step.index } }
    guard step.needs != nil else { return named.filter { $0.index < step.index } }
    var reached: Set<Int> = []
    var open = [step]
    while let next = open.popLast() {
      let before = next.needs.map { needs in named.filter { needs.contains($0.id) } }
      for candidate in before ?? named.filter({ $0.index < next.index }) where reached.insert(candidate.index).inserted
      {
        open.append(candidate)
      }
    }
    return named.filter { reached.contains($0.index) && $0.index != step.index }
  }

  // MARK: Keywords and inputs

  /// The declared inputs with their schemas.
  var inputs: [(name: String, schema: Schema)] {
    outline.keys(below: [.key("inputs")]).map { entry in
      var document: Value = [:]
      if !entry.text.isEmpty {
        document = ["type": .string(entry.text)]
      } else if let node = tree?.mapping?["inputs"]?.mapping?[entry.name] {
        document = node.value
      } else if let type = outline.text(entry.path + [.key("type")]) {
        document = ["type": .string(type)]
      }
      return (entry.name, Schema(document: document))
    }
  }

  /// The keywords in force at a path, inner ones first, with where each is defined.
  func keywords(at path: Outline.Path) -> [Outline.Entry] {
    var found: [Outline.Entry] = []
    var prefix = path
    while true {
      found += outline.keys(below: prefix + [.key("keywords")])
      if !prefix.isEmpty { found += outline.keys(below: prefix + [.key("with"), .key("keywords")]) }
      guard !prefix.isEmpty else { break }
      prefix.removeLast()
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.name).inserted }
  }

  /// The keywords that are in the documents' form, `"Anrede: Du; Stil: knapp"`.
  var listedKeywords: [String] {
    KeywordList.names(in: outline.text([.key("keywords")]) ?? "").map(\.name)
  }

  /// The prompt of the catalog that a step of a general recipe, or a prompt of a chain, names.
  func prompt(at path: Outline.Path) -> PromptDescription? {
    guard path.count >= 2 else { return nil }
    let name: String?
    if let step = StepPath.step(in: path) {
      name = outline.text(step + [.key("with"), .key("prompt")])
    } else {
      name = path[0] == .key("prompts") ? outline.text(Array(path.prefix(2)) + [.key("use")]) : nil
    }
    return name.flatMap { planner.prompts.description(of: $0) }
  }

  /// The keywords that the place's prompt brings from the catalog: its folders' and its own.
  func inheritedKeywords(at path: Outline.Path) -> [PromptDescription.Keyword] { prompt(at: path)?.keywords ?? [] }

  /// The keywords that any prompt of the recipe brings from the catalog.
  var inheritedKeywords: [PromptDescription.Keyword] {
    var names: Set<String> = []
    var seen: Set<String> = []
    let prompts = outline.entries.compactMap { entry -> PromptDescription? in
      let isName =
        entry.path.count > 3 && Array(entry.path.suffix(2)) == [.key("with"), .key("prompt")]
        && StepPath.isStep(entry.path.dropLast(2))
        || entry.path.count == 3 && entry.path[0] == .key("prompts") && entry.path[2] == .key("use")
      guard isName, names.insert(entry.text).inserted else { return nil }
      return planner.prompts.description(of: entry.text)
    }
    return prompts.flatMap(\.keywords).filter { seen.insert($0.name).inserted }
  }

  // MARK: Types

  /// The names that expressions at a path can use.
  func environment(at path: Outline.Path) -> Environment {
    let current = step(at: path)
    var variables: [String: ValueType] = ["run": PlanVariables.run, "recipe": PlanVariables.recipe, "event": .dynamic]
    variables["inputs"] = PlanVariables.inputs(
      inputs.map { Plan.Input(name: $0.name, schema: $0.schema, isRequired: true) })
    var fields: [String: ValueType] = [:]
    let base = Environment(variables: variables)
    let inside = path.dropFirst(current?.path.count ?? 2)
    let isUndo = inside.first == .key("undo")
    for step in predecessors(of: isUndo ? nil : current) {
      var scope = base
      // A loop's items are typed from the steps before it.
      if isLoop(step) {
        scope.variables["steps"] = .object(ObjectType(name: "steps", fields: fields))
      }
      fields[step.id] = type(of: step, scope)
    }
    variables["steps"] = .object(ObjectType(name: "steps", fields: fields))
    if isUndo || path.first == .key("on_failure") || current?.isFinally == true {
      variables["failure"] = PlanVariables.failure(kinds: RecipeDefinitions.failureKinds)
    }
    let names = keywords(at: path).map(\.name) + listedKeywords + inheritedKeywords(at: path).map(\.name)
    variables["keywords"] = .object(
      ObjectType(name: "keywords", fields: Dictionary(names.map { ($0, ValueType.dynamic) }) { $1 }))
    let outside = ["for_each", "matrix", "when"].map { SchemaViolation.PathElement.key($0) }
    let isInside = inside.first.map { !outside.contains($0) } ?? false
    // The items of the blocks around it, the outermost first.
    let loops = steps.filter { step in
      guard isLoop(step), let current else { return false }
      return step.path == current.path ? isInside : current.path.starts(with: step.path)
    }
    for loop in loops {
      variables[variable(of: loop)] = loopItem(of: loop, Environment(variables: variables))
      variables["index"] = .int
    }
    if let current, inside.starts(with: [.key("repeat"), .key("until")]) {
      variables["output"] = output(of: current)
    }
    let kind = kind.flatMap(RecipeKind.init)
    for name in kind?.variables ?? [] { variables[name] = kind == .reminder ? .string : .dynamic }
    if kind == .mailFilter {
      let output = planner.catalog["mail.search"]?.output.valueType(named: .init(verbatim: "mail.search")) ?? .dynamic
      if case .object(let object) = output, case .list(let message)? = object.fields["messages"] {
        variables["message"] = message
      }
    }
    return Environment(variables: variables, keywords: Set(names))
  }

  private func type(of step: Step, _ environment: Environment) -> ValueType {
    let isLoop = isLoop(step)
    return PlanVariables.step(
      step.id, output: output(of: step), isLoop: isLoop, item: isLoop ? loopItem(of: step, environment) : .dynamic)
  }

  /// The type of the output of a step, of a loop that of one item.
  private func output(of step: Step) -> ValueType {
    var output = ValueType.dynamic
    if var action = action(of: step) {
      if action.name == ActionSignature.approve.name, let form = node(of: step)?["with"]?.mapping?["form"]?.value {
        action = action.answering(form: form)
      }
      let answer = node(of: step)?["with"]?.mapping?["schema"]?.value
      output = PlanVariables.output(
        action, id: step.id, answer: answer.flatMap { $0.mapValue == nil ? nil : Schema(document: $0) })
      if action.name == ActionSignature.recipe.name || action.name == ActionSignature.values.name { output = .dynamic }
    }
    return output
  }

  /// The step as it was when the file was last valid YAML; first by its current position, then by its id.
  private func node(of step: Step) -> Node.Mapping? {
    let nodes = tree?.mapping?["steps"]?.sequence ?? []
    if let tree, let here = NodePath.find(step.path, in: tree).node.mapping, here["id"]?.string == step.id {
      return here
    }
    return nodes.lazy.compactMap(\.mapping).first { $0["id"]?.string == step.id }
  }

  /// Whether a step goes through items.
  func isLoop(_ step: Step) -> Bool {
    outline.entry(step.path + [.key("for_each")]) != nil || isMatrix(step)
  }

  private func isMatrix(_ step: Step) -> Bool { outline.entry(step.path + [.key("matrix")]) != nil }

  /// The name of an item of a loop.
  private func variable(of step: Step) -> String {
    let name = outline.text(step.path + [.key("as")]) ?? ""
    return name.isEmpty ? isMatrix(step) ? "matrix" : "item" : name
  }

  private func loopItem(of step: Step, _ environment: Environment) -> ValueType {
    guard let text = outline.text(step.path + [.key("for_each")]), !text.isEmpty else { return .dynamic }
    let source = text.contains("{{") ? text : "{{ \(text) }}"
    guard let type = try? Template(source, in: environment).resultType else { return .dynamic }
    return PlanVariables.item(of: type) ?? .dynamic
  }
}

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
    /// The position in `steps`.
    var index: Int
    var needs: [String]?
    var isFinally: Bool
    var path: Outline.Path { [.key("steps"), .index(index)] }
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
    var byIndex: [Int: Step] = [:]
    for entry in outline.entries {
      guard entry.path.count >= 2, entry.path[0] == .key("steps"), case .index(let index) = entry.path[1] else {
        continue
      }
      var step = byIndex[index] ?? Step(id: "", uses: "", index: index, needs: nil, isFinally: false)
      if entry.path.count == 3, case .key(let name) = entry.path[2] {
        switch name {
        case "id": step.id = entry.text
        case "uses": step.uses = entry.text
        case "finally": step.isFinally = entry.text == "true"
        case "needs": step.needs = entry.isCollection || entry.text.isEmpty ? [] : [entry.text]
        default: break
        }
      } else if entry.path.count == 4, entry.path[2] == .key("needs") {
        step.needs = (step.needs ?? []) + [entry.text]
      }
      byIndex[index] = step
    }
    steps = byIndex.values.sorted { $0.index < $1.index }
  }

  /// The step that a path leads into.
  func step(at path: Outline.Path) -> Step? {
    guard path.count >= 2, path[0] == .key("steps"), case .index(let index) = path[1] else { return nil }
    return steps.first { $0.index == index }
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
    let named = steps.filter { !$0.id.isEmpty }
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
    let base = Array(path.prefix(2))
    let name: String?
    switch base[0] {
    case .key("steps"): name = outline.text(base + [.key("with"), .key("prompt")])
    case .key("prompts"): name = outline.text(base + [.key("use")])
    default: name = nil
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
        entry.path.count == 4 && entry.path[2] == .key("with") && entry.path[3] == .key("prompt")
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
    let isUndo = path.count > 2 && path[2] == .key("undo")
    for step in predecessors(of: isUndo ? nil : current) {
      var scope = base
      // A loop's items are typed from the steps before it.
      if outline.entry(step.path + [.key("for_each")]) != nil {
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
    let isInside = path.dropFirst(2).first.map { $0 != .key("for_each") && $0 != .key("when") } ?? false
    if let current, isInside, outline.entry(current.path + [.key("for_each")]) != nil {
      let name = outline.text(current.path + [.key("as")]) ?? "item"
      variables[name.isEmpty ? "item" : name] = loopItem(of: current, Environment(variables: variables))
      variables["index"] = .int
    }
    if let current, path.count > 3, path[2] == .key("repeat"), path[3] == .key("until") {
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
    let isLoop = outline.entry(step.path + [.key("for_each")]) != nil
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
    if nodes.indices.contains(step.index), let here = nodes[step.index].mapping, here["id"]?.string == step.id {
      return here
    }
    return nodes.lazy.compactMap(\.mapping).first { $0["id"]?.string == step.id }
  }

  private func loopItem(of step: Step, _ environment: Environment) -> ValueType {
    guard let text = outline.text(step.path + [.key("for_each")]), !text.isEmpty else { return .dynamic }
    let source = text.contains("{{") ? text : "{{ \(text) }}"
    guard let type = try? Template(source, in: environment).resultType else { return .dynamic }
    return PlanVariables.item(of: type) ?? .dynamic
  }
}

import Expressions
import Localization

/// Makes the steps of a mail filter.
struct MailFilterLowering {
  let reader: FieldReader
  let provider: Located<String>?
  let folder: MadeValue
  private(set) var steps: [Recipe.Step] = []
  private var names: StepNames
  private var found = "found"
  /// The steps whose messages later rules leave alone.
  private var taking: [String] = []

  init(reader: FieldReader, provider: Located<String>?, folder: MadeValue) {
    self.reader = reader
    self.provider = provider
    self.folder = folder
    names = StepNames(reader: reader)
  }

  private var messages: String { "steps.\(found).output.messages" }

  /// Adds the step that finds the messages.
  mutating func search(_ node: Node?, at place: SourceRange) {
    var step = self.step("found", "mail.search", at: place, node?.range ?? place)
    found = step.id.value
    step.made = [("folder", folder)]
    if let node, let map = reader.map(node, "search", RecipeDefinitions.search) {
      let entries = map.entries.filter { RecipeDefinitions.search.key($0.name) != nil }
      step.input = Node.map(entries.map { ($0.name, $0.value) }, at: node.range)
    }
    if node?.mapping?["limit"] == nil {
      step.made.append(("limit", .literal(.int(Int64(MailFilterReader.standardLimit)))))
    }
    steps.append(step)
  }

  /// Adds the steps of a rule.
  mutating func add(_ rule: MailFilterReader.Rule) {
    var selecting = step(rule.name, ActionSignature.values.name, at: rule.place, rule.node.range)
    selecting.providers = nil
    selecting.title = rule.title
    let id = selecting.id.value
    let alive = taking.map { "!(message.uid in steps.\($0).output.uids) && " }.joined()
    selecting.made = [
      (
        "uids",
        .selection(
          MadeValue.Selection(
            condition: rule.condition, variable: "message", list: messages,
            prefix: "{{ \(messages).filter(message, \(alive)(", suffix: ")).map(message, message.uid) }}",
            place: rule.node))
      )
    ]
    steps.append(selecting)
    if rule.takes { taking.append(id) }

    if !rule.flags.add.isEmpty || !rule.flags.remove.isEmpty {
      var entries: [(name: String, value: MadeValue)] = []
      if !rule.flags.add.isEmpty { entries.append(("add", .literal(.list(rule.flags.add)))) }
      if !rule.flags.remove.isEmpty { entries.append(("remove", .literal(.list(rule.flags.remove)))) }
      act("flag", "mail.flag", id, entries, rule)
    }
    for folder in rule.copies { act("copy", "mail.copy", id, [("to", .node(folder))], rule) }
    for run in rule.runs { add(run, id, rule) }
    if let folder = rule.move { act("move", "mail.move", id, [("to", .node(folder))], rule) }
    if let deletion = rule.deletion {
      act("delete", "mail.delete", id, [("permanently", .literal(.bool(deletion.permanently)))], rule)
    }
  }

  /// Adds a step that does something with all messages of a rule at once.
  private mutating func act(
    _ word: String, _ action: String, _ id: String, _ entries: [(name: String, value: MadeValue)],
    _ rule: MailFilterReader.Rule
  ) {
    var step = self.step("\(id)_\(word)", action, at: rule.place, rule.node.range)
    let uids = "steps.\(id).output.uids"
    step.madeCondition = PlacedText(text: "size(\(uids)) > 0", node: rule.node, document: reader.document)
    step.made =
      [
        ("folder", folder),
        ("uids", .text(PlacedText(text: "{{ \(uids) }}", node: rule.node, document: reader.document))),
      ] + entries
    steps.append(step)
  }

  /// Adds a step that runs a recipe for each message of a rule.
  private mutating func add(
    _ run: (recipe: Located<String>, node: Node, inputs: Node?), _ id: String, _ rule: MailFilterReader.Rule
  ) {
    var step = self.step("\(id)_run", ActionSignature.recipe.name, at: run.recipe.range, rule.node.range)
    step.providers = nil
    step.madeItems = PlacedText(
      text: "{{ \(messages).filter(message, message.uid in steps.\(id).output.uids) }}", node: rule.node,
      document: reader.document)
    step.variable = Located("message", at: rule.place)
    var entries = [(name: "recipe", value: run.node)]
    if let inputs = run.inputs { entries.append(("inputs", inputs)) }
    step.input = Node.map(entries, at: run.node.range)
    steps.append(step)
  }

  private mutating func step(
    _ name: String, _ action: String, at place: SourceRange, _ range: SourceRange
  ) -> Recipe.Step {
    var step = Recipe.Step(id: names.id(nil, otherwise: name, at: place), range: range)
    step.uses = Located(action, at: place)
    step.providers = provider.map { [$0] }
    return step
  }
}

import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Puts the steps of a chain together, prompt by prompt.
struct ChainBuilder {
  let reader: FieldReader
  var names: StepNames
  /// The steps so far.
  var steps: [Recipe.Step] = []
  /// The outputs that prompts declare.
  var outputs: [Recipe.Output] = []
  /// An expression for the text that the next prompt begins with; `nil` where there is none.
  var text: String?
  private var count = 0

  init(reader: FieldReader) {
    self.reader = reader
    names = StepNames(reader: reader)
  }

  /// Adds a prompt, or a choice between prompts.
  ///
  /// - Parameter condition: An expression that must be true for it to be asked.
  mutating func add(_ node: Node, _ field: String, condition: String?) {
    if node.mapping?["switch"] != nil { return choose(node, field, condition: condition) }
    count += 1
    guard let map = reader.map(node, field, RecipeDefinitions.prompt) else { return }
    let place = map.entries.first?.nameRange ?? node.range
    let id = names.id(map["id"], otherwise: "prompt_\(count)", at: place)
    let prompt = ChainPrompt(reader: reader, map: map, node: node, place: place, previous: text)
    guard var step = prompt.step(id, condition: condition) else { return }
    let isConditional = step.condition != nil || step.madeCondition != nil
    let first = steps.count
    var output = "steps.\(id.value).output.text"
    if let parts = map.entry("parts") {
      if !prompt.conflicts(parts, with: ["for_each", "tools"]) {
        steps += PartLowering(reader: reader, prompt: prompt).steps(step, parts.value, &names)
      }
    } else if let tools = map.entry("tools") {
      if !prompt.conflicts(tools, with: ["for_each"]) {
        steps += ToolLowering(reader: reader).steps(step, tools.value, map["tool_rounds"], &names)
      }
    } else {
      if let node = map["for_each"] {
        prompt.loop(node, &step)
        output = "steps.\(id.value).output.map(o, o.text).join('\\n\\n')"
      }
      steps.append(step)
    }
    guard steps.count > first else { return }
    addOutputs(of: map, id.value, isConditional)
    if isConditional {
      text = "(steps.\(steps[first].id.value).status == 'skipped' ? \(text ?? "''") : \(output))"
    } else {
      text = output
    }
  }

  /// The outputs of the run that a prompt declares; `answer` is what it gives.
  private mutating func addOutputs(of map: Node.Mapping, _ id: String, _ isConditional: Bool) {
    guard let node = map["outputs"], let declared = reader.map(node, "outputs", keys: nil) else { return }
    for entry in declared.entries {
      let name = Located(entry.name, at: entry.nameRange)
      guard IdentifierName.check(name, as: .output, reader), let source = reader.string(entry.value, entry.name) else {
        continue
      }
      if outputs.contains(where: { $0.name.value == entry.name }) {
        reader.report(
          .invalidName,
          LocalizedText("the output '\(entry.name)' is declared twice", de: "die Ausgabe '\(entry.name)' ist doppelt"),
          at: entry.nameRange)
        continue
      }
      guard
        let inner = PlacedText(text: source, node: entry.value, document: reader.document).unwrapped
      else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'\(entry.name)' is one expression, with or without '{{ }}' around the whole of it",
            de: "'\(entry.name)' ist ein einziger Ausdruck, mit oder ohne '{{ }}' um das Ganze"),
          at: entry.value.range)
        continue
      }
      let answer = "cel.bind(answer, steps.\(id).output, "
      let before = isConditional ? "{{ steps.\(id).status == 'skipped' ? dyn(null) : dyn(\(answer)" : "{{ \(answer)"
      let text = PlacedText(
        text: before + inner.text + (isConditional ? ")) }}" : ") }}"), node: entry.value, document: reader.document,
        base: inner.base - before.utf8.count)
      outputs.append(Recipe.Output(name: name, value: .text(text)))
    }
  }

  // MARK: switch

  private mutating func choose(_ node: Node, _ field: String, condition: String?) {
    guard let map = reader.map(node, field, RecipeDefinitions.promptSwitch), let subject = map["switch"],
      let source = reader.name(subject, "switch"),
      let inner = PlacedText(text: source.value, node: subject, document: reader.document).unwrapped,
      let casesNode = map["cases"], let cases = reader.map(casesNode, "cases", keys: nil)
    else { return }
    // Decided once, before a prompt of a branch changes the text.
    var decision = Recipe.Step(id: names.id(nil, otherwise: "choice", at: subject.range), range: node.range)
    decision.uses = Located("values", at: subject.range)
    decision.isImplied = true
    if let text {
      decision.variables = [("previous", PlacedText(text: "{{ \(text) }}", node: subject, document: reader.document))]
    }
    if let condition {
      decision.madeCondition = PlacedText(text: condition, node: subject, document: reader.document)
    }
    let before = "{{ string(dyn("
    decision.made = [
      (
        "value",
        .text(
          PlacedText(
            text: before + inner.text + ")) }}", node: subject, document: reader.document,
            base: inner.base - before.utf8.count))
      )
    ]
    steps.append(decision)
    let value = "steps.\(decision.id.value).output.value"
    let outer = condition.map { "(\($0)) && " } ?? ""
    for entry in cases.entries {
      addBranch(
        entry.value, "\(field).cases.\(entry.name)", condition: "\(outer)\(value) == \(PlacedText.quoted(entry.name))")
    }
    guard let other = map["else"] else { return }
    let names = cases.entries.map { PlacedText.quoted($0.name) }.joined(separator: ", ")
    addBranch(other, "\(field).else", condition: "\(outer)!(\(value) in [\(names)])")
  }

  private mutating func addBranch(_ node: Node, _ field: String, condition: String) {
    guard let elements = node.sequence else { return add(node, field, condition: condition) }
    for (position, element) in elements.enumerated() { add(element, "\(field)[\(position)]", condition: condition) }
  }
}

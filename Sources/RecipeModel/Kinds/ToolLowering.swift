import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// The words of `approve`.
enum ToolApproval: String, CaseIterable {
  /// A person approves each call.
  case always
  /// No call needs an approval, whatever the tool does.
  case never
}

/// Makes steps of a chat step whose model may call tools: a round of calls is a row of ordinary steps.
///
/// `ID_1` asks the model. What it then asks for is done by `ID_1_TOOL`, one unit for each call, and after
/// `ID_1_TOOL_approve` where a person may have to approve. `ID_1_results` gives the results to the model, and `ID_2` asks it
/// again, and so on. The last round offers no tools, so the model has to answer. `ID` is the last answer. A failed call is
/// told to the model and does not fail the run.
struct ToolLowering {
  /// Rounds of calls where the recipe does not say.
  static let standardRounds = 5

  let reader: FieldReader

  /// A tool as it stands in the file.
  private struct Tool {
    var name: String
    var summary: String?
    var node: Node
    var map: Node.Mapping
    var fixed: Node?
    var inputs: [Located<String>]?
    /// When a person approves a call; `nil` if the recipe does not say.
    var approval: Recipe.ToolCalls.Approval?
  }

  /// The steps of a chat step.
  ///
  /// - Parameters:
  ///   - step: The step without tools.
  ///   - node: The tools.
  ///   - rounds: How often tools may be called.
  ///   - names: The ids that are taken.
  func steps(
    _ step: Recipe.Step, _ node: Node, _ rounds: Node?, _ names: inout StepNames
  ) -> [Recipe.Step] {
    let tools = tools(node)
    guard !tools.isEmpty else { return [] }
    let count = rounds.flatMap { reader.integer($0, "tool_rounds", in: 1...20) } ?? Self.standardRounds
    let id = step.id.value
    func text(_ text: String) -> PlacedText { PlacedText(text: text, node: node, document: reader.document) }
    var result: [Recipe.Step] = []
    var asked: [String] = []
    var offers: [Recipe.ToolOffer] = []
    var turns: String?
    var previousAsk: String?
    for round in 1...(count + 1) {
      var ask = step
      ask.isImplied = true
      ask.id = Located(names.id(nil, otherwise: "\(id)_\(round)", at: step.id.range).value, at: step.id.range)
      if let turns, let previousAsk {
        ask.condition = nil
        ask.madeCondition = text(
          "steps.\(previousAsk).status == 'succeeded' && \(Self.calls(of: previousAsk)).size() > 0")
        ask.made.append(("after", .text(text("{{ steps.\(turns).output.turns }}"))))
      }
      ask.tools = offers
      let place = result.count
      result.append(ask)
      asked.append(ask.id.value)
      guard round <= count else {
        result[place].made.append(("tool_choice", .literal("none")))
        break
      }
      var items: [String] = []
      for tool in tools {
        // Before the first round the model has read only the recipe's prompt; from the second on also results of tools.
        let standard: Recipe.ToolCalls.Approval = round > 1 || Self.readsForeignText(step) ? .ofEffects : .never
        let approval = tool.approval ?? standard
        var made = carriers(tool, ask.id.value, step, &names, approval)
        if let carrier = made.last {
          made[0].toolCalls = Recipe.ToolCalls(
            tool: offer(tool, of: carrier.id.value), approval: approval, isFirst: round == 1)
        }
        result += made
        items.append("steps.\(made[0].id.value).output.?refused.orValue([])")
        items += made.filter(\.isLoop).map { "steps.\($0.id.value).items" }
        if round == 1, let carrier = made.last { offers.append(offer(tool, of: carrier.id.value)) }
      }
      result[place].tools = offers
      var results = implied(names.id(nil, otherwise: "\(ask.id.value)_results", at: node.range), "tools.results", node)
      results.madeCondition = hasCalls(ask.id.value, node)
      results.made = [
        ("answer", .text(text("{{ steps.\(ask.id.value).output }}"))),
        ("items", .list(items.map { .text(text("{{ \($0) }}")) }, node)),
      ]
      if let turns { results.made.append(("before", .text(text("{{ steps.\(turns).output.turns }}")))) }
      result.append(results)
      (turns, previousAsk) = (results.id.value, ask.id.value)
    }
    var end = implied(step.id, "values", node)
    end.isImplied = false
    end.givesOn = asked[0]
    end.madeCondition = text(
      "steps.\(asked[0]).status == 'succeeded' && !("
        + asked.map { "steps.\($0).status == 'failed'" }.joined(separator: " || ") + ")")
    let last = asked.dropFirst().reversed().map { "steps.\($0).status == 'succeeded' ? dyn(steps.\($0).output) : " }
    end.wholeText = text("{{ \(last.joined())dyn(steps.\(asked[0]).output) }}")
    return chained(result + [end], step)
  }

  // MARK: Tools

  private func tools(_ node: Node) -> [Tool] {
    var tools: [Tool] = []
    for (position, element) in (reader.list(node, "tools") ?? []).enumerated() {
      guard let map = reader.map(element, "tools[\(position)]", RecipeDefinitions.tool) else { continue }
      let sources = map.entries.filter { $0.name == "uses" || $0.name == "run" }
      guard let source = sources.first, sources.count == 1, let target = reader.name(source.value, source.name) else {
        reader.report(
          sources.isEmpty ? .missingKey : .conflictingKeys,
          LocalizedText("a tool has one of 'uses' and 'run'", de: "ein Werkzeug hat eines von 'uses' und 'run'"),
          at: sources.last?.nameRange ?? element.range)
        continue
      }
      let given = map["name"].flatMap { reader.name($0, "name")?.value }
      let plain = target.value.split(separator: "/").last.map(String.init) ?? target.value
      guard let name = StepNames.identifier(given ?? plain.replacing(".yaml", with: "")), given == nil || given == name
      else {
        reader.report(
          .invalidName,
          LocalizedText(
            "the name of a tool has lowercase letters, digits and '_'; give one with 'name'",
            de: "der Name eines Werkzeugs besteht aus Kleinbuchstaben, Ziffern und '_'; mit 'name' einen angeben"),
          at: map["name"]?.range ?? target.range)
        continue
      }
      if tools.contains(where: { $0.name == name }) {
        reader.report(
          .invalidName,
          LocalizedText("two tools are called '\(name)'", de: "zwei Werkzeuge heißen '\(name)'"), at: element.range)
        continue
      }
      let fixed = map["with"].flatMap { reader.map($0, "with", keys: nil) == nil ? nil : $0 }
      tools.append(
        Tool(
          name: name, summary: map["description"].flatMap { reader.string($0, "description") }, node: element, map: map,
          fixed: fixed, inputs: map["inputs"].flatMap { reader.strings($0, "inputs") },
          approval: map["approve"].flatMap(approval)))
    }
    return tools
  }

  /// Reads `approve`: `true`, `false` or a word of ``ToolApproval``.
  private func approval(_ node: Node) -> Recipe.ToolCalls.Approval? {
    if case .bool(let asks)? = node.scalar?.value { return asks ? .always : .never }
    return switch reader.choice(node, "approve", of: ToolApproval.self) {
    case .always: .always
    case .never: .never
    case nil: nil
    }
  }

  /// Whether the prompt of a step may contain text from outside the recipe: the value of an expression, a prompt of the catalog
  /// with its keywords, an image.
  private static func readsForeignText(_ step: Recipe.Step) -> Bool {
    guard step.made.isEmpty, step.wholeInput == nil, step.wholeText == nil, step.keywords.isEmpty else { return true }
    return (step.input?.mapping?.entries ?? []).contains { entry in
      entry.name == "images" || entry.name == "prompt" && PromptCatalog.isName(entry.value.string ?? "")
        || hasExpression(entry.value)
    }
  }

  private static func hasExpression(_ node: Node) -> Bool {
    if let text = node.string { return text.contains("{{") }
    return node.sequence?.contains(where: hasExpression) ?? false
      || node.mapping?.entries.contains { hasExpression($0.value) } ?? false
  }

  /// The offer of a tool to the model; its inputs are those of the step that carries its calls out.
  private func offer(_ tool: Tool, of step: String) -> Recipe.ToolOffer {
    Recipe.ToolOffer(
      name: tool.name, summary: tool.summary, step: step,
      fixed: Set(tool.fixed?.mapping?.entries.map(\.name) ?? []), inputs: tool.inputs, place: tool.node.range)
  }

  /// The steps that carry the calls of a tool out.
  private func carriers(
    _ tool: Tool, _ ask: String, _ step: Recipe.Step, _ names: inout StepNames,
    _ approval: Recipe.ToolCalls.Approval
  ) -> [Recipe.Step] {
    func text(_ text: String) -> PlacedText { PlacedText(text: text, node: tool.node, document: reader.document) }
    func id(_ suffix: String) -> Located<String> {
      Located(names.id(nil, otherwise: "\(ask)_\(tool.name)\(suffix)", at: tool.node.range).value, at: tool.node.range)
    }
    var calls = implied(id("_calls"), "tools.calls", tool.node)
    calls.madeCondition = hasCalls(ask, tool.node)
    calls.made = [
      ("name", .literal(.string(tool.name))), ("calls", .text(text("{{ \(Self.calls(of: ask)) }}"))),
    ]
    if let fixed = tool.fixed { calls.made.append(("fixed", .node(fixed))) }
    calls.variables = step.variables
    calls.keywords = step.keywords
    var result = [calls]
    var list = "steps.\(calls.id.value).output.calls"
    let condition = "steps.\(calls.id.value).status == 'succeeded'"
    if approval != .never {
      var approve = implied(id("_approve"), "approve", tool.node)
      approve.madeCondition = text(condition)
      approve.madeItems = text("{{ steps.\(calls.id.value).output.?asked.orValue([]) }}")
      approve.variable = Located("call", at: tool.node.range)
      approve.onError = .continue
      approve.made = [
        (
          "message",
          .text(text("The model wants to call \(tool.name) with {{ call.arguments }}"))
        )
      ]
      result.append(approve)
      list += " + steps.\(approve.id.value).items.filter(i, i.status == 'succeeded').map(i, i.item)"
    }
    var carrier = implied(id(""), tool.map["run"] == nil ? "" : "recipe", tool.node)
    carrier.madeCondition = text(condition)
    carrier.madeItems = text("{{ \(list) }}")
    carrier.variable = Located("call", at: tool.node.range)
    carrier.onError = .continue
    carrier.providers = tool.map["provider"].flatMap { reader.strings($0, "provider") }
    carrier.timeout = tool.map["timeout"].flatMap { reader.duration($0, "timeout") }
    carrier.timeoutKey = tool.map.entry("timeout")?.nameRange
    if let recipe = tool.map["run"] {
      carrier.input = Node.map([("recipe", recipe)], at: tool.node.range)
      carrier.made = [("inputs", .text(text("{{ call.arguments }}")))]
    } else if let action = tool.map["uses"], let name = action.string {
      carrier.uses = Located(name, at: action.range)
      carrier.wholeText = text("{{ call.arguments }}")
    }
    result.append(carrier)
    return result
  }

  // MARK: Parts

  /// The calls that a step's answer asks for.
  private static func calls(of ask: String) -> String { "steps.\(ask).output.?tool_calls.orValue([])" }

  private func hasCalls(_ ask: String, _ node: Node) -> PlacedText {
    PlacedText(
      text: "steps.\(ask).status == 'succeeded' && \(Self.calls(of: ask)).size() > 0", node: node,
      document: reader.document)
  }

  private func implied(_ id: Located<String>, _ action: String, _ node: Node) -> Recipe.Step {
    var step = Recipe.Step(id: id, range: node.range)
    step.uses = Located(action, at: node.range)
    step.isImplied = true
    return step
  }

  /// The steps one after the other also where the chat step has left the line with `needs`.
  private func chained(_ steps: [Recipe.Step], _ step: Recipe.Step) -> [Recipe.Step] {
    guard step.needs != nil else { return steps }
    var steps = steps
    for position in steps.indices.dropFirst() { steps[position].needs = [steps[position - 1].id] }
    return steps
  }
}

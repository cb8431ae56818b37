import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

extension PlanBuilder {
  /// The tools of a chat step as `chat.complete` takes them: with the inputs that the model may set.
  func offeredTools(_ step: Recipe.Step) -> Value {
    .list(
      step.tools.map { tool in
        var entry: ValueMap = ["name": .string(tool.name)]
        let found = carrier(of: tool)
        let summary = tool.summary ?? found.child?.summary ?? (found.child == nil ? found.action?.summary.english : nil)
        if let summary { entry["description"] = .string(summary) }
        entry["parameters"] = Self.parameters(found.schema, open: openInputs(of: tool))
        return .map(entry)
      })
  }

  /// The inputs of a step of `tools.calls` that depend on its tool: `open`, the inputs that the model may set, and `asks`,
  /// whether a person has to approve the calls.
  func callRules(_ calls: Recipe.ToolCalls) -> [(name: String, value: Value)] {
    if calls.isFirst { checkInputs(of: calls.tool) }
    let asks =
      switch calls.approval {
      case .always: true
      case .never: false
      case .ofEffects: effect(of: calls.tool) > .read
      }
    return [("open", .list(openInputs(of: calls.tool).map(Value.string))), ("asks", .bool(asks))]
  }

  // MARK: Inputs

  private typealias Carrier = (action: ActionSignature?, child: Plan?, schema: Value)

  /// The action or child recipe that carries the calls of a tool out, and the schema of its input.
  private func carrier(of tool: Recipe.ToolOffer) -> Carrier {
    let position = recipe.steps.firstIndex { $0.id.value == tool.step }
    let action = position.flatMap { actions.indices.contains($0) ? actions[$0] : nil }
    let input = action?.input.document ?? [:]
    let schema = action?.name == ActionSignature.recipe.name ? input["properties"]?["inputs"] : input
    return (action, position.flatMap { children[$0]?.plan }, schema ?? [:])
  }

  /// The inputs that a model may set: those that the recipe names, otherwise those that are required and not fixed. All other
  /// inputs are closed, so a new input of an action is not open to models by accident.
  private func openInputs(of tool: Recipe.ToolOffer) -> [String] {
    if let named = tool.inputs { return named.map(\.value) }
    let found = carrier(of: tool)
    return Self.required(found.schema).filter { !tool.fixed.contains($0) && !Self.isNamedOnly($0) }
  }

  private static func required(_ schema: Value) -> [String] {
    (schema["required"]?.listValue ?? []).compactMap(\.stringValue)
  }

  /// Whether a required input is open only if `inputs` names it: with a `command` of its choice a model could do everything that
  /// the user may do (`exec`, `exec.read`, `notify.command`).
  private static func isNamedOnly(_ input: String) -> Bool { input == "command" }

  private func checkInputs(of tool: Recipe.ToolOffer) {
    let found = carrier(of: tool)
    guard found.action != nil else { return }
    let properties = found.schema["properties"]?.mapValue ?? [:]
    let known = properties.keys.map(\.text)
    let isClosed = found.schema["additionalProperties"] == false
    for name in tool.inputs ?? [] {
      if tool.fixed.contains(name.value) {
        reader.report(
          .conflictingKeys,
          LocalizedText(
            "'with' fixes '\(name.value)', so the model cannot set it; remove it from 'inputs' or from 'with'",
            de: "'with' legt '\(name.value)' fest, also kann das Modell es nicht setzen; aus 'inputs' oder 'with' "
              + "entfernen"),
          at: name.range)
      } else if isClosed, !known.contains(name.value) {
        reader.report(
          .unknownKey,
          LocalizedText(
            "the tool '\(tool.name)' has no input '\(name.value)'",
            de: "das Werkzeug '\(tool.name)' hat keine Eingabe '\(name.value)'")
            + Suggestion.text(for: name.value, among: known),
          at: name.range)
      }
    }
    let open = Set(openInputs(of: tool))
    for name in Self.required(found.schema) where !open.contains(name) && !tool.fixed.contains(name) {
      reader.report(
        .missingKey,
        LocalizedText(
          "the tool '\(tool.name)' needs '\(name)': fix it with 'with', or let the model set it with 'inputs: [\(name)]'",
          de:
            "das Werkzeug '\(tool.name)' braucht '\(name)': mit 'with' festlegen oder mit 'inputs: [\(name)]' vom Modell "
            + "setzen lassen"),
        at: tool.place)
    }
  }

  /// A schema with only the open inputs.
  private static func parameters(_ schema: Value, open: [String]) -> Value {
    guard case .map(var members) = schema else {
      return ["type": "object", "properties": [:], "additionalProperties": false]
    }
    members["type"] = "object"
    let properties = members["properties"]?.mapValue ?? [:]
    members["properties"] = .map(
      ValueMap(
        properties.entries.filter { open.contains($0.key.text) }
          + open.filter { properties[$0] == nil }.map { (key: .string($0), value: [:]) }))
    members["required"] = .list(required(schema).filter(open.contains).map(Value.string))
    members["additionalProperties"] = false
    // These keywords may name closed inputs. A call is checked against the whole schema in any case.
    for name in ["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"] {
      members[name] = nil
    }
    return .map(members)
  }

  // MARK: Effects

  /// The effect of a call of a tool; `once`, the strongest, if the action or the recipe cannot be read.
  private func effect(of tool: Recipe.ToolOffer) -> Effect {
    let found = carrier(of: tool)
    guard let action = found.action else { return .once }
    guard action.name == ActionSignature.recipe.name else { return action.effect }
    return found.child.map(Self.effect) ?? .once
  }

  private static func effect(of plan: Plan) -> Effect {
    plan.steps.map { step in step.child.map { effect(of: $0) } ?? step.action.effect }.max() ?? .pure
  }
}

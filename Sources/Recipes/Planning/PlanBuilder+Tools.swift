import Expressions
import Localization

extension PlanBuilder {
  /// The tools of a chat step as `chat.complete` takes them: with what the actions and recipes behind them take.
  func offeredTools(_ step: Recipe.Step) -> Value {
    .list(
      step.tools.map { tool in
        var entry: ValueMap = ["name": .string(tool.name)]
        let position = recipe.steps.firstIndex { $0.id.value == tool.step }
        let action = position.flatMap { actions.indices.contains($0) ? actions[$0] : nil }
        let child = position.flatMap { children[$0]?.plan }
        let summary = tool.summary ?? child?.summary ?? (child == nil ? action?.summary.english : nil)
        if let summary { entry["description"] = .string(summary) }
        let input = action?.input.document ?? [:]
        let schema = action?.name == ActionSignature.recipe.name ? input["properties"]?["inputs"] : input
        entry["parameters"] = Self.parameters(schema ?? [:], without: tool.fixed)
        return .map(entry)
      })
  }

  /// A schema without the inputs that the recipe gives.
  private static func parameters(_ schema: Value, without fixed: Set<String>) -> Value {
    guard case .map(var members) = schema else { return ["type": "object", "properties": [:]] }
    members["type"] = "object"
    if case .map(let properties)? = members["properties"] {
      members["properties"] = .map(ValueMap(properties.entries.filter { !fixed.contains($0.key.text) }))
    } else {
      members["properties"] = [:]
    }
    if case .list(let required)? = members["required"] {
      members["required"] = .list(required.filter { !fixed.contains($0.stringValue ?? "") })
    }
    return .map(members)
  }
}

import Expressions
import Localization

extension PlanBuilder {
  /// The triggers, with what they say about events compiled.
  func triggers() -> [Trigger] {
    // Nothing of the run is there before it begins.
    let scope = Scope(
      step: nil, allowsSteps: false, variables: ["event": .dynamic, "recipe": PlanVariables.recipe], keywords: [:])
    return recipe.triggers.map { written in
      var trigger = written
      trigger.filter = written.written.filter.flatMap { condition($0, scope) }
      trigger.inputs = written.written.inputs.map { inputs($0, scope) } ?? []
      trigger.written = (nil, nil)
      return trigger
    }
  }

  private func inputs(_ node: Node, _ scope: Scope) -> [(name: String, value: BoundValue)] {
    guard !node.isNull, let map = reader.map(node, "inputs", keys: nil) else { return [] }
    let names = recipe.inputs.map(\.name.value)
    return map.entries.compactMap { entry in
      let bound = binder(scope).bind(entry.value)
      guard names.contains(entry.name) else {
        reader.report(
          .unknownInput,
          LocalizedText(
            "the recipe has no input '\(entry.name)'", de: "das Rezept hat keine Eingabe '\(entry.name)'"),
          at: entry.nameRange, suggestion: reader.suggestion(for: entry.name, among: names))
        return nil
      }
      return (entry.name, bound.value)
    }
  }
}

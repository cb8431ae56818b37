import Expressions
import Localization

extension PlanBuilder {
  /// The triggers, with what they say about events compiled.
  func triggers() -> [Trigger] {
    // Nothing of the run is there before it begins.
    let scope = Scope(
      step: nil, allowsSteps: false, variables: ["event": .dynamic, "recipe": PlanVariables.recipe], keywords: [:])
    checkTriggers()
    return recipe.triggers.map { written in
      var trigger = written
      trigger.filter = written.written.filter.flatMap { condition($0, scope) }
      trigger.inputs = written.written.inputs.map { inputs($0, scope) } ?? []
      trigger.written = (nil, nil)
      return trigger
    }
  }

  /// Reports providers that are not configured, and webhooks of one name.
  private func checkTriggers() {
    var hooks: Set<String> = []
    for trigger in recipe.triggers {
      switch trigger.kind {
      case .mail(let event): checkProvider(event.provider, at: trigger.range)
      case .plugin(let event): checkProvider(event.provider, at: trigger.range)
      case .webhook(let hook) where !hooks.insert(hook.name).inserted:
        reader.report(
          .invalidTrigger,
          LocalizedText(
            "the recipe has another webhook '\(hook.name)'", de: "das Rezept hat noch einen Webhook '\(hook.name)'"),
          at: trigger.range)
      default: break
      }
    }
  }

  private func checkProvider(_ name: String?, at range: SourceRange) {
    let known = planner.providers.names
    guard let name, !known.contains(name) else { return }
    reader.report(
      .unknownProvider, LocalizedText("unknown provider '\(name)'", de: "unbekannter Provider '\(name)'"), at: range,
      suggestion: reader.suggestion(for: name, among: known))
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

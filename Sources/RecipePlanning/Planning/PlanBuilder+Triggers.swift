import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// The triggers, with what they say about events compiled, and each with the provider that it listens to.
  func triggers(_ steps: [PlanStep]) -> [Trigger] {
    // Nothing of the run is there before it begins.
    let scope = Scope(
      step: nil, allowsSteps: false, variables: ["event": .dynamic, "recipe": PlanVariables.recipe], keywords: [:])
    checkTriggers()
    return recipe.triggers.map { written in
      var trigger = written
      trigger.filter = written.written.filter.flatMap { condition($0, scope) }
      trigger.inputs = written.written.inputs.map { inputs($0, scope) } ?? []
      trigger.written = (nil, nil)
      if case .mail(var event) = trigger.kind, event.provider == nil {
        event.provider = mailbox(steps, trigger.range)
        trigger.kind = .mail(event)
      }
      return trigger
    }
  }

  /// The provider of a trigger for mail that names none: that of the filter's step, otherwise the one that a step of `mail.store`
  /// would have.
  private func mailbox(_ steps: [PlanStep], _ range: SourceRange) -> String? {
    let sorting = steps.filter { $0.selection != nil }
    if sorting.count == 1, let provider = sorting.first?.providers.first { return provider }
    return resolver.providers(of: "mail.store", for: Located("mail", at: range)).first
  }

  /// Reports providers that are not configured, and webhooks of one name.
  private func checkTriggers() {
    var hooks: Set<String> = []
    for trigger in recipe.triggers {
      switch trigger.kind {
      case .mail(let event):
        checkProvider(event.provider, at: trigger.range)
        if let problem = MailFolder.problem(event.folder) {
          reader.report(.invalidValue, problem, at: trigger.range)
        }
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

import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

extension PlanBuilder {
  /// Reports what a step that runs another recipe cannot have, and a recipe that could never get its turn.
  func checkChild(_ step: Recipe.Step, _ child: Plan?) {
    if let retry = step.retryKey {
      reader.report(
        .conflictingKeys,
        LocalizedText(
          "'retry' has no effect on a step that runs a recipe, as the steps of that recipe have their own; write it there",
          de: "'retry' wirkt nicht bei einem Schritt, der ein Rezept ausführt, denn dessen Schritte haben ihr eigenes; "
            + "es dort angeben"),
        at: retry)
    }
    guard let declared = recipe.concurrency, let group = declared.group.string, !group.contains("{{"), let child,
      let holder = Self.holder(of: group, in: child)
    else { return }
    reader.report(
      .conflictingKeys,
      LocalizedText(
        "the recipe '\(holder)' belongs to the concurrency group '\(group)' of this recipe, which waits for it: neither "
          + "would go on; give one of them another group",
        de:
          "das Rezept '\(holder)' gehört zur Gruppe '\(group)' dieses Rezepts, das auf es wartet: Keines käme weiter; einem "
          + "von beiden eine andere Gruppe geben"),
      at: step.uses?.range ?? step.range)
  }

  /// The recipe that belongs to a group, of a recipe and those that it runs.
  private static func holder(of group: String, in plan: Plan) -> String? {
    if case .literal(.string(group))? = plan.concurrency?.group { return plan.name }
    return plan.steps.lazy.compactMap { $0.child }.compactMap { holder(of: group, in: $0) }.first
  }
}

import Localization
package import Plans
import RecipePlanning
package import RecipeSyntax

extension Project {
  /// The plan of a text that is about to run or to be written.
  package func plan(of source: SourceText, from origin: RecipeOrigin) throws(UseCaseError) -> Plan {
    let planning = planning(source, from: origin)
    guard !planning.hasErrors, let plan = planning.plan else {
      let problem = planning.providerProblems.first
      var error = UseCaseError(
        problem.map { .init(rawValue: $0.code.rawValue) } ?? .invalidRecipe,
        planning.diagnostics.first { $0.severity == .error }?.message ?? problem?.message
          ?? LocalizedText("it cannot be planned", de: "es lässt sich nicht planen"))
      error.planning = planning
      error.recipe = source.path
      throw error
    }
    return plan
  }
}

import Plans

/// Recipes that start one another in a circle by their names. Patterns have no part in it: a recipe with a pattern is not started by
/// a run that it has led to (`RecipeServer`), so no circle closes over one.
struct RecipeCircles {
  /// Who starts whom: the names of the recipes that start after one.
  private let followers: [String: Set<String>]

  init(_ recipes: some Sequence<ServedRecipe>) {
    var followers: [String: Set<String>] = [:]
    for recipe in recipes {
      for case .recipe(let end) in recipe.triggers.map(\.source) where !end.isPattern {
        followers[end.recipe, default: []].insert(recipe.plan.name)
      }
    }
    self.followers = followers
  }

  /// Whether the end of a recipe would lead to another start of it.
  func contains(_ name: String) -> Bool {
    var seen: Set<String> = []
    var open = Array(followers[name] ?? [])
    while let next = open.popLast() {
      if next == name { return true }
      if seen.insert(next).inserted { open += followers[next] ?? [] }
    }
    return false
  }
}

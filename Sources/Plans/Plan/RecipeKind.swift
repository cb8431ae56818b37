/// The kinds of recipes.
package enum RecipeKind: String, CaseIterable {
  case general
  case chain
  case mailFilter = "mail-filter"
  case reminder
  case send
  case answer
}

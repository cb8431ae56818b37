/// The kinds of recipes.
enum RecipeKind: String, CaseIterable {
  case general
  case chain
  case mailFilter = "mail-filter"
  case reminder
  case send
  case answer
}

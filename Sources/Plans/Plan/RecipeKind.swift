/// The kinds of recipes.
package enum RecipeKind: String, CaseIterable {
  case general
  case chain
  case mailFilter = "mail-filter"
  case reminder
  case send
  case answer
}

extension RecipeKind {
  /// The names that expressions of this kind of recipe can use beside those of all kinds.
  package var variables: [String] {
    switch self {
    case .chain: ["previous", "result", "input"]
    case .mailFilter: ["message"]
    case .reminder: ["text"]
    case .general, .send, .answer: []
    }
  }
}

import Expressions

/// The tools that a caller may use: the built-in ones, then recipes by name.
struct ToolList {
  private let operations: any AssistantOperations

  init(_ operations: any AssistantOperations) { self.operations = operations }

  private var builtIn: [AssistantTool] {
    BuiltInTools.all(in: operations.language).filter { operations.permits($0.operation) }
  }

  /// All tools.
  func all() async throws(AssistantError) -> [AssistantTool] { builtIn + (try await recipes()) }

  /// The tool of a name; `nil` if it does not exist, or if the caller may not use it.
  func tool(_ name: String) async throws(AssistantError) -> AssistantTool? {
    if let tool = builtIn.first(where: { $0.name == name }) { return tool }
    return try await recipes().first { $0.name == name }
  }

  /// The recipes that are tools.
  private func recipes() async throws(AssistantError) -> [AssistantTool] {
    guard operations.permits("runRecipe"), operations.permits("showRecipe") else { return [] }
    // Names of tools that a caller does not see are taken as well: a tool has the same name for each caller.
    let names = BuiltInTools.all(in: operations.language).map(\.name)
    return RecipeTools.names(of: try await operations.openRecipes(), besides: Set(names)).map { name, recipe in
      RecipeTools.tool(name, recipe, in: operations.language)
    }
  }
}

import Foundation
import Localization
import RecipeSyntax

extension Project {
  /// The file of a served recipe.
  ///
  /// - Parameter name: Its name or file, or the name of a file in the served folders that has errors, without its ending.
  /// - Returns: The file; the name itself where no served recipe is called so.
  public func servedFile(_ name: String) -> String {
    let servedRecipes = loadedRecipes()
    return servedRecipes.paths.first { servedRecipes.name(of: $0) == name } ?? servedRecipes.brokenFile(name) ?? name
  }

  /// The file of an argument: a file, or else the recipe of that name in the served folders.
  ///
  /// - Throws: ``UseCaseError`` if neither exists, or if several recipes have the name.
  public func recipeFile(_ name: String) throws(UseCaseError) -> String {
    let isFile = access(workspace.surroundings.resolve(name), F_OK) == 0 || name.contains("/")
    return try isFile || name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? name : servedPath(of: name)
  }

  /// The file of a served recipe.
  ///
  /// - Parameter name: Its name or file, or the name of a file with errors, without its ending.
  /// - Throws: ``UseCaseError`` if no recipe or several recipes have the name.
  package func servedPath(of name: String) throws(UseCaseError) -> String {
    let canonical = CheckedFiles.canonical(workspace.surroundings.resolve(name))
    let servedRecipes = loadedRecipes()
    let found = servedRecipes.paths.filter { path in path == canonical || servedRecipes.name(of: path) == name }
    guard let path = found.first ?? servedRecipes.brokenFile(name) else { throw noRecipe(name, servedRecipes) }
    guard found.count < 2 else {
      throw .wrongInput(
        .init(
          "several recipes are called '\(name)', name the file: \(found.joined(separator: ", "))",
          de: "mehrere Rezepte heißen '\(name)', die Datei nennen: \(found.joined(separator: ", "))"))
    }
    return path
  }

  private func noRecipe(_ name: String, _ servedRecipes: ServedRecipes) -> UseCaseError {
    if let path = servedRecipes.paths.first(where: { ServedRecipes.stem(of: $0) == name }),
      let other = servedRecipes.name(of: path)
    {
      return .notFound(
        .init(
          "no recipe '\(name)': the recipe in \(path) is called '\(other)'",
          de: "kein Rezept '\(name)': Das Rezept in \(path) heißt '\(other)'"))
    }
    let folders = servedFolders.map { $0 + "/" }.joined(separator: ", ")
    let known = servedRecipes.paths.compactMap { servedRecipes.name(of: $0) ?? ServedRecipes.stem(of: $0) }
    return .notFound(
      LocalizedText("no recipe '\(name)' in \(folders)", de: "kein Rezept '\(name)' in \(folders)")
        + Suggestion.text(for: name, among: known))
  }
}

extension ServedRecipes {
  /// The name of a file without folder and ending.
  static func stem(of path: String) -> String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  /// The file of a name that has errors, so that its recipe has no name of its own.
  fileprivate func brokenFile(_ name: String) -> String? {
    paths.first { Self.stem(of: $0) == name && self.name(of: $0) == nil }
  }
}

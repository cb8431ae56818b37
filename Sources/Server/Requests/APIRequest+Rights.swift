import Access
import Engine
import Localization
import RunStore
import UseCases

extension APIRequest {
  /// The folder of a recipe's file below the served folders, empty for the top folder; `nil` for a file outside of them.
  func folder(of path: String) -> String? {
    for folder in services.session.project.servedFolders {
      let root = folder.hasSuffix("/") ? folder : folder + "/"
      guard path.hasPrefix(root) else { continue }
      return path.dropFirst(root.count).split(separator: "/").dropLast().joined(separator: "/")
    }
    return nil
  }

  /// Whether the caller may do something with the objects of a recipe.
  func may(_ verb: AccessVerb, _ object: AccessObject, path: String) -> Bool {
    actor?.may(verb, object, folder: folder(of: path)) ?? false
  }

  /// Makes sure that the caller may do something with an object of a recipe.
  ///
  /// - Throws: ``Problem``: status 404 if the caller may not even see it, 403 if only this is missing.
  func require(_ verb: AccessVerb, _ object: AccessObject, path: String, named name: String) throws {
    guard may(.read, object, path: path) || verb == .create && may(.create, object, path: path) else {
      throw Problem.notFound(LocalizedText(verbatim: object.rawValue), name)
    }
    guard may(verb, object, path: path) else { throw Problem.forbidden(verb, object) }
  }

  /// Makes sure that the caller may do something with all objects of a kind.
  func require(_ verb: AccessVerb, _ object: AccessObject) throws {
    guard actor?.may(verb, object) ?? false else { throw Problem.forbidden(verb, object) }
  }

  /// A run that the caller may do something with.
  ///
  /// - Parameter verb: The intended use. A run that the caller may not read does not exist for it.
  func run(_ verb: AccessVerb, _ parameter: String = "run") async throws -> RunSummary {
    let id = try await services.store.resolve(name(parameter))
    let summary = try await services.store.summary(of: id)
    try require(verb, .runs, path: summary.path, named: id.rawValue)
    return summary
  }

  /// A served recipe that the caller may do something with.
  func recipe(_ verb: AccessVerb, _ object: AccessObject = .recipes) async throws -> RecipeEntry {
    let name = name("recipe")
    let all = try await services.session.project.servedRecipes()
    let found = all.filter { $0.apiName == name }
    guard let entry = found.first else { throw Problem.notFound(LocalizedText("recipe", de: "Rezept"), name) }
    guard found.count == 1 else {
      throw Problem(
        409, "ambiguous_recipe", "several recipes are called '\(name)': give them different names",
        de: "mehrere Rezepte heißen '\(name)': ihnen verschiedene Namen geben")
    }
    try require(verb, object, path: entry.path, named: name)
    return entry
  }
}

extension RecipeEntry {
  /// The name in addresses: that of the recipe, or that of its file if it cannot be used.
  var apiName: String {
    name ?? (path.split(separator: "/").last.map(String.init) ?? path).replacing(/\.ya?ml$/, with: "")
  }
}

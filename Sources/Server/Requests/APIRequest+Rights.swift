import Access
import Engine
import Localization
import RunStore
import UseCases

extension APIRequest {
  /// The folder of a recipe's file below the served folders, empty for the top folder; `nil` for a file outside of them.
  func folder(of path: String) -> String? { folders.folder(of: path) }

  /// Whether the caller may do something with the objects of a recipe.
  ///
  /// - Parameter owner: The user to whom the object belongs: for runs and decisions, the one who has started the run.
  func may(_ verb: AccessVerb, _ object: AccessObject, path: String, owner: String? = nil) -> Bool {
    may(verb, object, path: path, owner: owner, as: actor)
  }

  private func may(
    _ verb: AccessVerb, _ object: AccessObject, path: String, owner: String?, as actor: Actor?
  ) -> Bool {
    guard let actor else { return false }
    let folder = folder(of: path)
    var groups: Set<String> = []
    // The groups of the owner are read only if they decide.
    if let owner, owner != actor.user, actor.scope(verb, object, folder: folder) == .group {
      groups = (try? services.access.groups(of: owner)) ?? []
    }
    return actor.may(verb, object, owner: owner, ownerGroups: groups, folder: folder)
  }

  /// Whether the caller may do something with a run or its questions.
  func may(_ verb: AccessVerb, _ object: AccessObject, _ run: RunSummary) -> Bool {
    may(verb, object, path: run.path, owner: run.startedBy)
  }

  /// The users of whose runs the caller may see some; `nil`: also runs that belong to other users or to none.
  func visibleOwners() throws -> Set<String>? {
    guard let actor else { return [] }
    switch actor.widestScope(.read, .runs) {
    case .none: return []
    case .my: return [actor.user]
    case .group:
      let shared = try services.access.memberships().filter { !$0.value.isDisjoint(with: actor.groups) }
      return Set(shared.keys).union([actor.user])
    case .all: return nil
    }
  }

  /// Makes sure that the caller may do something with an object of a recipe.
  ///
  /// - Throws: ``Problem``: status 404 if the caller may not even see it, 403 if only this is missing.
  func require(
    _ verb: AccessVerb, _ object: AccessObject, path: String, owner: String? = nil, named name: String
  ) throws {
    guard may(.read, object, path: path, owner: owner) || verb == .create && may(.create, object, path: path) else {
      throw Problem.notFound(LocalizedText(verbatim: object.rawValue), name)
    }
    guard may(verb, object, path: path, owner: owner) else {
      let isByToken = may(verb, object, path: path, owner: owner, as: actor?.withoutScopes)
      throw Problem.forbidden(verb, object, isByToken: isByToken)
    }
  }

  /// Makes sure that the caller may do something with all objects of a kind.
  func require(_ verb: AccessVerb, _ object: AccessObject) throws {
    guard actor?.may(verb, object) ?? false else {
      throw Problem.forbidden(verb, object, isByToken: actor?.withoutScopes.may(verb, object) ?? false)
    }
  }

  /// A run that the caller may do something with.
  ///
  /// - Parameter verb: The intended use. A run that the caller may not read does not exist for it.
  func run(_ verb: AccessVerb, _ parameter: String = "run") async throws -> RunSummary {
    let name = name(parameter)
    let summary = try await services.store.summary(of: try await resolve(name))
    // The name as it was asked for: the id of a run that the caller may not see stays unknown.
    try require(verb, .runs, path: summary.path, owner: summary.startedBy, named: name)
    return summary
  }

  /// The run that a name means. For callers who may not see all runs, a name of several runs is unknown, and an unknown one looks
  /// as that of a run that they may not see.
  private func resolve(_ name: String) async throws -> RunID {
    do {
      return try await services.store.resolve(name)
    } catch {
      guard error.code == .runNotFound || error.code == .ambiguousRun && actor?.scope(.read, .runs) != .all else {
        throw error
      }
      throw Problem.notFound(LocalizedText(verbatim: AccessObject.runs.rawValue), name)
    }
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

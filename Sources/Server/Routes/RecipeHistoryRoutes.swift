import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import RecipeHistory
import RecordJSON
import RunStore
import UseCases

/// Operations on the versions of recipes.
enum RecipeHistoryRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, text, forget, difference, rollBack]

  private static let number: Value = ["type": "integer", "minimum": 1, "maximum": 999_999_999]

  private static let list = Route(
    .get, "/recipes/{recipe}/history", "listRecipeVersions",
    "List the versions of a recipe, newest first, also of one that was deleted.",
    de: "Die Fassungen eines Rezepts auflisten, neueste zuerst, auch die eines gelöschten.", .may(.read, .recipes),
    parameters: [.limit, .cursor], answers: [.json(S.page(S.named("RecipeVersion")))]
  ) { request in
    let file = try await request.historyFile(.read)
    let project = request.services.session.project
    let below = request.query["cursor"]?.stringValue.flatMap { Int($0) }
    let found = try await project.recipeVersions(of: file, below: below, limit: request.limit)
    let current = try await project.currentVersion(of: file)
    return .page(
      found.map { $0.json(isCurrent: $0.number == current) },
      next: found.count < request.limit ? nil : found.last.map { "\($0.number)" })
  }

  private static let text = Route(
    .get, "/recipes/{recipe}/history/{number}", "readRecipeVersion", "The text of a version of a recipe.",
    de: "Der Text einer Fassung eines Rezepts.", .may(.read, .recipes), parameters: [.number("number")],
    answers: [.text("application/yaml")]
  ) { request in
    let file = try await request.historyFile(.read)
    let found = try await request.services.session.project.recipeVersion(request.number("number"), of: file)
    return APIAnswer(content: .bytes(Array(found.text.utf8), type: "application/yaml"))
      .tagged(found.version.digest ?? "")
  }

  private static let forget = Route(
    .delete, "/recipes/{recipe}/history/{number}", "forgetRecipeVersion",
    "Remove a version of a recipe for good, for example because it has a secret; not the one that is the file now.",
    de: "Eine Fassung eines Rezepts endgültig löschen, etwa weil sie ein Geheimnis enthält; nicht den Text der Datei.",
    .may(.delete, .recipes), parameters: [.number("number")],
    answers: [.json(S.object([("path", S.text), ("versions", S.list(S.integer)), ("held", S.count)]))]
  ) { request in
    let file = try await request.historyFile(.delete)
    let (project, number) = (request.services.session.project, request.number("number"))
    let forgotten = try await project.forgetRecipeVersions(of: file, number: number)
    return APIAnswer.json(forgotten.json).changing(forgotten.json, to: nil)
  }

  private static let difference = Route(
    .get, "/recipes/{recipe}/diff", "diffRecipe", "The difference between two versions of a recipe.",
    de: "Der Unterschied zwischen zwei Fassungen eines Rezepts.", .may(.read, .recipes),
    parameters: [
      .query(
        "from", number, "The version before; absent: the newest with another text.",
        de: "Die Fassung davor; fehlt sie: die neueste mit anderem Text."),
      .query(
        "to", number, "The version after; absent: the file as it is now.",
        de: "Die Fassung danach; fehlt sie: die Datei, wie sie jetzt ist."),
    ], answers: [.json(S.named("RecipeDifference"))]
  ) { request in
    let file = try await request.historyFile(.read)
    let numbers = ["from", "to"].map { request.query[$0]?.intValue.map { Int(clamping: $0) } }
    return .json(
      try await request.services.session.project.recipeDifference(of: file, from: numbers[0], to: numbers[1]).json)
  }

  private static let rollBack = Route(
    .post, "/recipes/{recipe}/rollback", "rollBackRecipe",
    "Give a recipe the text of an earlier version, as a new version; a text with errors is refused.",
    de: "Einem Rezept den Text einer früheren Fassung geben, als neue Fassung; ein Text mit Fehlern wird abgelehnt.",
    .may(.update, .recipes), body: .json(S.input([("version", number)], required: ["version"])),
    answers: [.json(S.named("RecipeVersion"))], takesIfMatch: true
  ) { request in
    let file = try await request.historyFile(.update)
    let project = request.services.session.project
    let current = project.recipeDigest(of: file)
    if let current { try request.requireMatch(current) }
    let new = try await project.rollBackRecipe(
      file, to: request.integer("version") ?? 0, ifDigest: current, by: request.versionSource)
    let change = await project.recipeChange(of: file, from: current, to: new.digest)
    return APIAnswer.json(new.json(isCurrent: true)).tagged(new.digest ?? "").changing(change.before, to: change.after)
  }
}

extension APIRequest {
  /// The caller, for the history of recipes.
  var versionSource: RecipeVersion.Source {
    RecipeVersion.Source(origin: actor?.origin.word ?? "", actor: actor?.user)
  }

  /// The file of a recipe with a history, also of one that was deleted, that the caller may do something with.
  func historyFile(_ verb: AccessVerb) async throws -> String {
    do {
      return try await recipe(verb).path
    } catch let problem as Problem where problem.status == 404 {
      let name = name("recipe")
      guard let file = try? await services.session.project.historyFile(of: name), folder(of: file) != nil else {
        throw problem
      }
      try require(.read, .recipes, path: file, named: name)
      // A file that was deleted is made again. Former names and paths lead to files that exist, too.
      let exists = services.session.project.recipeDigest(of: file) != nil
      if verb != .read { try require(exists || verb == .delete ? verb : .create, .recipes, path: file, named: name) }
      return file
    }
  }

}

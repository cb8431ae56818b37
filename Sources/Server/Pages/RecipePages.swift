import Access
import Engine
import Expressions
import HTTPTypes
import Localization
import Page
import RecipePlanning
import RecipeSyntax
import UseCases

/// The pages of recipes, and of their editor.
enum RecipePages {
  static let all: [PageRoute] = [list, new, show, edit, history]

  private static let list = PageRoute("/recipes", .may(.read, .recipes)) { request in
    RecipesPage(try await request.json("listRecipes"))
  }

  private static let new = PageRoute("/new-recipe", .may(.create, .recipes)) { request in
    NewRecipePage(try await request.json("listTemplates"))
  }

  private static let show = PageRoute("/recipes/{recipe}", .may(.read, .recipes)) { request in
    let path = ["recipe": request.name("recipe")]
    let recipe = try await request.json("showRecipe", path: path)
    let file = recipe["path"]?.stringValue ?? ""
    let plan = try? request.base.services.session.project.plan(file)
    let runs =
      try await request.permitted(
        "listRuns", query: ["recipe": .string(request.name("recipe")), "limit": 5])["items"]?.listValue ?? []
    var points: [Value] = []
    if recipe["triggers"]?.intValue ?? 0 > 0 {
      points =
        (try? await request.permitted("listNextPoints", path: path, query: ["count": 5])["items"]?.listValue) ?? []
    }
    return RecipePage(
      recipe, graph: plan.map { PlanGraph($0, in: request.base.language) }, runs: runs, points: points,
      rights: RecipePage.Rights(
        runs: request.base.may(.create, .runs, path: file), writes: request.base.may(.update, .recipes, path: file),
        deletes: request.base.may(.delete, .recipes, path: file)))
  }

  private static let edit = PageRoute("/recipes/{recipe}/edit", .may(.read, .recipes)) { request in
    let name = request.name("recipe")
    let path = ["recipe": name]
    let answer = try await request.answer("readRecipe", path: path)
    guard case .bytes(let bytes, _) = answer.content else {
      throw Problem.notFound(LocalizedText("recipe", de: "Rezept"), name)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let file = try await request.json("showRecipe", path: path)["path"]?.stringValue ?? ""
    return EditorPage(
      name, text: text, version: answer.fields.first { $0.name == .eTag }?.value ?? "",
      isWritable: request.base.may(.update, .recipes, path: file), check: try await check(text, recipe: name, request))
  }

  private static let history = PageRoute("/recipes/{recipe}/history", .may(.read, .recipes)) { request in
    let name = request.name("recipe")
    let path = ["recipe": name]
    var query: ValueMap = ["limit": 50]
    if let cursor = request.query["cursor"], !cursor.isEmpty { query["cursor"] = .string(String(cursor.prefix(20))) }
    let versions = try await request.json("listRecipeVersions", path: path, query: query)
    var numbers: ValueMap = [:]
    for key in ["from", "to"] {
      if let number = request.query[key].flatMap({ Int64($0) }), number > 0 { numbers[key] = .int(number) }
    }
    // A version that is not kept any more has no difference.
    let difference =
      numbers.isEmpty ? .null : (try? await request.json("diffRecipe", path: path, query: numbers)) ?? .null
    let current = try? await request.answer("readRecipe", path: path).fields.first { $0.name == .eTag }?.value
    let file = versions["items"]?[0]?["path"]?.stringValue ?? ""
    return RecipeHistoryPage(
      name, versions: versions, difference: difference, current: current,
      mayWrite: request.base.may(current == nil ? .create : .update, .recipes, path: file),
      mayDelete: request.base.may(.delete, .recipes, path: file))
  }

  /// Diagnostics and graph of a text.
  static func check(_ text: String, recipe: String?, _ request: PageRequest) async throws -> RecipeCheck {
    let planning = try await RecipeRoutes.planning(text, recipe: recipe, request.base)
    return RecipeCheck(
      diagnostics: planning.diagnostics.map { $0.value(in: request.base.language) },
      graph: planning.hasErrors ? nil : planning.plan.map { PlanGraph($0, in: request.base.language) })
  }
}

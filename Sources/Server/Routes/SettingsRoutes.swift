import Access
import Engine
import Expressions
import Localization
import RecordJSON
import RunStore
import Upkeep
import UseCases

/// Operations on the configuration, and on the values that recipes keep.
enum SettingsRoutes {
  private typealias S = APISchema

  static let all: [Route] = [show, trust, secrets, listState, deleteState, deleteValue]

  private static let show = Route(
    .get, "/settings", "showSettings", "The settings in force, without secrets.",
    de: "Die geltenden Einstellungen, ohne Geheimnisse.", .may(.read, .settings), answers: [.json(S.named("Settings"))]
  ) { request in
    try request.require(.read, .settings)
    return .json(request.services.session.project.configuration.overview)
  }

  private static let trust = Route(
    .get, "/settings/trust", "showTrust",
    "The programs, hosts and files that the configuration uses, and which are allowed.",
    de: "Die Programme, Hosts und Dateien, die die Konfiguration nutzt, und welche erlaubt sind.",
    .may(.read, .settings),
    answers: [
      .json(
        S.object([
          ("folder", S.text), ("items", S.list(S.object([("text", S.text), ("allowed", S.flag)]))),
        ]))
    ]
  ) { request in
    try request.require(.read, .settings)
    let (project, language) = (request.services.session.project, request.language)
    return .json(
      try await request.blocking {
        let missing = Set(project.trust.missing(project.manifests))
        let items = project.trust.items(project.manifests).map { item -> Value in
          ["text": .string(item.text.string(in: language)), "allowed": .bool(!missing.contains(item))]
        }
        return ["folder": .string(project.trust.folder), "items": .list(items)]
      })
  }

  private static let secrets = Route(
    .get, "/settings/secrets", "listSecrets", "The names of secrets, with their places and the settings that use them.",
    de: "Die Namen der Geheimnisse, mit Ort und Einstellungen, die sie verwenden.", .may(.read, .settings),
    answers: [.json(S.page(S.named("Secret")))]
  ) { request in
    try request.require(.read, .settings)
    let project = request.services.session.project
    return .page(
      try await request.blocking {
        var list = SecretList(project)
        list.look()
        return list.rows.map(\.json)
      })
  }

  // MARK: - Values of recipes

  private static let listState = Route(
    .get, "/state", "listState", "The values that recipes keep from run to run.",
    de: "Die Werte, die Rezepte von Lauf zu Lauf behalten.", .may(.read, .runs),
    parameters: [.query("recipe", S.name, "Only values of this recipe.", de: "Nur Werte dieses Rezepts.")],
    answers: [.json(S.page(S.named("KeptValue")))]
  ) { request in
    try request.require(.read, .runs)
    return .page(try await values(request.query["recipe"]?.stringValue, request).map(\.json))
  }

  private static func values(_ recipe: String?, _ request: APIRequest) async throws -> [KeptValue] {
    try await request.services.workspace.keptValues().filter { recipe == nil || $0.recipe == recipe }
  }

  private static let deleteState = Route(
    .delete, "/state/{recipe}", "deleteState", "Delete all values that a recipe keeps.",
    de: "Alle Werte löschen, die ein Rezept behält.", .may(.delete, .runs), answers: [.empty]
  ) { request in try await clear(request, key: nil) }

  private static let deleteValue = Route(
    .delete, "/state/{recipe}/{key}", "deleteValue", "Delete a value that a recipe keeps.",
    de: "Einen Wert löschen, den ein Rezept behält.", .may(.delete, .runs), answers: [.empty]
  ) { request in try await clear(request, key: request.name("key")) }

  private static func clear(_ request: APIRequest, key: String?) async throws -> APIAnswer {
    try request.require(.delete, .runs)
    let recipe = request.name("recipe")
    guard try await values(recipe, request).contains(where: { key == nil || $0.key == key }) else {
      throw Problem.notFound(LocalizedText("value", de: "Wert"), key.map { recipe + "/" + $0 } ?? recipe)
    }
    _ = try await request.services.workspace.clearState(of: recipe, key: key)
    return .empty
  }
}

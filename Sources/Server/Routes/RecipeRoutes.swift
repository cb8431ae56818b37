import Access
import Engine
import Expressions
import Foundation
import HTTPTypes
import Hashing
import Localization
import Outbox
import Plans
import RecipeHistory
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RecordJSON
import RunStore
import Schemas
import UseCases

/// Operations on recipes.
enum RecipeRoutes {
  private typealias S = APISchema

  static let all: [Route] = [
    list, show, text, save, create, delete, validate, explain, graph, run, enable, disable, duplicate, templates,
  ]

  private static let list = Route(
    .get, "/recipes", "listRecipes", "List the served recipes.", de: "Die Rezepte auflisten, die der Server ausführt.",
    .may(.read, .recipes), answers: [.json(S.page(S.named("Recipe")))]
  ) { request in
    let all = try await request.services.session.project.servedRecipes()
    return .page(
      all.filter { request.may(.read, .recipes, path: $0.path) }.map { Self.json($0, request) })
  }

  private static let show = Route(
    .get, "/recipes/{recipe}", "showRecipe", "Show a recipe with its inputs and steps.",
    de: "Ein Rezept mit Eingaben und Schritten zeigen.", .may(.read, .recipes),
    answers: [.json(S.named("RecipeDetail"))]
  ) { request in
    .json(Self.detail(try await request.recipe(.read), request))
  }

  /// A recipe with its inputs, steps and outputs.
  static func detail(_ entry: RecipeEntry, _ request: APIRequest) -> Value {
    var map = Self.json(entry, request).mapValue ?? [:]
    let plan = request.services.session.project.planning(entry.path).plan
    map["summary"] = .text(plan?.summary)
    map["inputs"] = .list(
      (plan?.inputs ?? []).map { input in
        .object([
          ("name", .string(input.name)), ("schema", input.schema.document), ("required", .bool(input.isRequired)),
          ("default", input.schema.document["default"] ?? .null),
          ("description", .text(input.schema.document["description"]?.stringValue)),
        ])
      })
    map["steps"] = .list(
      (plan?.steps ?? []).map { .object([("id", .string($0.id)), ("action", .string($0.action.name))]) })
    map["outputs"] = .list(
      (plan?.outputs ?? []).map { output in
        ["name": .string(output.name), "schema": plan?.outputTypes[output.name]?.outerSchema ?? [:]]
      })
    return .map(map)
  }

  /// The recipe for machines, with the name by which addresses call it.
  private static func json(_ entry: RecipeEntry, _ request: APIRequest) -> Value {
    var map = entry.json(in: request.language).mapValue ?? [:]
    map["name"] = .string(entry.apiName)
    return .map(map)
  }

  // MARK: - Texts

  private static let text = Route(
    .get, "/recipes/{recipe}/text", "readRecipe", "The text of a recipe; its ETag is for If-Match.",
    de: "Der Text eines Rezepts; sein ETag ist für If-Match.", .may(.read, .recipes),
    answers: [.text("application/yaml")]
  ) { request in
    let entry = try await request.recipe(.read)
    let bytes = try Self.bytes(entry.path)
    return APIAnswer(content: .bytes(bytes, type: "application/yaml")).tagged(ContentHash.hexadecimal(of: bytes))
  }

  private static let save = Route(
    .put, "/recipes/{recipe}/text", "saveRecipe", "Replace the text of a recipe; a text with errors is refused.",
    de: "Den Text eines Rezepts ersetzen; ein Text mit Fehlern wird abgelehnt.", .may(.update, .recipes),
    body: .json(S.input([("text", ["type": "string", "maxLength": 1_000_000])], required: ["text"])),
    answers: [.json(S.named("Findings"))], takesIfMatch: true
  ) { request in
    let entry = try await request.recipe(.update)
    let project = request.services.session.project
    guard let tag = request.fields[.ifMatch] else {
      throw Problem(
        428, "if_match_missing", "send the ETag of the text that you have changed in 'If-Match'",
        de: "das ETag des Textes, der geändert wurde, in 'If-Match' senden")
    }
    let current = ContentHash.hexadecimal(of: try Self.bytes(entry.path))
    guard tag == "*" || tag.contains("\"\(current)\"") else {
      throw Problem(
        412, "recipe_changed", "the recipe was changed meanwhile: read it again and repeat your change",
        de: "das Rezept wurde inzwischen geändert: neu lesen und die Änderung wiederholen")
    }
    let text = request.text("text") ?? ""
    let planning = project.planning(SourceText(path: entry.path, text: text), from: .file)
    guard !planning.hasErrors else { throw Self.unusable(planning, request) }
    try await project.replaceRecipe(entry.path, text: text, ifDigest: current, by: request.versionSource)
    let new = ContentHash.hexadecimal(of: Array(text.utf8))
    let change = await project.recipeChange(of: entry.path, from: current, to: new)
    return APIAnswer.json(Self.findings(planning, request)).tagged(new).changing(change.before, to: change.after)
  }

  private static let create = Route(
    .post, "/recipes", "createRecipe", "Write a new recipe from a text or a template.",
    de: "Ein neues Rezept aus einem Text oder einer Vorlage schreiben.", .may(.create, .recipes),
    body: .json(
      S.input(
        [("name", S.name), ("text", ["type": "string", "maxLength": 1_000_000]), ("template", S.name)],
        required: ["name"])),
    answers: [.json(S.named("Recipe"), status: 201)]
  ) { request in
    let project = request.services.session.project
    try request.require(
      .create, .recipes, path: (project.servedFolders.first ?? "") + "/new.yaml", named: request.text("name") ?? "")
    let name = request.text("name") ?? ""
    let path: String
    if let text = request.text("text") {
      let planning = project.planning(SourceText(path: name + ".yaml", text: text), from: .file)
      guard !planning.hasErrors else { throw Self.unusable(planning, request) }
      path = try await project.writeRecipe(name, text: text, by: request.versionSource)
    } else {
      path = try await project.newRecipe(
        name, from: request.text("template") ?? "schedule", language: request.language, by: request.versionSource)
    }
    guard let entry = try await project.servedRecipes().first(where: { $0.path == path }) else {
      throw Problem.notFound(LocalizedText("recipe", de: "Rezept"), name)
    }
    return await Self.created(entry, request)
  }

  /// The answer with a new recipe.
  private static func created(_ entry: RecipeEntry, _ request: APIRequest) async -> APIAnswer {
    let project = request.services.session.project
    let change = await project.recipeChange(of: entry.path, from: nil, to: project.recipeDigest(of: entry.path))
    return APIAnswer.created(json(entry, request), at: "/recipes/\(escaped(entry.apiName))").changing(
      nil, to: change.after)
  }

  private static let delete = Route(
    .delete, "/recipes/{recipe}", "deleteRecipe", "Delete the file of a recipe.",
    de: "Die Datei eines Rezepts löschen.",
    .may(.delete, .recipes), answers: [.empty], takesIfMatch: true
  ) { request in
    let entry = try await request.recipe(.delete)
    var seen: String?
    if let tag = request.fields[.ifMatch], tag != "*" {
      let current = ContentHash.hexadecimal(of: try Self.bytes(entry.path))
      guard tag.contains("\"\(current)\"") else {
        throw Problem(
          412, "recipe_changed", "the recipe was changed meanwhile: look at it again",
          de: "das Rezept wurde inzwischen geändert: noch einmal ansehen")
      }
      seen = current
    }
    let project = request.services.session.project
    let before = project.recipeDigest(of: entry.path)
    try await project.deleteRecipe(entry.path, ifDigest: seen, by: request.versionSource)
    return APIAnswer.empty.changing(await project.recipeChange(of: entry.path, from: before, to: nil).before, to: nil)
  }

  private static let validate = Route(
    .post, "/validate", "validateRecipe", "Check the text of a recipe; nothing is stored.",
    de: "Den Text eines Rezepts prüfen; nichts wird gespeichert.", .may(.read, .recipes),
    body: .json(
      S.input(
        [("text", ["type": "string", "maxLength": 1_000_000]), ("recipe", S.name)], required: ["text"])),
    answers: [.json(S.named("Findings"))], isReading: true
  ) { request in
    let planning = try await Self.planning(request.text("text") ?? "", recipe: request.text("recipe"), request)
    return .json(Self.findings(planning, request))
  }

  /// The plan of a text that is not stored, and its diagnostics.
  ///
  /// - Parameter recipe: The name of the recipe whose text it may become; paths in the text are relative to its file.
  static func planning(_ text: String, recipe: String?, _ request: APIRequest) async throws -> Planning {
    let path = try await path(of: recipe, request)
    return request.services.session.project.planning(SourceText(path: path, text: text), from: .file)
  }

  /// The path of a recipe that the caller may read, otherwise that of a new one in the first served folder.
  static func path(of recipe: String?, _ request: APIRequest) async throws -> String {
    let project = request.services.session.project
    if let name = recipe,
      let entry = try await project.servedRecipes().first(where: { $0.apiName == name }),
      request.may(.read, .recipes, path: entry.path)
    {
      return entry.path
    }
    return (project.servedFolders.first ?? ".") + "/recipe.yaml"
  }

  private static func findings(_ planning: Planning, _ request: APIRequest) -> Value {
    [
      "usable": .bool(!planning.hasErrors && planning.plan != nil),
      "diagnostics": .list(planning.diagnostics.map { $0.value(in: request.language) }),
    ]
  }

  private static func unusable(_ planning: Planning, _ request: APIRequest) -> Problem {
    var problem = Problem(
      422, "invalid_recipe", "the recipe has errors: see 'diagnostics'",
      de: "das Rezept hat Fehler: siehe 'diagnostics'")
    problem.members = ["diagnostics": .list(planning.diagnostics.map { $0.value(in: request.language) })]
    return problem
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return try SourceText.read(path).bytes
    } catch {
      throw Problem(422, "unreadable_recipe", error.message)
    }
  }

  /// A name as part of a path (RFC 3986).
  static func escaped(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_.~"))) ?? name
  }

  // MARK: - Plans

  private static let explain = Route(
    .get, "/recipes/{recipe}/plan", "explainRecipe", "The plan of a recipe.", de: "Was ein Rezept tun wird.",
    .may(.read, .recipes), answers: [.json(S.named("Plan"))]
  ) { request in
    let entry = try await request.recipe(.read)
    let project = request.services.session.project
    return .json(PlanExplanation(try project.plan(entry.path), breaker: project.configuration.engine.breaker).value)
  }

  private static let graph = Route(
    .get, "/recipes/{recipe}/graph", "drawRecipe", "The plan of a recipe as a drawing.",
    de: "Der Plan eines Rezepts als Zeichnung.", .may(.read, .recipes), answers: [.text("image/svg+xml")]
  ) { request in
    let entry = try await request.recipe(.read)
    let svg = PlanGraph(try request.services.session.project.plan(entry.path), in: request.language).svg
    return APIAnswer(content: .bytes(Array(svg.utf8), type: "image/svg+xml"))
  }

  // MARK: - Runs

  private static let run = Route(
    .post, "/recipes/{recipe}/runs", "runRecipe",
    "Queue a run of a recipe; with 'Accept: text/event-stream' the answer follows it.",
    de: "Einen Lauf eines Rezepts einreihen; mit 'Accept: text/event-stream' folgt ihm die Antwort.",
    .may(.create, .runs),
    body: .json(
      S.input([
        ("inputs", S.map), ("keywords", ["type": "object", "additionalProperties": S.text]),
        ("priority", ["type": "integer", "minimum": -100, "maximum": 100]),
        ("deny", ["type": "array", "items": S.words(Permission.allCases.map(\.rawValue))]),
      ]), isRequired: false),
    answers: [.json(S.named("Run"), status: 201), .events(S.named("RunEvent"))], repetition: .found
  ) { request in
    let entry = try await request.recipe(.create, .runs)
    let (session, store, id) = (request.services.session, request.services.store, request.run)
    if (try? await store.status(of: id)) == nil {
      var order = RunOrder(entry.path)
      for (key, value) in (request.body["inputs"]?.mapValue ?? [:]).entries { order.inputs[key.text] = value }
      for (key, value) in (request.body["keywords"]?.mapValue ?? [:]).entries {
        order.keywords.append(Assignment(key.text, value.stringValue ?? value.jsonString))
      }
      order.priority = request.integer("priority")
      order.denied = Set(
        (request.body["deny"]?.listValue ?? []).compactMap { $0.stringValue.flatMap(Permission.init(rawValue:)) })
      (order.run, order.trigger) = (id, request.trigger)
      let checked = try session.project.check(order)
      guard request.fingerprint.map({ $0 == checked.plan.fingerprint }) ?? true else {
        throw Problem(
          412, "recipe_changed", "the recipe was changed after it was shown: look at it again",
          de: "das Rezept wurde geändert, nachdem es gezeigt wurde: noch einmal ansehen")
      }
      if let mails = try session.project.mails(of: checked) {
        let queued = try await session.queue(mails)
        guard let first = queued.first else {
          throw Problem(422, "no_message", "the recipe sends no message", de: "das Rezept sendet keine Nachricht")
        }
        return .created(try await store.summary(of: first.run).json, at: "/runs/\(first.run)")
      }
      if request.services.worksHere {
        try await request.services.tasks.start(id, in: store) { _ = try await session.run(checked) }
      } else {
        _ = try await session.enqueue(checked)
      }
    }
    let summary = try await store.summary(of: id)
    if request.wantsEvents { return try RunRoutes.follow(summary, .create, request) }
    return .created(summary.json, at: "/runs/\(id)")
  }

  // MARK: - Triggers

  private static let enable = change(
    "enable", "enableRecipe", "Switch the triggers of a recipe on.", de: "Die Auslöser eines Rezepts einschalten.",
    false)
  private static let disable = change(
    "disable", "disableRecipe", "Switch the triggers of a recipe off.", de: "Die Auslöser eines Rezepts ausschalten.",
    true)

  private static func change(_ word: String, _ id: String, _ english: String, de german: String, _ isDisabled: Bool)
    -> Route
  {
    Route(
      .post, "/recipes/{recipe}/\(word)", id, english, de: german, .may(.update, .triggers),
      answers: [.json(S.named("Recipe"))], repetition: .harmless
    ) { request in
      var entry = try await request.recipe(.read)
      try request.require(.update, .triggers)
      let before = entry.isDisabled
      try await request.services.store.setDisabled(entry.path, isDisabled)
      entry.isDisabled = isDisabled
      return APIAnswer.json(Self.json(entry, request))
        .changing(["disabled": .bool(before)], to: ["disabled": .bool(isDisabled)])
    }
  }

  private static let duplicate = Route(
    .post, "/recipes/{recipe}/duplicate", "duplicateRecipe",
    "Copy a recipe; the triggers of the copy are switched off.",
    de: "Ein Rezept kopieren; die Auslöser der Kopie sind ausgeschaltet.", .may(.create, .recipes),
    body: .json(S.input([("name", S.name)], required: ["name"])), answers: [.json(S.named("Recipe"), status: 201)]
  ) { request in
    let entry = try await request.recipe(.read)
    try request.require(.create, .recipes, path: entry.path, named: entry.apiName)
    let project = request.services.session.project
    let path = try await project.duplicateRecipe(
      entry.path, as: request.text("name") ?? "", by: request.versionSource)
    guard let copy = try await project.servedRecipes().first(where: { $0.path == path }) else {
      throw Problem.notFound(LocalizedText("recipe", de: "Rezept"), request.text("name") ?? "")
    }
    return await Self.created(copy, request)
  }

  private static let templates = Route(
    .get, "/templates", "listTemplates", "The templates of new recipes.",
    de: "Wovon ein neues Rezept ausgehen kann.",
    .may(.read, .recipes), answers: [.json(S.page(S.object([("name", S.text), ("summary", S.orNull(S.text))])))]
  ) { request in
    .page(
      RecipeTemplate.names.map { name in
        .object([
          ("name", .string(name)),
          ("summary", .text(RecipeTemplate.summary(of: name)?.string(in: request.language))),
        ])
      })
  }
}

import Access
import Engine
import Expressions
import Localization

/// The operations of the API, and its description (OpenAPI 3.1).
enum APIDocument {
  /// All operations.
  static let routes: [Route] =
    SessionRoutes.all + ServerRoutes.all + RunRoutes.all + RecipeRoutes.all + DecisionRoutes.all + ScheduleRoutes.all
    + AccessRoutes.all + RecipeHistoryRoutes.all + contentRoutes

  private static let contentRoutes: [Route] =
    OutboxRoutes.all + ReminderRoutes.all + NoteRoutes.all + CatalogRoutes.all + ConversationRoutes.all
    + UsageRoutes.all + ProviderRoutes.all + SettingsRoutes.all + FilterRoutes.all + AccountRoutes.all
    + AssistanceRoutes.all + ChatRoutes.all + DoubtRoutes.all

  /// The schemas of objects, by name.
  static let schemas: [(String, Value)] =
    RunSchemas.all + RecipeSchemas.all + ServingSchemas.all + AccessRoutes.schemas + OutboxSchemas.all
    + ContentSchemas.all + ProviderSchemas.all + SettingsSchemas.all + AccountRoutes.schemas + AssistanceRoutes.schemas
    + ChatRoutes.schemas + DoubtRoutes.schemas + [("Problem", problem)]

  /// A schema without a reference at its top.
  static func resolved(_ schema: Value) -> Value {
    guard let reference = schema["$ref"]?.stringValue, let name = reference.split(separator: "/").last else {
      return schema
    }
    return schemas.first { $0.0 == String(name) }?.1 ?? schema
  }

  /// A problem document (RFC 9457).
  private static let problem = APISchema.object([
    ("type", APISchema.text), ("title", APISchema.text), ("status", APISchema.integer), ("code", APISchema.text),
    ("detail", APISchema.text), ("request", APISchema.text),
  ])

  /// The document.
  static func document(version: String, origin: String, in language: Language) -> Value {
    var paths = ValueMap()
    for route in routes {
      var item = paths[Route.base + route.path]?.mapValue ?? [:]
      item[route.method.rawValue.lowercased()] = operation(route, language)
      paths[Route.base + route.path] = .map(item)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Sous", "version": .string(version),
        "description": .string(
          LocalizedText(
            "Recipes, runs and everything around them. Errors are problem documents (RFC 9457) with the codes of the command "
              + "line, in the language of Accept-Language. A POST with an Idempotency-Key takes effect once.",
            de: "Rezepte, Läufe und alles, was dazugehört. Fehler sind Problemdokumente (RFC 9457) mit den Codes der "
              + "Befehlszeile, in der Sprache aus Accept-Language. Ein POST mit Idempotency-Key wirkt einmal."
          ).string(in: language)),
      ],
      "servers": [["url": .string(origin)]],
      "security": [["token": []]],
      "paths": .map(paths),
      "components": [
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "schemas": .object(schemas),
      ],
    ]
  }

  private static func operation(_ route: Route, _ language: Language) -> Value {
    var fields: [(String, Value)] = [
      ("operationId", .string(route.id)), ("summary", .string(route.summary.string(in: language))),
      ("tags", [.string(route.group)]),
    ]
    switch route.right {
    case .everyone: fields.append(("security", []))
    case .signedIn: break
    case .may(let verb, let object): fields.append(("x-right", .string("\(object.rawValue): \(verb.rawValue)")))
    }
    var parameters = route.parameters.map { parameter -> Value in
      .object([
        ("name", .string(parameter.name)), ("in", .string(parameter.place.rawValue)),
        ("required", .bool(parameter.place == .path)),
        ("description", .string(parameter.summary.string(in: language))),
        ("schema", parameter.isList ? APISchema.list(parameter.schema) : parameter.schema),
      ])
    }
    if route.keepsAnswers, route.right != .everyone {
      parameters.append(
        header("Idempotency-Key", ["type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"]))
    }
    if route.takesIfMatch { parameters.append(header("If-Match", APISchema.text)) }
    if !parameters.isEmpty { fields.append(("parameters", .list(parameters))) }
    switch route.body {
    case .json(let schema, let isRequired)?:
      fields.append(
        ("requestBody", ["required": .bool(isRequired), "content": ["application/json": ["schema": schema]]]))
    case .file?:
      fields.append(
        ("requestBody", ["required": true, "content": ["application/octet-stream": ["schema": [:]]]]))
    case nil: break
    }
    var responses = ValueMap()
    for answer in route.answers {
      let status = "\(answer.status)"
      var content = responses[status]?["content"]?.mapValue ?? [:]
      switch answer {
      case .json(let schema, _): content["application/json"] = ["schema": schema]
      case .empty: break
      // The text of a recipe is a value to programs that read YAML.
      case .text(let type): content[type] = ["schema": [:]]
      case .file: content["*/*"] = ["schema": [:]]
      case .events: content["text/event-stream"] = ["schema": APISchema.text]
      }
      var response: ValueMap = ["description": .string(route.summary.string(in: language))]
      if !content.isEmpty { response["content"] = .map(content) }
      let own = links(of: route)
      if !own.isEmpty { response["links"] = .map(own) }
      responses[status] = .map(response)
    }
    responses["default"] = [
      "description": .string(LocalizedText("A problem.", de: "Ein Problem.").string(in: language)),
      "content": ["application/problem+json": ["schema": APISchema.named("Problem")]],
    ]
    fields.append(("responses", .map(responses)))
    return .object(fields)
  }

  /// The operations on an object that another operation has made: the parameter, and where its value is in the answer.
  private static let links: [(from: String, parameter: String, value: String, to: [String])] = [
    (
      "runRecipe", "run", "id",
      ["showRun", "listLogs", "cancelRun", "resumeRun", "retryRun", "replayRun", "listDoubts", "answerDecision"]
    ),
    ("retryRun", "run", "id", ["showRun", "listLogs"]),
    ("createRecipe", "recipe", "name", ["showRecipe", "readRecipe", "explainRecipe", "runRecipe", "deleteRecipe"]),
    ("uploadFile", "blob", "blob", ["downloadFile"]),
    ("beginDevice", "code", "user_code", ["showDevice"]),
    ("addUser", "user", "name", ["showUser", "changeUser", "exportUser", "removeUser"]),
    ("addToken", "token", "token/id", ["removeToken"]),
    ("saveRole", "role", "name", ["removeRole"]),
    (
      "sendMessage", "message", "id",
      ["showMessage", "editMessage", "rescheduleMessage", "sendMessageNow", "cancelMessage", "retryMessage"]
    ),
    (
      "createReminder", "reminder", "id",
      ["showReminder", "snoozeReminder", "acknowledgeReminder", "deleteReminder"]
    ),
    ("createNote", "note", "number", ["showNote", "changeNote", "deleteNote"]),
    ("createPrompt", "entry", "name", ["showPrompt", "readPrompt", "changePrompt", "movePrompt", "deletePrompt"]),
    ("undoMail", "run", "id", ["showRun", "listLogs"]),
  ]

  private static func links(of route: Route) -> ValueMap {
    var map = ValueMap()
    for link in links where link.from == route.id {
      for operation in link.to {
        map[operation] = [
          "operationId": .string(operation),
          "parameters": .object([(link.parameter, .string("$response.body#/" + link.value))]),
        ]
      }
    }
    return map
  }

  private static func header(_ name: String, _ schema: Value) -> Value {
    ["name": .string(name), "in": "header", "required": false, "schema": schema]
  }
}

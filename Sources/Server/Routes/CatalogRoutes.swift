import Access
import Catalog
import Engine
import Expressions
import Foundation
import Localization
import RecipeModel
import RecipeSyntax
import RecordJSON
import UseCases

/// Operations on the prompt catalog.
enum CatalogRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, create, show, change, move, delete, text]

  /// Works with the catalog on a thread that may block.
  private static func working<Answer: Sendable>(
    _ verb: AccessVerb, _ request: APIRequest, _ body: @escaping @Sendable (CatalogStore) throws -> Answer
  ) async throws -> Answer {
    try request.require(verb, .catalog)
    let store = request.services.workspace.catalog(request.language)
    return try await request.blocking { try body(store) }
  }

  private static let list = Route(
    .get, "/catalog", "listPrompts", "List folders and prompts in the order of the menu.",
    de: "Ordner und Prompts in der Reihenfolge des Menüs auflisten.", .may(.read, .catalog),
    parameters: [
      .words(
        "Only entries in whose names, texts and keywords these words occur.",
        de: "Nur Einträge, in deren Namen, Texten und Schlüsselwörtern diese Wörter vorkommen.")
    ], answers: [.json(S.page(S.named("Prompt")))]
  ) { request in
    let words = (request.query["search"]?.stringValue ?? "").split(separator: " ").map(String.init)
    return .page(
      try await working(.read, request) { store in
        let snapshot = try store.snapshot()
        return snapshot.places(with: words).map { .map(snapshot.json($0)) }
      })
  }

  private static let show = Route(
    .get, "/catalog/{entry}", "showPrompt", "Show an entry; its ETag is for If-Match.",
    de: "Einen Eintrag zeigen; sein ETag ist für If-Match.", .may(.read, .catalog),
    answers: [.json(S.named("PromptDetail"))]
  ) { request in try await entry(request.name("entry"), request) }

  /// An entry with its version.
  private static func entry(_ name: String, _ request: APIRequest, isNew: Bool = false) async throws -> APIAnswer {
    let (json, version) = try await working(.read, request) { store -> (Value, String) in
      let snapshot = try store.snapshot()
      let place = try snapshot.find(name)
      var map = snapshot.json(place)
      map["title_path"] = .string(snapshot.titlePath(place))
      map["text"] = .text(snapshot.file(place)?.document.source.text)
      map["fields"] = .map(snapshot.fields(of: place))
      return (.map(map), snapshot.version(of: place))
    }
    let answer: APIAnswer = isNew ? .created(json, at: "/catalog/\(RecipeRoutes.escaped(name))") : .json(json)
    return answer.tagged(version)
  }

  private static let text = Route(
    .get, "/catalog/{entry}/text", "readPrompt", "The text of a preset or composition with its keywords put in.",
    de: "Der Text eines Presets oder einer Komposition mit eingesetzten Schlüsselwörtern.", .may(.read, .catalog),
    parameters: [
      .query(
        "keyword", ["type": "string", "pattern": "^[^=]+=", "maxLength": 10_000],
        "A keyword that replaces others, NAME=VALUE; may be repeated.",
        de: "Ein Schlüsselwort, das andere ersetzt, NAME=WERT; mehrfach möglich.", isList: true)
    ], answers: [.json(S.named("PromptText"))]
  ) { request in
    let name = request.name("entry")
    let keywords = request.texts("keyword").map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
    return .json(try await working(.read, request) { try $0.prompt(name, keywords: keywords).json })
  }

  // MARK: - Changing

  private static let fields: [(String, Value)] = [
    ("title", S.text(upTo: 1000)), ("icon", S.text(upTo: 20)), ("keywords", S.text(upTo: 10_000)),
    ("description", S.text(upTo: 10_000)), ("text", S.text(upTo: 1_000_000)), ("system", S.text(upTo: 1_000_000)),
    ("task", S.text(upTo: 100)), ("order", ["type": "integer", "minimum": 0, "maximum": 1_000_000]),
    ("default", S.flag), ("elements", S.list(S.name, upTo: 1000)), ("separator", S.text(upTo: 1000)),
    ("contents", S.list(S.name, upTo: 1000)),
  ]

  private static func fields(_ request: APIRequest) -> CatalogFields {
    var fields = CatalogFields()
    (fields.title, fields.icon, fields.keywords) = (
      request.text("title"), request.text("icon"), request.text("keywords")
    )
    (fields.description, fields.text) = (request.text("description"), request.text("text"))
    (fields.system, fields.task, fields.order) = (
      request.text("system"), request.text("task"), request.integer("order")
    )
    fields.isDefault = request.body["default"]?.boolValue
    (fields.elements, fields.contents) = (request.list("elements"), request.list("contents"))
    (fields.separator, fields.preset) = (request.text("separator"), request.text("preset"))
    fields.language = request.language
    return fields
  }

  private static let create = Route(
    .post, "/catalog", "createPrompt", "Add a preset, a folder, an item, a composition or a cookbook.",
    de: "Ein Preset, einen Ordner, einen Verweis, eine Komposition oder ein Kochbuch anlegen.", .may(.create, .catalog),
    body: .json(S.input([("name", S.name), ("preset", S.name)] + fields, required: ["name"])),
    answers: [.json(S.named("PromptDetail"), status: 201)]
  ) { request in
    let (name, wanted) = (request.text("name") ?? "", fields(request))
    let result = try await working(.create, request) { store in
      try store.add(try wanted.kind(named: name), name, wanted, now: Date())
    }
    return try await entry(result.name, request, isNew: true)
  }

  private static let change = Route(
    .patch, "/catalog/{entry}", "changePrompt", "Change an entry; missing fields stay, an empty text removes one.",
    de: "Einen Eintrag ändern; was fehlt, bleibt, ein leerer Text entfernt ein Feld.", .may(.update, .catalog),
    body: .json(S.input([("preset", S.name)] + fields)), answers: [.json(S.named("PromptDetail"))], takesIfMatch: true
  ) { request in
    let (name, wanted) = (request.name("entry"), fields(request))
    let result = try await working(.update, request) { store in
      try store.edit(name, wanted, now: Date(), ifVersion: try seen(name, store, request, isRequired: true))
    }
    return try await entry(result.name, request)
  }

  /// The version of an entry if `If-Match` names it.
  private static func seen(
    _ name: String, _ store: CatalogStore, _ request: APIRequest, isRequired: Bool
  ) throws -> String {
    let snapshot = try store.snapshot()
    let version = snapshot.version(of: try snapshot.find(name))
    try request.requireMatch(version, isRequired: isRequired)
    return version
  }

  private static let move = Route(
    .post, "/catalog/{entry}/move", "movePrompt", "Move or rename an entry; recipes that name it are changed too.",
    de: "Einen Eintrag verschieben oder umbenennen; Rezepte, die ihn nennen, ändern sich mit.", .may(.update, .catalog),
    body: .json(S.input([("to", S.name), ("recursive", S.flag)], required: ["to"])),
    answers: [.json(S.named("CatalogChange"))]
  ) { request in
    try request.require(.update, .recipes)
    let (name, target) = (request.name("entry"), request.text("to") ?? "")
    let isRecursive = request.isSet("recursive")
    return .json(
      try await working(.update, request) { try $0.move(name, to: target, recursive: isRecursive).json })
  }

  private static let delete = Route(
    .delete, "/catalog/{entry}", "deletePrompt", "Delete an entry that nothing names; a preset with its items.",
    de: "Einen Eintrag löschen, den nichts nennt; ein Preset mit seinen Verweisen.", .may(.delete, .catalog),
    parameters: [
      .query("recursive", S.flag, "A folder with all its entries.", de: "Einen Ordner mit allen Einträgen.")
    ],
    answers: [.json(S.named("CatalogChange"))], takesIfMatch: true
  ) { request in
    let (name, isRecursive) = (request.name("entry"), request.query["recursive"]?.boolValue ?? false)
    return .json(
      try await working(.delete, request) { store in
        let version = try seen(name, store, request, isRequired: false)
        return try store.delete(name, recursive: isRecursive, ifVersion: version).json
      })
  }
}

import Access
import Engine
import Expressions
import Foundation
import LanguageServer
import Localization
import PluginHost
import RecipeModel
import RecipePlanning
import RecipeSyntax
import UseCases

/// Operations for editors of recipes: completion and hover, by the features of the language server.
enum AssistanceRoutes {
  private typealias S = APISchema

  static let all: [Route] = [completion, hover]

  static let schemas: [(String, Value)] = [("Completion", item)]

  private static let item = S.object([
    ("label", S.text), ("kind", S.text), ("detail", S.text), ("documentation", S.text), ("insert", S.text),
    ("from", S.count), ("to", S.count),
  ])

  private static let body = S.input(
    [
      ("text", ["type": "string", "maxLength": 1_000_000]), ("offset", ["type": "integer", "minimum": 0]),
      ("recipe", S.name),
    ], required: ["text", "offset"])

  /// The most completions of an answer.
  private static let most = 100

  private static let completion = Route(
    .post, "/completion", "completeRecipe",
    "Complete the word at an offset of a recipe's text; offsets count UTF-8 bytes.",
    de: "Das Wort an einer Stelle im Text eines Rezepts vervollständigen; Stellen zählen UTF-8-Bytes.",
    .may(.read, .recipes), body: .json(body),
    answers: [.json(S.object([("items", S.list(S.named("Completion"))), ("complete", S.flag)]))], isReading: true
  ) { request in
    let (assistance, text, offset) = try await place(request)
    let found = try await request.blocking { assistance.completion(of: text, at: offset, limit: most) }
    return .json(["items": .list(found.items), "complete": .bool(found.isComplete)])
  }

  private static let hover = Route(
    .post, "/hover", "explainPlace", "Explain the name or value at an offset of a recipe's text.",
    de: "Den Namen oder Wert an einer Stelle im Text eines Rezepts erklären.", .may(.read, .recipes),
    body: .json(body),
    answers: [
      .json(S.object([("text", S.orNull(S.text)), ("from", S.orNull(S.count)), ("to", S.orNull(S.count))]))
    ], isReading: true
  ) { request in
    let (assistance, text, offset) = try await place(request)
    let found = try await request.blocking { assistance.hover(of: text, at: offset) }
    return .json(found ?? ["text": .null, "from": .null, "to": .null])
  }

  private static func place(
    _ request: APIRequest
  ) async throws -> (assistance: TextAssistance, text: String, offset: Int) {
    let (text, offset) = (request.text("text") ?? "", request.integer("offset") ?? 0)
    guard offset <= text.utf8.count else {
      throw Problem.wrongInput(
        LocalizedText(
          "'offset' is behind the end of the text, which has \(text.utf8.count) bytes",
          de: "'offset' liegt hinter dem Ende des Textes, der \(text.utf8.count) Bytes hat"))
    }
    let path = try await RecipeRoutes.path(of: request.text("recipe"), request)
    return (TextAssistance(surroundings(request), path: path, language: request.language), text, offset)
  }

  /// The project as the caller may see it: names of providers and prompts are offered to those who may read them.
  private static func surroundings(_ request: APIRequest) -> LanguageSession.Surroundings {
    let project = request.services.session.project
    let actor = request.actor
    let seesAll = actor?.may(.read, .providers) ?? false && actor?.may(.read, .catalog) ?? false
    let configuration = seesAll ? project.configuration.path : nil
    var planner = project.planner
    if !seesAll { planner.prompts = PromptCatalog([BundledPrompts()]) }
    var surroundings = LanguageSession.Surroundings(
      planner: { [planner] _ in planner },
      read: { path in
        path == configuration || isVisible(path, request) ? try? SourceText.read(path) : nil
      })
    surroundings.configurationPath = configuration
    surroundings.recipes = { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().filter { name in
        (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !name.contains(".test.")
          && isVisible(folder + "/" + name, request)
      }
    }
    return surroundings
  }

  /// Whether a file is in a served folder, and the caller may read the recipes there.
  private static func isVisible(_ path: String, _ request: APIRequest) -> Bool {
    !path.split(separator: "/").contains("..") && request.folder(of: path) != nil
      && request.may(.read, .recipes, path: path)
  }
}

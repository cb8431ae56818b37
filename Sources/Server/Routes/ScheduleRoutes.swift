import Access
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import RunStore
import UseCases

/// Operations on schedules and triggers.
enum ScheduleRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, occurrences, next, pause, resume, backfill, triggers]

  private static let list = Route(
    .get, "/schedules", "listSchedules", "List schedules with their next points.",
    de: "Zeitpläne mit ihren nächsten Zeitpunkten auflisten.", .may(.read, .schedules),
    answers: [.json(S.page(S.named("Schedule")))]
  ) { request in .page(try await request.services.store.schedules().map(\.json)) }

  private static let occurrences = Route(
    .get, "/schedules/occurrences", "listOccurrences", "The outcomes of points of schedules, latest first.",
    de: "Was aus Zeitpunkten von Zeitplänen wurde, späteste zuerst.", .may(.read, .schedules),
    parameters: [.query("recipe", S.text, "Only those of this recipe.", de: "Nur die dieses Rezepts."), .limit],
    answers: [.json(S.page(S.named("Occurrence")))]
  ) { request in
    let found = try await request.services.workspace.occurrences(
      of: request.query["recipe"]?.stringValue, limit: request.limit)
    return .page(found.map(\.json))
  }

  private static let next = Route(
    .get, "/recipes/{recipe}/points", "listNextPoints", "The next points of a recipe's schedules.",
    de: "Die nächsten Zeitpunkte der Zeitpläne eines Rezepts.", .may(.read, .schedules),
    parameters: [
      .query("count", ["type": "integer", "minimum": 1, "maximum": 500, "default": 10], "How many.", de: "Wie viele.")
    ], answers: [.json(S.page(S.text))]
  ) { request in
    let recipe = try await request.recipe(.read)
    let count = request.query["count"]?.intValue.map { Int(clamping: $0) } ?? 10
    let points = try request.services.session.project.points(of: recipe.path, after: Date(), count: count)
    return .page(points.map { .string($0.text) })
  }

  private static let pause = change(
    "pause", "pauseSchedule", "Pause the schedules of a recipe, or one of them.",
    de: "Die Zeitpläne eines Rezepts anhalten, oder einen davon.", true)
  private static let resume = change(
    "resume", "resumeSchedule", "Resume the schedules of a recipe, or one of them.",
    de: "Die Zeitpläne eines Rezepts fortsetzen, oder einen davon.", false)

  /// A schedule of the recipe, as the list names it: `FILE#KEY`.
  private static let one: (String, Value) = ("schedule", S.text(upTo: 5000))

  /// The name of the schedules that a change is for: the one that the body names, otherwise all of the recipe.
  ///
  /// - Throws: ``Problem``: status 422 if the schedule is not one of the recipe, for which alone the caller has the right.
  private static func schedules(of recipe: RecipeEntry, _ request: APIRequest) throws -> String {
    guard let schedule = request.text("schedule") else { return recipe.path }
    guard schedule.hasPrefix(recipe.path + "#") else {
      throw Problem.wrongInput(
        LocalizedText(
          "'schedule' is not a schedule of '\(recipe.apiName)': send its 'source' as the list of schedules has it",
          de: "'schedule' ist kein Zeitplan von '\(recipe.apiName)': seine 'source' aus der Liste der Zeitpläne senden")
      )
    }
    return schedule
  }

  private static func change(_ word: String, _ id: String, _ english: String, de german: String, _ isPaused: Bool)
    -> Route
  {
    Route(
      .post, "/recipes/{recipe}/schedules/\(word)", id, english, de: german, .may(.update, .schedules),
      body: .json(S.input([one]), isRequired: false), answers: [.json(S.page(S.named("Schedule")))],
      repetition: .harmless
    ) { request in
      let recipe = try await request.recipe(.read)
      try request.require(.update, .schedules)
      let name = try schedules(of: recipe, request)
      return .page(try await request.services.workspace.pauseSchedules(name, isPaused).map(\.json))
    }
  }

  private static let backfill = Route(
    .post, "/recipes/{recipe}/schedules/backfill", "backfillSchedule",
    "Run points of the schedules of a recipe, or of one of them, that have passed; 'message' says how many runs are queued.",
    de:
      "Vergangene Zeitpunkte der Zeitpläne eines Rezepts, oder eines davon, nachholen; 'message' sagt, wie viele Läufe "
      + "eingereiht sind.",
    .may(.update, .schedules),
    body: .json(S.input([one, ("since", S.time), ("until", S.time), ("only_missed", S.flag)], required: ["since"])),
    answers: [
      .json(
        S.object([
          ("items", S.list(S.named("Occurrence"))), ("next", S.orNull(S.text)), ("points", S.count),
          ("message", S.text),
        ]), status: 201)
    ]
  ) { request in
    let recipe = try await request.recipe(.read)
    try request.require(.update, .schedules)
    try request.require(.create, .runs, path: recipe.path, named: recipe.apiName)
    guard let since = request.text("since").flatMap(Timestamp.init(rfc3339:)) else {
      throw Problem(422, UseCaseError.Code.invalidInput.rawValue, "'since' is not a time", de: "'since' ist keine Zeit")
    }
    let until = request.text("until").flatMap(Timestamp.init(rfc3339:)) ?? SystemTime().now
    let report = try await request.services.session.backfill(
      try schedules(of: recipe, request), from: since, to: until, onlyMissed: request.isSet("only_missed"))
    return .json(
      [
        "items": .list(report.begun.map(\.json)), "next": .null, "points": .int(Int64(report.pointCount)),
        "message": .string(report.summary.string(in: request.language)),
      ], status: 201)
  }

  private static let triggers = Route(
    .get, "/triggers", "listTriggers", "List triggers and how they fare.",
    de: "Auslöser auflisten, und wie es ihnen geht.",
    .may(.read, .triggers), answers: [.json(S.page(S.named("Trigger")))]
  ) { request in
    let found = try await request.services.store.triggerHealth()
    return .page(found.map { $0.json(isServed: true, in: request.language) })
  }
}

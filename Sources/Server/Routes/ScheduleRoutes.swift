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
    "pause", "pauseSchedule", "Pause the schedules of a recipe.", de: "Die Zeitpläne eines Rezepts anhalten.", true)
  private static let resume = change(
    "resume", "resumeSchedule", "Let the schedules of a recipe go on.", de: "Die Zeitpläne eines Rezepts fortsetzen.",
    false)

  private static func change(_ word: String, _ id: String, _ english: String, de german: String, _ isPaused: Bool)
    -> Route
  {
    Route(
      .post, "/recipes/{recipe}/schedules/\(word)", id, english, de: german, .may(.update, .schedules),
      answers: [.json(S.page(S.named("Schedule")))], repetition: .harmless
    ) { request in
      let recipe = try await request.recipe(.read)
      try request.require(.update, .schedules)
      return .page(try await request.services.workspace.pauseSchedules(recipe.path, isPaused).map(\.json))
    }
  }

  private static let backfill = Route(
    .post, "/recipes/{recipe}/schedules/backfill", "backfillSchedule", "Run points of a schedule that have passed.",
    de: "Vergangene Zeitpunkte eines Zeitplans nachholen.", .may(.update, .schedules),
    body: .json(S.input([("since", S.time), ("until", S.time), ("only_missed", S.flag)], required: ["since"])),
    answers: [.json(S.page(S.named("Occurrence")), status: 201)]
  ) { request in
    let recipe = try await request.recipe(.read)
    try request.require(.update, .schedules)
    try request.require(.create, .runs, path: recipe.path, named: recipe.apiName)
    guard let since = request.text("since").flatMap(Timestamp.init(rfc3339:)) else {
      throw Problem(422, UseCaseError.Code.invalidInput.rawValue, "'since' is not a time", de: "'since' ist keine Zeit")
    }
    let until = request.text("until").flatMap(Timestamp.init(rfc3339:)) ?? SystemTime().now
    let begun = try await request.services.session.backfill(
      recipe.path, from: since, to: until, onlyMissed: request.isSet("only_missed"))
    return APIAnswer(status: 201, content: APIAnswer.page(begun.map(\.json)).content)
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

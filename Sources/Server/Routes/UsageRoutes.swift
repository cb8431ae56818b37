import Access
import Engine
import Expressions
import Localization
import RecordJSON
import RunStore
import Upkeep
import UseCases

/// Operations on the use of models, its cost and budgets, and on statistics of recipes.
enum UsageRoutes {
  private typealias S = APISchema

  static let all: [Route] = [usage, budgets, statistics]

  private static let recipe = RouteParameter.query(
    "recipe", S.name, "Only the recipe of this name.", de: "Nur das Rezept dieses Namens.")
  private static let times: [RouteParameter] = [
    .query("since", S.time, "Only from then on.", de: "Nur ab dann."),
    .query("until", S.time, "Only before.", de: "Nur davor."),
  ]

  private static let usage = Route(
    .get, "/usage", "showUsage", "The use of models by calls: tokens, time, cost.",
    de: "Was Aufrufe von Modellen gebraucht haben: Tokens, Zeit, Kosten.", .may(.read, .usage),
    parameters: [
      .query(
        "by",
        ["type": "string", "enum": .list(UsageGrouping.allCases.map { .string($0.rawValue) }), "default": "model"],
        "The meaning of the rows.", de: "Die Bedeutung der Zeilen."), recipe,
      .query("provider", S.name, "Only calls of this provider.", de: "Nur Aufrufe dieses Providers."),
      .query("run", S.name, "Only calls of this run.", de: "Nur Aufrufe dieses Laufs."),
    ] + times,
    answers: [.json(S.object([("by", S.text), ("rows", S.list(S.named("Usage"))), ("total", S.named("Usage"))]))]
  ) { request in
    try request.require(.read, .usage)
    var filter = UsageFilter()
    (filter.since, filter.until) = (request.time("since"), request.time("until"))
    filter.recipe = request.query["recipe"]?.stringValue
    filter.provider = request.query["provider"]?.stringValue
    if let run = request.query["run"]?.stringValue { filter.run = try await request.services.store.resolve(run) }
    let grouping = request.query["by"]?.stringValue.flatMap(UsageGrouping.init(rawValue:)) ?? .model
    let rows = try await request.services.session.usage(filter, by: grouping)
    var total = UsageSummary(key: "")
    for row in rows { total.add(row) }
    return .json(["by": .string(grouping.rawValue), "rows": .list(rows.map(\.json)), "total": total.json])
  }

  private static let budgets = Route(
    .get, "/usage/budgets", "listBudgets", "The budgets of calls of models, and how much of them is used.",
    de: "Die Budgets von Modell-Aufrufen, und wie viel davon verbraucht ist.", .may(.read, .usage),
    answers: [.json(S.page(S.named("Budget")))]
  ) { request in
    try request.require(.read, .usage)
    return .page(try await request.services.session.budgets().map(\.json))
  }

  private static let statistics = Route(
    .get, "/statistics", "showStatistics", "How recipes do: success, durations, retries, tokens; and circuit breakers.",
    de: "Wie es Rezepten geht: Erfolg, Dauern, Wiederholungen, Tokens; und Schutzschalter.", .may(.read, .usage),
    parameters: [recipe] + times,
    answers: [
      .json(
        S.object([("recipes", S.list(S.named("RecipeStatistics"))), ("breakers", S.list(S.named("Breaker")))]))
    ]
  ) { request in
    try request.require(.read, .usage)
    var filter = RunFilter(limit: 100)
    filter.recipe = request.query["recipe"]?.stringValue
    (filter.since, filter.until) = (request.time("since"), request.time("until"))
    let (store, now) = (request.services.store, SystemTime().now)
    let recipes = try await store.statistics(filter, prices: request.services.workspace.prices)
    return .json([
      "recipes": .list(recipes.map(\.json)),
      "breakers": .list(try await store.breakers().map { $0.json(at: now) }),
    ])
  }
}

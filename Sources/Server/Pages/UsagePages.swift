import Access
import Expressions
import Foundation
import Page

/// The use of models.
enum UsagePages {
  static let all: [PageRoute] = [usage]

  private static let usage = PageRoute("/usage", .may(.read, .usage)) { request in
    let choice = UsagePage.Choice(
      days: request.query["days"].flatMap { Int($0) }, recipe: String((request.query["recipe"] ?? "").prefix(300)))
    let recipes = try await request.permitted("listRecipes")["items"]?.listValue ?? []
    let period = UsageDays(choice.days, now: Date())
    var query: ValueMap = ["since": .string(period.start)]
    if !choice.recipe.isEmpty { query["recipe"] = .string(choice.recipe) }
    func use(by grouping: String) async throws -> Value {
      var query = query
      query["by"] = .string(grouping)
      return try await request.json("showUsage", query: query)
    }
    var page = UsagePage(choice, recipes: recipes.compactMap { $0["name"]?.stringValue }.sorted())
    page.days = period.days
    page.byDay = try await use(by: "day")
    page.byModel = try await use(by: "model")
    page.byRecipe = try await use(by: "recipe")
    page.budgets = try await request.json("listBudgets")["items"]?.listValue ?? []
    page.statistics = try await request.json("showStatistics", query: query)["recipes"]?.listValue ?? []
    return page
  }
}

/// The last days up to today, in the time zone of the server, by which the use is counted too.
struct UsageDays {
  /// The days in order: `2026-11-28`.
  let days: [String]
  /// When the first of them began, as RFC 3339 in UTC.
  let start: String

  init(_ count: Int, now: Date, zone: TimeZone = .current) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let today = calendar.startOfDay(for: now)
    let dates = (0..<max(1, count)).reversed().compactMap { calendar.date(byAdding: .day, value: -$0, to: today) }
    days = dates.map { date in
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
      return "\(parts.year ?? 1970)-" + two(parts.month) + "-" + two(parts.day)
    }
    start = (dates.first ?? today).ISO8601Format()
  }
}

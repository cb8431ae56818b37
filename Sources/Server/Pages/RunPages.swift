import Access
import Engine
import Expressions
import Foundation
import Localization
import Page
import RecipePlanning
import RecordJSON
import RunStore
import UseCases

/// The overview, runs and decisions.
enum RunPages {
  static let all: [PageRoute] = [overview, list, show, decisions]

  // MARK: - The overview

  private static let overview = PageRoute("/", .signedIn) { request in
    var page = OverviewPage()
    page.decisions = try await request.permitted("listDecisions")["items"]?.listValue ?? []
    let week = Timestamp(seconds: SystemTime().now.seconds - 7 * 86_400)
    page.failed = try await runs(request, [.failed, .needsAttention, .interrupted], 5, since: week)
    page.active = try await runs(request, [.running, .queued, .waiting], 10)
    let recipes = try await request.permitted("listRecipes")["items"]?.listValue ?? []
    page.hasRecipes = !recipes.isEmpty || !(request.base.actor?.mayAnywhere(.read, .recipes) ?? false)
    page.recipes = recipes.filter { recipe in
      recipe["problems"]?.listValue?.isEmpty ?? true
        && request.base.may(.create, .runs, path: recipe["path"]?.stringValue ?? "")
    }
    page.folder = request.base.folders.all.first ?? ""
    page.coming = try await coming(request)
    if request.base.actor?.may(.read, .reminders) ?? false {
      page.reminders = try await request.base.services.session.project.reminders().map(\.json)
        .filter {
          ["due", "coming"].contains($0["state"]?.stringValue ?? "") && ($0["next"] != .null || $0["state"] == "due")
        }
        .prefix(5).map(\.self)
    }
    page.doubts = try await request.permitted("listOpenDoubts")["items"]?.listValue ?? []
    page.notes = try await request.permitted("listNotes", query: ["limit": 10])["items"]?.listValue ?? []
    page.notifications =
      try await request.permitted("listNotifications", query: ["unread": true, "limit": 5])["items"]?.listValue ?? []
    return page
  }

  private static func runs(
    _ request: PageRequest, _ statuses: [RunStatus], _ limit: Int, since: Timestamp? = nil
  ) async throws -> [Value] {
    var query: ValueMap = ["status": .list(statuses.map { .string($0.rawValue) }), "limit": .int(Int64(limit))]
    if let since { query["since"] = .string(since.rfc3339) }
    return try await request.permitted("listRuns", query: query)["items"]?.listValue ?? []
  }

  /// The next five points of all schedules.
  private static func coming(_ request: PageRequest) async throws -> [Value] {
    let page = try await request.permitted("listSchedules")
    let (schedules, paused) = (page["items"]?.listValue ?? [], SchedulePages.paused(page))
    let next = schedules.filter { $0["paused"] != true && $0["next"]?.stringValue != nil }
      .sorted { ($0["next"]?.stringValue ?? "") < ($1["next"]?.stringValue ?? "") }
    var files: [(path: String, recipe: String)] = []
    for schedule in next {
      let path = String((schedule["source"]?.stringValue ?? "").prefix { $0 != "#" })
      if !files.contains(where: { $0.path == path }), request.base.may(.read, .recipes, path: path) {
        files.append((path, schedule["recipe"]?.stringValue ?? ""))
      }
    }
    let project = request.base.services.session.project
    let points = files.prefix(5).flatMap { file in
      ((try? project.points(of: file.path, after: Date(), count: 5, without: paused)) ?? []).map { (file.recipe, $0) }
    }
    return points.sorted { $0.1.at < $1.1.at }.prefix(5).map { ["recipe": .string($0.0), "at": .string($0.1.text)] }
  }

  // MARK: - Runs

  private static let list = PageRoute("/runs", .may(.read, .runs)) { request in
    var query: ValueMap = ["limit": 50]
    for name in ["recipe", "search", "cursor"] {
      if let text = request.query[name], !text.isEmpty { query[name] = .string(String(text.prefix(500))) }
    }
    if let status = request.query["status"], RunStatus(rawValue: status) != nil { query["status"] = [.string(status)] }
    let recipes = try await request.permitted("listRecipes")["items"]?.listValue ?? []
    let names = recipes.compactMap { $0["name"]?.stringValue }.sorted()
    let saved = try await request.json("listSavedFilters")["items"]?.listValue ?? []
    do {
      return RunsPage(
        try await request.json("listRuns", query: query), query: request.query.all, recipes: names, saved: saved)
    } catch {
      let problem = Problem(error, in: request.base.language)
      guard problem.status == 422 else { throw error }
      return RunsPage(
        .map([:]), query: request.query.all, recipes: names, saved: saved,
        problem: problem.detail.string(in: request.base.language))
    }
  }

  private static let show = PageRoute("/runs/{run}", .may(.read, .runs)) { request in
    let path = ["run": request.name("run")]
    let run = try await request.json("showRun", path: path)
    let limit = request.query["log"] == "all" ? 50_000 : 500
    let lines =
      try await request.json("listLogs", path: path, query: ["limit": .int(Int64(limit))])["items"]?.listValue ?? []
    let (file, owner) = (run["path"]?.stringValue ?? "", run["started_by"]?.stringValue)
    var page = RunPage(
      run, graph: await graph(RunID(rawValue: run["id"]?.stringValue ?? ""), request), lines: lines,
      hasMoreLines: lines.count >= limit, step: request.query["step"],
      rights: RunPage.Rights(
        changes: request.base.may(.update, .runs, path: file, owner: owner),
        runs: request.base.may(.create, .runs, path: file),
        answers: request.base.may(.update, .decisions, path: file, owner: owner)))
    if run["status"]?.stringValue == RunStatus.needsAttention.rawValue {
      page.doubts = try await doubts(of: run["id"]?.stringValue ?? "", request)
    }
    return page
  }

  /// Attempts of a run, or of a run within it, whose outcome is unknown.
  private static func doubts(of run: String, _ request: PageRequest) async throws -> [Value] {
    let own = try await request.json("listDoubts", path: ["run": run])["items"]?.listValue ?? []
    return try await request.json("listOpenDoubts")["items"]?.listValue?.filter { open in
      own.contains { $0["run"] == open["run"] && $0["step"] == open["step"] && $0["item"] == open["item"] }
    } ?? []
  }

  /// The graph of the plan that a run works on; `nil` if the plan cannot be read any more.
  private static func graph(_ run: RunID, _ request: PageRequest) async -> PlanGraph? {
    guard let snapshot = try? await request.base.services.store.snapshot(of: run),
      let plan = try? await request.base.services.session.plan(of: snapshot.start)
    else { return nil }
    return PlanGraph(plan, in: request.base.language)
  }

  private static let decisions = PageRoute("/decisions", .may(.read, .decisions)) { request in
    let page = try await request.json("listDecisions")
    var answerable: Set<String> = []
    for id in Set((page["items"]?.listValue ?? []).compactMap { $0["run"]?.stringValue }) {
      let summary = try await request.base.services.store.summary(of: RunID(rawValue: id))
      if request.base.may(.update, .decisions, summary) { answerable.insert(id) }
    }
    return DecisionsPage(
      page, answerable: answerable,
      doubts: try await request.permitted("listOpenDoubts")["items"]?.listValue ?? [])
  }
}

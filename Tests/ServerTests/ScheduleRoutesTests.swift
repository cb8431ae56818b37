import Engine
import Expressions
import Foundation
import Localization
import Schedules
import Synchronization
import TestSupport
import TestWorkspace
import Testing
import UseCases

@testable import Server

/// Schedules over the API and on their page.
@Suite(.timeLimit(.minutes(3)))
struct ScheduleRoutesTests {
  private static let recipes = [
    "two": """
    name: two
    on:
      - { schedule: { cron: "0 8 * * 1" } }
      - { schedule: { cron: "0 9 29 2 *" } }
    steps: [{ id: a, uses: log, with: { message: x } }]

    """,
    "other":
      "name: other\non: [{ schedule: { cron: \"0 8 * * 2\" } }]\nsteps: [{ id: a, uses: log, with: { message: x } }]\n",
  ]

  /// A server whose schedules are known, and their sources by recipe.
  private func server() async throws -> (TestServer, [String: [String]]) {
    let server = try await TestServer(Self.recipes)
    let token = try server.token()
    try await eventually { try await server.call("GET", "/schedules", token).items.count == 3 }
    let items = try await server.checked("GET", "/schedules", token).items
    let sources = Dictionary(grouping: items) { $0["recipe"]?.stringValue ?? "" }
      .mapValues { $0.compactMap { $0["source"]?.stringValue }.sorted() }
    return (server, sources)
  }

  @Test func oneScheduleOfARecipeIsPausedAlone() async throws {
    let (server, sources) = try await server()
    let token = try server.token("operator")
    let own = try #require(sources["two"])
    let first = try #require(own.first)
    func paused() async throws -> [String] {
      try await server.checked("GET", "/schedules", token).items.filter { $0["paused"] == true }
        .compactMap { $0["source"]?.stringValue }.sorted()
    }
    let changed = try await server.checked("POST", "/recipes/two/schedules/pause", token, ["schedule": .string(first)])
    #expect(changed.items.compactMap { $0["source"]?.stringValue } == [first], "\(changed.text)")
    #expect(try await paused() == [first])
    // A schedule of another recipe is refused, whatever the caller may do with this one.
    let foreign = try #require(sources["other"]?.first)
    for operation in ["pause", "resume"] {
      let refused = try await server.checked(
        "POST", "/recipes/two/schedules/\(operation)", token, ["schedule": .string(foreign)])
      #expect(refused.status == 422, "\(refused.text)")
    }
    #expect(try await paused() == [first])
    // Without a schedule all of the recipe are meant.
    #expect(try await server.checked("POST", "/recipes/two/schedules/pause", token).items.count == own.count)
    #expect(try await paused() == own)
    _ = try await server.checked("POST", "/recipes/two/schedules/resume", token, ["schedule": .string(first)])
    #expect(try await paused() == own.filter { $0 != first })
    try await server.stop()
  }

  /// The calendar and the overview show the points of the other schedules of the recipe.
  @Test func aPausedScheduleHasNoPointsToCome() async throws {
    let (server, sources) = try await server()
    let project = server.session.project
    let own = try #require(sources["two"])
    let file = try #require(own.first?.split(separator: "#").first.map(String.init))
    func points(_ paused: [String]) throws -> Set<Date> {
      Set(try project.points(of: file, after: Date(), count: 20, without: Set(paused)).map(\.at))
    }
    let each = try own.map { paused in try points(own.filter { $0 != paused }) }
    let (first, last) = try (#require(each.first), #require(each.last))
    #expect(each.count == 2 && !first.isEmpty && !last.isEmpty && first.isDisjoint(with: last))
    #expect(try points(own).isEmpty)
    try await server.stop()
  }

  @Test func aBackfillSaysHowManyRunsItQueues() async throws {
    let (server, sources) = try await server()
    let token = try server.token("operator")
    // The schedule of leap days has no point in this week, the other one has one.
    let (monday, leap) = try (#require(sources["two"]?.first), #require(sources["two"]?.last))
    let now = Date()
    func since(_ days: Double) -> Value { .string(now.addingTimeInterval(-days * 86_400).ISO8601Format()) }
    func backfill(_ schedule: String, missed: Bool) async throws -> HTTPCall.Answer {
      try await server.checked(
        "POST", "/recipes/two/schedules/backfill", token,
        ["since": since(7), "schedule": .string(schedule), "only_missed": .bool(missed)])
    }
    var found: [String: HTTPCall.Answer] = [:]
    for schedule in [monday, leap] { found[schedule] = try await backfill(schedule, missed: true) }
    for (schedule, answer) in found {
      #expect(answer.status == 201 && answer.items.isEmpty, "\(answer.text)")
      let points = answer.json["points"]?.intValue ?? -1
      let report = BackfillReport(begun: [], pointCount: Int(points), onlyMissed: true)
      #expect(answer.text("message") == report.summary.english, "\(schedule)")
    }
    let points = found.values.compactMap { $0.json["points"]?.intValue }.sorted()
    #expect(points == [0, 1], "one schedule has a point in a week, the other none")
    let weekly = try #require(found.first { $0.value.json["points"] == 1 }?.key)
    let begun = try await backfill(weekly, missed: false)
    #expect(begun.items.count == 1, "\(begun.text)")
    let again = try await backfill(weekly, missed: false)
    #expect(again.items.isEmpty && again.json["points"] == 1, "\(again.text)")
    #expect(again.text("message") == BackfillReport(begun: [], pointCount: 1, onlyMissed: false).summary.english)
    try await server.stop()
  }

  @Test func thePageSendsTheScheduleOfTheRowAndSaysItInWords() async throws {
    let (server, sources) = try await server()
    let token = try server.token("operator")
    func page(_ language: String) async throws -> String {
      try await HTTPCall(server.port).send(
        "GET", "/schedules",
        [("Accept", "text/html"), ("Accept-Language", language), ("Authorization", "Bearer " + token)]
      ).text
    }
    let english = try await page("en")
    for source in sources.values.flatMap(\.self) {
      let body = Value.map(["schedule": .string(source)]).jsonString.replacing("\"", with: "&quot;")
      #expect(english.contains("data-body=\"\(body)\"") && english.contains("data-constants=\"\(body)\""), "\(source)")
    }
    #expect(english.contains("title=\"cron 0 8 * * 1\">every Monday at 08:00<"), "\(english)")
    #expect(english.contains("data-zone=\"\(Zone.current.identifier)\""))
    #expect(try await page("de").contains(">jeden Montag um 08:00<"))
    try await server.stop()
  }

  /// A list of runs asks for the folder of each run.
  @Test func theServedFoldersAreLookedUpOncePerRequest() {
    let count = Mutex(0)
    let folders = ServedFolders {
      count.withLock { $0 += 1 }
      return ["/a/recipes", "/b"]
    }
    #expect(count.withLock { $0 } == 0)
    for number in 0..<100 {
      #expect(folders.folder(of: "/a/recipes/sub/\(number).yaml") == "sub")
      #expect(folders.folder(of: "/b/\(number).yaml") == "" && folders.folder(of: "/c/\(number).yaml") == nil)
    }
    #expect(count.withLock { $0 } == 1)
  }
}

import Engine
import Expressions
import Foundation
import TestSupport
import TestWorkspace
import Testing

@testable import Server

/// Providers, plugins, usage, settings and values of recipes over the API.
@Suite(.timeLimit(.minutes(3)))
struct SettingsRoutesTests {
  private static let configuration = """
    plugins: { index: "https://ada:hunter2@plugins.example.com/index.json" }
    engine: { budget: { day: { tokens: 1000 }, month: { cost: 5 } } }
    providers:
      box: { plugin: maildir, path: box, create: true }
      broken: { plugin: maildir, path: 5 }
      gone: { plugin: no-such-plugin }
      out: { plugin: smtp, host: mail.example.com, user: ada, password: hunter2-literal, from: ada@example.com }

    """

  @Test func providersAreListedAndTried() async throws {
    let server = try await TestServer(configuration: Self.configuration)
    try await server.readManifests()
    let (reader, administrator) = (try server.token("viewer"), try server.token())
    let listed = try await server.checked("GET", "/providers", reader)
    let ready = listed.items.map { ($0["name"]?.stringValue, $0["ready"]?.boolValue) }
    #expect(ready.map(\.0) == ["box", "broken", "gone", "out"])
    #expect(ready.prefix(3).map(\.1) == [true, false, false], "\(listed.text)")
    #expect(try await server.checked("GET", "/providers/broken", reader).json["problem"]?.stringValue != nil)
    #expect(try await server.checked("POST", "/providers/box/test", reader).status == 403)
    #expect(try await server.checked("POST", "/providers/box/test", administrator).json["ready"] == true)
    let failed = try await server.checked("POST", "/providers/gone/test", administrator)
    #expect(failed.json["ready"] == false && failed.json["problem"]?.stringValue != nil, "\(failed.text)")
    #expect(try await server.checked("POST", "/providers/none/test", administrator).status == 404)
    let models = try await server.checked("GET", "/providers/box/models", reader)
    #expect(models.status == 409 && models.code == "unsuitable_provider", "\(models.text)")
    try await server.stop()
  }

  @Test func pluginsSayWhatTheyReach() async throws {
    let server = try await TestServer(configuration: Self.configuration)
    try await server.readManifests()
    let token = try server.token("viewer")
    let listed = try await server.checked("GET", "/plugins", token)
    #expect(listed.items.contains { $0["id"] == "smtp" && $0["status"] == "active" }, "\(listed.text)")
    let english = try await server.checked("GET", "/plugins/smtp", token).json["access"]?.listValue ?? []
    let german =
      try await server.checked("GET", "/plugins/smtp", token, fields: [("Accept-Language", "de")]).json["access"]?
      .listValue
      ?? []
    #expect(english.count > 2 && english.count == german.count && english != german)
    for name in ["none", "%2Fetc%2Fpasswd", "..%2Fbox"] {
      #expect(try await server.checked("GET", "/plugins/" + name, token).status == 404, "\(name)")
    }
    try await server.stop()
  }

  @Test func settingsHaveNoSecrets() async throws {
    let server = try await TestServer(configuration: Self.configuration)
    try await server.readManifests()
    let token = try server.token()
    for path in ["/settings", "/settings/trust", "/settings/secrets", "/providers", "/plugins/smtp"] {
      let answer = try await server.checked("GET", path, token)
      #expect(answer.status == 200 && !answer.text.contains("hunter2"), "\(path): \(answer.text)")
    }
    let settings = try await server.checked("GET", "/settings", token)
    let out = settings.json["providers"]?.listValue?.first { $0["name"] == "out" }
    #expect(out?["settings"]?.listValue?.contains("password") == true, "\(settings.text)")
    #expect(try await server.checked("GET", "/settings/trust", token).json["items"]?.listValue?.isEmpty == false)
    #expect(try await server.checked("GET", "/settings", try server.token("editor")).status == 403)
    try await server.stop()
  }

  @Test func budgetsAndUseAreShown() async throws {
    let server = try await TestServer(configuration: Self.configuration)
    try await server.readManifests()
    let token = try server.token("viewer")
    let budgets = try await server.checked("GET", "/usage/budgets", token)
    #expect(budgets.items.map { $0["period"] } == ["day", "month"], "\(budgets.text)")
    #expect(budgets.items.first?["tokens_limit"] == 1000 && budgets.items.first?["tokens_used"] == 0)
    let usage = try await server.checked("GET", "/usage?by=day", token)
    #expect(usage.json["rows"] == [] && usage.json["total"]?["calls"] == 0)
    #expect(try await server.checked("GET", "/usage?by=moon", token).status == 422)
    #expect(try await server.checked("GET", "/usage?run=none", token).status == 404)
    #expect(try await server.checked("GET", "/statistics", token).json["breakers"] == [])
    try await server.stop()
  }

  @Test func valuesOfRecipesAreListedAndDeleted() async throws {
    let server = try await TestServer([
      "count": "name: count\nsteps: [{ id: a, uses: state.increment, with: { key: runs } }]\n"
    ])
    let (reader, administrator) = (try server.token("viewer"), try server.token())
    _ = try await server.call("POST", "/recipes/count/runs", administrator, [:])
    try await eventually { try await !server.call("GET", "/state", reader).items.isEmpty }
    #expect(
      try await server.checked("GET", "/state?recipe=count", reader).items
        == [["recipe": "count", "key": "runs", "value": 1]])
    #expect(try await server.checked("GET", "/state?recipe=other", reader).items.isEmpty)
    #expect(try await server.checked("DELETE", "/state/count/runs", reader).status == 403)
    #expect(try await server.checked("DELETE", "/state/count/other", administrator).status == 404)
    #expect(try await server.checked("DELETE", "/state/count/runs", administrator).status == 204)
    #expect(try await server.checked("DELETE", "/state/count", administrator).status == 404)
    try await server.stop()
  }

  /// The pages about providers, plugins, usage and settings, and the secrets that they leave out.
  @Test func thePagesShowStatesAndNoSecrets() async throws {
    let server = try await TestServer(configuration: Self.configuration)
    try await server.readManifests()
    func page(_ path: String, _ role: String = "administrator", _ language: String = "en") async throws
      -> HTTPCall.Answer
    {
      let answer = try await HTTPCall(server.port).send(
        "GET", path,
        [
          ("Accept", "text/html"), ("Accept-Language", language),
          ("Authorization", "Bearer " + (try server.token(role))),
        ])
      #expect(answer.status == 200 && !answer.text.contains("hunter2"), "\(path): \(answer.status)")
      return answer
    }
    let providers = try await page("/providers")
    #expect(providers.text.contains("/api/v1/providers/box/test") && providers.text.contains("not usable"))
    #expect(try await !page("/providers", "viewer").text.contains("data-api"))
    #expect(try await page("/providers/gone").text.contains("not usable"))
    #expect(try await page("/plugins").text.contains("href=\"/plugins/smtp\""))
    let english = try await page("/plugins/smtp", "viewer")
    let german = try await page("/plugins/smtp", "viewer", "de")
    #expect(english.text.contains("<h2>Rights</h2>") && german.text.contains("<h2>Rechte</h2>"))
    let usage = try await page("/usage?days=7")
    #expect(usage.text.contains("1,000 tokens left") && usage.text.contains("5.00 left"), "\(usage.text)")
    #expect(try await page("/usage", "viewer", "de").text.contains("noch 1.000 Tokens"))
    let settings = try await page("/settings")
    #expect(settings.text.contains("sous.yaml") && settings.text.contains("plugins.example.com"))
    try await server.stop()
  }

  @Test(arguments: [(7, "2026-11-24"), (1, "2026-11-30"), (30, "2026-11-01")])
  func theDaysOfAPeriodEndToday(count: Int, first: String) throws {
    let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
    let days = UsageDays(count, now: Date(timeIntervalSince1970: 1_796_033_400), zone: zone)
    #expect(days.days.count == count && days.days.first == first && days.days.last == "2026-11-30")
    #expect(days.start.hasSuffix("T23:00:00Z") || days.start.hasSuffix("T22:00:00Z"))
  }
}

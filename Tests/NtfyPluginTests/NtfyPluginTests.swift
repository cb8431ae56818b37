import PluginKit
import PluginKitTesting
import Testing

@testable import NtfyPlugin

@Suite(.timeLimit(.minutes(5)))
struct NtfyPluginTests {
  private let host = InMemoryHost(provider: "phone")
  private static let published = ScriptedResponse.json(["id": "hwQ2YpKdmg", "event": "message", "topic": "t"])

  private func open(_ settings: JSONValue = ["topic": "sous_42"]) throws -> InMemoryHost.OpenPlugin<NtfyPlugin> {
    try host.open(NtfyPlugin.self, configuration: settings)
  }

  private var body: JSONValue {
    get throws { try JSONValue(json: try #require(host.requests.last).body) }
  }

  @Test func publishesAsJSON() async throws {
    host.respond(with: Self.published)
    let output = try await open(["topic": "sous_42", "token": "tk_abc", "base_url": "https://push.example.com/"]).call(
      "notify.send",
      [
        "title": "Grüezi", "text": "Zeile 1\nZeile 2 👋", "priority": "urgent", "tags": ["warning", "backup"],
        "link": "https://example.com/1",
      ], key: "01RUN.tell")
    #expect(output == ["id": "hwQ2YpKdmg"])
    #expect(host.requests.last?.url == "https://push.example.com/")
    #expect(host.requests.last?.headers["authorization"] == "Bearer tk_abc")
    #expect(
      try body == [
        "topic": "sous_42", "message": "Zeile 1\nZeile 2 👋", "sequence_id": "01RUN_tell", "title": "Grüezi",
        "priority": 5, "tags": ["warning", "backup"], "click": "https://example.com/1",
      ])
  }

  /// RFC 7617, 2: user and password in Base64.
  @Test func signsInWithUserAndPassword() async throws {
    host.respond(with: Self.published)
    _ = try await open(["topic": "t", "user": "Aladdin", "password": "open sesame"]).call("notify.send", ["text": "x"])
    #expect(host.requests.last?.headers["authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(host.requests.last?.url == "https://ntfy.sh/")
  }

  @Test(arguments: [("a", 4093), ("é", 2046), ("👋", 1023)])
  func cutsWhatWouldBecomeAFile(_ character: String, _ kept: Int) async throws {
    host.respond(with: Self.published)
    _ = try await open().call("notify.send", ["text": .string(String(repeating: character, count: 5000))])
    let message = try #require(try body["message"]?.string)
    #expect(message == String(repeating: character, count: kept) + "…")
    #expect(message.utf8.count <= 4096)
  }

  @Test(
    arguments: [
      ["topic": "no/topic"], ["topic": ""], ["topic": "t", "user": "u"],
      ["topic": "t", "user": "u", "password": "p", "token": "t"],
    ] as [JSONValue])
  func refusesSettingsOfNoUse(_ settings: JSONValue) {
    #expect(throws: ActionError.self) { try open(settings) }
  }

  @Test(arguments: [
    (401, #"{"code":40101,"http":401,"error":"unauthorized"}"#, ActionError.Kind.auth),
    (403, #"{"code":40301,"http":403,"error":"forbidden"}"#, .auth),
    (429, #"{"code":42901,"http":429,"error":"limit reached: too many requests"}"#, .rateLimited),
    (429, #"{"code":42908,"http":429,"error":"limit reached: daily message quota reached"}"#, .quota),
    (500, "oops", .server), (302, "", .protocol), (200, "<html>", .parse), (200, "{}", .protocol),
  ])
  func tellsWhatIsWrong(_ status: Int, _ answer: String, _ kind: ActionError.Kind) async throws {
    host.respond(with: ScriptedResponse(status: status, answer))
    let plugin = try open()
    let error = await #expect(throws: ActionError.self) { try await plugin.call("notify.send", ["text": "x"]) }
    #expect(error?.kind == kind)
    #expect(host.requests.count == 1)
  }

  @Test(arguments: [
    (#"{"id":"a","event":"message","message":"x","sequence_id":"01_s"}"#, "done"),
    (#"{"id":"a","event":"message","message":"x","sequence_id":"other"}"#, "not_done"),
    (#"{"id":"a","event":"message","message":"y"}"#, "not_done"), ("", "not_done"), ("no json", "not_done"),
    // A server that knows no names of messages.
    (#"{"id":"a","event":"message","message":"x"}"#, "unknown"),
  ])
  func looksForWhatWasSent(_ line: String, _ verdict: String) async throws {
    host.respond(with: ScriptedResponse(line.isEmpty ? "" : line + "\n"))
    let answer = try await open().verify("notify.send", ["text": "x"], key: "01.s")
    #expect(answer["verdict"]?.string == verdict)
    #expect(host.requests.last?.url == "https://ntfy.sh/sous_42/json?poll=1&since=all")
  }

  @Test func aTokenThatMayOnlyWriteLeavesItOpen() async throws {
    host.respond(with: ScriptedResponse(status: 403, #"{"code":40301,"http":403,"error":"forbidden"}"#))
    #expect(try await open().verify("notify.send", ["text": "x"])["verdict"]?.string == "unknown")
  }
}

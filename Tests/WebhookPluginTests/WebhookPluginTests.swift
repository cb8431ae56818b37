import PluginKit
import PluginKitTesting
import Testing

@testable import WebhookPlugin

@Suite(.timeLimit(.minutes(5)))
struct WebhookPluginTests {
  private let host = InMemoryHost(provider: "hook")

  private func send(_ settings: JSONValue, _ input: JSONValue, key: String = "01RUN.tell") async throws {
    host.respond(with: ScriptedResponse(status: 204))
    _ = try await host.open(WebhookPlugin.self, configuration: settings).call("notify.send", input, key: key)
  }

  private var body: JSONValue {
    get throws { try JSONValue(json: try #require(host.requests.last).body) }
  }

  @Test func sendsAllOfANotification() async throws {
    try await send(
      ["url": "https://hooks.example.com/in", "token": "t0ken", "headers": ["X-Team": "ops"]],
      ["title": "T", "text": "ä", "priority": "high", "tags": ["a", "b"], "link": "https://example.com"])
    #expect(
      try body == [
        "key": "01RUN.tell", "title": "T", "text": "ä", "priority": "high", "tags": ["a", "b"],
        "link": "https://example.com",
      ])
    let headers = try #require(host.requests.last).headers
    #expect(headers["idempotency-key"] == "01RUN.tell")
    #expect(headers["authorization"] == "Bearer t0ken")
    #expect(headers["x-team"] == "ops")
    #expect(headers["content-type"] == "application/json")
    #expect(headers["x-hub-signature-256"] == nil)
  }

  /// What the notification says is text, whatever it looks like.
  @Test func fillsATemplateOnce() async throws {
    try await send(
      [
        "url": "https://hooks.example.com/in",
        "body": [
          "content": "*{title}*\n{text} {unknown} {", "n": 1, "list": ["{priority}", true, ["deep": "{tags}"]],
          "{title}": "name",
        ],
      ], ["title": "{text}", "text": "\"quoted\" {title}", "tags": ["a", "b"]])
    #expect(
      try body == [
        "content": "*{text}*\n\"quoted\" {title} {unknown} {", "n": 1, "list": ["normal", true, ["deep": "a, b"]],
        "{title}": "name",
      ])
  }

  /// The example of https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries.
  @Test func signsAsGitHubDoes() throws {
    let headers = try Signature(secret: "It's a Secret to Everybody").headers(
      Array("Hello, World!".utf8), id: "1", time: 1)
    #expect(
      headers.first?.1 == "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")
  }

  /// The example of the libraries of Standard Webhooks.
  @Test func signsByTheStandard() throws {
    let headers = try Signature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").headers(
      Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330)
    #expect(headers.last?.1 == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func signsWhatItSends() async throws {
    try await send(["url": "https://hooks.example.com/in", "secret": "s3cret"], ["text": "x"])
    let request = try #require(host.requests.last)
    let expected = Signature.hexadecimal(try Signature.code(key: Array("s3cret".utf8), request.body))
    #expect(request.headers["x-hub-signature-256"] == "sha256=" + expected)
    #expect(request.headers["webhook-id"] == "01RUN_tell")
    #expect(request.headers["webhook-timestamp"] == "1800000000")
  }

  /// RFC 4231, test cases 1 and 6: a key shorter, and one longer than a block.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func hashesAsTheStandardSays(_ key: [UInt8], _ text: String, _ code: String) throws {
    #expect(Signature.hexadecimal(try Signature.code(key: key, Array(text.utf8))) == code)
  }

  @Test(
    arguments: [
      ["url": "ftp://example.com"], ["url": "https://example.com", "headers": ["Authorization": "x"]],
      ["url": "https://example.com", "headers": ["idempotency-KEY": "x"]],
    ] as [JSONValue])
  func refusesSettingsOfNoUse(_ settings: JSONValue) {
    #expect(throws: ActionError.self) { try host.open(WebhookPlugin.self, configuration: settings) }
  }

  @Test(arguments: [
    (400, ActionError.Kind.invalidInput), (401, .auth), (429, .rateLimited), (503, .server), (301, .protocol),
  ])
  func tellsWhatIsWrong(_ status: Int, _ kind: ActionError.Kind) async throws {
    host.respond(with: ScriptedResponse(status: status, headers: ["location": "https://other.example.com"]))
    let plugin = try host.open(WebhookPlugin.self, configuration: ["url": "https://hooks.example.com/in"])
    let error = await #expect(throws: ActionError.self) { try await plugin.call("notify.send", ["text": "x"]) }
    #expect(error?.kind == kind)
    #expect(host.requests.count == 1)
  }

  @Test func aLostAnswerIsSentAgainWithTheSameKey() async throws {
    let plugin = try host.open(WebhookPlugin.self, configuration: ["url": "https://hooks.example.com/in"])
    #expect(try await plugin.verify("notify.send", ["text": "x"])["verdict"]?.string == "not_done")
    #expect(host.requests.isEmpty)
  }
}

import Foundation
import PluginKit
import PluginKitTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RecordingTests {
  let host = InMemoryHost()
  let url: JSONValue = ["url": "https://example.com/a"]

  func exchange(_ url: String, _ response: RecordedResponse) -> RecordedExchange {
    RecordedExchange(request: RecordedRequest(method: "GET", url: url), response: response)
  }

  @Test func recordedResponsesComeInTheirPieces() async throws {
    host.replay(
      Recording(exchanges: [
        exchange(
          "https://example.com/a",
          RecordedResponse(
            status: 203, headers: [.init(name: "x", value: "1")],
            body: ["one", .init([0xC3]), .init([0xBC])]))
      ]))
    let browser = try host.open(Browser.self)
    let response = try await browser.callContext().http.send(HTTPRequest(url: "https://example.com/a"))
    #expect(response.status == 203)
    #expect(response.headers == ["x": "1"])
    var pieces: [[UInt8]] = []
    for try await piece in response.body { pieces.append(piece) }
    #expect(pieces == [Array("one".utf8), [0xC3], [0xBC]])
    try host.finishReplay()
  }

  @Test func recordedFailuresFail() async throws {
    let failure = RecordedFailure(kind: "io", message: "reset")
    host.replay(
      Recording(exchanges: [
        exchange("https://example.com/a", RecordedResponse(status: nil, failure: failure)),
        exchange("https://example.com/a", RecordedResponse(status: 200, body: ["x"], failure: failure)),
      ]))
    let browser = try host.open(Browser.self)
    for _ in 0..<2 {
      await #expect(throws: ActionError(.io, "")) { try await browser.call("browser.text", url) }
    }
    try host.finishReplay()
  }

  @Test func anUnexpectedRequestShowsTheDifference() async throws {
    host.replay(Recording(exchanges: [exchange("https://example.com/b?page=1", RecordedResponse(status: 200))]))
    let error = await #expect(throws: ActionError.self) {
      try await host.open(Browser.self).call("browser.text", url)
    }
    #expect(
      error?.message.contains("recorded 'https://example.com/b?page=1', requested 'https://example.com/a'") == true)
    #expect(throws: RecordingError(.unexpected, "")) { try host.finishReplay() }
  }

  @Test func whatWasNotAskedForIsReported() throws {
    host.replay(Recording(exchanges: [exchange("https://example.com/a", RecordedResponse(status: 200))]))
    #expect(throws: RecordingError(.unused, "")) { try host.finishReplay() }
  }

  @Test(
    arguments: [
      (#"{"a": 1, "b": [true]}"#, #"{"b":[true],"a":1}"#, true), (#"{"a": 1}"#, #"{"a":2}"#, false),
      ("text", "text", true), ("text", "Text", false), ("", "x", false),
    ])
  func bodiesAreComparedAndJSONAsValues(body: String, recorded: String, isSame: Bool) {
    func request(_ body: String) -> RecordedRequest {
      RecordedRequest(
        method: "POST", url: "https://a", headers: [.init(name: "Accept", value: "*/*")], body: Array(body.utf8),
        scrubber: SecretScrubber())
    }
    #expect(request(body).matches(request(recorded)) == isSame)
  }

  /// What the plugin set has to be as it was; who asks, when, and credentials do not count.
  @Test(arguments: [
    (["prefer": "draft", "User-Agent": "2"], true), (["Prefer": "final"], false), ([:], false),
    (["prefer": "draft", "authorization": "Bearer 2", "x-new": "1"], true),
  ])
  func headersAreCompared(_ headers: [String: String], isSame: Bool) {
    func request(_ headers: [String: String]) -> RecordedRequest {
      RecordedRequest(
        method: "GET", url: "https://a", headers: headers.map { .init(name: $0.key, value: $0.value) }, body: [],
        scrubber: SecretScrubber())
    }
    let recorded = request(["prefer": "draft", "user-agent": "1", "authorization": "Bearer 1"])
    #expect(recorded.headers == [.init(name: "prefer", value: "draft")])
    #expect(request(headers).matches(recorded) == isSame)
  }

  @Test func anIdempotencyKeyHasToBeThere() {
    func request(_ key: String?) -> RecordedRequest {
      RecordedRequest(
        method: "POST", url: "https://a", headers: key.map { [.init(name: "Idempotency-Key", value: $0)] } ?? [],
        body: [],
        scrubber: SecretScrubber())
    }
    let recorded = request("k1")
    #expect(recorded.headers == [.init(name: "idempotency-key", value: "<any>")])
    #expect(request("k2").matches(recorded))
    #expect(!request(nil).matches(recorded))
    // One without them is as old as it is.
    #expect(request("k1").matches(request(nil)))
  }

  @Test func largeAndBinaryBodiesAreComparedByDigest() {
    for body in [[0xFF, 0x00], [UInt8](repeating: 0x61, count: 70_000)] {
      let request = RecordedRequest(method: "PUT", url: "u", headers: [], body: body, scrubber: SecretScrubber())
      #expect(request.body == nil)
      #expect(request.bodyDigest?.count == 64)
    }
  }

  @Test func filesReadAsTheyWereWritten() throws {
    let recording = Recording(
      note: "n",
      exchanges: [
        exchange("https://a/b", RecordedResponse(status: 200, body: ["ü", .init([0xC3])])),
        RecordedExchange(
          stream: RecordedStream(host: "h", port: 1, tls: true),
          dialogue: [.init(receive: "a"), .init(send: "b"), .init(startTLS: true), .init(end: true)]),
      ])
    let json = try recording.json()
    #expect(try Recording(json: json) == recording)
    #expect(String(decoding: json, as: UTF8.self).contains(#""base64" : "ww==""#))
    #expect(throws: RecordingError(.unreadable, "")) {
      try Recording(json: Data(#"{"version":2,"exchanges":[]}"#.utf8))
    }
    #expect(throws: RecordingError(.unreadable, "")) { try Recording(json: Data("x".utf8)) }
  }

  @Test(arguments: [
    ("https://a/b?api_key=abc&q=1", "https://a/b?api_key=<secret>&q=1"),
    ("https://a/b?Token=abc#x", "https://a/b?Token=<secret>#x"),
    ("https://a/b?q=s3cr%26t%2F&key", "https://a/b?q=<secret:pass>&key"),
    ("https://a/s3cr&t/", "https://a/<secret:pass>"),
  ])
  func urlsAreScrubbed(url: String, clean: String) {
    #expect(SecretScrubber(secrets: ["pass": "s3cr&t/"]).scrub(url: url) == clean)
  }

  @Test(arguments: [
    ("say s3cr\"t!", "say <secret:pass>!"), (#"{"x":"s3cr\"t"}"#, #"{"x":"<secret:pass>"}"#),
    ("Basic czNjciJ0", "Basic <secret:pass>"),
    (#"{"access_token" : "a\"b", "b": 1}"#, #"{"access_token" : "<secret>", "b": 1}"#),
    (#"{"password":null,"code":"x"}"#, #"{"password":null,"code":"x"}"#), ("short", "short"),
  ])
  func textsAreScrubbed(text: String, clean: String) {
    #expect(SecretScrubber(secrets: ["pass": "s3cr\"t", "tiny": "s"]).scrub(text) == clean)
  }

  @Test func secretsAcrossPiecesAreFound() {
    let scrubber = SecretScrubber(secrets: ["pass": "hunter2"])
    #expect(scrubber.scrub(["a hun", "ter2 b"] as [RecordedBytes]) == ["a <secret:pass> b"])
    #expect(scrubber.scrub(["a", "b"] as [RecordedBytes]) == ["a", "b"])
    let headers = ["Authorization", "Set-Cookie", "X-API-Key", "ETag"].map {
      RecordedHeader(name: $0, value: "hunter2")
    }
    #expect(scrubber.scrub(headers) == [.init(name: "etag", value: "<secret:pass>")])
  }

  static let dialogue = Recording(exchanges: [
    RecordedExchange(
      stream: RecordedStream(host: "mail.example", port: 143, tls: false),
      dialogue: [
        .init(receive: "* ready\r\n"), .init(send: "STARTTLS\r\n"), .init(receive: "ok\r\n"), .init(startTLS: true),
        .init(send: "SAY <secret:password>\r\n"), .init(receive: "2\nhi"),
      ])
  ])

  @Test func dialoguesArePlayedBackWithoutTheirSecrets() async throws {
    host.replay(RecordingTests.dialogue)
    let mailman = try host.open(Mailman.self, configuration: ["password": "hunter2"])
    #expect(try await mailman.call("mailman.dialogue", ["text": "hunter2"]) == ["text": "* ready|hi|true"])
    try host.finishReplay()
  }

  @Test func aTurnThatDiffersEndsTheStream() async throws {
    host.replay(RecordingTests.dialogue)
    let mailman = try host.open(Mailman.self)
    let error = await #expect(throws: ActionError.self) { try await mailman.call("mailman.dialogue", ["text": "else"]) }
    #expect(error?.kind == .protocol)
    let failure = #expect(throws: RecordingError.self) { try host.finishReplay() }
    #expect(failure?.message.contains("sent     'SAY else") == true, "\(failure?.message ?? "")")
  }

  @Test func aMissingFileSaysHowItIsMade() async throws {
    let error = await #expect(throws: RecordingError.self) { try await withRecording("Recordings/none.json") { _ in } }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("SOUS_RECORD=1") == true)
  }
}

import PluginKit
import PluginKitTesting
import Testing

/// A plugin whose actions are requests, for the tests of the client.
struct Browser: Plugin {
  struct Configuration: Decodable, Sendable { var baseURL: String? }
  struct Page: Codable, Sendable, Equatable {
    var status: Int
    var pageTitle: String
  }
  struct Address: Codable, Sendable { var url: String }

  static let manifest = Manifest(
    id: "browser", version: "1", summary: "Fetches pages", hosts: ["example.com", "*.example.org", "{base_url}"])
  let context: PluginContext

  init(configuration: Configuration, context: PluginContext) { self.context = context }

  static var actions: ActionList<Browser> {
    Action("browser.text", effect: .read, summary: "The text", input: Address.self, output: Page.self) {
      _, input, context in
      let response = try await context.http.send(HTTPRequest(url: input.url))
      return Page(status: response.status, pageTitle: try await response.text(upTo: 1000))
    }
    Action("browser.page", effect: .read, summary: "A page", input: Address.self, output: Page.self) {
      _, input, context in
      try await context.http.send(HTTPRequest(url: input.url)).checked(now: context.clock).json(as: Page.self)
    }
    Action("browser.pieces", effect: .read, summary: "Pieces", input: Address.self, output: JSONValue.self) {
      _, input, context in
      var count = 0
      for try await piece in try await context.http.send(HTTPRequest(url: input.url)).body {
        count += piece.count
        try context.delta(["bytes": .integer(Int64(piece.count))] as JSONValue)
      }
      return ["count": .integer(Int64(count))]
    }
    Action("browser.post", effect: .once, summary: "Posts", input: Page.self, output: JSONValue.self) {
      _, input, context in
      let request = try HTTPRequest.json(input, to: "https://example.com/pages", headers: ["X-One": "1"])
      return try await context.http.send(request).json()
    }
    Action("browser.upload", effect: .once, summary: "Uploads", input: Address.self, output: Page.self) {
      _, input, context in
      let pieces = AsyncStream { stream in
        for text in ["one ", "two ", "three"] { stream.yield(Array(text.utf8)) }
        stream.finish()
      }
      let response = try await context.http.send(HTTPRequest(method: .put, url: input.url), body: pieces)
      return Page(status: response.status, pageTitle: try await response.text())
    }
  }
}

@Suite(.timeLimit(.minutes(5)))
struct HTTPClientTests {
  let host = InMemoryHost()
  let url: JSONValue = ["url": "https://example.com/a"]

  func browser() throws -> InMemoryHost.OpenPlugin<Browser> { try host.open(Browser.self) }

  @Test func responseHasStatusAndBody() async throws {
    host.respond { ScriptedResponse(status: 203, "\($0.method.rawValue) \($0.url)") }
    let page = try await browser().call("browser.text", url)
    #expect(page == ["status": 203, "page_title": "GET https://example.com/a"])
  }

  @Test func jsonNamesMatchInBothSpellings() async throws {
    host.respond(with: .json(["status": 1, "page_title": "a"]), .json(["status": 2, "pageTitle": "b"]))
    let browser = try browser()
    #expect(try await browser.call("browser.page", url)["page_title"] == "a")
    #expect(try await browser.call("browser.page", url)["page_title"] == "b")
  }

  @Test func jsonRequestsHaveBodyAndType() async throws {
    host.respond(with: .json(["ok": true]))
    _ = try await browser().call("browser.post", ["status": 1, "page_title": "ü"])
    let request = try #require(host.requests.first)
    #expect(request.method == .post)
    #expect(request.headers == ["x-one": "1", "content-type": "application/json"])
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"status":1,"page_title":"ü"}"#)
  }

  @Test(
    arguments: [
      (401, .auth), (403, .auth), (402, .quota), (404, .notFound), (429, .rateLimited), (500, .server), (503, .server),
      (504, .timeout), (422, .invalidInput), (302, .protocol),
    ] as [(Int, ActionError.Kind)])
  func statusOfFailureHasAKind(status: Int, kind: ActionError.Kind) async throws {
    host.respond(with: ScriptedResponse(status: status, "secret words"))
    let error = await #expect(throws: ActionError.self) { try await browser().call("browser.page", url) }
    #expect(error?.kind == kind)
    #expect(error?.message.contains("secret") == false)
  }

  @Test(
    arguments: [
      (["Retry-After": "7"], 7), (["retry-after-ms": "250", "retry-after": "9"], 0.25), (["retry-after": "soon"], nil),
      (["retry-after": "Fri, 15 Jan 2027 08:01:30 GMT"], 90), (["retry-after": "Fri, 15 Jan 2026 08:01:30 GMT"], 0),
      ([:], nil),
    ] as [(HTTPHeaders, Double?)])
  func retryAfterIsReadInEveryForm(headers: HTTPHeaders, seconds: Double?) async throws {
    host.respond(with: ScriptedResponse(status: 429, headers: headers))
    let error = await #expect(throws: ActionError.self) { try await browser().call("browser.page", url) }
    #expect(error?.retryAfter == seconds)
  }

  @Test func bodyOfAnotherShapeIsAParseError() async throws {
    host.respond(with: .json(["status": "x"]))
    let error = await #expect(throws: ActionError.self) { try await browser().call("browser.page", url) }
    #expect(error?.kind == .parse)
    #expect(error?.message.contains("'status'") == true)
  }

  @Test func bodyBeyondTheLimitIsRefused() async throws {
    host.respond(with: ScriptedResponse(String(repeating: "x", count: 1001)))
    await #expect(throws: ActionError(.protocol, "")) { try await browser().call("browser.text", url) }
  }

  @Test func failuresOfTheConnectionKeepTheirKind() async throws {
    host.respond(
      with: .failure(ActionError(.dns, "no such host")),
      ScriptedResponse("half", ending: .failure(ActionError(.io, "reset"))))
    let browser = try browser()
    await #expect(throws: ActionError(.dns, "")) { try await browser.call("browser.text", url) }
    await #expect(throws: ActionError(.io, "")) { try await browser.call("browser.text", url) }
  }

  @Test(arguments: ["browser.text", "browser.pieces"])
  func cancellingTheTaskCancelsTheRequest(action: String) async throws {
    let (asked, signal) = AsyncStream<Void>.makeStream()
    host.respond { _ in
      signal.finish()
      return action == "browser.text" ? .silence : ScriptedResponse("begin", ending: .never)
    }
    let browser = try browser()
    let task = Task { try await browser.call(action, url) }
    for await _ in asked {}
    task.cancel()
    await #expect(throws: ActionError(.cancelled, "")) { try await task.value }
  }

  @Test func aLongBodyArrivesWholeThroughTheWindow() async throws {
    let piece = [UInt8](repeating: 7, count: 300_000)
    host.respond(with: ScriptedResponse(pieces: Array(repeating: piece, count: 20)))
    #expect(try await browser().call("browser.pieces", url) == ["count": 6_000_000])
    #expect(host.deltas.count == 20)
  }

  @Test func streamedBodiesArriveWhole() async throws {
    host.respond { ScriptedResponse(String(decoding: $0.body, as: UTF8.self)) }
    #expect(try await browser().call("browser.upload", url)["page_title"] == "one two three")
    #expect(host.requests.first?.method == .put)
  }

  @Test(
    arguments: [
      ("https://example.com:8443/x", true), ("https://EXAMPLE.com", true), ("https://a.example.org/", true),
      ("http://10.0.0.7:11434/api", true), ("https://example.org/", false), ("https://evil.com/?example.com", false),
      ("https://example.com.evil.com/", false), ("https://example.com@evil.com/", false),
      ("https://[::1]/", false), ("file:///etc/passwd", false),
    ] as [(String, Bool)])
  func onlyDeclaredHostsAreReached(url: String, isAllowed: Bool) async throws {
    host.respond { _ in ScriptedResponse("ok") }
    let browser = try host.open(Browser.self, configuration: ["base_url": "http://10.0.0.7:11434"])
    do {
      _ = try await browser.call("browser.text", ["url": .string(url)])
      #expect(isAllowed)
    } catch {
      #expect(!isAllowed)
      #expect([.auth, .invalidInput].contains(error.kind))
      #expect(host.requests.isEmpty)
    }
  }

  @Test func moreRequestsThanResponsesFail() async throws {
    host.respond(with: ScriptedResponse("1"))
    let browser = try browser()
    _ = try await browser.call("browser.text", url)
    await #expect(throws: ActionError(.protocol, "")) { try await browser.call("browser.text", url) }
  }

  @Test(
    arguments: [
      ("https://a.example/x", "https://a.example/x?q=a%20b%26c&z=%C3%BC"),
      ("https://a.example/x?y=1#part", "https://a.example/x?y=1&q=a%20b%26c&z=%C3%BC#part"),
    ])
  func queriesAreEscaped(url: String, result: String) {
    #expect(HTTPRequest(url: url, query: ["q": "a b&c", "z": "ü"]).url == result)
  }

  @Test func headersKeepOrderAndIgnoreCase() {
    var headers: HTTPHeaders = ["Accept": "a", "X": "1", "accept": "b"]
    #expect(headers["ACCEPT"] == "a")
    #expect(headers.values("accept") == ["a", "b"])
    headers["aCCEPT"] = "c"
    #expect(headers.fields.map(\.value) == ["c", "1"])
    headers["x"] = nil
    #expect(headers == ["accept": "c"])
    #expect("\(headers)" == "aCCEPT")
  }
}

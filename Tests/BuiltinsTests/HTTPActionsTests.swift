import Builtins
import Engine
import Expressions
import Foundation
import Localization
import Plans
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPActionsTests {

  private static let server = try? LoopbackServer()
  private let server: LoopbackServer
  private let caller: BuiltinCaller

  init() throws {
    let server = try #require(Self.server)
    self.server = server
    caller = BuiltinCaller(
      BuiltinSurroundings(
        http: HTTPAccess(
          hosts: ["127.0.0.1"],
          credentials: [
            .init(host: "127.0.0.1:\(server.port)", header: "Authorization", secret: { "s3cret" }) { "Bearer \($0)" },
            .init(host: "missing.example", header: "X", secret: { () throws(ActionFailure) in throw Self.noSecret }),
          ]),
        time: SetTime(Timestamp(seconds: 784_111_770))))
  }

  private static let noSecret = ActionFailure(.auth, .init(verbatim: "no secret"))

  @Test(arguments: [
    ("https://api.example.com/x?y=1", true), ("https://api.example.com:8443/", true),
    ("http://below.example.org", true),
    ("https://example.org/", false), ("http://localhost:8080/a", true), ("http://localhost:8081/a", false),
    ("https://10.1.2.3/", false), ("https://other.example.com/secret?token=1", false),
    ("ftp://api.example.com/", false),
    ("no url", false),
  ]) func itIsKnownBeforehandWhatWouldBeRefused(url: String, isFree: Bool) throws {
    let access = HTTPAccess(hosts: ["api.example.com", "*.example.org", "localhost:8080"])
    guard !isFree else { return #expect(access.refusal(of: url) == nil) }
    let refusal = try #require(access.refusal(of: url))
    #expect(!refusal.english.contains("token"))
    if url.hasPrefix("https://other") { #expect(refusal.english.contains("http: { hosts: [\"other.example.com\"] }")) }
  }

  private func echo(_ action: String, _ input: ValueMap) async throws -> Value {
    var input = input
    input["url"] = input["url"] ?? .string(server.url("/echo"))
    input["parse"] = "json"
    return try await caller.perform(action, .map(input))["body"] ?? .null
  }

  private var vaultCaller: BuiltinCaller {
    BuiltinCaller(
      BuiltinSurroundings(
        secret: { (name) throws(ActionFailure) in "value-of-\(name)" },
        http: HTTPAccess(hosts: ["127.0.0.1", "plain.example"])))
  }

  @Test func secretsThatARecipeNamesGoAlongAndDoNotComeBack() async throws {
    let output = try await vaultCaller.perform(
      "http.request",
      [
        "method": "POST", "parse": "json",
        "url": ["secret": [.string(server.url("/echo?token=")), .secretMark("A")]],
        "headers": ["X-Key": ["secret": .secretMark("B")]],
        "json": ["key": ["secret": .secretMark("C")], "other": ["secret": "data"]],
      ])
    let text = output.jsonString
    #expect(!text.contains("value-of"))
    #expect(text.contains("***"))
    #expect(text.contains("data"))
  }

  @Test func aFailureHasStatusAndBodyWithoutSecrets() async throws {
    do {
      _ = try await vaultCaller.perform(
        "http.request",
        [
          "method": "POST", "parse": "json", "expect": [201], "url": .string(server.url("/echo")),
          "headers": ["X-Key": ["secret": .secretMark("B")]], "json": ["id": 7],
        ])
      Issue.record("the request has succeeded")
    } catch let failure as ActionFailure {
      #expect(failure.output?["status"] == 200)
      #expect(failure.output?["body"]?.mapValue != nil)
      let text = try #require(failure.output?.jsonString)
      #expect(text.contains("***"))
      #expect(!text.contains("value-of"))
    }
  }

  @Test func aSecretDoesNotGoWithoutTLSAndDataCannotAskForOne() async throws {
    for url: Value in [["secret": ["http://plain.example/", .secretMark("A")]], ["secret": "A"]] {
      do {
        _ = try await vaultCaller.perform("http.get", ["url": url])
        Issue.record("the request was sent")
      } catch let error as ActionFailure {
        #expect([.auth, .invalidInput].contains(error.kind))
        #expect(!error.message.english.contains("value-of"))
      }
    }
  }

  @Test func aListRepeatsAParameter() async throws {
    let body = try await echo("http.get", ["query": ["label": ["a", "b c"], "none": [], "n": 1]])
    #expect(body["query"] == [["label", "a"], ["label", "b c"], ["n", "1"]])
  }

  @Test func aResponseComesWithStatusHeadersAndBody() async throws {
    let output = try await caller.perform("http.get", ["url": .string(server.url("/hello"))])
    #expect(output["status"] == 200)
    #expect(output["body"] == "hello")
    #expect(output["size"] == 5)
    #expect(output["headers"]?["content-length"] == "5")
    let head = try await caller.perform("http.get", ["url": .string(server.url("/hello")), "method": "HEAD"])
    #expect(head["body"] == "")
    let bytes = try await caller.perform("http.get", ["url": .string(server.url("/hello")), "parse": "bytes"])
    #expect(bytes["body"] == "aGVsbG8=")
    let latin = try await caller.perform("http.get", ["url": .string(server.url("/latin"))])
    #expect(latin["body"] == "Grüezi")
  }

  /// The failure of an action; its message and remedy in English.
  private func failureText(_ action: String, _ input: Value) async throws -> (message: String, advice: String?) {
    do {
      _ = try await caller.perform(action, input)
      return ("", nil)
    } catch let error as ActionFailure {
      return (error.message.english, error.advice?.english)
    }
  }

  @Test func aRedirectToAForeignHostNamesThatHost() async throws {
    let url = Value.string(server.url("/status/302?Location=http%3A//elsewhere.example%3A8081/x"))
    #expect(try await caller.failure("http.get", ["url": url]) == .auth)
    let text = try await failureText("http.get", ["url": url])
    #expect(text.message.hasPrefix("elsewhere.example:8081 "))
    #expect(text.advice?.contains(#"["elsewhere.example:8081"]"#) == true)
  }

  @Test func redirectsThatAreNotFollowedSayWhereTheyLead() async throws {
    let target = Value.string(server.url("/status/307?Location=http%3A//elsewhere.example/secret%3Fkey%3Dx"))
    let led = try await failureText("http.request", ["url": target, "method": "POST"])
    #expect(led.message.hasSuffix("://elsewhere.example"))
    #expect(led.advice != nil)
    let nowhere = try await failureText("http.get", ["url": .string(server.url("/status/307"))])
    #expect(nowhere.message.contains("does not say where"))
    #expect(nowhere.advice == nil)
  }

  @Test func queriesAreEncodedAndAdded() async throws {
    let body = try await echo(
      "http.get",
      ["url": .string(server.url("/echo?a=1#part")), "query": ["q": "ä & b+c", "n": 2, "yes": true, "empty": ""]])
    #expect(body["query"] == [["a", "1"], ["q", "ä & b+c"], ["n", "2"], ["yes", "true"], ["empty", ""]])
  }

  @Test(
    arguments: [
      (["body": "Grüezi"], "Grüezi", "text/plain; charset=utf-8"),
      (["json": ["a": [1, .null]]], "{\"a\":[1,null]}", "application/json"),
      (["form": ["a b": "c&d", "n": 1]], "a+b=c%26d&n=1", "application/x-www-form-urlencoded"),
      (["body": "<a/>", "headers": ["content-type": "application/xml"]], "<a/>", "application/xml"),
    ] as [(ValueMap, Value, Value)])
  func bodiesHaveTheirTypes(input: ValueMap, body: Value, type: Value) async throws {
    var input = input
    input["method"] = "POST"
    let told = try await echo("http.request", input)
    #expect(told["method"] == "POST")
    #expect(told["body"] == body)
    #expect(told["headers"]?["content-type"] == type)
  }

  @Test func aRequestThatMayComeTwiceCarriesItsKey() async throws {
    let put = try await echo("http.idempotent", ["method": "PUT", "json": 1])
    #expect(put["method"] == "PUT")
    let post = try await echo(
      "http.idempotent", ["method": "POST", "json": 1, "idempotency_key_header": "Idempotency-Key"])
    #expect(post["headers"]?["idempotency-key"] == "R.a")
    #expect(
      try await caller.failure("http.idempotent", ["url": .string(server.url("/echo")), "method": "POST"])
        == .invalidInput)
  }

  @Test func secretsGoToTheirHostAndDoNotComeBack() async throws {
    let told = try await echo("http.get", [:])
    #expect(told["headers"]?["authorization"] == "Bearer ***")
    let own = try await echo("http.get", ["headers": ["authorization": "Basic mine"]])
    #expect(own["headers"]?["authorization"] == "Basic mine")
  }

  @Test func encodedSecretsDoNotComeBackEither() async throws {
    let basic = "Basic " + Data("me:s3crét/1".utf8).base64EncodedString()
    let surroundings = BuiltinSurroundings(
      http: HTTPAccess(
        hosts: ["127.0.0.1"],
        credentials: [
          .init(host: "127.0.0.1:\(server.port)", header: "Authorization", secret: { "s3crét/1" }) { _ in basic }
        ]))
    let caller = BuiltinCaller(surroundings)
    let url = Value.string(server.url("/echo?again=s3cr%C3%A9t%2F1"))
    let parsed = try await caller.perform("http.get", ["url": url, "parse": "json"])
    #expect(parsed["body"]?["headers"]?["authorization"] == "Basic ***")
    #expect(parsed["body"]?["query"] == [["again", "***"]])
    let text = try await caller.perform("http.get", ["url": url, "parse": "text"])
    let bytes = try await caller.perform("http.get", ["url": url, "parse": "bytes"])
    let decoded = Data(base64Encoded: bytes["body"]?.stringValue ?? "").map { String(decoding: $0, as: UTF8.self) }
    for told in [text["body"]?.stringValue, decoded] {
      #expect(told?.contains("Basic ***") == true)
      #expect(told?.contains("s3cr") == false)
    }
  }

  @Test func redirectsAreFollowedWhereWanted() async throws {
    let followed = try await echo("http.get", ["url": .string(server.url("/redirect"))])
    #expect(followed["query"] == [["from", "redirect"]])
    let kept = try await caller.perform(
      "http.get", ["url": .string(server.url("/redirect")), "redirects": false, "expect": ["3xx"]])
    #expect(kept["headers"]?["location"] == "/echo?from=redirect")
  }

  @Test(arguments: [
    (400, "invalid_input", "invalid_input"), (401, "auth", "auth"), (402, "quota", "quota"),
    (403, "auth", "auth"), (404, "not_found", "not_found"), (408, "server", "server"), (410, "not_found", "not_found"),
    (429, "rate_limited", "rate_limited"), (500, "server", "io"), (501, "unsupported", "unsupported"),
    (502, "server", "io"), (503, "server", "server"), (504, "server", "io"), (302, "failed", "failed"),
  ])
  func statusesBecomeKinds(status: Int, read: String, once: String) async throws {
    let url = Value.string(server.url("/status/\(status)"))
    #expect(try await caller.failure("http.get", ["url": url])?.rawValue == read)
    #expect(try await caller.failure("http.request", ["url": url, "method": "POST"])?.rawValue == once)
    let expected = try await caller.perform("http.get", ["url": url, "expect": [.int(Int64(status)), "2xx"]])
    #expect(expected["status"] == .int(Int64(status)))
  }

  @Test(
    arguments: [
      ("120", 120), ("Sun, 06 Nov 1994 08:50:00 GMT", 30), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("99999999", 86_400),
      ("soon", nil),
    ] as [(String, Double?)])
  func theServerSaysWhenToComeBack(text: String, seconds: Double?) async throws {
    do {
      _ = try await caller.perform(
        "http.get", ["url": .string(server.url("/status/503")), "query": ["Retry-After": .string(text)]])
      Issue.record("503 is no success")
    } catch let failure as ActionFailure {
      #expect(failure.kind == .server)
      #expect(failure.retryAfter == seconds)
    }
  }

  @Test(
    arguments: [
      ("http.get", ["url": "http://127.0.0.2/"], "auth"), ("http.get", ["url": "https://example.com/"], "auth"),
      ("http.get", ["url": "https://missing.example/"], "auth"),
      ("http.get", ["url": "ftp://127.0.0.1/"], "invalid_input"),
      ("http.get", ["url": "http://127.0.0.1:1/"], "refused"),
      ("http.get", ["url": "/echo", "headers": ["a b": "c"]], "invalid_input"),
      ("http.get", ["url": "/echo", "headers": ["a": "b\r\nc: d"]], "invalid_input"),
      ("http.get", ["url": "/hello", "parse": "json"], "parse"),
      ("http.get", ["url": "/big", "max_bytes": 99_999], "protocol"), ("http.get", ["url": "/cut"], "io"),
      ("http.request", ["url": "/hello", "method": "POST", "parse": "json"], "failed"),
      ("http.request", ["url": "/big", "method": "POST", "max_bytes": 9], "failed"),
      ("http.request", ["url": "/cut", "method": "POST"], "io"),
      ("http.request", ["url": "/echo", "method": "POST", "body": "a", "json": 1], "invalid_input"),
    ] as [(String, ValueMap, String)])
  func whatGoesWrongHasAKind(action: String, input: ValueMap, kind: String) async throws {
    var input = input
    if let path = input["url"]?.stringValue, path.hasPrefix("/") { input["url"] = .string(server.url(path)) }
    #expect(try await caller.failure(action, .map(input))?.rawValue == kind)
  }

  @Test func aCancelledCallEnds() async throws {
    let call = Task { [caller, server] in
      try await caller.perform("http.request", ["url": .string(server.url("/silent")), "method": "GET"])
    }
    call.cancel()
    await #expect(throws: ActionFailure(.cancelled, .init(verbatim: ""))) { _ = try await call.value }
  }

  @Test func nothingIsReachedUnlessItIsNamed() async throws {
    let closed = BuiltinCaller()
    #expect(try await closed.failure("http.get", ["url": .string(server.url("/hello"))]) == .auth)
    // A wildcard stands for public hosts.
    let anybody = BuiltinCaller(BuiltinSurroundings(http: HTTPAccess(hosts: ["*"])))
    #expect(try await anybody.failure("http.get", ["url": .string(server.url("/hello"))]) == .auth)
    let wrong = BuiltinCaller(BuiltinSurroundings(http: HTTPAccess(hosts: ["not a host"])))
    #expect(try await wrong.failure("http.get", ["url": .string(server.url("/hello"))]) == .auth)
  }

  @Test func nobodyKnowsWhatBecameOfALostRequest() async throws {
    let verdict = try await caller.verify("http.request", ["url": .string(server.url("/echo")), "method": "POST"])
    #expect(verdict == .unknown)
  }
}

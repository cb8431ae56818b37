import Foundation
import Localization
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct HTTPExchangeTests {
  private let peer: Peer
  private let network: TestNetwork

  init() throws {
    peer = try Peer.http.get()
    network = try TestNetwork()
  }

  // MARK: Requests

  @Test func getsWhatAFileServerOffers() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = String(repeating: "All work and no play.\n", count: 10_000)
    try text.write(to: folder.appendingPathComponent("play.txt"), atomically: true, encoding: .utf8)
    let files = try Peer.files(in: folder.path)
    let found = await network.get(files.url("/play.txt"))
    #expect(found.status == 200)
    #expect(found.text == text)
    #expect(found["content-type"] == "text/plain")
    #expect(found.ends == 1 && found.failure == nil && found.disorder.isEmpty)
    let missing = await network.get(files.url("/missing"))
    #expect(missing.status == 404)
    #expect(missing.failure == nil)
  }

  private struct Request: Decodable {
    let method: String
    let fields: [String: String]
    let names: [String]
    let query: [String: String]
  }

  private func request(_ state: ResponseRecorder.State) throws -> Request {
    try JSONDecoder().decode(Request.self, from: Data(state.body))
  }

  @Test func setsTheFieldsThatAreTheHosts() async throws {
    let state = await network.response(
      to: HTTPRequest(
        method: "POST", url: peer.url("/request?a=b%20c"),
        headers: [
          HTTPHeader("X-Api-Key", "k"), HTTPHeader("Host", "evil.example"), HTTPHeader("content-length", "1000"),
          HTTPHeader("Transfer-Encoding", "chunked"), HTTPHeader("Connection", "close"), HTTPHeader("X-Many", "1"),
          HTTPHeader("X-Many", "2"), HTTPHeader("Accept-Encoding", "br"),
        ], body: .bytes(Array("body".utf8))))
    let request = try request(state)
    #expect(request.fields["host"] == "127.0.0.1:\(peer.port)")
    #expect(request.fields["content-length"] == "4")
    #expect(request.fields["transfer-encoding"] == nil)
    #expect(request.fields["connection"] == nil)
    #expect(request.fields["accept-encoding"] == "gzip, deflate")
    #expect(request.fields["x-api-key"] == "k")
    #expect(request.fields["accept"] == "*/*")
    #expect(request.names.filter { $0 == "x-many" }.count == 2)
    #expect(request.names.filter { $0 == "host" }.count == 1)
    #expect(request.query == ["a": "b c"])
  }

  @Test(arguments: [
    HTTPRequest(method: "GET X", url: "http://127.0.0.1/"), HTTPRequest(method: "", url: "http://127.0.0.1/"),
    HTTPRequest(method: "CONNECT", url: "http://127.0.0.1/"),
    HTTPRequest(url: "http://127.0.0.1/", headers: [HTTPHeader("X", "a\r\nY: b")]),
    HTTPRequest(url: "http://127.0.0.1/", headers: [HTTPHeader("X\r\nY", "b")]),
    HTTPRequest(url: "http://127.0.0.1/", headers: [HTTPHeader("", "b")]),
    HTTPRequest(url: "http://127.0.0.1/", headers: [HTTPHeader("X", "a\0")]),
    HTTPRequest(url: "no url"), HTTPRequest(url: "http://user:secret@127.0.0.1/"),
  ])
  func refusesMalformedRequests(_ request: HTTPRequest) async {
    let state = await network.response(to: request)
    #expect(state.failure?.kind == (state.failure?.code == .urlInvalid ? .invalidInput : .protocol))
    #expect(state.heads == 0 && state.ends == 1)
    #expect(state.failure?.message.english.contains("secret") == false)
  }

  @Test(arguments: [0, 1, 100_000, 5_000_000])
  func sendsABodyWhole(_ count: Int) async {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let state = await network.response(to: HTTPRequest(method: "POST", url: peer.url("/echo"), body: .bytes(body)))
    #expect(state.body == body)
  }

  @Test func sendsABodyInPieces() async {
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(method: "PUT", url: peer.url("/echo"), body: .streamed), policy: network.policy, handler: recorder)
    for number in 0..<100 { exchange.write(Array("\(number),".utf8)) }
    exchange.write([])
    exchange.finish()
    exchange.write(Array("too late".utf8))
    let state = await recorder.ended()
    #expect(state.text == (0..<100).map { "\($0)," }.joined())
  }

  @Test func aStreamedBodyIsOnItsWayBeforeItIsComplete() async {
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(method: "POST", url: peer.url("/wait-before-body?arrived=streamed"), body: .streamed),
      policy: network.policy, handler: recorder)
    exchange.write(Array("a".utf8))
    #expect(await network.get(peer.url("/await?gate=streamed")).status == 200)
    exchange.write(Array("b".utf8))
    exchange.finish()
    #expect(await recorder.ended().text == "ab")
  }

  @Test func takesAnAnswerThatComesBeforeTheBodyWasSent() async {
    let recorder = ResponseRecorder()
    network.service.send(
      HTTPRequest(method: "POST", url: peer.url("/early"), body: .streamed), policy: network.policy, handler: recorder)
    let state = await recorder.ended()
    #expect(state.status == 413)
    #expect(state.text == "too large")
    #expect(state.failure == nil)
  }

  @Test func endsWhenTooMuchWaitsToBeSent() async throws {
    var limits = NetworkLimits.patient
    limits.unsent = 100_000
    let network = try TestNetwork(limits: limits)
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(method: "POST", url: peer.url("/echo"), body: .streamed), policy: network.policy, handler: recorder)
    exchange.write([UInt8](repeating: 0, count: 100_001))
    let state = await recorder.ended()
    #expect(state.failure?.code == .unsentTooLarge)
  }

  // MARK: Responses

  @Test(arguments: [
    ("/trailers", "hello world"), ("/until-closed", "until the end"), ("/version-1.0", "old"), ("/continue", "after"),
    ("/gzip", String(repeating: "hello ", count: 1000)), ("/deflate", String(repeating: "hello ", count: 1000)),
    ("/gzip-empty?status=204", ""), ("/gzip-empty?status=304", ""),
  ])
  func readsEveryFormOfBody(_ path: String, _ text: String) async {
    let state = await network.get(peer.url(path))
    #expect(state.failure == nil)
    #expect(state.text == text)
    #expect(state["content-encoding"] == nil)
    #expect(state.heads == 1 && state.ends == 1 && state.disorder.isEmpty)
  }

  @Test(arguments: ["/hello", "/gzip-empty?status=200"])
  func aHeadRequestHasNoBody(_ path: String) async {
    let state = await network.response(to: HTTPRequest(method: "HEAD", url: peer.url(path)))
    #expect(state.status == 200)
    #expect(state.body.isEmpty && state.failure == nil)
  }

  @Test(arguments: [
    ("/garbage", NetworkError.Kind.protocol), ("/endless-header", .protocol), ("/endless-headers", .protocol),
    ("/switch", .protocol), ("/gzip-broken", .protocol), ("/gzip-cut", .io), ("/cut-chunked", .io),
    ("/cut-length", .io),
    ("/cut-head", .io), ("/close", .io), ("/reset", .io),
  ])
  func brokenResponsesEndOnceWithTheRightKind(_ path: String, _ kind: NetworkError.Kind) async {
    let state = await network.get(peer.url(path + "?token=geheim"))
    #expect(state.failure?.kind == kind)
    #expect(state.ends == 1 && state.disorder.isEmpty)
    for text in [state.failure?.message.english, state.failure?.message.german] {
      #expect(text?.contains("127.0.0.1:\(peer.port)") == true)
      #expect(text?.contains("geheim") == false)
    }
  }

  @Test func whatCameBeforeABreakIsHandedOver() async {
    let state = await network.get(peer.url("/cut-length"))
    #expect(state.text == "hello")
  }

  @Test func handsALongLineOver() async {
    let state = await network.get(peer.url("/line"))
    #expect(state.body.count == 80 * 65536)
    #expect(state.failure == nil)
  }

  @Test(arguments: [4, 5])
  func responseLimitCountsExactly(_ limit: Int) async {
    let state = await network.response(to: HTTPRequest(url: peer.url("/hello"), responseLimit: limit))
    #expect(state.failure?.code == (limit < 5 ? .responseTooLarge : nil))
  }

  @Test func aBombIsCutOffAtTheLimit() async {
    let state = await network.response(to: HTTPRequest(url: peer.url("/bomb"), responseLimit: 1 << 20))
    #expect(state.failure?.code == .responseTooLarge)
    #expect(state.failure?.kind == .protocol)
    #expect(state.body.count <= 1 << 20)
  }

  // MARK: Promptness

  @Test(arguments: ["/events?gate=", "/gzip-events?gate=z"])
  func firstEventIsHandedOverBeforeTheSecondIsThere(_ path: String) async {
    let recorder = ResponseRecorder()
    let gate = "first\(UUID().uuidString)"
    network.service.send(HTTPRequest(url: peer.url(path + gate)), policy: network.policy, handler: recorder)
    let first = await recorder.wait { $0.text.contains("one") }
    #expect(first.text == "data: one\n\n")
    let name = path.hasSuffix("z") ? "z" + gate : gate
    #expect(await network.get(peer.url("/release?gate=\(name)")).status == 200)
    #expect(await recorder.ended().text == "data: one\n\ndata: two\n\n")
  }

  @Test func piecesThatWaitForOthersAreHandedOverWhenNoneCome() async {
    let recorder = ResponseRecorder()
    let gate = "words\(UUID().uuidString)"
    network.service.send(
      HTTPRequest(url: peer.url("/events?words=3&gate=\(gate)")), policy: network.policy, handler: recorder)
    let held = await recorder.wait { $0.text.contains("word 2") }
    #expect(held.text == "data: one\n\nword 0 word 1 word 2 ")
    #expect(await network.get(peer.url("/release?gate=\(gate)")).status == 200)
    #expect(await recorder.ended().text == held.text + "data: two\n\n")
  }

  @Test func aWindowHoldsTheServerBack() async {
    let window = 100_000
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(url: peer.url("/bytes?count=50000000&progress=held"), window: window), policy: network.policy,
      handler: recorder)
    let first = await recorder.wait { $0.body.count >= window }
    #expect(first.body.count == window)
    // The rest is in the buffers of the system on both sides, or not sent.
    let progress = await network.get(peer.url("/progress?of=held"))
    #expect(Int(progress.text) ?? .max < 40_000_000)
    exchange.consumed(50_000)
    let second = await recorder.wait { $0.body.count >= window + 50_000 }
    #expect(second.body.count == window + 50_000)
    exchange.consumed(.max)
    exchange.cancel()
    let last = await recorder.ended()
    #expect(last.failure?.kind == .cancelled)
    #expect(last.disorder.isEmpty)
  }

  @Test func aWindowThatIsGivenBackBitByBitLetsEverythingThrough() async throws {
    let exchange = Box<HTTPExchange>()
    let recorder = ResponseRecorder { count in exchange.wait().consumed(count) }
    exchange.set(
      network.service.send(
        HTTPRequest(url: peer.url("/bytes?count=3000000"), window: 1000), policy: network.policy, handler: recorder))
    let state = await recorder.ended()
    #expect(state.body.count == 3_000_000)
    #expect(state.pieces.allSatisfy { $0 <= 1000 })
  }

  @Test func aHandlerThatBlocksHoldsUpNobodyElse() async {
    let block = Box<Int>()
    let blocked = ResponseRecorder { _ in _ = block.wait() }
    network.service.send(HTTPRequest(url: peer.url("/hello")), policy: network.policy, handler: blocked)
    _ = await blocked.wait { !$0.body.isEmpty }
    #expect(await network.get(peer.url("/hello")).text == "hello")
    block.set(1)
    #expect(await blocked.ended().text == "hello")
  }

  // MARK: Timeouts

  @Test(arguments: ["/silent", "/loris", "/loris?by=line"])
  func silenceEndsAnExchange(_ path: String) async {
    let state = await network.response(to: HTTPRequest(url: peer.url(path), idleTimeout: .milliseconds(200)))
    #expect(state.failure?.code == .idleTimeout)
    #expect(state.failure?.kind == .timeout)
  }

  @Test func waitingForTheReceiverIsNoSilence() async {
    let recorder = ResponseRecorder()
    let exchange = network.service.send(
      HTTPRequest(url: peer.url("/bytes?count=1000000"), idleTimeout: .seconds(3), window: 10),
      policy: network.policy, handler: recorder)
    _ = await recorder.wait { $0.body.count == 10 }
    // Another exchange that is silent for longer measures the time.
    let other = await network.response(to: HTTPRequest(url: peer.url("/silent"), idleTimeout: .seconds(4)))
    #expect(other.failure?.kind == .timeout)
    #expect(!recorder.now.hasEnded)
    exchange.cancel()
    #expect(await recorder.ended().failure?.kind == .cancelled)
  }

  // MARK: Connections

  @Test func connectionsAreUsedAgain() async throws {
    let peer = try Peer.start("http")
    var seen: Set<String> = []
    for _ in 0..<20 { seen.insert(await network.get(peer.url("/connection")).text) }
    #expect(seen.count == 1)
    #expect(openConnections(to: peer.port) == 1)
    await network.service.shutdown()
    #expect(openConnections(to: peer.port) == 0)
  }

  /// Each answer counts the requests that the server has read.
  @Test(arguments: ["GET", "PUT", "DELETE"])
  func aKeptConnectionThatTheServerEndsCostsNoAttempt(_ method: String) async throws {
    let peer = try Peer.start("http")
    var answers: [String] = []
    for _ in 0..<3 {
      let body: [UInt8] = method == "GET" ? [] : Array(repeating: 0x78, count: 300_000)
      let state = await network.response(
        to: HTTPRequest(method: method, url: peer.url("/one-request"), body: .bytes(body)))
      #expect(state.failure == nil && state.heads == 1 && state.ends == 1)
      answers.append(state.text)
    }
    #expect(answers == ["1", "3", "5"])
  }

  @Test func aRequestThatMayNotArriveTwiceGoesOutOnAFreshConnection() async throws {
    let peer = try Peer.start("http")
    var answers: [String] = []
    for isRepeatable in [nil, nil, false, true, nil] as [Bool?] {
      let state = await network.response(
        to: HTTPRequest(
          method: "POST", url: peer.url("/one-request"), body: .bytes(Array("body".utf8)), isRepeatable: isRepeatable))
      #expect(state.failure == nil)
      answers.append(state.text)
    }
    // Only the one that may arrive twice did.
    #expect(answers == ["1", "2", "3", "5", "6"])
    #expect(openConnections(to: peer.port) == 1)
  }

  @Test func aFreshConnectionThatTheServerEndsIsAFailure() async throws {
    #expect(await network.get(peer.url("/close")).failure?.code == .connectionLost)
  }

  @Test func unusedConnectionsAreClosedInTime() async throws {
    let peer = try Peer.start("http")
    var limits = NetworkLimits.patient
    limits.idleConnections = .milliseconds(50)
    let network = try TestNetwork(limits: limits)
    #expect(await network.get(peer.url("/connection")).text == "1")
    _ = await network.response(to: HTTPRequest(url: peer.url("/silent"), idleTimeout: .milliseconds(200)))
    #expect(await network.get(peer.url("/connection")).text != "1")
  }

  @Test func aConnectionWithBytesNobodyAskedForIsNotUsedAgain() async throws {
    let peer = try Peer.start("http")
    let network = try TestNetwork()
    #expect(await network.get(peer.url("/unasked")).text == "hello")
    let next = await network.get(peer.url("/hello"))
    #expect(next.text == "hello" || next.failure?.kind == .io)
    #expect(next.text != "more")
  }

  @Test func aHundredAtATimeShareLimitedConnections() async throws {
    let peer = try Peer.start("http")
    var limits = NetworkLimits.patient
    limits.connectionsPerOrigin = 8
    let network = try TestNetwork(limits: limits)
    let answers = await withTaskGroup(of: ResponseRecorder.State.self) { group in
      for number in 0..<100 {
        group.addTask {
          await network.response(
            to: HTTPRequest(method: "POST", url: peer.url("/echo"), body: .bytes(Array("\(number)".utf8))))
        }
      }
      var answers: [ResponseRecorder.State] = []
      for await answer in group { answers.append(answer) }
      return answers
    }
    #expect(Set(answers.map(\.text)) == Set((0..<100).map(String.init)))
    #expect(answers.allSatisfy { $0.ends == 1 && $0.disorder.isEmpty })
    #expect(openConnections(to: peer.port) <= 8)
  }
}

import Foundation
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
  private let peer: Peer
  private let network: TestNetwork

  init() throws {
    peer = try Peer.http.get()
    network = try TestNetwork()
  }

  private func redirect(to target: String, status: Int = 302, extra: String = "") -> String {
    var allowed = CharacterSet.alphanumerics
    allowed.insert("/")
    let escaped = target.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return peer.url("/redirect?status=\(status)&to=\(escaped)\(extra)")
  }

  @Test(arguments: [301, 302, 303, 307, 308], ["GET", "HEAD"])
  func areFollowed(_ status: Int, _ method: String) async {
    let state = await network.response(
      to: HTTPRequest(method: method, url: redirect(to: "/hello", status: status)))
    #expect(state.status == 200)
    #expect(state.text == (method == "GET" ? "hello" : ""))
    #expect(state.heads == 1)
  }

  @Test(arguments: [300, 304, 305, 404])
  func otherStatusesAreAnswers(_ status: Int) async {
    #expect(await network.get(redirect(to: "/hello", status: status)).status == status)
  }

  @Test func areKeptOnDemand() async {
    let state = await network.response(to: HTTPRequest(url: redirect(to: "/hello"), keepsRedirects: true))
    #expect(state.status == 302)
    #expect(state["location"] == "/hello")
    #expect(state.text == "xxx")
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH"])
  func ofOtherMethodsAreAnswers(_ method: String) async {
    let state = await network.response(to: HTTPRequest(method: method, url: redirect(to: "/hello")))
    #expect(state.status == 302)
  }

  @Test(arguments: [(5, true), (6, false)])
  func endAfterFive(_ count: Int, _ arrives: Bool) async {
    let state = await network.get(peer.url("/again?count=\(count)"))
    #expect(state.text == (arrives ? "arrived" : ""))
    #expect(state.failure?.code == (arrives ? nil : .tooManyRedirects))
    #expect(state.heads == (arrives ? 1 : 0))
  }

  @Test func aLargeBodyOfARedirectIsNotReadToTheEnd() async {
    let state = await network.get(redirect(to: "/hello", extra: "&body=3000000"))
    #expect(state.text == "hello")
  }

  @Test func credentialsStayWithTheirOrigin() async throws {
    let other = try Peer.start("http")
    let secrets = ["Authorization", "Cookie", "X-Api-Key", "Proxy-Authorization", "X-Something", "Referer"]
    let headers =
      secrets.map { HTTPHeader($0, "geheim") } + [HTTPHeader("Accept", "text/x"), HTTPHeader("Range", "bytes=0-")]
    let elsewhere = await network.response(to: HTTPRequest(url: redirect(to: other.url("/request")), headers: headers))
    #expect(elsewhere.status == 200)
    #expect(!elsewhere.text.contains("geheim"))
    #expect(elsewhere.text.contains("text/x"))
    let same = await network.response(to: HTTPRequest(url: redirect(to: "/request"), headers: headers))
    #expect(same.text.components(separatedBy: "geheim").count == secrets.count + 1)
    // Another name for the same machine is another origin.
    let renamed = await network.response(
      to: HTTPRequest(url: redirect(to: peer.url("/request", host: "localhost")), headers: headers))
    #expect(renamed.status == 200)
    #expect(!renamed.text.contains("geheim"))
  }

  @Test(arguments: [
    ("http://169.254.169.254/latest/meta-data", NetworkError.Code.hostNotAllowed),
    ("http://[::1]/", .hostNotAllowed), ("http://0x7f000002/", .hostNotAllowed),
    ("http://other.example.com/", .hostNotAllowed), ("//evil.example", .hostNotAllowed),
    ("http://inside.example/", .addressNotAllowed), ("http://rebinding.example/", .addressNotAllowed),
    ("http://user@127.0.0.1/", .urlInvalid), ("ftp://127.0.0.1/", .urlInvalid), ("javascript:alert(1)", .urlInvalid),
  ])
  func leadNowhereElse(_ target: String, _ code: NetworkError.Code) async throws {
    let resolver = ScriptedResolver(["inside.example": ["10.0.0.1"], "rebinding.example": ["::ffff:7f00:2"]])
    let network = try TestNetwork(
      resolver: resolver, declared: ["inside.example", "rebinding.example"], configured: ["127.0.0.1"])
    let state = await network.get(redirect(to: target))
    #expect(state.failure?.code == code)
    #expect(code != .urlInvalid || state.failure?.kind == .protocol)
    #expect(state.heads == 0 && state.ends == 1)
  }

  @Test func doNotLeaveTLS() throws {
    var redirection = Redirection(
      try RequestHead(HTTPRequest(url: "https://a.example/")), to: try WebAddress(parsing: "https://a.example/"),
      follows: true, limit: 5)
    let downgrade = Result { () throws(NetworkError) in
      try redirection.follow(status: 302, location: "http://a.example/")
    }
    let error = #expect(throws: NetworkError.self) { try downgrade.get() }
    #expect(error?.code == .redirectInsecure)
    #expect(error?.kind == .auth)
    let isFollowed = try redirection.follow(status: 302, location: "/x")
    #expect(isFollowed)
    #expect(redirection.address.target == "/x")
  }

  @Test func ofARequestWithABodyAreAnswers() throws {
    var redirection = Redirection(
      try RequestHead(HTTPRequest(url: "https://a.example/", body: .streamed)),
      to: try WebAddress(parsing: "https://a.example/"), follows: true, limit: 5)
    let isFollowed = try redirection.follow(status: 302, location: "/x")
    #expect(!isFollowed)
  }
}

import Foundation
import Localization
import LoopbackPorts
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5)), .enabled(if: isInstalled("openssl"), "needs the command openssl"))
struct TLSTests {
  private let certificates: Certificates
  private let network: TestNetwork

  init() throws {
    certificates = try Certificates.shared.get()
    network = try TestNetwork(
      resolver: ScriptedResolver(["localhost": ["127.0.0.1"], "api.example.com": ["127.0.0.1"]]),
      configured: ["localhost", "127.0.0.1", "api.example.com"])
  }

  private var trusting: TLSOptions { TLSOptions(authorities: certificates.authority.certificate) }

  private func get(_ peer: Peer, host: String = "localhost", _ tls: TLSOptions) async -> ResponseRecorder.State {
    await network.response(to: HTTPRequest(url: peer.url("/", scheme: "https", host: host), tls: tls))
  }

  @Test(arguments: ["localhost", "127.0.0.1", "api.example.com"])
  func aTrustedServerAnswers(_ host: String) async throws {
    let peer = try Peer.openssl(certificates.good)
    let state = await get(peer, host: host, trusting)
    #expect(state.status == 200)
    #expect(state.text.contains("TLSv1.3"))
  }

  @Test func theNameIsSentAndNotTheAddress() async throws {
    let peer = try Peer.openssl(
      certificates.otherHost,
      ["-servername", "api.example.com", "-cert2", certificates.good.certificate, "-key2", certificates.good.key])
    let state = await get(peer, host: "api.example.com", trusting)
    #expect(state.status == 200)
  }

  @Test(arguments: [
    ("otherHost", true, NetworkError.Code.certificateForOtherHost), ("unnamed", true, .certificateForOtherHost),
    ("expired", true, .certificateUntrusted),
    ("selfSigned", true, .certificateUntrusted), ("good", false, .certificateUntrusted),
  ])
  func anUntrustedServerIsRefused(_ name: String, _ knowsAuthority: Bool, _ code: NetworkError.Code) async throws {
    let pair = [
      "otherHost": certificates.otherHost, "expired": certificates.expired, "unnamed": certificates.unnamed,
      "selfSigned": certificates.selfSigned,
    ][name]
    let peer = try Peer.openssl(pair ?? certificates.good)
    let state = await get(peer, knowsAuthority ? trusting : TLSOptions())
    #expect(state.failure?.code == code)
    #expect(state.failure?.kind == .auth)
    #expect(state.heads == 0 && state.ends == 1)
    #expect(state.failure?.advice != nil)
  }

  @Test func oldVersionsAreRefused() async throws {
    let peer = try Peer.openssl(certificates.good, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    let state = await get(peer, trusting)
    #expect(state.failure?.code == .tlsFailed)
    #expect(state.failure?.kind == .protocol)
  }

  @Test func version12IsEnough() async throws {
    let peer = try Peer.openssl(certificates.good, ["-tls1_2"])
    #expect(await get(peer, trusting).text.contains("TLSv1.2"))
  }

  @Test func aServerWithoutTLSIsNamed() async throws {
    let state = await get(try Peer.http.get(), trusting)
    #expect(state.failure?.kind == .protocol || state.failure?.kind == .io)
    #expect(state.failure?.advice != nil)
  }

  @Test func aPinnedCertificateStandsForItself() async throws {
    let own = try Peer.openssl(certificates.selfSigned)
    let pin = TLSOptions(certificate: certificates.selfSigned.certificate)
    #expect(await get(own, pin).status == 200)
    let expired = try Peer.openssl(certificates.expired)
    #expect(await get(expired, TLSOptions(certificate: certificates.expired.certificate)).status == 200)
    // One that every authority vouches for is still another one.
    let good = try Peer.openssl(certificates.good)
    let state = await get(good, pin)
    #expect(state.failure?.code == .certificateNotPinned)
    #expect(state.failure?.kind == .auth)
  }

  @Test func pinAndAuthorityBothHaveToHold() async throws {
    let good = try Peer.openssl(certificates.good)
    var options = trusting
    options.certificate = certificates.good.certificate
    #expect(await get(good, options).status == 200)
    options.certificate = certificates.otherHost.certificate
    #expect(await get(good, options).failure?.code == .certificateNotPinned)
    let own = try Peer.openssl(certificates.selfSigned)
    options.certificate = certificates.selfSigned.certificate
    #expect(await get(own, options).failure?.code == .certificateUntrusted)
  }

  @Test(arguments: ["/does/not/exist.pem", "/etc/hostname", "/"])
  func aFileThatIsNoCertificateIsNamed(_ path: String) async throws {
    let peer = try Peer.http.get()
    for options in [TLSOptions(authorities: path), TLSOptions(certificate: path)] {
      let state = await get(peer, options)
      #expect(state.failure?.code == .certificateFileInvalid)
      #expect(state.failure?.message.german.contains(path) == true)
    }
  }

  @Test func connectionsOfDifferentTrustAreNotShared() async throws {
    let peer = try Peer.start("http", certificate: certificates.good, implicit: true)
    let url = peer.url("/connection", scheme: "https", host: "localhost")
    #expect(await network.response(to: HTTPRequest(url: url, tls: trusting)).text == "1")
    #expect(await network.response(to: HTTPRequest(url: url)).failure?.code == .certificateUntrusted)
    let again = await network.response(to: HTTPRequest(url: url, tls: trusting))
    #expect(again.text == "1")
  }

  @Test func aResponseThatIsCutOffWithoutGoodbyeIsIncomplete() async throws {
    let peer = try Peer.start("http", certificate: certificates.good, implicit: true)
    for path in ["/cut-length", "/cut-chunked"] {
      let url = peer.url(path, scheme: "https", host: "localhost")
      let state = await network.response(to: HTTPRequest(url: url, tls: trusting))
      #expect(state.failure?.kind == .io)
    }
  }

  // MARK: HTTP/2

  private static let hasHTTP2 = isInstalled("nghttpd")

  private func withHTTP2(_ body: (Peer) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("h2-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try String(repeating: "x", count: 3_000_000).write(
      to: folder.appendingPathComponent("large.txt"), atomically: true, encoding: .utf8)
    try "hello".write(to: folder.appendingPathComponent("hello.txt"), atomically: true, encoding: .utf8)
    let peer = try Peer.http2(certificates.good, folder: folder.path, port: LoopbackPort.free())
    try await body(peer)
  }

  @Test(.enabled(if: hasHTTP2, "needs nghttpd (Debian package nghttp2-server)"))
  func manyExchangesShareAConnectionOfHTTP2() async throws {
    try await withHTTP2 { peer in
      let url = peer.url("/hello.txt", scheme: "https", host: "localhost")
      let answers = await withTaskGroup(of: ResponseRecorder.State.self) { group in
        for _ in 0..<150 {
          group.addTask { await network.response(to: HTTPRequest(url: url, tls: trusting)) }
        }
        return await group.reduce(into: [ResponseRecorder.State]()) { $0.append($1) }
      }
      #expect(answers.count == 150)
      #expect(answers.allSatisfy { $0.status == 200 && $0.text == "hello" && $0.ends == 1 && $0.disorder.isEmpty })
      #expect(openConnections(to: peer.port) == 1)
      let missing = await network.response(
        to: HTTPRequest(url: peer.url("/missing", scheme: "https", host: "localhost"), tls: trusting))
      #expect(missing.status == 404)
    }
  }

  @Test(.enabled(if: hasHTTP2, "needs nghttpd (Debian package nghttp2-server)"))
  func bodiesAndWindowsWorkOverHTTP2() async throws {
    try await withHTTP2 { peer in
      let large = peer.url("/large.txt", scheme: "https", host: "localhost")
      let held = ResponseRecorder()
      let exchange = network.service.send(
        HTTPRequest(url: large, window: 1000, tls: trusting), policy: network.policy, handler: held)
      let first = await held.wait { $0.body.count >= 1000 }
      #expect(first.body.count == 1000)
      // Another stream on the same connection goes on meanwhile.
      #expect(await network.response(to: HTTPRequest(url: large, tls: trusting)).body.count == 3_000_000)
      #expect(held.now.body.count == 1000)
      exchange.cancel()
      #expect(await held.ended().failure?.kind == .cancelled)

      let recorder = ResponseRecorder()
      let upload = network.service.send(
        HTTPRequest(
          method: "POST", url: peer.url("/echo", scheme: "https", host: "localhost"), body: .streamed, tls: trusting,
          isRepeatable: true),
        policy: network.policy, handler: recorder)
      let piece = [UInt8](repeating: 7, count: 100_000)
      for _ in 0..<10 { upload.write(piece) }
      upload.finish()
      let state = await recorder.ended()
      #expect(state.failure == nil)
      #expect(state.body.count == 1_000_000)
      #expect(openConnections(to: peer.port) == 1)
      await network.service.shutdown()
      #expect(openConnections(to: peer.port) == 0)
    }
  }
}

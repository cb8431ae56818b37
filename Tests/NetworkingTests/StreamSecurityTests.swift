import Foundation
import Localization
import LoopbackPorts
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5)), .enabled(if: isInstalled("openssl"), "needs the command openssl"))
struct StreamSecurityTests {
  private let certificates: Certificates
  private let network: TestNetwork

  init() throws {
    certificates = try Certificates.shared.get()
    network = try TestNetwork(resolver: ScriptedResolver(["localhost": ["127.0.0.1"]]))
  }

  private var trusting: TLSOptions { TLSOptions(authorities: certificates.authority.certificate) }

  @Test func tlsFromTheFirstByte() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good, implicit: true)
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", security: .implicit, tls: trusting, recorder: recorder)
    stream.write(Array("SECURED\r\n".utf8))
    #expect(await recorder.text("250").text == "220 ready\r\n250 yes\r\n")
    stream.write(Array("QUIT\r\n".utf8))
    let state = await recorder.ended()
    #expect(state.failure == nil && state.disorder.isEmpty)
    #expect(state.secured == 0)
  }

  @Test func anUntrustedServerIsNeverOpened() async throws {
    let peer = try Peer.start("lines", certificate: certificates.selfSigned, implicit: true)
    let recorder = StreamRecorder()
    _ = network.open(peer.port, host: "localhost", security: .implicit, tls: trusting, recorder: recorder)
    let state = await recorder.ended()
    #expect(state.failure?.code == .certificateUntrusted)
    #expect(state.opened == 0)
  }

  @Test func upgradesARunningConnection() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good)
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", tls: trusting, recorder: recorder)
    stream.write(Array("SECURED\r\nSTARTTLS\r\n".utf8))
    _ = await recorder.text("220 go\r\n")
    stream.startTLS()
    // Written before TLS stands, sent encrypted all the same.
    stream.write(Array("SECURED\r\n".utf8))
    let state = await recorder.text("yes")
    #expect(state.text == "220 ready\r\n250 no\r\n220 go\r\n250 yes\r\n")
    #expect(state.secured == 1)
    stream.write(Array("ECHO \(String(repeating: "x", count: 200_000))\r\n".utf8))
    _ = await recorder.text("xx\r\n")
    stream.close()
    #expect(await recorder.ended().failure == nil)
    await network.service.shutdown()
    #expect(recorder.now.disorder.isEmpty)
    #expect(openConnections(to: peer.port) == 0)
  }

  @Test(arguments: ["selfSigned", "expired", "otherHost"])
  func anUpgradeChecksTheCertificate(_ name: String) async throws {
    let pairs = [
      "selfSigned": certificates.selfSigned, "expired": certificates.expired, "otherHost": certificates.otherHost,
    ]
    let peer = try Peer.start("lines", certificate: pairs[name])
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", tls: trusting, recorder: recorder)
    stream.write(Array("STARTTLS\r\n".utf8))
    _ = await recorder.text("220 go\r\n")
    stream.startTLS()
    stream.write(Array("AUTH geheim\r\n".utf8))
    let state = await recorder.ended()
    #expect(state.failure?.kind == .auth)
    #expect(state.secured == 0)
    #expect(state.failure?.message.english.contains("geheim") == false)
  }

  /// What a man in the middle adds must not look as if it had come encrypted.
  @Test func wordsInPlainTextBehindTheUpgradeEndTheStream() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good)
    let recorder = StreamRecorder()
    // A window as long as what comes before: the rest has arrived and waits.
    let window = "220 ready\r\n220 go\r\n".utf8.count
    let stream = network.open(peer.port, host: "localhost", window: window, tls: trusting, recorder: recorder)
    stream.write(Array("STARTTLS 250 injected\r\n".utf8))
    _ = await recorder.text("220 go\r\n")
    stream.startTLS()
    let state = await recorder.ended()
    #expect(state.failure?.kind == .protocol)
    #expect([.plaintextBehindTLS, .tlsFailed].contains(state.failure?.code))
    #expect(!state.text.contains("injected"))
    #expect(state.secured == 0)
  }

  /// The limit is far away; fewer bytes than a record's head must be enough.
  @Test(arguments: ["2", "250 injected", "\u{0}"])
  func wordsInPlaceOfTLSEndTheStreamAtOnce(_ words: String) async throws {
    let peer = try Peer.start("lines")
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", tls: trusting, recorder: recorder)
    stream.write(Array("STARTTLS-PLAIN \(words)\r\n".utf8))
    _ = await recorder.text("220 go\r\n")
    stream.startTLS()
    let state = await recorder.ended()
    #expect(state.failure?.code == .plaintextBehindTLS)
    #expect(state.failure?.kind == .protocol)
    #expect(state.text == "220 ready\r\n220 go\r\n")
  }

  @Test func aServerInPlainTextIsToldFromOneThatIsSlow() async throws {
    let peer = try Peer.start("lines")
    let recorder = StreamRecorder()
    _ = network.open(peer.port, host: "localhost", security: .implicit, tls: trusting, recorder: recorder)
    #expect(await recorder.ended().failure?.code == .tlsFailed)
  }

  @Test(.enabled(if: isInstalled("aiosmtpd"), "needs aiosmtpd (Debian package python3-aiosmtpd)"))
  func upgradesAConnectionToAMailServer() async throws {
    let peer = try Peer.mail(certificates.good, port: LoopbackPort.free())
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", tls: trusting, recorder: recorder)
    stream.write(Array("EHLO test\r\n".utf8))
    #expect(await recorder.text("250 HELP\r\n").text.contains("STARTTLS"))
    stream.write(Array("STARTTLS\r\n".utf8))
    _ = await recorder.text("220 Ready to start TLS\r\n")
    stream.startTLS()
    _ = await recorder.wait { $0.secured == 1 }
    stream.write(Array("EHLO test\r\n".utf8))
    let greeting = await recorder.wait { $0.text.components(separatedBy: "250 HELP").count == 3 }
    #expect(greeting.text.components(separatedBy: "250-STARTTLS").count == 2)
    stream.write(Array("QUIT\r\n".utf8))
    let state = await recorder.ended()
    #expect(state.failure == nil && state.disorder.isEmpty)
    #expect(state.text.hasSuffix("221 Bye\r\n"))
  }

  @Test func wordsThatComeLateEndTheStreamToo() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good)
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", tls: trusting, recorder: recorder)
    stream.write(Array("STARTTLS-LATE\r\n".utf8))
    _ = await recorder.text("220 go\r\n")
    stream.startTLS()
    let state = await recorder.wait { $0.secured > 0 }
    // Handed over before startTLS was called they are the caller's to refuse; otherwise they end the stream.
    #expect(state.failure != nil || state.text.hasSuffix("injected\r\n"))
    stream.cancel()
  }

  @Test func bytesThatAreStillToBeHandedOverEndTheStream() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good)
    let block = Box<Int>()
    let started = Box<Int>()
    let recorder = StreamRecorder { piece in
      guard piece.starts(with: Array("block".utf8)) else { return }
      started.set(1)
      _ = block.wait()
    }
    let stream = network.open(peer.port, host: "localhost", tls: trusting, recorder: recorder)
    _ = await recorder.text("ready")
    stream.write(Array("ECHO block\r\n".utf8))
    await Task.detached { _ = started.wait() }.value
    // Comes while the handler is busy. The second stream hears of it later, and on the same thread.
    stream.write(Array("SINK 4\r\nabcd".utf8))
    let other = StreamRecorder()
    network.open(peer.port, recorder: other).write(Array("SUNK\r\nQUIT\r\n".utf8))
    #expect(await other.ended().text.contains("250 sunk"))
    stream.startTLS()
    block.set(1)
    #expect(await recorder.ended().failure?.code == .plaintextBehindTLS)
  }

  @Test func tlsBeginsOnceOnly() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good, implicit: true)
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", security: .implicit, tls: trusting, recorder: recorder)
    _ = await recorder.text("ready")
    stream.startTLS()
    #expect(await recorder.ended().failure?.code == .requestInvalid)
  }

  @Test func anEndWithoutGoodbyeIsAFailure() async throws {
    let peer = try Peer.start("lines", certificate: certificates.good, implicit: true)
    let recorder = StreamRecorder()
    let stream = network.open(peer.port, host: "localhost", security: .implicit, tls: trusting, recorder: recorder)
    stream.write(Array("DROP\r\n".utf8))
    #expect(await recorder.ended().failure?.kind == .io)
  }

  @Test func tlsBeginsOnConnectionsThatStandOnly() async throws {
    let port = try SilentPort()
    let recorder = StreamRecorder()
    network.service.open(
      StreamRequest(host: "localhost", port: port.number, security: .none, tls: trusting),
      policy: network.policy, handler: recorder
    ).startTLS()
    #expect(await recorder.ended().failure?.code == .requestInvalid)
    _ = port
  }

  @Test func aServerThatIsSilentWhileTLSIsSetUpIsATimeout() async throws {
    let peer = try Peer.start("lines")
    let silent = StreamRecorder()
    let stream = network.service.open(
      StreamRequest(
        host: "localhost", port: peer.port, security: .none, connectTimeout: .milliseconds(200), tls: trusting),
      policy: network.policy, handler: silent)
    _ = await silent.text("ready")
    // It waits for the rest of a line that never comes.
    stream.startTLS()
    let failure = await silent.ended().failure
    #expect(failure?.kind == .timeout || failure?.kind == .protocol || failure?.kind == .io)
  }
}

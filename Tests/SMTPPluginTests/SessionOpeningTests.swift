import PluginKit
import SASL
import Testing

@testable import SMTPPlugin

struct SessionOpeningTests {
  private func opening(
    _ tls: SessionSettings.TLS = .implicit, user: String? = nil, lmtp: Bool = false, token: Bool = false
  ) -> SessionOpening {
    var settings = SessionSettings(name: "client.example", tls: tls, isLMTP: lmtp)
    settings.credentials = user.map {
      SASLCredentials(
        user: $0, secret: token ? .token(String(repeating: "t", count: 2000)) : .password("tanstaaftanstaaf"))
    }
    settings.nonce = "nonce"
    return SessionOpening(settings)
  }

  private let greeting = Reply(220, ["mx.example.org ESMTP"])
  private func hello(_ keywords: String...) -> Reply { Reply(250, ["mx.example.org greets you"] + keywords) }
  private let done = Reply(250, ["OK"])

  @Test func sessionWithoutSignInIsReadyAfterHello() throws {
    var opening = opening()
    #expect(try opening.receive(greeting) == .send("EHLO client.example"))
    guard case .ready(let features) = try opening.receive(hello("PIPELINING", "size 1000", "AUTH=PLAIN LOGIN")) else {
      Issue.record("not ready")
      return
    }
    #expect(features.pipelines && features.sizeLimit == 1000 && features.mechanisms == ["PLAIN", "LOGIN"])
    #expect(throws: ActionError(.protocol, "")) { try opening.receive(done) }
  }

  /// RFC 3207, section 4.2: what was said before TLS does not count.
  @Test func startTLSForgetsWhatWasSaidBefore() throws {
    var opening = opening(.starttls, user: "tim")
    _ = try opening.receive(greeting)
    #expect(try opening.receive(hello("STARTTLS", "AUTH PLAIN", "CHUNKING")) == .send("STARTTLS"))
    #expect(try opening.receive(Reply(220, ["go ahead"])) == .startTLS)
    #expect(opening.secured() == .send("EHLO client.example"))
    #expect(try opening.receive(hello("AUTH PLAIN")) == .send("AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm"))
    guard case .ready(let features) = try opening.receive(Reply(235, ["2.7.0 ok"])) else {
      Issue.record("not ready")
      return
    }
    #expect(!features.takesChunks)
    #expect(opening.mechanism == .plain)
  }

  @Test func missingSTARTTLSIsNotPassedOver() throws {
    var opening = opening(.starttls)
    _ = try opening.receive(greeting)
    #expect(throws: ActionError(.auth, "")) { try opening.receive(hello("PIPELINING")) }
  }

  @Test func passwordGoesOverAnUnencryptedLineOnlyWhereThatIsWritten() throws {
    var written = opening(.none, user: "tim")
    _ = try written.receive(greeting)
    #expect(try written.receive(hello("AUTH PLAIN")) == .send("AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm"))
    // The other way is STARTTLS, which does not get as far as that.
    var unwritten = opening(.starttls, user: "tim")
    _ = try unwritten.receive(greeting)
    #expect(throws: ActionError(.auth, "")) { try unwritten.receive(hello("AUTH PLAIN")) }
  }

  @Test func loginAsksTwice() throws {
    var opening = opening(user: "tim")
    _ = try opening.receive(greeting)
    #expect(try opening.receive(hello("AUTH LOGIN")) == .send("AUTH LOGIN"))
    #expect(try opening.receive(Reply(334, ["VXNlcm5hbWU6"])) == .send("dGlt"))
    #expect(try opening.receive(Reply(334, ["UGFzc3dvcmQ6"])) == .send("dGFuc3RhYWZ0YW5zdGFhZg=="))
    #expect(try opening.receive(Reply(235, [""])) != .startTLS)
  }

  /// RFC 4954, section 4: a line of more than 512 bytes must not be sent.
  @Test func longTokenFollowsTheQuestion() throws {
    var opening = opening(user: "tim", token: true)
    _ = try opening.receive(greeting)
    #expect(try opening.receive(hello("AUTH XOAUTH2")) == .send("AUTH XOAUTH2"))
    guard case .send(let line) = try opening.receive(Reply(334, [""])) else {
      Issue.record("no answer")
      return
    }
    let said = try String(decoding: SASLText.decoded(line), as: UTF8.self)
    #expect(said.hasPrefix("user=tim\u{1}auth=Bearer ttt"))
    // {"status":"400"}
    #expect(try opening.receive(Reply(334, ["eyJzdGF0dXMiOiI0MDAifQ=="])) == .send(""))
    let error = #expect(throws: ActionError(.auth, "")) { try opening.receive(Reply(535, ["5.7.8 no"])) }
    #expect(error?.message.contains(#""status":"400""#) == true)
  }

  @Test func serverThatDoesNotProveItselfIsNotBelieved() throws {
    var opening = opening(user: "tim")
    _ = try opening.receive(greeting)
    #expect(try opening.receive(hello("AUTH SCRAM-SHA-256")) == .send("AUTH SCRAM-SHA-256 biwsbj10aW0scj1ub25jZQ=="))
    #expect(throws: ActionError(.auth, "")) { try opening.receive(Reply(235, ["welcome"])) }
  }

  @Test(arguments: [
    (Reply(554, ["no service"]), ActionError.Kind.auth), (Reply(421, ["busy"]), .server), (Reply(250, ["hm"]), .server),
  ])
  func refusingGreetingIsTold(_ reply: Reply, _ kind: ActionError.Kind) {
    var opening = opening()
    #expect(throws: ActionError(kind, "")) { try opening.receive(reply) }
  }

  @Test func oldServerIsGreetedTheOldWay() throws {
    var opening = opening()
    _ = try opening.receive(greeting)
    #expect(try opening.receive(Reply(502, ["what"])) == .send("HELO client.example"))
    #expect(try opening.receive(done) == .ready(.none))
    // It cannot do what a sign-in or STARTTLS needs.
    var signing = self.opening(user: "tim")
    _ = try signing.receive(greeting)
    #expect(throws: ActionError(.unsupported, "")) { try signing.receive(Reply(502, ["what"])) }
  }

  @Test func localDeliveryGreetsItsOwnWay() throws {
    var opening = opening(.none, lmtp: true)
    #expect(try opening.receive(greeting) == .send("LHLO client.example"))
  }
}

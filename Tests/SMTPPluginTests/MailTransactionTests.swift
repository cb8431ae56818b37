import PluginKit
import Testing

@testable import SMTPPlugin

struct MailTransactionTests {
  private func features(_ keywords: String...) -> ServerFeatures {
    ServerFeatures(reply: Reply(250, ["mx.example.org"] + keywords))
  }

  private func envelope(_ recipients: String...) throws -> Envelope {
    try Envelope(sender: "Smith@bar.com", recipients: recipients)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
  private let ok = Reply(250, ["OK"])
  private let noUser = Reply(550, ["No such user here"])
  private let goAhead = Reply(354, ["Start mail input; end with <CRLF>.<CRLF>"])

  /// RFC 5321, appendix D.1: a typical transaction with one recipient that is refused.
  @Test func typicalTransactionKeepsWhoGetsTheMessage() throws {
    var transaction = try MailTransaction(
      envelope("Jones@foo.com", "Green@foo.com", "Brown@foo.com"), features: .none, isEncrypted: false)
    #expect(text(transaction.begin()) == "MAIL FROM:<Smith@bar.com>\r\n")
    var said: [String] = []
    for reply in [ok, ok, noUser, ok] {
      #expect(try transaction.receive(reply) == .more)
      said.append(text(transaction.more()))
    }
    #expect(
      said == [
        "RCPT TO:<Jones@foo.com>\r\n", "RCPT TO:<Green@foo.com>\r\n", "RCPT TO:<Brown@foo.com>\r\n", "DATA\r\n",
      ])
    #expect(try transaction.receive(goAhead) == .content)
    transaction.contentEnds()
    guard case .finished(let delivery) = try transaction.receive(ok) else {
      Issue.record("not finished")
      return
    }
    #expect(delivery.accepted == ["Jones@foo.com", "Brown@foo.com"])
    #expect(delivery.refused == [.init(address: "Green@foo.com", reply: noUser)])
    #expect(delivery.failure == nil && !delivery.isBroken)
  }

  /// RFC 2920, section 5.1.
  @Test func commandsGoTogetherWhereTheServerTakesThem() throws {
    var transaction = try MailTransaction(
      envelope("a@x.org", "b@x.org"), features: features("PIPELINING", "SIZE 1000"), isEncrypted: false)
    #expect(
      text(transaction.begin()) == "MAIL FROM:<Smith@bar.com>\r\nRCPT TO:<a@x.org>\r\nRCPT TO:<b@x.org>\r\nDATA\r\n")
    for reply in [ok, ok, ok] { #expect(try transaction.receive(reply) == .wait) }
    #expect(try transaction.receive(goAhead) == .content)
    #expect(throws: ActionError(.protocol, "")) { try transaction.receive(ok) }
  }

  @Test func messageForNobodyIsNotSent() throws {
    // RFC 2920, section 3.1: a server may ask for a message that nobody gets.
    for (last, isBroken) in [(goAhead, true), (Reply(554, ["no valid recipients"]), false)] {
      var transaction = try MailTransaction(envelope("a@x.org"), features: features("PIPELINING"), isEncrypted: false)
      _ = transaction.begin()
      #expect(try transaction.receive(ok) == .wait)
      #expect(try transaction.receive(noUser) == .wait)
      guard case .finished(let delivery) = try transaction.receive(last) else {
        Issue.record("not finished")
        return
      }
      #expect(delivery.accepted.isEmpty && delivery.refused.count == 1 && delivery.isBroken == isBroken)
      #expect(MessageSender.failure(of: delivery) == ActionError(.notFound, ""))
    }
    var single = try MailTransaction(envelope("a@x.org"), features: .none, isEncrypted: false)
    _ = single.begin()
    _ = try single.receive(ok)
    _ = single.more()
    guard case .finished = try single.receive(noUser) else {
      Issue.record("DATA follows a transaction without recipients")
      return
    }
  }

  @Test func refusedSenderEndsItWhateverFollows() throws {
    var transaction = try MailTransaction(envelope("a@x.org"), features: features("PIPELINING"), isEncrypted: false)
    _ = transaction.begin()
    let refusal = Reply(553, status: EnhancedStatus(5, 7, 1), ["not yours"])
    #expect(try transaction.receive(refusal) == .wait)
    #expect(try transaction.receive(Reply(503, ["no MAIL"])) == .wait)
    guard case .finished(let delivery) = try transaction.receive(Reply(503, ["no RCPT"])) else {
      Issue.record("not finished")
      return
    }
    #expect(delivery.failure == .init(reply: refusal, stage: .sender))
    #expect(MessageSender.failure(of: delivery) == ActionError(.auth, ""))
  }

  @Test func refusedContentReachesNobody() throws {
    var transaction = try MailTransaction(envelope("a@x.org"), features: features("PIPELINING"), isEncrypted: false)
    _ = transaction.begin()
    for reply in [ok, ok, goAhead] { _ = try transaction.receive(reply) }
    transaction.contentEnds()
    guard case .finished(let delivery) = try transaction.receive(Reply(451, ["try later"])) else {
      Issue.record("not finished")
      return
    }
    #expect(delivery.accepted.isEmpty)
    #expect(MessageSender.failure(of: delivery) == ActionError(.server, ""))
  }

  /// RFC 2033, section 4.2.
  @Test func localDeliveryAnswersForEachRecipient() throws {
    var transaction = try MailTransaction(
      envelope("pat@foo.edu", "jones@foo.edu", "green@foo.edu"), features: features("PIPELINING"), isEncrypted: false,
      isLMTP: true)
    _ = transaction.begin()
    for reply in [ok, ok, noUser, ok] { #expect(try transaction.receive(reply) == .wait) }
    #expect(try transaction.receive(goAhead) == .content)
    transaction.contentEnds()
    #expect(try transaction.receive(ok) == .wait)
    let full = Reply(452, ["<green@foo.edu> is temporarily over quota"])
    guard case .finished(let delivery) = try transaction.receive(full) else {
      Issue.record("not finished")
      return
    }
    #expect(delivery.accepted == ["pat@foo.edu"])
    #expect(delivery.refused.map(\.address) == ["jones@foo.edu", "green@foo.edu"])
  }

  @Test func serverThatGoesAwayBeforeTheEndHasTakenNothing() throws {
    for count in 0..<3 {
      var transaction = try MailTransaction(
        envelope("a@x.org", "b@x.org"), features: features("PIPELINING"), isEncrypted: false)
      _ = transaction.begin()
      for _ in 0..<count { _ = try transaction.receive(ok) }
      guard case .finished(let delivery) = try transaction.receive(Reply(421, ["shutting down"])) else {
        Issue.record("not finished after \(count)")
        return
      }
      #expect(delivery.isBroken && delivery.accepted.isEmpty)
      #expect(MessageSender.failure(of: delivery) == ActionError(.server, ""))
    }
  }

  /// RFC 3030, section 4.2.
  @Test func chunksAreAnsweredEach() throws {
    var transaction = try MailTransaction(
      envelope("a@x.org"), features: features("PIPELINING", "CHUNKING"), isEncrypted: false, chunked: true)
    #expect(text(transaction.begin()) == "MAIL FROM:<Smith@bar.com>\r\nRCPT TO:<a@x.org>\r\n")
    _ = try transaction.receive(ok)
    #expect(try transaction.receive(ok) == .content)
    #expect(text(transaction.chunk(1000, isLast: false)) == "BDAT 1000\r\n")
    #expect(try transaction.receive(ok) == .content)
    #expect(text(transaction.chunk(86, isLast: true)) == "BDAT 86 LAST\r\n")
    guard case .finished(let delivery) = try transaction.receive(ok) else {
      Issue.record("not finished")
      return
    }
    #expect(delivery.accepted == ["a@x.org"] && delivery.reply == ok)
  }

  @Test func refusedChunkEndsTheMessage() throws {
    var transaction = try MailTransaction(
      envelope("a@x.org"), features: features("CHUNKING"), isEncrypted: false, chunked: true)
    _ = transaction.begin()
    _ = try transaction.receive(ok)
    _ = transaction.more()
    #expect(try transaction.receive(ok) == .content)
    _ = transaction.chunk(1000, isLast: false)
    guard case .finished(let delivery) = try transaction.receive(Reply(552, ["too much"])) else {
      Issue.record("not finished")
      return
    }
    #expect(delivery.accepted.isEmpty && delivery.failure?.stage == .content)
  }

  @Test func parametersFollowWhatTheServerOffers() throws {
    var envelope = try envelope("a@x.org", "jürgen@x.org")
    envelope.size = 500
    envelope.is8Bit = true
    envelope.requiresTLS = true
    envelope.notification = .init(events: ["failure", "delay"], returnsMessage: true, identifier: "a+b=c@x")
    let all = features("PIPELINING", "SIZE", "8BITMIME", "SMTPUTF8", "DSN", "REQUIRETLS")
    var transaction = try MailTransaction(envelope, features: all, isEncrypted: true)
    #expect(
      text(transaction.begin()).split(separator: "\r\n") == [
        "MAIL FROM:<Smith@bar.com> SIZE=500 SMTPUTF8 BODY=8BITMIME REQUIRETLS RET=FULL ENVID=a+2Bb+3Dc@x",
        "RCPT TO:<a@x.org> NOTIFY=FAILURE,DELAY ORCPT=rfc822;a@x.org",
        "RCPT TO:<jürgen@x.org> NOTIFY=FAILURE,DELAY", "DATA",
      ])
    #expect(throws: ActionError(.unsupported, "")) {
      try MailTransaction(envelope, features: all, isEncrypted: false)
    }
    for missing in ["8BITMIME", "SMTPUTF8", "REQUIRETLS"] {
      let keywords = ["8BITMIME", "SMTPUTF8", "REQUIRETLS"].filter { $0 != missing }
      let features = ServerFeatures(reply: Reply(250, ["mx"] + keywords))
      #expect(throws: ActionError(.unsupported, "")) {
        try MailTransaction(envelope, features: features, isEncrypted: true)
      }
    }
    envelope.size = 501
    #expect(throws: ActionError(.invalidInput, "")) {
      try MailTransaction(envelope, features: features("SIZE 500"), isEncrypted: true)
    }
  }

  @Test(arguments: [
    "a@x.org>\r\nRCPT TO:<b@x.org", "a@x.org\n", "a b@x.org", "<a@x.org>", "", "a", "a\u{0}@x.org", "a\u{2028}@x.org",
    String(repeating: "a", count: 400) + "@x.org",
  ])
  func addressThatWouldBreakACommandIsRefused(_ address: String) {
    #expect(throws: ActionError(.invalidInput, "")) { try Envelope(sender: "a@x.org", recipients: [address]) }
    #expect(throws: ActionError(.invalidInput, "")) { try Envelope(sender: address, recipients: ["a@x.org"]) }
  }
}

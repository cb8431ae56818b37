import Mail
import PluginKit
import PluginKitTesting
import Testing

@testable import SMTPPlugin

struct ASCIIDomainTests {
  /// Of RFC 3492, section 7.1: Arabic, Chinese, Czech, Hebrew, Hindi, Korean, Spanish, and a name with signs.
  @Test(arguments: [
    (
      "\u{644}\u{64A}\u{647}\u{645}\u{627}\u{628}\u{62A}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}\u{631}\u{628}\u{64A}\u{61F}",
      "egbpdaj6bu4bxfgehfvwxn"
    ),
    ("\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}", "ihqwcrb4cv8a8dqg056pqjye"),
    ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
    (
      "\u{5DC}\u{5DE}\u{5D4}\u{5D4}\u{5DD}\u{5E4}\u{5E9}\u{5D5}\u{5D8}\u{5DC}\u{5D0}\u{5DE}\u{5D3}\u{5D1}\u{5E8}\u{5D9}\u{5DD}\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}",
      "4dbcagdahymbxekheh6e0a7fei0b"
    ),
    ("PorquénopuedensimplementehablarenEspañol", "PorqunopuedensimplementehablarenEspaol-fmd56a"),
    ("3\u{5E74}B\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "3B-ww4c5e180e575a65lsy2b"),
    ("-> $1.00 <-", "-> $1.00 <--"),
  ])
  func punycodeIsThatOfTheRFC(_ label: String, _ code: String) {
    #expect(Punycode.encode(label) == code)
  }

  @Test(arguments: [
    ("anna@bücher.example", "anna@xn--bcher-kva.example"), ("anna@BÜCHER.Example", "anna@xn--bcher-kva.example"),
    ("a@bu\u{308}cher.example", "a@xn--bcher-kva.example"), ("a@faß.example", "a@xn--fa-hia.example"),
    ("a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"), ("Anna@Example.org", "Anna@Example.org"),
  ])
  func domainHasItsFormInASCII(_ address: String, _ ascii: String) {
    #expect(Address(address: address).withASCIIDomain?.address == ascii)
  }

  @Test(arguments: [
    "a@bü cher.example", "a@-bü.example", "a@bü-.example", "a@☃.example", "a@ü.\u{301}x.example", "a@ü..example",
    "a@" + String(repeating: "ü", count: 62) + ".example",
  ])
  func whatIsNoDomainHasNone(_ address: String) {
    #expect(Address(address: address).withASCIIDomain == nil)
    #expect(throws: ActionError(.invalidInput, "")) { try Envelope(sender: "me@example.org", recipients: [address]) }
  }

  @Test func messageToAnInternationalDomainGoesOverEveryServer() async throws {
    let (server, host) = (PlayedServer(), InMemoryHost())
    server.take(streamsOf: host)
    let plugin = try host.open(
      SMTPPlugin.self, configuration: ["host": "mx.example.org", "tls": "none", "from": "me@grün.example"])
    let mail: JSONValue = ["to": ["Jürgen <anna@bücher.example>"], "subject": "s", "text": "t"]
    let output = try await plugin.call("mail.send", mail)
    // What recipes see is what they gave.
    #expect(output["accepted"] == ["anna@bücher.example"])
    #expect(server.mails.first?.recipients == ["anna@xn--bcher-kva.example"])
    #expect(server.commands.contains { $0.hasPrefix("MAIL FROM:<me@xn--grn-ioa.example>") })
    let lines = try #require(server.mails.first?.lines)
    #expect(lines.contains { $0.hasPrefix("To: ") && $0.hasSuffix("<anna@xn--bcher-kva.example>") })
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    // Before the @ there is no other form.
    let other: JSONValue = ["to": ["jürgen@bücher.example"], "subject": "s", "text": "t"]
    let error = await #expect(throws: ActionError(.unsupported, "")) {
      try await plugin.call("mail.send", other, key: "other")
    }
    #expect(error?.message.contains("jürgen@bücher.example") == true && error?.message.contains("SMTPUTF8") == true)
    #expect(server.mails.count == 1)
  }

  @Test func serverOfAnotherTLSIsNamed() async throws {
    let host = InMemoryHost()
    host.accept { peer in _ = try await peer.readLine() }
    let isOver = Flag()
    let plugin = try host.open(
      SMTPPlugin.self, configuration: ["host": "mx.example.org", "tls": "starttls", "port": 465])
    let call = Task {
      defer { isOver.set() }
      return try await plugin.call("smtp.test")
    }
    while !isOver.isSet {
      host.advance(by: .seconds(30))
      await Task.yield()
    }
    let error = await #expect(throws: ActionError(.timeout, "")) { try await call.value }
    #expect(error?.advice?.contains("tls: implicit") == true)
  }

  @Test(arguments: [("mx.example.org", 1), ("localhost", 0), ("127.0.0.1", 0)])
  func openPasswordIsWarnedOf(_ name: String, _ count: Int) throws {
    let host = InMemoryHost()
    _ = try host.open(
      SMTPPlugin.self, configuration: ["host": .string(name), "tls": "none", "user": "me@example.org", "password": "x"])
    #expect(host.log.filter { $0.level == .warning && $0.message.contains("tls: none") }.count == count)
  }
}

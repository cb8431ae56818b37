import Testing

@testable import Mail

struct DomainNameTests {
  private static let spellings = [
    "anna@müller.example", "anna@MÜLLER.Example", "anna@mu\u{308}ller.example", "anna@xn--mller-kva.example",
    "Anna@XN--MLLER-KVA.example",
  ]

  @Test(arguments: spellings)
  func addressesOfOneMailboxAreComparable(_ address: String) {
    #expect(Address.comparable(address) == "anna@müller.example")
    #expect(DomainRegistry.standard.key(address) == "anna@müller.example")
    #expect(Address(address: address).withUnicodeDomain.withASCIIDomain?.address.lowercased() == Self.spellings[3])
  }

  @Test(arguments: [
    "anna@example.org", "Anna@Example.org", "xn--@example.org", "anna@xn--.example", "anna@xn--zzzzzzz99.example",
    "anna@xn--abc-.example", "anna@-ü.example", "anna",
    // Decodes to a capital letter, which no registry has, and would be a second spelling.
    "anna@xn--Mller-zoa.example",
  ])
  func otherAddressesStayAsWritten(_ address: String) {
    #expect(Address(address: address).withUnicodeDomain.address == address)
  }

  @Test(arguments: [
    "ihqwcrb4cv8a8dqg056pqjye", "Proprostnemluvesky-uyb24dma41a", "egbpdaj6bu4bxfgehfvwxn", "-> $1.00 <--",
    "3B-ww4c5e180e575a65lsy2b", "mller-kva",
  ])
  func punycodeIsDecodedAsItIsEncoded(_ code: String) throws {
    #expect(Punycode.encode(try #require(Punycode.decode(code))) == code)
  }

  @Test(arguments: [
    "99999999", "ü", "a-!", "kva-é", String(repeating: "9", count: 63), String(repeating: "a", count: 64),
  ])
  func otherTextIsNotPunycode(_ code: String) {
    #expect(Punycode.decode(code) == nil)
  }

  @Test(arguments: [
    ("@xn--mller-kva.example", "@müller.example"), ("^.*@xn--mller-kva\\.example$", "^.*@müller\\.example$"),
    ("xn--.example", "xn--.example"), ("a xn--bcher-kva b", "a bücher b"), ("xn-", "xn-"), ("", ""),
  ])
  func labelsInTextsAreDecoded(_ text: String, _ expected: String) {
    #expect(DomainName.unicode(in: text) == expected)
  }

  @Test func messagesHaveOneSpelling() {
    let message = Message(
      parsing: Array(
        "From: Anna <anna@xn--mller-kva.example>\nTo: ben@müller.example, c@example.org\nSender: d@XN--Mller-KVA.example\n\n"
          .utf8))
    #expect(message.from.map(\.address) == ["anna@müller.example"])
    #expect(message.to.map(\.address) == ["ben@müller.example", "c@example.org"])
    #expect(message.sender?.address == "d@müller.example")
  }

  @Test(arguments: spellings)
  func ownersAndListsKnowEachSpelling(_ address: String) {
    let registry = DomainRegistry.standard
    let own = Address(address: address)
    for entry in [Self.spellings[0], Self.spellings[3], "@müller.example", "xn--mller-kva.example"] {
      #expect(registry.list([entry], holds: own), "\(entry)")
    }
    #expect(!registry.list(["@muller.example"], holds: own))
    let message = Message(parsing: Array("From: \(address)\nSubject: x\n\n".utf8))
    for owner in Self.spellings {
      #expect(Classifier(owners: [owner]).classify(message).reasons.contains(.ownMessage), "\(owner)")
    }
    #expect(PublicSuffixes.system.registrableDomain("mail.\(own.domain)") == "müller.example")
  }

  /// Every server takes the form in ASCII; a local part beyond ASCII needs SMTPUTF8 anyway.
  @Test func writtenAddressesAreInASCII() throws {
    var message = OutgoingMessage(
      from: Address(address: "me@müller.example"), to: [Address(name: "Ü", address: "anna@bücher.example")],
      subject: "s", text: "t")
    let date = MessageDate(secondsSinceEpoch: 0)
    let plain = String(decoding: try message.encoded(messageID: "1@x", date: date), as: UTF8.self)
    #expect(plain.contains("From: me@xn--mller-kva.example\r\n") && plain.contains("<anna@xn--bcher-kva.example>"))
    message.to = [Address(address: "jürgen@bücher.example")]
    let other = String(decoding: try message.encoded(messageID: "1@x", date: date), as: UTF8.self)
    #expect(other.contains("To: jürgen@bücher.example\r\n"))
  }

  @Test func anAnswerToAllNamesEachMailboxOnce() {
    let message = Message(
      parsing: Array(
        "From: a@xn--mller-kva.example\nTo: me@bücher.example, a@müller.example\nCc: b@example.org\n\n".utf8))
    let answer = OutgoingMessage(
      replyingTo: message, from: Address(address: "me@xn--bcher-kva.example"), toAll: true)
    #expect(answer.recipients.map(\.address) == ["a@müller.example", "b@example.org"])
  }
}

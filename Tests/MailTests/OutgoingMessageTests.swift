import Localization
import Testing

@testable import Mail

struct OutgoingMessageTests {
  private let date = MessageDate(secondsSinceEpoch: 1_794_904_200, zoneOffset: 3600)
  private let jana = Address(name: "Jana Keller", address: "jana@example.com")
  private let anna = Address(name: "Berg, Anna", address: "anna@example.org")

  private func encode(_ message: OutgoingMessage) throws(MailError) -> (bytes: [UInt8], read: Message) {
    let bytes = try message.encoded(messageID: "42.7@example.com", date: date)
    return (bytes, Message(parsing: bytes))
  }

  /// Why a message is not written, or `nil` where it is.
  private func refusal(_ message: OutgoingMessage, messageID: String = "1@example.com") -> MailError.Code? {
    do throws(MailError) {
      _ = try message.encoded(messageID: messageID, date: date)
      return nil
    } catch {
      return error.code
    }
  }

  private func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
  }

  /// The lines of the header; the message ends with a line end.
  private func headerLines(_ bytes: [UInt8]) -> ArraySlice<Substring> { lines(bytes).prefix { !$0.isEmpty } }

  @Test func plainMessageIsWrittenInFull() throws {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "Hello", text: "Hi,\nbye.\n")
    message.replyTo = [Address(address: "desk@example.com")]
    message.cc = [Address(address: "c@example.org"), Address(address: "d@example.org")]
    message.bcc = [Address(address: "hidden@example.org")]
    message.inReplyTo = "1@example.org"
    message.references = ["0@example.org", "1@example.org"]
    message.additionalFields = [.init(name: "Auto-Submitted", value: "auto-generated")]
    let expected = """
      Date: Tue, 17 Nov 2026 09:30:00 +0100
      From: Jana Keller <jana@example.com>
      Reply-To: desk@example.com
      To: "Berg, Anna" <anna@example.org>
      Cc: c@example.org, d@example.org
      Subject: Hello
      Message-ID: <42.7@example.com>
      In-Reply-To: <1@example.org>
      References: <0@example.org> <1@example.org>
      Auto-Submitted: auto-generated
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: 7bit

      Hi,
      bye.

      """
    #expect(String(decoding: try encode(message).bytes, as: UTF8.self) == expected.replacing("\n", with: "\r\n"))
    #expect(message.recipients.map(\.address).last == "hidden@example.org")
  }

  @Test(arguments: [
    "Hello", "Grüße aus Zürich", "日本語の件名がここにあります、とても長いので折り返しが必要です、まだまだ続きます",
    "A subject in plain words that is so long that it has to be folded onto a second line, and a third one, too",
    "🎂 Party", "=?utf-8?q?looks_encoded?=", "two  spaces", String(repeating: "x", count: 200),
    String(repeating: "y", count: 1200), "e\u{301}\u{327} combined", "",
  ])
  func subjectRoundTripsInShortLines(subject: String) throws {
    let (bytes, read) = try encode(OutgoingMessage(from: jana, to: [anna], subject: subject, text: ""))
    #expect(read.subject == subject)
    #expect(read.defects.isEmpty)
    for line in headerLines(bytes) {
      #expect(line.utf8.allSatisfy { $0 < 0x80 })
      #expect(line.utf8.count <= 78 || (!line.contains("=?") && !line.dropFirst(10).contains(" ")))
    }
  }

  @Test(arguments: [
    "Anna Berg", "Berg, Anna", "Anna \"Annie\" Berg", "Jürgen Weiß", "Dr. B. Okonkwo", "佐藤 美咲", "back\\slash", "a@b",
    "Eine sehr lange Bezeichnung für eine Genossenschaft mit Ümläuten, die nicht in eine Zeile passt", "",
  ])
  func displayNameRoundTrips(name: String) throws {
    let people = (0..<5).map { Address(name: name, address: "p\($0)@example.org") }
    let (bytes, read) = try encode(OutgoingMessage(from: jana, to: people, subject: "s", text: "t"))
    #expect(read.to == people.map { Address(name: name.isEmpty ? nil : name, address: $0.address) })
    #expect(headerLines(bytes).allSatisfy { $0.utf8.count <= 78 })
  }

  @Test(arguments: [
    "short", "Grüße, 東京 🎂\n", "trailing space \nnext", "From the start\n.\n", String(repeating: "word ", count: 3000),
    String(repeating: "漢字", count: 400), "a=b\n", "tab\tand\nlines\n\n\n", "",
  ])
  func textRoundTripsInLinesThatPass(text: String) throws {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: text)
    let plain = try encode(message)
    #expect(plain.read.textBody == text)
    message.html = "<p>\(HTMLText.escape(text))</p>"
    message.attachments = [OutgoingAttachment(name: "x.bin", data: [1, 2, 3])]
    let mixed = try encode(message)
    #expect(mixed.read.textBody == text)
    #expect(mixed.read.htmlBody == message.html)
    for line in lines(plain.bytes) + lines(mixed.bytes) {
      #expect(line.utf8.count <= 998)
      #expect(!line.hasPrefix("From ") && line.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test(arguments: [
    "plan.pdf", "two words.pdf", "Übersicht der Kosten für das Sommerfest 2027 – Entwurf 3 (überarbeitet).xlsx",
    "東京.txt",
    "quote\".txt", "semi;colon.txt", "it's.txt", String(repeating: "n", count: 100) + ".txt", "100%.txt",
  ])
  func fileNameRoundTrips(name: String) throws {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
    let data = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    message.attachments = [OutgoingAttachment(name: name, type: "application/pdf", data: data)]
    let (bytes, read) = try encode(message)
    #expect(read.attachments.map(\.name) == [name])
    #expect(read.attachments.map(\.type) == ["application/pdf"])
    #expect(read.attachments.map(\.size) == [1000])
    #expect(read.attachments.first?.part.decodedBytes == data)
    #expect(lines(bytes).allSatisfy { $0.utf8.count <= 78 })
  }

  @Test func structureFollowsWhatIsThere() throws {
    func shape(_ part: Part) -> String {
      part.parts.isEmpty
        ? part.contentType.mediaType : "\(part.contentType.subtype)(\(part.parts.map(shape).joined(separator: " ")))"
    }
    let file = OutgoingAttachment(name: "a.pdf", type: "application/pdf", data: [1])
    let picture = OutgoingAttachment(name: "p.png", type: "image/png", data: [2], contentID: "p@example.com")
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s")
    #expect(shape(try encode(message).read.body) == "text/plain")
    message.html = "<img src='cid:p@example.com'>"
    #expect(shape(try encode(message).read.body) == "text/html")
    message.text = "t"
    #expect(shape(try encode(message).read.body) == "alternative(text/plain text/html)")
    message.relatedFiles = [picture]
    #expect(shape(try encode(message).read.body) == "alternative(text/plain related(text/html image/png))")
    message.attachments = [file]
    let full = try encode(message).read
    #expect(shape(full.body) == "mixed(alternative(text/plain related(text/html image/png)) application/pdf)")
    #expect(full.attachments.map(\.contentID) == ["p@example.com", nil])
    #expect(full.attachments.map(\.disposition) == [.inline, .attachment])
    #expect(full.defects.isEmpty)
  }

  @Test func enclosedMessageIsNotEncoded() throws {
    let inner = try encode(OutgoingMessage(from: anna, to: [jana], subject: "inner", text: "Grüße\n")).bytes
    var message = OutgoingMessage(from: jana, to: [anna], subject: "Fwd", text: "see")
    message.attachments = [OutgoingAttachment(name: "inner.eml", type: "message/rfc822", data: inner)]
    let read = try encode(message).read
    guard case .message(let enclosed)? = read.attachments.first?.part.content else {
      Issue.record("no message is enclosed")
      return
    }
    #expect(enclosed.subject == "inner")
    #expect(enclosed.textBody == "Grüße\n")
  }

  @Test func boundaryDoesNotOccurInTheText() throws {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
    message.attachments = [OutgoingAttachment(name: "a", data: [1])]
    let first = try encode(message)
    let boundary = try #require(first.read.body.contentType.parameter("boundary"))
    message.text = "before\n--\(boundary)\nafter\n"
    let second = try encode(message)
    #expect(second.read.body.contentType.parameter("boundary") != boundary)
    #expect(second.read.textBody == message.text)
  }

  @Test func sameMessageGivesTheSameBytes() throws {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t", html: "<p>t</p>")
    message.attachments = [OutgoingAttachment(name: "a", data: [1])]
    #expect(try encode(message).bytes == encode(message).bytes)
  }

  @Test(arguments: ["a\r\nBcc: x@example.org", "a\nb", "a\rb", "nul\0", "bell\u{7}"])
  func lineEndInAnyValueIsRefused(value: String) throws {
    func expectRefusal(_ change: (inout OutgoingMessage) -> Void) {
      var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
      change(&message)
      #expect(refusal(message) == .headerInjection)
    }
    expectRefusal { $0.subject = value }
    expectRefusal { $0.from.name = value }
    expectRefusal { $0.to[0].address = value }
    expectRefusal { $0.replyTo = [Address(name: value, address: "a@example.org")] }
    expectRefusal { $0.cc = [Address(name: value, address: "a@example.org")] }
    expectRefusal { $0.bcc = [Address(address: value)] }
    expectRefusal { $0.inReplyTo = value }
    expectRefusal { $0.references = [value] }
    expectRefusal { $0.additionalFields = [.init(name: "X-A", value: value)] }
    expectRefusal { $0.attachments = [OutgoingAttachment(name: value, data: [])] }
    expectRefusal { $0.attachments = [OutgoingAttachment(name: "a", data: [], contentID: value)] }
  }

  @Test(arguments: [
    "", "nobody", "@example.org", "a@", "a b@example.org", "<a@example.org>", "a@b@example.org", "a,b@c.d",
  ])
  func textThatIsNoAddressIsRefused(address: String) {
    let message = OutgoingMessage(from: jana, to: [Address(address: address)], subject: "s", text: "t")
    #expect(refusal(message) == .invalidAddress)
  }

  @Test func aNameWithoutAnAddressIsNamedByTheError() {
    let message = OutgoingMessage(from: Address(name: "nonsense", address: ""), to: [anna], subject: "s", text: "t")
    let error = #expect(throws: MailError.self) { _ = try message.encoded(messageID: "1@example.com", date: date) }
    #expect(error?.message.english.contains("'nonsense' in From") == true)
  }

  @Test(arguments: ["", "X A", "X:", "X\r\nY", "Subject", "content-type", "Bcc", "Ünn"])
  func fieldNameThatIsNoneOrTakenIsRefused(name: String) {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
    message.additionalFields = [.init(name: name, value: "v")]
    #expect(refusal(message) == .invalidHeaderName)
  }

  @Test(arguments: ["pdf", "a/b/c", "text/", "text/pl ain", "multipart/mixed", "text/plain; x=y"])
  func mediaTypeThatIsNoneIsRefused(type: String) {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
    message.attachments = [OutgoingAttachment(name: "a", type: type, data: [])]
    #expect(refusal(message) == .invalidMediaType)
  }

  @Test(arguments: ["", "noat", "<a@b>", "a b@c"])
  func identifierThatIsNoneIsRefused(identifier: String) {
    let message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
    #expect(refusal(message, messageID: identifier) == .invalidMessageID)
  }

  @Test func answerContinuesTheThread() throws {
    let source = """
      Message-ID: <3@example.org>
      References: <1@example.org> <2@example.com>
      From: Anna <anna@example.org>
      Reply-To: desk@example.org
      To: Jana <JANA@example.com>, Ben <ben@example.org>
      Cc: desk@example.org, cora@example.org
      Subject: Plan

      text
      """
    let original = Message(parsing: Array(source.utf8))
    var answer = OutgoingMessage(replyingTo: original, from: jana, toAll: true)
    answer.text = "ok"
    let read = try encode(answer).read
    #expect(read.subject == "Re: Plan")
    #expect(read.to.map(\.address) == ["desk@example.org"])
    #expect(read.cc.map(\.address) == ["ben@example.org", "cora@example.org"])
    #expect(read.inReplyTo == ["3@example.org"])
    #expect(read.references == ["1@example.org", "2@example.com", "3@example.org"])
    let second = OutgoingMessage(replyingTo: read, from: anna)
    #expect(second.subject == "Re: Plan")
    #expect(second.references.last == "42.7@example.com")
  }

  @Test func veryLongThreadKeepsItsEnds() throws {
    var message = OutgoingMessage(from: jana, to: [anna], subject: "s", text: "t")
    message.references = (0..<500).map { "\($0)@example.org" }
    let references = try encode(message).read.references
    #expect(references.first == "0@example.org" && references.last == "499@example.org")
    #expect(references.count == 40)
  }
}

import Testing

@testable import Mail

struct MessageTests {
  /// A message from lines, ended by CRLF.
  private func message(_ lines: [String], limits: ParsingLimits = ParsingLimits()) -> Message {
    Message(parsing: Array(lines.joined(separator: "\r\n").utf8), limits: limits)
  }

  @Test func thePlainTextBesideHTMLWithPicturesIsTheText() {
    let message = Message(
      parsing: Array(
        """
        Content-Type: multipart/alternative; boundary=b

        --b

        plain
        --b
        Content-Type: multipart/related; boundary=c

        --c
        Content-Type: text/html

        <p>rich<img src="cid:i"></p>
        --c
        Content-Type: image/png; name=i.png
        Content-ID: <i>

        AAAA
        --c--
        --b--
        """.utf8))
    #expect(message.textBody == "plain")
    #expect(message.htmlBody?.contains("rich") == true)
    #expect(message.attachments.count == 1)
  }

  @Test func plainMessageGivesItsFields() {
    let message = message([
      "Message-ID: <1@example.org>", "Date: Tue, 17 Nov 2026 09:30:00 +0100", "From: Anna Berg <anna@example.org>",
      "Sender: office@example.org", "Reply-To: anna.berg@example.net", "To: Jana <jana@example.com>, b@example.com",
      "Cc: Team: c@example.com, d@example.com;", "Bcc: e@example.com", "Subject: Hello", "In-Reply-To: <0@example.com>",
      "References: <a@example.com>", " <0@example.com>", "", "Hi,", "bye.", "",
    ])
    #expect(message.messageID == "1@example.org")
    #expect(message.date?.secondsSinceEpoch == 1_794_904_200)
    #expect(message.date?.zoneOffset == 3600)
    #expect(message.from == [Address(name: "Anna Berg", address: "anna@example.org")])
    #expect(message.sender?.address == "office@example.org")
    #expect(message.replyTo.map(\.address) == ["anna.berg@example.net"])
    #expect(message.to.map(\.address) == ["jana@example.com", "b@example.com"])
    #expect(message.cc.map(\.address) == ["c@example.com", "d@example.com"])
    #expect(message.cc.map(\.group) == ["Team", "Team"])
    #expect(message.bcc.map(\.address) == ["e@example.com"])
    #expect(message.subject == "Hello")
    #expect(message.inReplyTo == ["0@example.com"])
    #expect(message.references == ["a@example.com", "0@example.com"])
    #expect(message.threadReferences == ["a@example.com", "0@example.com"])
    #expect(message.textBody == "Hi,\nbye.\n")
    #expect(message.htmlBody == nil)
    #expect(!message.isMultipart && message.attachments.isEmpty && message.defects.isEmpty)
    #expect(message.body.number == "1")
  }

  @Test func headersKeepOrderDuplicatesAndRawValues() {
    let message = message(["X-A: one", "x-b:  =?utf-8?q?zw=C3=B6lf?=", "X-a: two", " more", "", ""])
    #expect(message.headers.map(\.name) == ["X-A", "x-b", "X-a"])
    #expect(message.headers.all("x-A").map(\.text) == ["one", "two more"])
    #expect(message.headers["X-B"] == "zwölf")
    #expect(String(decoding: message.headers[1].rawValue, as: UTF8.self) == "  =?utf-8?q?zw=C3=B6lf?=")
    #expect(String(decoding: message.headers[2].rawValue, as: UTF8.self) == " two\r\n more")
    #expect(!message.headers.contains("X-C"))
  }

  @Test func spanIsReadLikeAnArray() {
    let bytes = Array("Subject: x\n\nbody".utf8)
    #expect(Message(parsing: bytes.span).textBody == "body")
  }

  @Test func alternativePrefersPlainTextAndKeepsHTML() {
    let message = message([
      "Content-Type: multipart/alternative; boundary=b", "", "--b", "Content-Type: text/plain", "", "plain", "--b",
      "Content-Type: text/html", "", "<p>rich</p>", "--b--",
    ])
    #expect(message.textBody == "plain")
    #expect(message.htmlBody == "<p>rich</p>")
    #expect(message.isMultipart && message.attachments.isEmpty)
    #expect(message.body.parts.map(\.number) == ["1", "2"])
  }

  @Test func blankTextBesideHTMLCountsAsNone() {
    let message = message([
      "Content-Type: multipart/alternative; boundary=b", "", "--b", "", " ", "", "--b", "Content-Type: text/html", "",
      "<p>rich</p>", "--b--",
    ])
    #expect(message.textBody == "rich")
    #expect(self.message(["Subject: s", "", " "]).textBody == " ")
  }

  @Test func htmlAloneBecomesText() {
    let message = message(["Content-Type: text/html; charset=utf-8", "", "<p>Gr&uuml;&szlig;e</p><p>zwei</p>"])
    #expect(message.textBody == "Grüße\n\nzwei")
    #expect(message.htmlBody == "<p>Gr&uuml;&szlig;e</p><p>zwei</p>")
  }

  @Test func mixedTextPartsAreJoinedAndFilesListed() {
    let message = message([
      "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "first", "--b",
      "Content-Type: text/plain; name=a.txt",
      "", "file", "--b", "Content-Type: image/png", "Content-ID: <i@x>", "Content-Transfer-Encoding: base64", "",
      "AAEC", "--b", "Content-Type: text/plain", "", "footer", "--b--",
    ])
    #expect(message.textBody == "first\nfooter")
    #expect(message.attachments.map(\.partNumber) == ["2", "3"])
    #expect(message.attachments.map(\.name) == ["a.txt", nil])
    #expect(message.attachments.map(\.type) == ["text/plain", "image/png"])
    #expect(message.attachments[1].contentID == "i@x")
    #expect(message.attachments[1].size == 3)
    #expect(message.attachments[1].part.decodedBytes == [0, 1, 2])
  }

  @Test func relatedKeepsPicturesAsAttachments() {
    let message = message([
      "Content-Type: multipart/related; boundary=r", "", "--r", "Content-Type: multipart/alternative; boundary=a", "",
      "--a", "", "plain", "--a", "Content-Type: text/html", "", "<img src=cid:p>", "--a--", "--r",
      "Content-Type: image/gif; name=p.gif", "Content-Disposition: inline", "", "GIF", "--r--",
    ])
    #expect(message.textBody == "plain")
    #expect(message.attachments.map(\.name) == ["p.gif"])
    #expect(message.attachments.map(\.disposition) == [.inline])
    #expect(message.body.parts[0].parts.map(\.number) == ["1.1", "1.2"])
  }

  @Test func enclosedMessageIsReadAndListed() throws {
    let message = message([
      "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "see below", "--b", "Content-Type: message/rfc822",
      "",
      "Subject: inner", "Content-Type: multipart/mixed; boundary=c", "", "--c", "", "inside", "--c--", "", "--b--",
    ])
    #expect(message.textBody == "see below")
    #expect(message.attachments.map(\.type) == ["message/rfc822"])
    guard case .message(let inner) = message.body.parts[1].content else {
      Issue.record("the second part is no message")
      return
    }
    #expect(inner.subject == "inner")
    #expect(inner.textBody == "inside")
    #expect(inner.body.parts.map(\.number) == ["2.1"])
  }

  @Test func digestPartsAreMessages() {
    let message = message([
      "Content-Type: multipart/digest; boundary=b", "", "--b", "", "Subject: one", "", "1", "--b", "", "Subject: two",
      "",
      "2", "--b--",
    ])
    let subjects = message.body.parts.map { part -> String in
      if case .message(let inner) = part.content { return inner.subject }
      return ""
    }
    #expect(subjects == ["one", "two"])
  }

  @Test func signedPartIsKeptByteForByte() {
    let signed = "Content-Type: text/plain; charset=utf-8\r\nX-Odd:  kept\r\n\r\nGrüße \r\n"
    let message = message([
      "Content-Type: multipart/signed; boundary=s; protocol=\"application/pkcs7-signature\"", "", "--s", signed, "--s",
      "Content-Type: application/pkcs7-signature; name=smime.p7s", "", "x", "--s--", "",
    ])
    #expect(Array(message.body.parts[0].source) == Array(signed.utf8))
    #expect(message.textBody == "Grüße \n")
    #expect(message.attachments.map(\.name) == ["smime.p7s"])
  }

  @Test func calendarPartsAreAttachments() {
    let message = message([
      "Content-Type: multipart/alternative; boundary=b", "", "--b", "", "Invitation", "--b",
      "Content-Type: text/calendar; method=REQUEST", "", "BEGIN:VCALENDAR", "--b--",
    ])
    #expect(message.textBody == "Invitation")
    #expect(message.attachments.map(\.type) == ["text/calendar"])
    #expect(message.attachments[0].part.contentType.parameter("method") == "REQUEST")
  }

  @Test func aMessageWithoutAnEmptyLineKeepsItsText() {
    let message = Message(parsing: Array("Subject: s\nHello,\nNote: later lines look like fields\n".utf8))
    #expect(message.subject == "s" && message.headers.count == 1)
    #expect(message.textBody == "Hello,\nNote: later lines look like fields\n")
    #expect(message.defects.map(\.code) == [.invalidHeaderLine, .missingHeaderSeparator])
  }

  @Test func textBehindTheLastBoundaryOnItsLineIsNoPartOfTheMessage() {
    let message = Message(
      parsing: Array("Content-Type: multipart/mixed; boundary=x\n\n--x\n\nbody\n--x-- trailing\nepilogue".utf8))
    #expect(message.textBody == "body" && message.defects.isEmpty)
  }

  @Test func alternativesForSingleProgramsAreNoFiles() {
    let message = Message(
      parsing: Array(
        """
        Content-Type: multipart/alternative; boundary=b

        --b

        plain
        --b
        Content-Type: text/x-amp-html

        <html amp4email></html>
        --b
        Content-Type: text/html

        <p>rich</p>
        --b--
        """.utf8))
    #expect(message.textBody == "plain" && message.htmlBody == "<p>rich</p>" && message.attachments.isEmpty)
  }

  @Test(arguments: [
    ("just some text\nwithout a header", "just some text\nwithout a header", Defect.Code.missingHeaders),
    ("Subject: s\rTo: a@example.org\r\rone\rtwo", "one\ntwo", .bareCarriageReturn),
    ("Subject: s\nThis is the body already\nmore", "This is the body already\nmore", .missingHeaderSeparator),
    ("Subject: s\n!!!\nTo: a@example.org\n\nbody", "body", .invalidHeaderLine),
    ("Content-Type: multipart/mixed; boundary=x\n\nno boundary", "no boundary", .boundaryNotFound),
    ("Content-Type: multipart/mixed\n\nno boundary", "no boundary", .missingBoundaryParameter),
    ("Content-Type: multipart/mixed\n\n--abc\n\nbody\n--abc--", "body", .missingBoundaryParameter),
    ("Content-Type: multipart/mixed; boundary=x\n\n--x\n\ncut o", "cut o", .missingClosingBoundary),
    (
      "Content-Type: multipart/mixed; boundary=x\n\n--other\nContent-Type: text/plain\n\nbody\n--other--", "body",
      .boundaryNotFound
    ),
    (
      "Content-Type: multipart/mixed; boundary=x\n\n-----\nlines\n-----", "-----\nlines\n-----", .boundaryNotFound
    ),
    ("Content-Type: text/plain; charset=utf-8\n\n\u{FEFF}body", "body", nil),
    ("Content-Type: nonsense\n\nbody", "body", .invalidContentType),
    ("Content-Transfer-Encoding: x-rot13\n\nobql", "obql", .unknownTransferEncoding),
    ("Content-Type: text/plain; charset=x-unheard-of\n\nGr\u{FC}\u{DF}e", "Grüße", nil),
    ("From jana Tue Nov 17 09:30:00 2026\nSubject: mbox\n\nbody", "body", nil),
    ("\n\nSubject: late\n\nbody", "body", nil),
    ("\u{FEFF}Subject: marked\n\nbody", "body", nil),
    ("Content-Type: multipart/mixed; boundary=x\n\n--x--\n", "", nil),
    ("", "", nil),
  ])
  func brokenMessageStaysReadable(source: String, text: String, defect: Defect.Code?) {
    let message = Message(parsing: Array(source.utf8))
    #expect(message.textBody == text)
    #expect(message.defects.map(\.code) == (defect.map { [$0] } ?? []))
  }

  @Test func unlabelledBytesAreReadAsWindows1252() {
    let bytes = Array("Subject: Gr".utf8) + [0xFC, 0xDF] + Array("e\n\n".utf8) + [0x80, 0x20, 0x93]
    let message = Message(parsing: bytes)
    #expect(message.subject == "Grüße")
    #expect(message.textBody == "€ “")
  }

  @Test func nestingStopsAtTheLimit() {
    var lines: [String] = []
    for level in 0..<60 { lines += ["Content-Type: multipart/mixed; boundary=b\(level)", "", "--b\(level)"] }
    let message = message(lines + ["", "core"], limits: ParsingLimits(nestingDepth: 10))
    var depth = 0
    var part = message.body
    while let child = part.parts.first {
      part = child
      depth += 1
    }
    #expect(depth == 10)
    #expect(message.defects.contains { $0.code == .tooDeeplyNested })
    #expect(message.source.count == message.size)
  }

  @Test func enclosedMessagesCountAsNesting() {
    let lines = Array(repeating: ["Content-Type: message/rfc822", ""], count: 500).flatMap { $0 }
    let message = message(lines + ["core"])
    #expect(message.defects.contains { $0.code == .tooDeeplyNested })
    var depth = 0
    var current = message
    while case .message(let inner) = current.body.content {
      current = inner
      depth += 1
    }
    #expect(depth == ParsingLimits().nestingDepth)
  }

  @Test func partsStopAtTheLimit() {
    let lines = Array(repeating: ["--b", "", "x"], count: 50).flatMap { $0 }
    let message = message(
      ["Content-Type: multipart/mixed; boundary=b", ""] + lines + ["--b--"], limits: ParsingLimits(partCount: 8))
    #expect(message.body.parts.count <= 8)
    #expect(message.defects.contains { $0.code == .tooManyParts })
  }

  @Test func headerFieldsStopAtTheLimit() {
    let message = message(
      (0..<50).map { "X-\($0): v" } + ["", "body"], limits: ParsingLimits(headerFieldCount: 10))
    #expect(message.headers.count == 10)
    #expect(message.textBody == "body")
    #expect(message.defects.map(\.code) == [.tooManyHeaderFields])
  }

  @Test(arguments: [
    ("List-ID: Growers <growers.example.org>", "growers.example.org"),
    ("List-Id: growers.example.org", "growers.example.org"),
    ("Subject: x", nil),
  ])
  func listIdentifierIsRead(header: String, expected: String?) {
    #expect(message([header, "", ""]).listID == expected)
  }

  @Test(arguments: [
    ("> quoted\nFirst line\n\nsecond\n-- \nsignature", 160, "First line second"),
    ("one two three four five", 12, "one two…"),
    ("", 10, ""),
    ("incomprehensibilities", 8, "incompr…"),
  ])
  func snippetIsTheBeginning(text: String, length: Int, expected: String) {
    #expect(Message.snippet(of: text, length: length) == expected)
  }
}

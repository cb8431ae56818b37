import Foundation
import SeededRandom
import Testing

@testable import Mail

/// Damaged and hostile messages: reading them must end, without a trap and with work in proportion to their size.
struct MessageMutationTests {
  /// Messages to start from: written ones, the example mailbox, and the samples where they are present.
  private static let seeds: [[UInt8]] = {
    var seeds: [[UInt8]] = [
      Array(
        """
        From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>, "a, b" (c) <d@e.f>;
        Date: Tue, 17 Nov 2026 09:30:00 +0100
        Subject: =?iso-2022-jp?b?GyRCRnxLXBsoQg==?= =?gb18030?q?=C4=E3?=
        Content-Type: multipart/mixed; boundary="a b"; x*0*=utf-8''%C3; x*1=y

        --a b
        Content-Type: text/html; charset=shift_jis

        <p>&amp;&#x20AC;<a href="https://example.org">x</a><ul><li>y</ul><!-- z -->
        --a b
        Content-Type: text/plain; format=flowed; delsp=yes
        Content-Transfer-Encoding: quoted-printable

        =C3=BC =
        > x =20
        --a b
        Content-Type: message/rfc822
        Content-Transfer-Encoding: base64

        U3ViamVjdDogeAoKeQo=
        --a b--
        """.utf8)
    ]
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("examples/mailbox")
    for folder in ["cur", "new"] {
      let url = root.appendingPathComponent(folder)
      for name in ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() {
        if let data = try? Data(contentsOf: url.appendingPathComponent(name)) { seeds.append([UInt8](data)) }
      }
    }
    for sample in SharedData.samples {
      if let bytes = try? SharedData.bytes(sample) { seeds.append(bytes) }
    }
    return seeds
  }()

  private static func mutate(_ seed: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = seed
    let interesting: [[UInt8]] = [
      [0], [0x0D], [0x0A], [0xFF], Array("=?".utf8), Array("?=".utf8), Array("--".utf8), Array("\n\n".utf8),
      Array("(".utf8), Array("\"".utf8), Array("<".utf8), Array(";".utf8), Array("=".utf8), Array("&#".utf8),
      Array("\nContent-Type: multipart/mixed; boundary=a\n\n--a\n".utf8),
      Array("\nContent-Type: message/rfc822\n\n".utf8), Array("99999999999999999999".utf8), [0x1B, 0x24, 0x42],
    ]
    for _ in 0..<Int.random(in: 1...12, using: &generator) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...40, using: &generator)))
      case 2: bytes.insert(contentsOf: interesting.randomElement(using: &generator) ?? [], at: position)
      case 3: bytes.insert(contentsOf: bytes[position..<min(bytes.count, position + 200)], at: position)
      case 4: bytes.removeSubrange(position...)
      default: bytes.swapAt(position, Int.random(in: 0..<bytes.count, using: &generator))
      }
    }
    return bytes
  }

  /// Reads everything a message offers.
  ///
  /// - Returns: The size of what was read.
  private func readAll(_ message: Message) -> Int {
    var size = message.subject.utf8.count + message.textBody.utf8.count + (message.htmlBody?.utf8.count ?? 0)
    for addresses in [message.from, message.to, message.cc, message.bcc, message.replyTo] {
      size += addresses.reduce(0) { $0 + $1.description.utf8.count }
    }
    size += message.threadReferences.reduce(0) { $0 + $1.utf8.count }
    size += message.headers.reduce(0) { $0 + $1.text.utf8.count }
    for attachment in message.attachments { size += (attachment.name?.utf8.count ?? 0) + min(attachment.size, 1) }
    let classification = Classifier().classify(message)
    _ = (message.date, message.messageID, message.listID, message.snippet(), message.listUnsubscribe, message.listPost)
    _ = (message.calendar, Classifier().marks(of: message, classification: classification))
    return size
  }

  /// Cleans, answers and passes on a message: neither traps, and what comes out is sound.
  private func useAll(_ message: Message) throws {
    let own = Address(address: "jana@example.com")
    if let html = message.htmlBody {
      let once = HTMLSanitizer().sanitize(html).html
      #expect(once.utf8.count <= html.utf8.count * 8 + 20_000)
      #expect(HTMLSanitizer().sanitize(once).html == once)
    }
    _ = message.sanitizedHTML(remotePictures: .allowed)
    for answer in [
      OutgoingMessage.reply(to: message, from: own, recipients: .all, text: "x"),
      OutgoingMessage.forward(message, from: own, to: [own]),
      OutgoingMessage.forward(message, from: own, to: [own], form: .attachment),
    ] {
      // What is no address in the message is refused with an error.
      let written = try? answer.encoded(messageID: "1@x", date: MessageDate(secondsSinceEpoch: 0))
      if let written { #expect(Message(parsing: written).messageID == "1@x") }
    }
  }

  /// Pieces of calendars, marked-up text, styles and addresses of lists, put together at random.
  @Test(arguments: 0..<10)
  func piecesPutTogetherAreRead(round: Int) throws {
    var generator = SeededGenerator(seed: UInt64(round) &+ 99)
    let pieces = [
      "BEGIN:VCALENDAR\n", "BEGIN:VEVENT\n", "END:VEVENT\n", "END:VCALENDAR\n", "DTSTART;TZID=A:20261130T140000\n",
      "DURATION:-PT99999999999H\n", "BEGIN:VTIMEZONE\nTZID:A\nBEGIN:STANDARD\n", "TZOFFSETTO:+9999\n",
      "TZOFFSETTO:-0100\n",
      "RRULE:FREQ=YEARLY;BYMONTH=13;BYDAY=-9SU\n", "RRULE:BYMONTH=2;BYDAY=5MO\n", "END:STANDARD\nEND:VTIMEZONE\n",
      " folded\n",
      "ATTENDEE;CN=\"x:mailto:%zz\n", "<bold>", "</bold>", "<param>", "<<", "<style>@media{", "}", "{", "p{color:red;",
      "/*",
      "url(", "\\", "<td style='", "<table>", "</", "<a href=", "'", "\"", "<img src=cid:x width=1e999>",
      "mailto:?subject=%",
      "1.234,50 €", "bis zum 99.99.", "by Friday", "?", "\u{FF1F}", "0,", "€€", "--", "\n\n", "<div hidden>", "&#x;",
    ]
    for _ in 0..<60 {
      let text = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      for type in ["text/calendar", "text/enriched", "text/html", "text/plain"] {
        let header =
          "From: a@example.org\nList-Unsubscribe: <\(text.replacing("\n", with: " "))>\nContent-Type: \(type)\n\n"
        let message = Message(parsing: Array((header + text).utf8))
        #expect(readAll(message) <= message.size * 14 + 4000)
        try useAll(message)
      }
    }
  }

  @Test(arguments: 0..<20)
  func damagedMessageIsReadWithBoundedWork(round: Int) {
    var generator = SeededGenerator(seed: UInt64(round) &+ 2026)
    let limits = ParsingLimits()
    for seed in MessageMutationTests.seeds {
      let bytes = MessageMutationTests.mutate(seed, &generator)
      var parser = MessageParser(limits: limits)
      _ = parser.parseMessage(bytes[...], number: "", depth: 0)
      #expect(parser.work <= (bytes.count + 1) * 2 * (limits.nestingDepth + 1))
      // Nothing a message says multiplies: what is read stays in proportion to what came in.
      #expect(readAll(Message(parsing: bytes)) <= bytes.count * 12 + 2000)
    }
  }

  @Test(arguments: 0..<3)
  func damagedMessageIsCleanedAndAnswered(round: Int) throws {
    var generator = SeededGenerator(seed: UInt64(round) &+ 4052)
    for seed in MessageMutationTests.seeds where seed.count < 50_000 {
      try useAll(Message(parsing: MessageMutationTests.mutate(seed, &generator)))
    }
  }

  @Test(arguments: [
    "a", "=?utf-8?q?", "=?big5?q?x?= ", "((", "\"", "<", "a@b,", "a:", ";", "\n x", "x=y;", "x*0*=y;",
  ])
  func longHeaderStaysInProportion(piece: String) {
    for name in ["Subject", "From", "Content-Type", "Content-Disposition", "References", "Date"] {
      let source = Array("\(name): \(String(repeating: piece, count: 5000))\n\nx".utf8)
      let message = Message(parsing: source)
      #expect(readAll(message) <= source.count * 12 + 2000)
      #expect((message.body.fileName ?? "").utf8.count <= source.count)
    }
  }

  /// Work per byte is the same for a message eight times as large.
  @Test(arguments: ["--b\n\nx\n", "--b\nContent-Type: text/html\n\n<p>x</p>\n", "line of text\n", "--\n"])
  func workGrowsWithTheSize(piece: String) {
    func work(_ count: Int) -> Int {
      let header = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n"
      let source = Array((header + String(repeating: piece, count: count)).utf8)
      var parser = MessageParser(limits: ParsingLimits())
      _ = parser.parseMessage(source[...], number: "", depth: 0)
      return parser.work
    }
    #expect(work(1600) <= work(200) * 8 + 1000)
  }
}

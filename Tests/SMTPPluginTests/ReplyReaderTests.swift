import PluginKit
import Testing

@testable import SMTPPlugin

struct ReplyReaderTests {
  private func replies(_ text: String, piece: Int = .max) throws -> [Reply] {
    var reader = ReplyReader()
    var found: [Reply] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      reader.feed(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
      while let reply = try reader.next() { found.append(reply) }
    }
    return found
  }

  /// RFC 5321, sections 4.2.1 and 4.3, RFC 2034, section 4.
  @Test(arguments: [1, 2, 7, .max])
  func repliesAreReadHoweverTheyArrive(_ piece: Int) throws {
    let text =
      "220 mx.example.org ready\r\n250-First line\r\n250-Second line\r\n250-234 Text beginning with numbers\r\n"
      + "250 The last line\r\n250\r\n550 5.1.1 No such user\r\n550-5.7.1 One\n550 5.7.1 two\n"
    let found = try replies(text, piece: piece)
    #expect(
      found == [
        Reply(220, ["mx.example.org ready"]),
        Reply(250, ["First line", "Second line", "234 Text beginning with numbers", "The last line"]),
        Reply(250, [""]), Reply(550, status: EnhancedStatus(5, 1, 1), ["No such user"]),
        Reply(550, status: EnhancedStatus(5, 7, 1), ["One", "two"]),
      ])
  }

  @Test(arguments: [
    "no code\r\n", "25 x\r\n", "250x\r\n", "199 low\r\n", "600 high\r\n", "250-a\r\n251 b\r\n", "2\u{0}0 x\r\n",
    "250 a\u{0}b\r\n", "\r\n", "²50 x\r\n",
  ])
  func whatIsNoReplyIsRefused(_ text: String) {
    #expect(throws: ActionError(.protocol, "")) { try replies(text) }
  }

  @Test func lineWithoutEndIsRefusedSoon() {
    var reader = ReplyReader()
    var taken = 0
    #expect(throws: ActionError(.protocol, "")) {
      while taken < 1 << 24 {
        reader.feed([UInt8](repeating: 0x32, count: 1000))
        taken += 1000
        _ = try reader.next()
      }
    }
    #expect(taken <= ReplyReader.longestLine + 1000)
  }

  @Test(arguments: ["250-x\r\n", "250-" + String(repeating: "y", count: 4000) + "\r\n"])
  func replyWithoutEndIsRefusedSoon(_ line: String) {
    var reader = ReplyReader()
    var taken = 0
    #expect(throws: ActionError(.protocol, "")) {
      while taken < 1 << 24 {
        reader.feed(Array(line.utf8))
        taken += line.utf8.count
        _ = try reader.next()
      }
    }
    #expect(taken <= ReplyReader.longestReply + 8000)
  }

  @Test(
    arguments: [
      ("2.0.0 Ok: queued as 4Tq1Yx2Z9Bz3y", "4Tq1Yx2Z9Bz3y"), ("OK id=1rX2Yz-0003Ab-2C", "1rX2Yz-0003Ab-2C"),
      ("2.0.0 x9A1bcDE012345 Message accepted for delivery", "x9A1bcDE012345"), ("Ok", nil), ("", nil),
      ("2.6.0 <a@b> [InternalId=123, Hostname=X] Queued mail for delivery", nil),
      ("Requested mail action okay, completed: id=1MX-2abc", "1MX-2abc"), ("id=", nil),
    ] as [(String, String?)])
  func queueIDIsFound(_ text: String, _ expected: String?) throws {
    #expect(try replies("250 \(text)\r\n").first?.queueID == expected)
  }

  @Test func wordsOfAServerAreOneBoundedLine() {
    let reply = Reply(550, [String(repeating: "x", count: 300), "a\u{1B}[31m\tb", String(repeating: "y", count: 300)])
    #expect(reply.words.count == 401)
    #expect(!reply.words.unicodeScalars.contains { $0.value < 0x20 })
  }
}

import PluginKit
import Testing

@testable import SMTPPlugin

struct DotStuffingTests {
  private func prepared(_ text: String, piece: Int = .max, stuffed: Bool = true) throws -> String {
    var stuffing = DotStuffing(stuffed: stuffed)
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      output += try stuffing.prepare(Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
    }
    return String(decoding: output + stuffing.end(), as: UTF8.self)
  }

  /// RFC 5321, section 4.5.2. The last of them are how an end is smuggled into a message.
  @Test(
    arguments: [
      ("a\r\n", "a\r\n.\r\n"), ("a", "a\r\n.\r\n"), ("", ".\r\n"), (".\r\n", "..\r\n.\r\n"),
      ("..a\r\n.b", "...a\r\n..b\r\n.\r\n"), ("a.b\r\n", "a.b\r\n.\r\n"), ("a\n.\nb\r\n", "a\r\n..\r\nb\r\n.\r\n"),
      ("a\r.\rb\r\n", "a\r\n..\r\nb\r\n.\r\n"), ("a\n.\r\nMAIL FROM:<x@y>\r\n", "a\r\n..\r\nMAIL FROM:<x@y>\r\n.\r\n"),
      ("a\r\r\nb", "a\r\n\r\nb\r\n.\r\n"), ("\n\n", "\r\n\r\n.\r\n"),
    ], [1, 2, 3, Int.max])
  func dotsAreDoubledAndLineEndsMadeOne(_ example: (String, String), _ piece: Int) throws {
    #expect(try prepared(example.0, piece: piece) == example.1)
  }

  @Test func chunksAreNotStuffed() throws {
    #expect(try prepared(".\r\n..a", stuffed: false) == ".\r\n..a\r\n")
  }

  @Test func longLineAndNULAreRefused() throws {
    #expect(try prepared(String(repeating: "x", count: 998)).utf8.count == 998 + 5)
    for text in [String(repeating: "x", count: 999), "a\u{0}b"] {
      #expect(throws: ActionError(.invalidInput, "")) { try prepared(text) }
    }
  }
}

import MailWire
import Testing

struct LineEndsTests {
  @Test(arguments: [
    ("a\r\nb\r\n", "a\nb\n"), ("a\nb\r\n", "a\nb\r\n"), ("a\rb\r\n", "a\rb\r\n"), ("", ""), ("\r", "\r"),
    ("a\r\nb", "a\nb"), ("\r\n\r\n", "\n\n"), ("\n", "\n"), ("a\r\r\n", "a\r\r\n"), ("a\r\nb\n", "a\r\nb\n"),
  ])
  func filesGetUniformLineEndsAsLF(_ text: String, _ stored: String) {
    let bytes = Array(text.utf8)
    #expect(LineEnds.unix(bytes) == Array(stored.utf8))
    // What stands beside a slice does not count.
    #expect(LineEnds.unix((Array("\n\r".utf8) + bytes + Array("\n".utf8))[2..<(2 + bytes.count)]) == Array(stored.utf8))
  }

  @Test(arguments: [
    ("", ""), ("\n", "\r\n"), ("a\r\n\nb\r", "a\r\n\r\nb\r"), ("\r\n", "\r\n"), ("\r\r\n\n", "\r\r\n\r\n"),
  ])
  func theWireGetsCRLFHoweverItIsCut(_ text: String, _ sent: String) {
    let bytes = Array(text.utf8)
    #expect(LineEnds.wire(bytes) == Array(sent.utf8))
    for cut in 0...bytes.count {
      var endsWithReturn = false
      let pieces = [Array(bytes[..<cut]), [], Array(bytes[cut...])].map { LineEnds.wire($0, after: &endsWithReturn) }
      #expect(pieces.flatMap(\.self) == Array(sent.utf8))
    }
  }
}

import MailWire
import Testing

struct LineEndsTests {
  @Test(arguments: [
    ("a\r\nb\r\n", "a\nb\n"), ("a\nb\r\n", "a\nb\r\n"), ("a\rb\r\n", "a\rb\r\n"), ("", ""), ("\r", "\r"),
  ])
  func filesGetUniformLineEndsAsLF(_ text: String, _ stored: String) {
    #expect(LineEnds.unix(Array(text.utf8)) == Array(stored.utf8))
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

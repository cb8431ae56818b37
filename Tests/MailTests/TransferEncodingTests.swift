import Testing

@testable import Mail

struct TransferEncodingTests {
  /// Written by `uuencode`'s rules: `Cat` in a line of three bytes; a space and a backquote are both zero.
  @Test(arguments: [
    ("begin 644 x\n#0V%T\n`\nend\n", "Cat"), ("text\r\nbegin 644 x y\r\n#0V%T\r\n \r\nend\r\nafter", "Cat"),
    ("begin 644 x\n$0V%T(0\n`\nend", "Cat!"), ("no beginning", "no beginning"), ("begin 644 x\n\u{7F}\nend\n", ""),
  ])
  func uuencodedFilesAreDecoded(body: String, expected: String) {
    let source = "Content-Type: application/x\nContent-Transfer-Encoding: x-uuencode\n\n\(body)"
    let message = Message(parsing: Array(source.utf8))
    #expect(String(decoding: message.body.decodedBytes, as: UTF8.self) == expected)
    #expect(message.defects.isEmpty && message.body.decodedSize == expected.utf8.count)
    var decoder = TransferDecoder(encoding: "x-uuencode")
    let pieces = body.utf8.flatMap { decoder.decode(CollectionOfOne($0)) } + decoder.finish()
    #expect(String(decoding: pieces, as: UTF8.self) == (body == "no beginning" ? "" : expected))
  }

  @Test(arguments: [
    ("SGVsbG8=", "Hello"),
    ("SGVs\r\nbG8=\r\n", "Hello"),
    ("SGVsbG8", "Hello"),
    ("SG!Vs*bG8=", "Hello"),
    ("SGVsbG8=\nSGVsbG8=", "HelloHello"),
    ("SGVsbG8= trailing words", "Hello"),
    ("SGVsbG8=\n-- \nlist footer", "Hello"),
    ("SGVsbG8=\n____________________\nlist footer", "Hello"),
    ("SGVsbG8=\n\nBest\nAda", "Hello"),
    ("SGVsbG8=\nSGVsbG8gd29ybGQh\n", "HelloHello world!"),
    ("S", ""),
    ("", ""),
    ("====", ""),
  ])
  func base64IsDecodedForgivingly(encoded: String, text: String) {
    let decoded = Base64.decode(Array(encoded.utf8)[...])
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: 0..<70)
  func base64RoundTrips(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let encoded = Base64.encode(bytes, lineLength: 16)
    #expect(Base64.decode(encoded[...]).bytes == bytes)
    #expect(Base64.decodedCount(encoded[...]) == count)
    #expect(String(decoding: encoded, as: UTF8.self).split(separator: "\r\n").allSatisfy { $0.utf8.count <= 16 })
  }

  @Test(arguments: [
    ("a=3Db", "a=b"),
    ("soft=\r\nbreak", "softbreak"),
    ("soft= \nbreak", "softbreak"),
    ("trailing  \r\nspace\t\n", "trailing\r\nspace\n"),
    ("broken =ZZ and =4", "broken =ZZ and =4"),
    ("low =c3=bc", "low ü"),
    ("end=", "end"),
  ])
  func quotedPrintableIsDecodedForgivingly(encoded: String, text: String) {
    #expect(String(decoding: QuotedPrintable.decode(Array(encoded.utf8)[...]), as: UTF8.self) == text)
  }

  @Test(arguments: [
    "plain\r\n", "Grüße, 東京\r\n", "trailing \r\nspace\t\r\n", "From here\r\n.\r\n..x\r\n", "a=b\r\n",
    String(repeating: "long ", count: 100), String(repeating: "ü", count: 100), "lone\rreturn", "",
  ])
  func quotedPrintableRoundTrips(text: String) {
    let encoded = QuotedPrintable.encode(Array(text.utf8))
    #expect(String(decoding: QuotedPrintable.decode(encoded[...]), as: UTF8.self) == text)
    let lines = String(decoding: encoded, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix("From ") && $0 != "." && !$0.hasSuffix(" ") })
  }

  @Test func textThatOnlyClaimsToBeBase64StaysReadable() {
    let source = "Content-Transfer-Encoding: base64\n\nHello, this was never encoded: sorry!\n"
    #expect(Message(parsing: Array(source.utf8)).textBody == "Hello, this was never encoded: sorry!\n")
  }

  @Test(arguments: [
    ("one \ntwo\n", false, "one two\n"),
    ("one \ntwo\n", true, "onetwo\n"),
    ("> quoted \n> text\nanswer\n", false, "> quoted text\nanswer\n"),
    (">> deep \n> less\n", false, ">> deep \n> less\n"),
    (" From here\n", false, "From here\n"),
    ("-- \nJana\n", false, "-- \nJana\n"),
    ("text \n-- \nJana", false, "text \n-- \nJana"),
    ("open ", false, "open "),
    ("", false, ""),
  ])
  func flowedLinesAreJoined(text: String, deletesSpace: Bool, expected: String) {
    #expect(FlowedText.unflow(text, deletesSpace: deletesSpace) == expected)
  }
}

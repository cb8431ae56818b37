import LanguageServer
import Testing

@Suite struct MessageDecoderTests {
  static let contents = ["{}", "{\"a\":\"ä😀\"}", ""].map { Array($0.utf8) }
  static let stream = contents.flatMap { MessageDecoder.encode($0) }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func messagesSurviveAnySplit(_ size: Int) {
    var decoder = MessageDecoder()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: Self.stream.count, by: size) {
      decoder.append(Self.stream[start..<min(start + size, Self.stream.count)])
      while case .message(let content)? = decoder.next() { found.append(content) }
    }
    #expect(found == Self.contents)
  }

  @Test(arguments: [1, 5, 1000])
  func tooLargeMessageIsPassedOver(_ size: Int) {
    var decoder = MessageDecoder(limit: 10)
    let stream = MessageDecoder.encode([UInt8](repeating: 65, count: 50)) + MessageDecoder.encode([66])
    var parts: [MessageDecoder.Part] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      decoder.append(stream[start..<min(start + size, stream.count)])
      while let part = decoder.next() { parts.append(part) }
    }
    #expect(parts == [.tooLarge(50), .message([66])])
  }

  @Test(arguments: [
    "Content-Length: x\r\n\r\n", "Foo: 1\r\n\r\n", "Content-Length: -1\r\n\r\n", String(repeating: "a", count: 9000),
  ])
  func wrongHeaderEndsTheConversation(_ text: String) {
    var decoder = MessageDecoder()
    decoder.append(Array(text.utf8))
    #expect(decoder.next() == .malformedHeader)
    #expect(decoder.next() == nil)
  }

  @Test func otherHeadersAndCaseDoNotMatter() {
    var decoder = MessageDecoder()
    decoder.append(Array("Content-Type: x\r\ncontent-length:2\r\n\r\n{}".utf8))
    #expect(decoder.next() == .message(Array("{}".utf8)))
  }
}

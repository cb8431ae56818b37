import Testing

@testable import MCP

@Suite struct LineSplitterTests {
  private func text(_ parts: [LineSplitter.Part]) -> [String] {
    parts.map { part in
      switch part {
      case .line(let bytes): String(decoding: bytes, as: UTF8.self)
      case .tooLong: "too long"
      }
    }
  }

  @Test func cutsLinesWhereverTheBytesAreCut() {
    let input = Array("{\"a\":1}\r\n\n  \n{\"b\":2}\nrest".utf8)
    for size in 1...input.count {
      var splitter = LineSplitter(limit: 100)
      var found: [String] = []
      for start in stride(from: 0, to: input.count, by: size) {
        found += text(splitter.append(input[start..<min(input.count, start + size)]))
      }
      found += text(splitter.finish())
      #expect(found == ["{\"a\":1}", "{\"b\":2}", "rest"], "pieces of \(size)")
    }
  }

  @Test func dropsALineBeyondTheLimitAndGoesOn() {
    var splitter = LineSplitter(limit: 8)
    #expect(text(splitter.append(Array("12345678\n123456789\nshort\n".utf8))) == ["12345678", "too long", "short"])
  }
}

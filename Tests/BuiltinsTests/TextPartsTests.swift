import Plans
import Schemas
import Testing

@testable import Builtins

@Suite(.timeLimit(.minutes(5))) struct TextPartsTests {
  private static let markdown = """
    Before.

    # One
    First text.

    ```
    # no heading
    ```

    ## Two
    Second text with more words in it than the first.

    # Three
    """

  @Test func sectionsBeginWithTheirHeadings() {
    let parts = TextParts.parts(of: Self.markdown, TextPartition(by: .headings, size: 20))
    #expect(parts.map { $0.prefix(5) } == ["Befor", "## Tw"])
    #expect(parts[0].contains("# no heading"))
    #expect(parts[1].hasSuffix("# Three"))
  }

  @Test(arguments: TextPartition.Unit.allCases, [20, 33, 1000]) func nothingIsLostAndNoPartIsTooLarge(
    unit: TextPartition.Unit, size: Int
  ) {
    let texts = [
      Self.markdown, String(repeating: "word ", count: 500), String(repeating: "x", count: 5000),
      String(repeating: "Ein Satz.\n", count: 200), "日本語のテキスト" + String(repeating: "語", count: 300), "\n\n\n",
    ]
    for text in texts {
      let parts = TextParts.parts(of: text, TextPartition(by: unit, size: size))
      #expect(parts.allSatisfy { TextParts.tokens($0) <= Double(size) })
      #expect(parts.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
      #expect(parts.allSatisfy { $0.contains { !$0.isWhitespace } })
    }
  }

  @Test func partsOverlapByWholeWords() {
    let text = (1...200).map { "w\($0)" }.joined(separator: " ")
    let parts = TextParts.parts(of: text, TextPartition(by: .tokens, size: 40, overlap: 10))
    #expect(parts.count > 4)
    for (before, after) in zip(parts, parts.dropFirst()) {
      let first = after.split(separator: " ")[0]
      #expect(before.split(separator: " ").contains(first))
      #expect(!before.hasPrefix(first + " "))
    }
    #expect(parts.last?.hasSuffix("w200") == true)
  }

  @Test func aTextOfMegabytesIsDividedInOneGo() {
    let clock = ContinuousClock()
    func seconds(_ count: Int) -> Double {
      let text = String(repeating: "A line of words.\n\n", count: count)
      return clock.measure { _ = TextParts.parts(of: text, TextPartition(by: .paragraphs, size: 500)) } / .seconds(1)
    }
    #expect(seconds(80_000) < max(seconds(4000), 0.01) * 200)
  }
}

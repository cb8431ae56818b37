import Testing

@testable import PluginBoundary
@testable import PluginHost

struct SingleLineTests {
  @Test(
    arguments: [
      ("plain – text", 100, "plain – text"),
      ("two\r\nlines\tand\u{2028}more", 100, "two  lines and more"),
      ("\u{1b}[31mred\u{7f}\u{9b}0m\u{0}", 100, "\\u{1B}[31mred\\u{7F}\\u{9B}0m\\u{0}"),
      ("\u{202e}txt", 100, "\\u{202E}txt"),
      ("grün", 3, "gr"),
      ("\u{1b}x", 3, ""),
    ])
  func linesAreSingleAndShort(text: String, limit: Int, expected: String) {
    #expect(text.singleLine(limit: limit) == expected)
  }
}

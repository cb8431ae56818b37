import Foundation
import Testing

@testable import Page

/// Texts in Markdown.
struct MarkdownTests {
  @Test(arguments: [
    ("a\nb", "<p>a\nb</p>"), ("# T #\ntext", "<h2>T</h2><p>text</p>"), ("### T", "<h2>T</h2>"), ("#tag", "<p>#tag</p>"),
    ("*a* **b** _c_ __d__", "<p><em>a</em> <strong>b</strong> <em>c</em> <strong>d</strong></p>"),
    ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"), ("snake_case_name", "<p>snake_case_name</p>"),
    ("2 * 3 * 4", "<p>2 * 3 * 4</p>"), ("\\*a\\*", "<p>*a*</p>"),
    ("`a *b*` ``c`d``", "<p><code>a *b*</code> <code>c`d</code></p>"),
    ("- a\n- b\n  - c", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"),
    ("2. a\n3. b", "<ol start=\"2\"><li>a</li><li>b</li></ol>"), ("1. a\n\n2. b", "<ol><li>a</li><li>b</li></ol>"),
    ("> a\n> b", "<blockquote><p>a\nb</p></blockquote>"), ("a\n\n---\nb", "<p>a</p><hr><p>b</p>"),
    (
      "```swift\nlet a = \"<b>\"\n```\nc",
      "<pre class=\"value\" tabindex=\"0\">\nlet a = &quot;&lt;b&gt;&quot;</pre><p>c</p>"
    ),
    ("| a | b |\n|---|---|\n| 1 | 2 |", "<th scope=\"col\">a</th>"), ("a | b", "<p>a | b</p>"),
    ("[x](https://a.example/)", "<a href=\"https://a.example/\" rel=\"noreferrer noopener\">x</a>"),
    (
      "see https://a.example/b.", "<a href=\"https://a.example/b\" rel=\"noreferrer noopener\">https://a.example/b</a>."
    ),
  ])
  func aTextBecomesPieces(text: String, expected: String) {
    let markup = MarkdownText(text).html.markup
    #expect(markup.contains(expected), "\(markup)")
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "[x](javascript:alert(1))", "[x](/sign-out)", "[x](data:text/html,<b>)",
    "[x](https://a\"onload=alert(1))", "`<script>`", "# <script>", "- <script>", "|<script>|\n|-|\n|<script>|",
    "```\n</pre><script>\n```",
  ])
  func noTextBecomesMarkup(text: String) {
    let markup = MarkdownText(text).html.markup
    #expect(!markup.contains("<script") && !markup.contains("href=\"javascript") && !markup.contains("href=\"/"))
    #expect(!markup.contains("\"onload") && !markup.contains("href=\"data"), "\(markup)")
  }

  /// The work for a hostile text grows no faster than the text: opening signs without an end, deep quotes and lists.
  @Test(
    arguments: [
      "*", "**a", "_", "[", "[a](", "`", "> ", "- ", "> [*", "|-", "h", "http://a", "  - a\n", "> > > > [*_\n", "1. ",
    ])
  func workIsInProportionToTheLength(sign: String) {
    func work(_ bytes: Int) -> Int {
      MarkdownText(String(repeating: sign, count: bytes / sign.utf8.count)).rendered().work
    }
    for bytes in [20_000, 200_000, 390_000, 1_000_000] {
      let work = work(bytes)
      #expect(work <= 2 * MarkdownWork.most * bytes, "\(bytes) bytes: \(work)")
    }
  }

  /// The limit of the work is above the needs of a text with many signs that have an end.
  @Test func aLongTextOfAPersonIsReadWhole() {
    let line =
      "Some **bold words**, an *emphasis* and [a link](https://a.example/) with `code`, 2 * 3 and [a note].\n\n"
    let count = 390_000 / line.utf8.count
    let markup = MarkdownText(String(repeating: line, count: count)).html.markup
    #expect(markup.components(separatedBy: "<strong>bold words</strong>").count == count + 1)
    #expect(markup.components(separatedBy: "</code>").count == count + 1)
  }

  /// No text of a model takes long.
  @Test(.timeLimit(.minutes(1)), arguments: ["*", "**a", "_", "[", "`", "> ", "- ", "[a](", "|-", "  - a\n", "1. "])
  func aTextOfOneSignIsReadAtOnce(sign: String) {
    #expect(!MarkdownText(String(repeating: sign, count: 20_000)).html.markup.isEmpty)
  }
}

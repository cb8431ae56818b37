import Foundation
import Testing

@testable import Upkeep
@testable import sous

/// Pages of documentation on a terminal.
@Suite struct MarkdownPageTests {
  private func page(_ text: String, columns: Int) -> String {
    MarkdownPage(text, terminal: Terminal(environment: ["COLUMNS": "\(columns)", "NO_COLOR": "1"])).text
  }

  @Test(arguments: [
    ("# Title\n\nOne line\nand another **one** of it.\n", "Title\n\nOne line and another\none of it.\n"),
    ("- a first item that\n  goes on\n- second\n", "- a first item that\n  goes on\n- second\n"),
    ("10. an item that goes on\n", "10. an item that goes\n    on\n"),
    ("```console\n$ sous run a-recipe-with-a-long-name.yaml\n```\n", "  $ sous run a-recipe-with-a-long-name.yaml\n"),
    ("See [Usage](../usage.md#costs).\n", "See Usage (sous docs\nusage#costs).\n"),
    ("See [below](#costs) `a b`.\n", "See below `a b`.\n"),
    ("<!-- not run: a reason -->\ntext\n", "text\n"),
    ("| key | meaning |\n|---|---|\n| `a\\|b` | x |\n", "key    meaning\n`a|b`  x\n"),
    ("2 \\* 3\n", "2 * 3\n"),
  ])
  func marksBecomeText(markdown: String, expected: String) {
    #expect(page(markdown, columns: 22) == expected)
  }

  @Test func headingsAndCodeHaveStylesWhereColoursAre() {
    let terminal = Terminal(environment: ["COLUMNS": "40", "CLICOLOR_FORCE": "1"])
    let text = MarkdownPage("## Title\n\n`sous run`\n", terminal: terminal).text
    #expect(text.printable == "\u{1B}[1mTitle\u{1B}[0m\n\n\u{1B}[36msous run\u{1B}[0m\n")
  }

  @Test(arguments: [60, 80, 120]) func noLineOfAPageButCodeIsWiderThanTheTerminal(columns: Int) {
    let folder = URL(fileURLWithPath: SousProcess.repository + "/docs")
    let pages = Manual.pages(isGerman: true, in: folder)
    #expect(!pages.isEmpty)
    for one in pages {
      let code = Set(one.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
      for line in page(one.text, columns: columns).split(separator: "\n") where String(line).columns > columns {
        let content = line.trimmingCharacters(in: .whitespaces)
        #expect(code.contains(content) || !content.contains(" "), "\(one.name), \(columns) columns: \(line)")
      }
    }
  }

  @Test func aPageInAPipeIsMarkdown() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let kept = try String(contentsOfFile: SousProcess.repository + "/docs/security.md", encoding: .utf8)
    #expect(try sous("docs", "security").output == kept)
    let terminal = try PseudoTerminal(columns: 80)
    let process = try terminal.start(sous, ["docs", "security"])
    let shown = terminal.output(of: process)
    #expect(shown.contains("Trust of folders") && !shown.contains("## Trust"), "\(shown.prefix(400))")
  }
}

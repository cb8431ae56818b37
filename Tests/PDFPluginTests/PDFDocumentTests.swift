import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import PDFPlugin

@Suite(.enabled(if: PopplerTool.isInstalled, "poppler-utils is not installed"))
struct PDFDocumentTests {
  private func pdf(
    _ markdown: String, _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> (content: [UInt8], pages: Int, unknownSigns: Int) {
    var request = RenderRequest(markdown: markdown)
    change(&request)
    return try PDFDocument(request).bytes()
  }

  /// The text without what the layout adds: form feeds and line ends count as spaces.
  private func text(_ pdf: [UInt8]) throws -> String {
    try PopplerTool.run("pdftotext", on: pdf).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func aPageIsA4() throws {
    let document = try pdf("Hallo") { $0.title = "Größe" }
    let facts = try PopplerTool.run("pdfinfo", on: document.content)
    #expect(facts.contains("595 x 842 pts"))
    #expect(facts.contains("Title:           Größe"))
    #expect(facts.contains("Pages:           1"))
    #expect(document.pages == 1)
  }

  @Test func signsWithoutAFontAreCounted() throws {
    #expect(try PDFDocument(RenderRequest(markdown: "plain words")).bytes().unknownSigns == 0)
    // Unassigned for good, so no font has them.
    #expect(try PDFDocument(RenderRequest(markdown: "a \u{3FFF0}\u{3FFF1} b")).bytes().unknownSigns == 2)
  }

  @Test func textComesBackWithUmlautsAndEmoji() throws {
    let document = try pdf(
      "## 15.01.2025, 09:30\n\n**Zusammenfassung:** Größe & Übermaß.\n\nStraße, Äpfel, œuvre, naïve – „Zitat“. Gut 👍 und 👩‍👩‍👧 🇨🇭!"
    )
    #expect(
      try text(document.content)
        == "15.01.2025, 09:30 Zusammenfassung: Größe & Übermaß. Straße, Äpfel, œuvre, naïve – „Zitat“. Gut 👍 und 👩‍👩‍👧 🇨🇭!")
  }

  @Test func fontsAreRealOnesAndGoWithTheDocument() throws {
    let document = try pdf("**fett** und *kursiv* und `Code`")
    let lines = try PopplerTool.run("pdffonts", on: document.content).split(separator: "\n").dropFirst(2)
    #expect(lines.count >= 3)
    // Columns: name, type, encoding, emb, sub, uni, object.
    for line in lines {
      let columns = line.split(separator: " ").map(String.init)
      #expect(columns.suffix(5).prefix(3) == ["yes", "yes", "yes"], "\(line)")
    }
  }

  @Test func datesAreBoldAndTwelvePointsTextsEleven() throws {
    let document = try pdf("## 15.01.2025, 09:30\n\nEin Text.") {
      ($0.size, $0.headings) = (11, [16, 12])
    }
    let words = try Self.words(document.content)
    let date = try #require(words.first { $0.text == "15.01.2025," })
    let word = try #require(words.first { $0.text == "Text." })
    // The height of a line is that of its font times a factor which both share.
    #expect(abs(date.height / word.height - 12.0 / 11.0) < 0.02)
    #expect(abs(date.x - 40) < 1)
    #expect(date.y >= 40 && date.y < 60)
    let fonts = try PopplerTool.run("pdffonts", on: document.content)
    #expect(fonts.contains("Bold"))
  }

  @Test func pagesBreakWhereTheRoomRunsOut() throws {
    let notes = (1...60).map {
      "## 0\($0 % 9 + 1).01.2025, 09:30\n\nNotiz \($0): " + String(repeating: "Wort ", count: $0 * 3)
    }
    let document = try pdf(notes.joined(separator: "\n\n")) { $0.headings = [16, 12] }
    #expect(document.pages > 3)
    #expect(try PopplerTool.run("pdfinfo", on: document.content).contains("Pages:           \(document.pages)"))
    let pages = try PopplerTool.run("pdftotext", ["-raw"], on: document.content).split(separator: "\u{C}")
    #expect(pages.count == document.pages)
    // More than one note stands on a page, nothing is lost, and no date stands alone at the end of a page.
    #expect(document.pages < 30)
    let numbers = pages.joined(separator: "\n").split(separator: "Notiz ").dropFirst().compactMap {
      Int($0.prefix { $0.isNumber })
    }
    #expect(numbers == Array(1...60))
    for page in pages { #expect(page.split(separator: "\n").last?.hasSuffix("09:30") == false) }
    // What stands lowest stays above the margin, and the page is used down to it.
    for page in Self.grouped(try Self.words(document.content)).dropLast() {
      let lowest = page.map { $0.y + $0.height }.max() ?? 0
      #expect(lowest <= 842 - 40 + 1)
      #expect(lowest > 842 - 40 - 60)
    }
  }

  @Test func aLongWordAndALongParagraphStayOnThePage() throws {
    let document = try pdf(String(repeating: "x", count: 3000) + "\n\n" + String(repeating: "lang ", count: 4000))
    #expect(document.pages > 2)
    let words = try Self.words(document.content)
    #expect(words.allSatisfy { $0.x >= 39 && $0.x + $0.width <= 595 - 40 + 1 })
    #expect(try text(document.content).filter { $0 == "x" }.count == 3000)
  }

  @Test func whatIsNoTagOfHTMLIsText() throws {
    let document = try pdf("siehe <Anna> und <b>fett</b> und <x y>, a < b > c<br>neu")
    #expect(try text(document.content) == "siehe <Anna> und fett und <x y>, a < b > c neu")
  }

  @Test func markdownIsSet() throws {
    let markdown = """
      # Titel

      1. eins
      2. zwei
         - drin
      - [x] fertig
      - [ ] offen

      > zitiert

      | Name | Wert |
      |---|---|
      | a | 1 |

      ```
      let x = 1
      ```
      ---
      [Sous](https://example.com/a) <b>x</b> ~~weg~~ ![Bild](x.png)
      """
    let document = try pdf(markdown)
    #expect(
      try text(document.content)
        == "Titel 1. eins 2. zwei • drin ☑ fertig ☐ offen zitiert Name Wert a 1 let x = 1 Sous (https://example.com/a) x weg Bild"
    )
  }

  @Test func columnsAreAlignedAsTheyAreMarked() throws {
    let document = try pdf("| A | B | C |\n|---|:-:|--:|\n| x | x | x |\n")
    let boxes = try PopplerTool.run("pdftotext", ["-bbox"], on: document.content)
    let ends = boxes.split(separator: "\n").filter { $0.contains(">x<") }.compactMap { line in
      line.split(separator: "\"").dropFirst().first.flatMap { Double($0) }
    }
    // Columns are 171.67 points wide, and lines stand 4 points off their edges.
    try #require(ends.count == 3)
    #expect(abs(ends[0] - 44) < 1)
    #expect(abs(ends[1] - (40 + 1.5 * 171.67)) < 6)
    #expect(ends[2] > 540)
  }

  @Test func theHeadOfATableDoesNotStandAlone() throws {
    for count in 28..<40 {
      let text = String(repeating: "Zeile\n\n", count: count) + "| Kopf | K |\n|---|---|\n| Inhalt | I |\n"
      let pages = try PopplerTool.run("pdftotext", on: try pdf(text).content).split(separator: "\u{0C}")
      #expect(pages.allSatisfy { $0.contains("Kopf") == $0.contains("Inhalt") }, "\(count)")
    }
  }

  @Test func lineBreaksAreKeptWhereWanted() throws {
    let kept = try pdf("eins\nzwei") { $0.lineBreaks = true }
    #expect(try PopplerTool.run("pdftotext", on: kept.content).hasPrefix("eins\nzwei"))
    let joined = try pdf("eins\nzwei")
    #expect(try PopplerTool.run("pdftotext", on: joined.content).hasPrefix("eins zwei"))
  }

  @Test(arguments: [
    "", "\u{0}\u{1}\u{1B}", String(repeating: ">", count: 20_000) + " tief", String(repeating: "- ", count: 2000) + "x",
    String(repeating: "**", count: 5000) + "a", "[a](" + String(repeating: "(", count: 5000),
    "|a|\n|-|\n" + String(repeating: "|b|\n", count: 2000),
    "مرحبا بالعالم שלום", "\u{202E}umgedreht",
  ])
  func anythingBecomesADocument(_ markdown: String) throws {
    let document = try pdf(markdown)
    #expect(document.content.starts(with: Array("%PDF-".utf8)))
    #expect(try PopplerTool.run("pdfinfo", on: document.content).contains("Pages:           \(document.pages)"))
  }

  @Test func whatCannotBeIsRefused() throws {
    #expect(throws: ActionError.self) { try pdf("x") { $0.page = .init(width: 100, height: 100, margin: 60) } }
  }

  @Test func theActionGivesABlob() async throws {
    let output = try await InMemoryHost().open(PDFPlugin.self).call(
      "document.render", ["markdown": "Hallo", "page": ["width": 300, "height": 400, "margin": 20]])
    #expect(output["type"] == "application/pdf")
    #expect(output["pages"] == 1)
    #expect(output["blob"]?.string?.hasPrefix("blob:sha256:") == true)
  }

  // MARK: - Places

  private struct Word {
    var page: Int
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var text: String
  }

  /// The words and where they stand: `pdftotext -bbox`.
  private static func words(_ pdf: [UInt8]) throws -> [Word] {
    var page = 0
    return try PopplerTool.run("pdftotext", ["-bbox"], on: pdf).split(separator: "\n").compactMap { line in
      if line.contains("<page ") { page += 1 }
      guard line.contains("<word ") else { return nil }
      let values = line.split(separator: "\"", omittingEmptySubsequences: false)
      guard values.count >= 8, let left = Double(values[1]), let top = Double(values[3]), let right = Double(values[5]),
        let bottom = Double(values[7])
      else { return nil }
      let text = line.split(separator: ">", maxSplits: 1).last?.replacing("</word>", with: "") ?? ""
      return Word(page: page, x: left, y: top, width: right - left, height: bottom - top, text: String(text))
    }
  }

  private static func grouped(_ words: [Word]) -> [[Word]] {
    Dictionary(grouping: words, by: \.page).sorted { $0.key < $1.key }.map(\.value)
  }
}

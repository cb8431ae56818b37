import Foundation

/// A page of Markdown for people at a terminal: bold headings, paragraphs and lists in lines of the terminal's width, tables in
/// columns, code as it is.
///
/// It reads what the pages of documentation use: headings, paragraphs, lists, fenced code, tables, quotes, comments; bold, code and
/// links within lines.
struct MarkdownPage {
  private let lines: [Substring]
  private let terminal: Terminal

  init(_ text: String, terminal: Terminal) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    (self.lines, self.terminal) = (lines, terminal)
  }

  /// The page; each line ends with a line break.
  var text: String {
    var page = Layout(terminal: terminal)
    var index = 0
    while index < lines.count {
      let line = lines[index]
      let content = line.drop { $0 == " " }
      if content.hasPrefix("```") {
        index = code(from: index, &page)
      } else if content.hasPrefix("<!--") {
        page.endParagraph()
        while index < lines.count, !lines[index].contains("-->") { index += 1 }
        index += 1
      } else if content.hasPrefix("|") {
        index = table(from: index, &page)
      } else {
        page.add(line)
        index += 1
      }
    }
    page.endParagraph()
    return page.text
  }

  /// Fenced code, indented by two columns more; its lines keep their length.
  private func code(from start: Int, _ page: inout Layout) -> Int {
    page.endParagraph()
    let indentation = lines[start].prefix { $0 == " " }
    var index = start + 1
    while index < lines.count, !lines[index].drop(while: { $0 == " " }).hasPrefix("```") {
      let line = lines[index].hasPrefix(indentation) ? lines[index].dropFirst(indentation.count) : lines[index]
      page.line(line.isEmpty ? "" : indentation + "  " + line)
      index += 1
    }
    return index + 1
  }

  private func table(from start: Int, _ page: inout Layout) -> Int {
    page.endParagraph()
    var rows: [[String]] = []
    var index = start
    while index < lines.count, lines[index].drop(while: { $0 == " " }).hasPrefix("|") {
      let cells = Self.cells(of: lines[index])
      if !cells.allSatisfy({ $0.allSatisfy { "-: ".contains($0) } && $0.contains("-") }) { rows.append(cells) }
      index += 1
    }
    guard let head = rows.first else { return index }
    let inline = MarkdownInline(terminal: terminal)
    // The second of two columns goes on in further lines beside the first one.
    var table =
      head.count == 2
      ? TextTable()
      : TextTable(head.enumerated().map { TextTable.Column($0.element, $0.offset == 0 ? .whole : .below) })
    if head.count == 2, !head.allSatisfy(\.isEmpty) { table.append(head.map { terminal.styled($0, .bold) }) }
    for row in rows.dropFirst() { table.append(row.prefix(head.count).map(inline.text)) }
    for line in table.lines(terminal) { page.line(line.fitted(to: terminal.width)) }
    return index
  }

  /// The cells of a row; `\|` belongs to a cell.
  private static func cells(of line: Substring) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in line.drop(while: { $0 == " " }).dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        if character == "|" { cells[cells.count - 1].removeLast() }
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    if cells.last?.allSatisfy({ $0 == " " }) == true { cells.removeLast() }
    return cells.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The lines of a page so far, and the paragraph or list item that is being read.
  private struct Layout {
    let terminal: Terminal
    private(set) var text = ""
    private var paragraph = ""
    /// The mark of the item in front of the paragraph, with its indentation.
    private var mark = ""
    /// Columns of further lines.
    private var hanging = 0
    private var isEmpty = true

    init(terminal: Terminal) { self.terminal = terminal }

    /// Writes a line that stays as it is.
    mutating func line(_ line: some StringProtocol) {
      isEmpty = line.isEmpty
      text.append(contentsOf: line)
      text += "\n"
    }

    /// Takes a line of a paragraph, a list, a heading or a quote.
    mutating func add(_ line: Substring) {
      let indentation = line.prefix { $0 == " " }.count
      let content = line.dropFirst(indentation)
      if content.isEmpty {
        endParagraph()
        if !isEmpty { self.line("") }
        return
      }
      let level = content.prefix { $0 == "#" }.count
      if level > 0, content.dropFirst(level).first == " " {
        endParagraph()
        let heading = MarkdownInline(terminal: terminal).text(String(content.dropFirst(level + 1)))
        for line in heading.wrapped(to: room(0)) { self.line(terminal.styled(line, .bold)) }
        return
      }
      let sign = Self.sign(of: content)
      if !sign.isEmpty || paragraph.isEmpty {
        endParagraph()
        mark = String(repeating: " ", count: indentation) + sign
        hanging = indentation + sign.count
        paragraph = String(content.dropFirst(sign.count))
      } else {
        paragraph += " " + content
      }
    }

    /// Writes the paragraph.
    mutating func endParagraph() {
      guard !paragraph.isEmpty else { return }
      let pieces = MarkdownInline(terminal: terminal).text(paragraph).wrapped(to: room(hanging))
      for (number, piece) in pieces.enumerated() {
        line((number == 0 ? mark : String(repeating: " ", count: hanging)) + piece)
      }
      (paragraph, mark, hanging) = ("", "", 0)
    }

    private func room(_ used: Int) -> Int { max(16, terminal.width - used) }

    /// The sign that an item or a quote begins with, and the space behind it: `- `, `12. `, `> `.
    private static func sign(of content: Substring) -> String {
      for sign in ["- ", "* ", "> "] where content.hasPrefix(sign) { return sign }
      let digits = content.prefix { $0.isASCII && $0.isNumber }
      return !digits.isEmpty && digits.count <= 3 && content.dropFirst(digits.count).hasPrefix(". ")
        ? digits + ". " : ""
    }
  }
}

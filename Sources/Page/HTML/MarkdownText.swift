/// A text in Markdown as pieces of a page, as models write it. A subset of CommonMark with tables; HTML in it stays text.
package struct MarkdownText {
  /// Texts with more characters are shown as they are.
  private static let limit = 400_000
  /// Quotes and lists within each other.
  private static let depth = 8

  private let text: String

  /// Takes a text.
  package init(_ text: String) { self.text = text }

  /// The pieces of the page.
  package var html: HTML { rendered().html }

  /// The pieces of the page, and how many characters were looked at for them.
  func rendered() -> (html: HTML, work: Int) {
    let work = MarkdownWork(length: text.utf8.count)
    guard text.utf8.count <= Self.limit else { return (tag(.p, text: text), work.done) }
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    return (.group(Self.blocks(lines.map(String.init)[...], 0, work)), work.done)
  }

  // MARK: - Blocks

  private static func blocks(_ lines: ArraySlice<String>, _ level: Int, _ work: MarkdownWork) -> [HTML] {
    work.add(lines.reduce(0) { $0 + $1.utf8.count })
    var rest = lines
    var found: [HTML] = []
    while let line = rest.first {
      if line.allSatisfy(\.isWhitespace) {
        rest = rest.dropFirst()
      } else if let fence = fence(line) {
        found.append(code(&rest, fence))
      } else if let heading = heading(line, work) {
        rest = rest.dropFirst()
        found.append(heading)
      } else if isRule(line) {
        rest = rest.dropFirst()
        found.append(tag(.hr))
      } else if level < depth, isQuote(line) {
        found.append(quote(&rest, level, work))
      } else if level < depth, let marker = ListMarker(line) {
        found.append(list(&rest, marker, level, work))
      } else if let table = table(&rest, work) {
        found.append(table)
      } else {
        found.append(paragraph(&rest, work))
      }
    }
    return found
  }

  private static func trimmed(_ line: String) -> Substring {
    var text = line[...]
    while text.first?.isWhitespace ?? false { text = text.dropFirst() }
    while text.last?.isWhitespace ?? false { text = text.dropLast() }
    return text
  }

  private static func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  private static func fence(_ line: String) -> Character? {
    let text = trimmed(line)
    return text.hasPrefix("```") ? "`" : text.hasPrefix("~~~") ? "~" : nil
  }

  private static func code(_ rest: inout ArraySlice<String>, _ fence: Character) -> HTML {
    let own = indent(rest.first ?? "")
    rest = rest.dropFirst()
    var lines: [String] = []
    while let line = rest.first {
      rest = rest.dropFirst()
      let text = trimmed(line)
      if text.count >= 3, text.allSatisfy({ $0 == fence }) { break }
      lines.append(String(line.dropFirst(min(own, indent(line)))))
    }
    return tag(.pre, .class("value"), .with(.tabindex, "0"), text: lines.joined(separator: "\n"))
  }

  private static func isHeading(_ line: String) -> Bool {
    let marks = line.prefix { $0 == "#" }.count
    return (1...6).contains(marks) && line.dropFirst(marks).first == " "
  }

  private static func heading(_ line: String, _ work: MarkdownWork) -> HTML? {
    guard isHeading(line) else { return nil }
    let marks = line.prefix { $0 == "#" }.count
    var text = trimmed(String(line.dropFirst(marks)))
    while text.last == "#" { text = text.dropLast() }
    text = trimmed(String(text))
    // One level: levels of models would leave gaps below the heading of the page.
    return .element(.h2, [], InlineMarkdown(text, work).pieces)
  }

  private static func isRule(_ line: String) -> Bool {
    let text = line.filter { $0 != " " }
    guard text.count >= 3, let mark = text.first, "-*_".contains(mark) else { return false }
    return text.allSatisfy { $0 == mark }
  }

  private static func isQuote(_ line: String) -> Bool { indent(line) < 4 && trimmed(line).first == ">" }

  private static func quote(_ rest: inout ArraySlice<String>, _ level: Int, _ work: MarkdownWork) -> HTML {
    var lines: [String] = []
    while let line = rest.first, isQuote(line) {
      var text = trimmed(line).dropFirst()
      if text.first == " " { text = text.dropFirst() }
      lines.append(String(text))
      rest = rest.dropFirst()
    }
    return .element(.blockquote, [], blocks(lines[...], level + 1, work))
  }

  private static func paragraph(_ rest: inout ArraySlice<String>, _ work: MarkdownWork) -> HTML {
    var lines: [Substring] = []
    while let line = rest.first, !line.allSatisfy(\.isWhitespace) {
      let begins =
        fence(line) != nil || isHeading(line) || isRule(line) || isQuote(line) || ListMarker(line) != nil
      if begins, !lines.isEmpty { break }
      lines.append(trimmed(line))
      rest = rest.dropFirst()
    }
    return .element(.p, [], InlineMarkdown(lines.joined(separator: "\n")[...], work).pieces)
  }

  // MARK: - Lists

  /// The beginning of an entry of a list.
  private struct ListMarker {
    let isOrdered: Bool
    let number: Int
    /// The column of the entry's text.
    let width: Int

    init?(_ line: String) {
      let indent = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indent)
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      if let mark = text.first, "-*+".contains(mark), text.dropFirst().first == " " {
        (isOrdered, number, width) = (false, 0, indent + 2)
      } else if (1...9).contains(digits.count), let mark = text.dropFirst(digits.count).first, ".)".contains(mark),
        text.dropFirst(digits.count + 1).first == " "
      {
        (isOrdered, number, width) = (true, Int(digits) ?? 1, indent + digits.count + 2)
      } else {
        return nil
      }
    }
  }

  private static func list(
    _ rest: inout ArraySlice<String>, _ first: ListMarker, _ level: Int, _ work: MarkdownWork
  ) -> HTML {
    var entries: [HTML] = []
    while let line = rest.first, let marker = ListMarker(line), marker.isOrdered == first.isOrdered,
      indent(line) < first.width
    {
      var lines = [String(line.dropFirst(marker.width))]
      rest = rest.dropFirst()
      while let next = rest.first {
        if next.allSatisfy(\.isWhitespace) {
          // A blank line belongs to the entry if an indented one follows.
          guard let after = rest.dropFirst().first, indent(after) >= marker.width else { break }
          lines.append("")
        } else if indent(next) >= marker.width {
          lines.append(String(next.dropFirst(marker.width)))
        } else if ListMarker(next) != nil || isHeading(next) || fence(next) != nil || isQuote(next) || isRule(next) {
          break
        } else {
          lines.append(String(trimmed(next)))
        }
        rest = rest.dropFirst()
      }
      while rest.first?.allSatisfy(\.isWhitespace) ?? false, let after = rest.dropFirst().first,
        ListMarker(after)?.isOrdered == first.isOrdered
      {
        rest = rest.dropFirst()
      }
      entries.append(.element(.li, [], tight(blocks(lines[...], level + 1, work))))
    }
    let start = first.isOrdered && first.number != 1 ? [Attribute.with(.start, "\(first.number)")] : []
    return .element(first.isOrdered ? .ol : .ul, start, entries)
  }

  /// The text of an entry without a paragraph around it.
  private static func tight(_ blocks: [HTML]) -> [HTML] {
    guard case .element(.p, _, let contents)? = blocks.first else { return blocks }
    return contents + blocks.dropFirst()
  }

  // MARK: - Tables

  private static func table(_ rest: inout ArraySlice<String>, _ work: MarkdownWork) -> HTML? {
    guard let line = rest.first, line.contains("|"), let second = rest.dropFirst().first, isDelimiter(second) else {
      return nil
    }
    let head = cells(line)
    rest = rest.dropFirst(2)
    var rows: [[Substring]] = []
    while let row = rest.first, row.contains("|") {
      rows.append(cells(row))
      rest = rest.dropFirst()
    }
    return tag(.div, .class("scroll"), .with(.tabindex, "0")) {
      tag(.table) {
        tag(.thead) {
          tag(.tr) {
            for cell in head { HTML.element(.th, [.with(.scope, "col")], InlineMarkdown(cell, work).pieces) }
          }
        }
        tag(.tbody) {
          for row in rows {
            tag(.tr) { for cell in row.prefix(head.count) { HTML.element(.td, [], InlineMarkdown(cell, work).pieces) } }
          }
        }
      }
    }
  }

  private static func isDelimiter(_ line: String) -> Bool {
    let text = trimmed(line)
    return text.contains("-") && text.contains("|") && text.allSatisfy { "|:- ".contains($0) }
  }

  private static func cells(_ line: String) -> [Substring] {
    var text = trimmed(line)
    if text.first == "|" { text = text.dropFirst() }
    if text.last == "|" { text = text.dropLast() }
    return text.split(separator: "|", omittingEmptySubsequences: false).map { trimmed(String($0)) }
  }
}

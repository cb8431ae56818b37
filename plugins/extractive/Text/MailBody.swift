/// The part of a mail's text that its sender wrote for this message, as paragraphs.
///
/// Drops what is not news: quoted lines and the line announcing them, forwarded or quoted originals, the signature
/// after `-- `, mailing-list footers, the greeting and the complimentary close with the name below it, lines of
/// decoration and lone links. Plain prose passes through unchanged, so every text may be read this way.
struct MailBody: Sendable, Equatable {
  /// One paragraph or list item.
  struct Paragraph: Sendable, Equatable {
    /// The text on one line.
    var text: String
    /// Began with a bullet or a number.
    var isItem: Bool
  }

  /// The remaining paragraphs, in order.
  let paragraphs: [Paragraph]

  /// Reads a text. Linear in its length.
  ///
  /// Where nothing remains (a mail of quotes only, or a lone greeting), all lines but decoration are kept instead: some
  /// text is better than none.
  init(_ text: String) {
    let lines = Self.lines(of: text)
    let own = Self.withoutClose(Self.withoutGreeting(Self.ownLines(lines)))
    let paragraphs = Self.paragraphs(of: own)
    self.paragraphs = paragraphs.isEmpty ? Self.paragraphs(of: lines) : paragraphs
  }

  /// The lines of a text whatever ends them, right-trimmed, without zero-width characters.
  static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      // The lead bytes of what is dropped or replaced below.
      guard line.utf8.contains(where: { $0 == 0xc2 || $0 == 0xe2 || $0 == 0xef }) else { return line.trimmedAtEnd }
      var view = String.UnicodeScalarView()
      for scalar in line.unicodeScalars
      where !(0x200b...0x200f).contains(scalar.value) && scalar.value != 0xfeff && scalar.value != 0xad {
        view.append(scalar.value == 0xa0 ? " " : scalar)
      }
      while view.last?.isSpace == true { view.removeLast() }
      return String(view)
    }
  }

  /// Lines up to the signature or the quoted original, without quotes and the lines announcing them.
  private static func ownLines(_ lines: [String]) -> [String] {
    var own: [String] = []
    var hasText = false
    for (index, line) in lines.enumerated() {
      let trimmed = line.trimmed
      if trimmed == "--" || isFooterRule(trimmed), hasText { break }
      if hasText, MailPhrases.startsOriginal(trimmed) { break }
      if hasText, startsHeaderBlock(lines, at: index) { break }
      if isHeaderOfForward(trimmed, inBlock: !hasText) { continue }
      if trimmed.hasPrefix(">") {
        // "On … wrote:" above a quote, possibly wrapped onto a second line.
        dropAttribution(from: &own)
        own.append("")
        continue
      }
      if MailPhrases.isDeviceLine(trimmed) { continue }
      if !trimmed.isEmpty, !isDecoration(trimmed) { hasText = true }
      own.append(line)
    }
    return own
  }

  private static func dropAttribution(from lines: inout [String]) {
    while lines.last?.trimmed.isEmpty == true { lines.removeLast() }
    var attribution = 0
    for depth in 1...3 where lines.count >= depth {
      let candidate = lines.suffix(depth).joined(separator: " ").trimmed
      guard MailPhrases.isAttribution(candidate) else { continue }
      // A wrapped one goes on above; without the usual first word only the last line is certain.
      if depth == 1 || MailPhrases.beginsAttribution(candidate) { attribution = depth }
      if MailPhrases.beginsAttribution(candidate) { break }
    }
    lines.removeLast(attribution)
  }

  /// An Outlook-style block ("From: …", "Sent: …") that begins the quoted original.
  private static func startsHeaderBlock(_ lines: [String], at index: Int) -> Bool {
    guard MailPhrases.isHeaderLine(lines[index].trimmed, names: MailPhrases.senderHeaders), index + 1 < lines.count
    else { return false }
    return lines[(index + 1)...].prefix(3).contains {
      MailPhrases.isHeaderLine($0.trimmed, names: MailPhrases.dateHeaders)
    }
  }

  private static func isHeaderOfForward(_ line: String, inBlock: Bool) -> Bool {
    guard inBlock else { return false }
    return MailPhrases.isForwardMark(line) || MailPhrases.isHeaderLine(line, names: MailPhrases.anyHeaders)
  }

  /// The line of underscores that list servers put above their footer.
  private static func isFooterRule(_ line: String) -> Bool {
    line.utf8.count >= 30 && line.utf8.allSatisfy { $0 == UInt8(ascii: "_") }
  }

  /// A line without any letter or digit.
  static func isDecoration(_ line: String) -> Bool {
    !line.unicodeScalars.contains(where: \.isWordScalar)
  }

  private static func withoutGreeting(_ lines: [String]) -> [String] {
    guard let first = lines.firstIndex(where: { !$0.trimmed.isEmpty && !isDecoration($0) }) else { return lines }
    guard let rest = MailPhrases.afterGreeting(lines[first].trimmed) else { return lines }
    var lines = lines
    lines[first] = rest
    return lines
  }

  /// How many lines may occur below a complimentary close (name, role, company, telephone …).
  private static let longestCloseBlock = 10

  /// Lines without the complimentary close and what is below it; a postscript stays.
  private static func withoutClose(_ lines: [String]) -> [String] {
    let postscript = lines.lastIndex { MailPhrases.isPostscript($0.trimmed) } ?? lines.endIndex
    var below = 0
    var cut: Int?
    for index in lines[..<postscript].indices.reversed() {
      let line = lines[index].trimmed
      if line.isEmpty { continue }
      if MailPhrases.isClose(line) {
        cut = index
      } else if isProse(line) {
        break
      }
      below += 1
      if below > longestCloseBlock { break }
    }
    guard let cut else { return withoutName(lines) }
    return Array(lines[..<cut]) + [""] + Array(lines[postscript...])
  }

  /// Lines without a lone name at the end, which represents a close.
  private static func withoutName(_ lines: [String]) -> [String] {
    guard let last = lines.lastIndex(where: { !$0.trimmed.isEmpty }) else { return lines }
    let words = lines[last].split(separator: " ")
    let isName =
      (1...3).contains(words.count) && words.allSatisfy { $0.first?.isUppercase == true }
      && lines[last].unicodeScalars.last?.isWordScalar == true && !lines[last].contains(where: \.isNumber)
    guard isName, lines[..<last].contains(where: { $0.trimmed.count > lines[last].count }) else { return lines }
    return Array(lines[..<last])
  }

  /// Whether a line reads like part of a sentence rather than like a name or an address.
  private static func isProse(_ line: String) -> Bool {
    if line.count > 70 || line.hasSuffix("?") { return true }
    return line.split(separator: " ").count > 6 && !line.contains("|") && !line.contains("·")
  }

  private static func paragraphs(of lines: [String]) -> [Paragraph] {
    let widest = min(lines.lazy.map(\.unicodeScalars.count).max() ?? 0, 78)
    var paragraphs: [Paragraph] = []
    var current: Paragraph?
    var previous = ""
    var number = 0
    func finish() {
      if let done = current, !done.text.isEmpty { paragraphs.append(done) }
      current = nil
    }
    for line in lines {
      let trimmed = line.trimmed
      if trimmed.isEmpty || isDecoration(trimmed) || isLoneLink(trimmed) {
        finish()
        continue
      }
      if let item = itemText(trimmed, after: number) {
        number = item.number
        finish()
        current = Paragraph(text: item.text, isItem: true)
      } else if var open = current, !breaksLine(previous, before: trimmed, widest: widest) {
        open.text += " " + trimmed
        current = open
      } else {
        finish()
        current = Paragraph(text: trimmed, isItem: false)
      }
      previous = trimmed
    }
    finish()
    return paragraphs
  }

  /// Whether a line end is meant: the line is clearly shorter than the others and a new beginning follows.
  private static func breaksLine(_ line: String, before next: String, widest: Int) -> Bool {
    guard let first = next.unicodeScalars.first, !first.properties.isLowercase else { return false }
    if line.unicodeScalars.last == ":" { return true }
    return line.unicodeScalars.count * 10 < widest * 6
  }

  private static func isLoneLink(_ line: String) -> Bool {
    guard !line.contains(" ") else { return false }
    return line.contains("://") || line.hasPrefix("www.") || line.hasPrefix("<http")
  }

  /// The text of a list item and its number, or nil where the line is none.
  ///
  /// Numbers have to follow each other from 1, so that a line of prose beginning with "27. November" is none.
  /// - Parameter number: The number of the item before; bullets leave it as it is.
  private static func itemText(_ line: String, after number: Int) -> (text: String, number: Int)? {
    let scalars = line.unicodeScalars
    guard let first = scalars.first else { return nil }
    if "-*•–·▪◦+".unicodeScalars.contains(first) {
      let rest = String(scalars.dropFirst()).trimmed
      return rest.isEmpty || scalars.dropFirst().first?.isSpace != true ? nil : (rest, number)
    }
    let digits = scalars.prefix(while: \.isDigit)
    guard let value = Int(String(digits)), value == 1 || value == number + 1,
      let mark = scalars.dropFirst(digits.count).first, mark == "." || mark == ")",
      scalars.dropFirst(digits.count + 1).first?.isSpace == true
    else { return nil }
    return (String(scalars.dropFirst(digits.count + 1)).trimmed, value)
  }
}

extension StringProtocol {
  /// Without spaces at the end.
  var trimmedAtEnd: String {
    var view = Substring(self).unicodeScalars
    while view.last?.isSpace == true { view.removeLast() }
    return String(view)
  }

  /// Without spaces at both ends.
  var trimmed: String {
    var view = Substring(self).unicodeScalars
    while view.first?.isSpace == true { view.removeFirst() }
    while view.last?.isSpace == true { view.removeLast() }
    return String(view)
  }
}

/// The work of reading a text in Markdown, counted in characters that were looked at.
///
/// A text of a model can have an opening sign at each character and no end for any of them. So there is a limit in proportion to
/// the length of the text; once it is reached, signs of the rest are shown as they are.
final class MarkdownWork {
  /// Characters that may be looked at for each character of the text. Texts that people read need fewer than ten.
  static let most = 64

  /// Characters that were looked at.
  private(set) var done = 0
  private let limit: Int

  /// - Parameter length: The length of the text in bytes of UTF-8.
  init(length: Int) { limit = Self.most * length + 4096 }

  /// Whether the limit is reached.
  var isSpent: Bool { done >= limit }

  /// Counts characters.
  func add(_ count: Int) { done += count }
}

/// The words of a line of Markdown: emphasis, code, links.
struct InlineMarkdown {
  /// Longer texts are shown as they are.
  private static let limit = 8_000
  /// The farthest place of the end of an emphasis or a link.
  private static let reach = 800
  /// Emphases within each other.
  private static let depth = 6

  private let characters: [Character]
  private let level: Int
  private let work: MarkdownWork

  init(_ text: Substring, _ work: MarkdownWork) { self.init(Array(text), 0, work) }

  private init(_ characters: [Character], _ level: Int, _ work: MarkdownWork) {
    (self.characters, self.level, self.work) = (characters, level, work)
  }

  /// The pieces of the page.
  var pieces: [HTML] {
    work.add(characters.count)
    guard characters.count <= Self.limit, level < Self.depth else { return [.text(String(characters))] }
    var pieces: [HTML] = []
    var plain = ""
    var place = 0
    func flush() {
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
    }
    while place < characters.count {
      if !work.isSpent, let (piece, next) = special(at: place) {
        flush()
        pieces.append(piece)
        place = next
        continue
      }
      if characters[place] == "\\", place + 1 < characters.count, characters[place + 1].isPunctuation {
        place += 1
      }
      plain.append(characters[place])
      place += 1
    }
    flush()
    return pieces
  }

  private func special(at place: Int) -> (HTML, Int)? {
    switch characters[place] {
    case "`": code(place)
    case "*", "_": emphasis(place)
    case "[": link(place)
    case "h": address(place)
    default: nil
    }
  }

  private func has(_ text: String, at place: Int) -> Bool { characters[place...].starts(with: text) }

  /// The next place of a text, within reach.
  private func find(_ text: String, from start: Int, where isFit: (Int) -> Bool = { _ in true }) -> Int? {
    guard start < characters.count else { return nil }
    let end = min(characters.count, start + Self.reach)
    let found = (start..<end).first { has(text, at: $0) && isFit($0) }
    work.add((found ?? end) - start)
    return found
  }

  private func code(_ place: Int) -> (HTML, Int)? {
    let marks = characters[place...].prefix { $0 == "`" }.count
    work.add(marks)
    let fence = String(repeating: "`", count: marks)
    let end = find(fence, from: place + marks) { end in
      end + marks >= characters.count || characters[end + marks] != "`"
    }
    guard let end, end > place + marks else { return nil }
    var text = characters[(place + marks)..<end]
    if text.count > 2, text.first == " ", text.last == " " { text = text.dropFirst().dropLast() }
    return (tag(.code, text: String(text)), end + marks)
  }

  private func emphasis(_ place: Int) -> (HTML, Int)? {
    let mark = characters[place]
    let isWithin = place > 0 && (characters[place - 1].isLetter || characters[place - 1].isNumber)
    // An underscore within a word is a part of its name.
    if mark == "_", isWithin { return nil }
    let marks = has("\(mark)\(mark)", at: place) ? 2 : 1
    let start = place + marks
    guard start < characters.count, !characters[start].isWhitespace, characters[start] != mark else { return nil }
    let text = String(repeating: mark, count: marks)
    let end = find(text, from: start + 1) { end in
      guard !characters[end - 1].isWhitespace else { return false }
      let after = end + marks < characters.count ? characters[end + marks] : " "
      return after != mark && (mark == "*" || !(after.isLetter || after.isNumber))
    }
    guard let end else { return nil }
    let inner = InlineMarkdown(Array(characters[start..<end]), level + 1, work).pieces
    return (.element(marks == 2 ? .strong : .em, [], inner), end + marks)
  }

  private func link(_ place: Int) -> (HTML, Int)? {
    guard let middle = find("](", from: place + 1), let end = find(")", from: middle + 2) else { return nil }
    let words = characters[(place + 1)..<middle]
    let address = String(characters[(middle + 2)..<end]).split(separator: " ").first.map(String.init) ?? ""
    guard !words.isEmpty, !words.contains("\n"), Self.isOutside(address) else { return nil }
    let inner = InlineMarkdown(Array(words), level + 1, work).pieces
    return (.element(.a, [.href(address), .with(.rel, "noreferrer noopener")], inner), end + 1)
  }

  private func address(_ place: Int) -> (HTML, Int)? {
    guard has("https://", at: place) || has("http://", at: place) else { return nil }
    guard place == 0 || !characters[place - 1].isLetter else { return nil }
    var text = String(characters[place...].prefix(Self.reach).prefix { !$0.isWhitespace && !"<>\"`".contains($0) })
    work.add(text.count)
    while let last = text.last, ".,;:!?)]*_'".contains(last) { text.removeLast() }
    guard text.count > 8 else { return nil }
    return (tag(.a, .href(text), .with(.rel, "noreferrer noopener"), text: text), place + text.count)
  }

  /// Whether a link of a model may lead there: to a page on the web or a mailbox, never into this server.
  private static func isOutside(_ address: String) -> Bool {
    ["https://", "http://", "mailto:"].contains { address.lowercased().hasPrefix($0) }
  }
}

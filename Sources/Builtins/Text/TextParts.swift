import Plans

/// Divides a text into parts of a size that a model can take.
///
/// It divides at the largest units that the size allows: sections, then paragraphs, then lines, then words. The time is linear
/// in the length of the text.
struct TextParts {
  private let partition: TextPartition
  private var parts: [String] = []
  private var current = ""
  private var tokens = 0.0

  /// The parts of a text, in order; none for a text without words.
  static func parts(of text: String, _ partition: TextPartition) -> [String] {
    var divider = TextParts(partition: partition)
    switch partition.unit {
    case .headings: for section in sections(of: text) { divider.add(section, by: .paragraph) }
    case .paragraphs: for paragraph in paragraphs(of: text) { divider.add(paragraph, by: .line) }
    case .tokens: divider.addPieces(of: text[...], by: .word)
    }
    divider.finish()
    return divider.parts
  }

  /// How many tokens a model makes of a text, about: four letters of the Latin alphabet to one, two letters with accents,
  /// one of every other script.
  static func tokens(_ text: some StringProtocol) -> Double {
    var count = 0.0
    for byte in text.utf8 {
      switch byte {
      case 0..<0x80: count += 0.25
      // The first bytes of two, and of more.
      case 0xC0..<0xE0: count += 0.5
      case 0xE0...: count += 1
      default: break
      }
    }
    return count
  }

  private init(partition: TextPartition) { self.partition = partition }

  /// The units by which a large piece is divided, from large to small.
  private enum Seam {
    case paragraph, line, word

    var next: Seam { self == .paragraph ? .line : .word }
  }

  /// Adds a piece to the part that is being filled, or begins the next one with it; divides what is too large.
  private mutating func add(_ piece: Substring, by seam: Seam) {
    let size = Self.tokens(piece)
    if tokens + size > Double(partition.size), tokens > overlapTokens { close() }
    guard size > Double(partition.size) - tokens else {
      current += piece
      tokens += size
      return
    }
    addPieces(of: piece, by: seam)
  }

  private mutating func addPieces(of text: Substring, by seam: Seam) {
    switch seam {
    case .paragraph: for paragraph in Self.paragraphs(of: String(text)) { add(paragraph, by: .line) }
    case .line: for line in Self.pieces(of: text, endingWith: { $0.isNewline }) { add(line, by: .word) }
    case .word: for word in Self.pieces(of: text, endingWith: { $0.isWhitespace }) { addWord(word) }
    }
  }

  /// Adds a word; one that is larger than a part is cut.
  private mutating func addWord(_ word: Substring) {
    var rest = word
    while !rest.isEmpty {
      // A text with more bytes cannot fit, so its tokens are not counted.
      let size = rest.utf8.count > 4 * partition.size ? .infinity : Self.tokens(rest)
      if tokens + size > Double(partition.size), tokens > overlapTokens { close() }
      if size <= max(Double(partition.size) - tokens, 1) {
        current += rest
        tokens += size
        return
      }
      let piece = rest.prefix(max(1, partition.size - Int(tokens.rounded(.up))))
      current += piece
      tokens += Self.tokens(piece)
      rest = rest[piece.endIndex...]
    }
  }

  /// So much of the part that is being filled is the end of the one before.
  private var overlapTokens = 0.0

  private mutating func close() {
    keep()
    let end = overlap(of: current)
    current = end
    tokens = Self.tokens(end)
    overlapTokens = tokens
  }

  private mutating func finish() {
    if tokens > overlapTokens { keep() }
  }

  private mutating func keep() {
    var part = current[...]
    while part.last?.isWhitespace == true { part.removeLast() }
    while part.first?.isNewline == true { part.removeFirst() }
    if part.contains(where: { !$0.isWhitespace }) { parts.append(String(part)) }
  }

  /// The end of a part that is repeated before the next one, from the beginning of a word on.
  private func overlap(of part: String) -> String {
    let wanted = Double(min(partition.overlap, partition.size / 2))
    guard wanted > 0 else { return "" }
    var start = part.endIndex
    var size = 0.0
    while start > part.startIndex {
      let before = part.index(before: start)
      size += Self.tokens(String(part[before]))
      if size > wanted { break }
      start = before
    }
    let tail = part[start...]
    guard start > part.startIndex, let space = tail.firstIndex(where: \.isWhitespace) else { return String(tail) }
    return String(tail[tail.index(after: space)...])
  }

  // MARK: Seams

  /// The pieces of a text, each with the characters that end it.
  private static func pieces(of text: Substring, endingWith isEnd: (Character) -> Bool) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    var index = start
    var hasEnded = false
    while index < text.endIndex {
      let ends = isEnd(text[index])
      if hasEnded, !ends {
        pieces.append(text[start..<index])
        start = index
      }
      hasEnded = ends
      index = text.index(after: index)
    }
    if start < text.endIndex { pieces.append(text[start...]) }
    return pieces
  }

  /// The paragraphs of a text, each with the empty lines behind it.
  private static func paragraphs(of text: String) -> [Substring] {
    var result: [Substring] = []
    var start = text.startIndex
    var hasBlank = false
    for line in lines(of: text) {
      let isBlank = line.allSatisfy(\.isWhitespace)
      if hasBlank, !isBlank, start < line.startIndex {
        result.append(text[start..<line.startIndex])
        start = line.startIndex
      }
      hasBlank = isBlank
    }
    if start < text.endIndex { result.append(text[start...]) }
    return result
  }

  /// The sections of a Markdown text, each beginning with its heading; lines inside a fence are not headings.
  private static func sections(of text: String) -> [Substring] {
    var result: [Substring] = []
    var start = text.startIndex
    var isFenced = false
    for line in lines(of: text) {
      if line.hasPrefix("```") || line.hasPrefix("~~~") { isFenced.toggle() }
      guard !isFenced, line.startIndex > start, isHeading(line) else { continue }
      result.append(text[start..<line.startIndex])
      start = line.startIndex
    }
    if start < text.endIndex { result.append(text[start...]) }
    return result
  }

  private static func isHeading(_ line: Substring) -> Bool {
    let marks = line.prefix { $0 == "#" }.count
    return (1...6).contains(marks) && line.dropFirst(marks).first?.isWhitespace == true
  }

  /// The lines of a text with their ends.
  private static func lines(of text: String) -> [Substring] {
    var result: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.endIndex
      result.append(text[start..<end])
      start = end
    }
    return result
  }
}

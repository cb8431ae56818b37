/// A text cut into words and numbers, with what is between them. Linear; nothing is looked at twice.
struct WordScan {
  /// The separator between a word and the one before it.
  enum Gap: Sendable {
    /// Nothing but the beginning of its line.
    case line
    /// Blanks only.
    case blank
    /// A full stop, and perhaps blanks: behind an initial or an abbreviation.
    case stop
    case comma
    /// `&` or `+` between blanks.
    case ampersand
    case colon
    case other
  }

  struct Word {
    var range: Range<Int>
    /// In lower case; of a number its digits.
    var text: String
    var isNumber: Bool
    var isCapital: Bool
    /// Whether it is "d'" and a word with a capital: "d'Aubigné", but "d'Orchestre" too.
    var isElided: Bool
    var line: Int
    var gap: Gap

    /// The text after "d'", or the whole text.
    var stem: String {
      guard isElided, let sign = text.firstIndex(where: { $0 == "'" || $0 == "\u{2019}" }) else { return text }
      return String(text[text.index(after: sign)...])
    }

    /// Whether it directly follows a number: the "E" of "7E".
    var isGlued = false

    /// One letter by itself, as an initial is.
    var isInitial: Bool { isCapital && !isGlued && text.unicodeScalars.count == 1 }
  }

  let words: [Word]
  /// Where the first word of each line is; the number of words where it has none behind it.
  let lineStarts: [Int]
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var words: [Word] = []
    var lineStarts = [0]
    var index = 0
    var line = 0
    var end = 0
    var hasLineEnd = true
    while index < bytes.count {
      let (length, isLetter, isCapital) = Self.scalar(bytes, at: index)
      let isDigit = (0x30...0x39).contains(bytes[index])
      guard isLetter || isDigit else {
        if bytes[index] == 0x0A {
          line += 1
          hasLineEnd = true
          lineStarts.append(words.count)
        }
        index += length
        continue
      }
      let start = index
      index += length
      while index < bytes.count {
        if isDigit {
          guard (0x30...0x39).contains(bytes[index]) else { break }
          index += 1
          continue
        }
        let next = Self.scalar(bytes, at: index)
        if next.isLetter {
          index += next.length
          continue
        }
        // A hyphen or an apostrophe between two letters belongs to the word.
        let sign = Self.joint(bytes, at: index)
        guard sign > 0, index + sign < bytes.count, Self.scalar(bytes, at: index + sign).isLetter else { break }
        index += sign
      }
      let gap = hasLineEnd ? .line : Self.gap(bytes, end..<start)
      words.append(
        Word(
          range: start..<index,
          text: String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
            .lowercased(), isNumber: isDigit, isCapital: isCapital,
          isElided: !isCapital && Self.isElided(bytes, start..<index), line: line, gap: gap,
          isGlued: !words.isEmpty && start == end))
      end = index
      hasLineEnd = false
    }
    self.words = words
    self.lineStarts = lineStarts
  }

  /// The words of a line.
  func line(_ number: Int) -> Range<Int> {
    guard number >= 0, number < lineStarts.count else { return words.count..<words.count }
    return lineStarts[number]..<(number + 1 < lineStarts.count ? lineStarts[number + 1] : words.count)
  }

  /// Whether a word is none of a mail address, a host or a path.
  func isFree(_ word: Word) -> Bool {
    !isBound(by: word.range.lowerBound - 1, -1) && !isBound(by: word.range.upperBound, 1)
  }

  /// Whether the sign at a place beside a word binds it to what is on the sign's other side.
  private func isBound(by place: Int, _ direction: Int) -> Bool {
    guard bytes.indices.contains(place) else { return false }
    switch bytes[place] {
    case UInt8(ascii: "@"): return true
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "+"):
      let other = place + direction
      return bytes.indices.contains(other) && Self.isASCIILetterOrDigit(bytes[other])
    case UInt8(ascii: "/"), UInt8(ascii: "\\"): return isInPath(place)
    default: return false
    }
  }

  /// Whether a slash belongs to a path: one that begins with a slash, or has two of them. "Quobb/Zwirbel" are two words.
  private func isInPath(_ place: Int) -> Bool {
    let longest = 100
    var (start, end) = (place, place + 1)
    while start > 0, bytes[start - 1] > 0x20, place - start < longest { start -= 1 }
    while end < bytes.count, bytes[end] > 0x20, end - place < longest { end += 1 }
    var slashes = 0
    for byte in bytes[start..<end] where byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { slashes += 1 }
    return slashes > 1 || start == place
  }

  private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// The text of a range.
  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// The first byte behind a word that is not a blank; `nil` at the end of the text.
  func sign(behind word: Int) -> UInt8? {
    var index = words[word].range.upperBound
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  /// Whether an apostrophe ends a word: "Hans' Auto".
  func isApostrophe(behind word: Int) -> Bool {
    let end = words[word].range.upperBound
    guard end < bytes.count else { return false }
    return bytes[end] == 0x27 || bytes[end] == 0xE2 && end + 2 < bytes.count && bytes[end + 2] == 0x99
  }

  private static func gap(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Gap {
    var gap = Gap.blank
    guard range.count <= 6 else { return .other }
    let hasBlank = bytes[range].contains(0x20)
    for byte in bytes[range] {
      switch byte {
      case 0x20, 0x09, 0xC2, 0xA0: continue
      // What Markdown emphasises: "Frau **Quobb**".
      case 0x2A where hasBlank, 0x5F where hasBlank, 0x60 where hasBlank: continue
      case 0x2E where gap == .blank: gap = .stop
      case 0x2C where gap == .blank: gap = .comma
      case 0x26, 0x2B: gap = gap == .blank ? .ampersand : .other
      case 0x3A where gap == .blank: gap = .colon
      // "G.-A."
      case 0x2D where gap == .stop: continue
      default: gap = .other
      }
    }
    return gap
  }

  private static func isElided(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count > 3, bytes[range.lowerBound] == UInt8(ascii: "d") else { return false }
    let sign = joint(bytes, at: range.lowerBound + 1)
    return sign > 0 && range.lowerBound + 1 + sign < range.upperBound
      && bytes[range.lowerBound + 1] != UInt8(ascii: "-") && scalar(bytes, at: range.lowerBound + 1 + sign).isCapital
  }

  /// Whether a quotation mark or a closing bracket is between a word and the one before it, and else only blanks.
  func isBehindMark(_ index: Int) -> Bool {
    guard index > 0, words[index].line == words[index - 1].line else { return false }
    let between = text(words[index - 1].range.upperBound..<words[index].range.lowerBound)
    return between.utf8.count <= 10 && between.contains { $0 != " " }
      && between.unicodeScalars.allSatisfy {
        " \"')\u{AB}\u{BB}".unicodeScalars.contains($0) || (0x2018...0x201F).contains($0.value)
          || (0x2039...0x203A).contains($0.value)
      }
  }

  /// The bytes of a hyphen or an apostrophe; 0 if there is none.
  private static func joint(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    switch bytes[index] {
    case 0x2D, 0x27: 1
    // ’ and ‐
    case 0xE2
    where index + 2 < bytes.count && bytes[index + 1] == 0x80 && [0x99, 0x90, 0x91].contains(bytes[index + 2]): 3
    default: 0
    }
  }

  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (length: Int, isLetter: Bool, isCapital: Bool) {
    let first = bytes[index]
    if first < 0x80 {
      let isUpper = (0x41...0x5A).contains(first)
      return (1, isUpper || (0x61...0x7A).contains(first), isUpper)
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    guard length > 1, index + length <= bytes.count else { return (1, false, false) }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
    guard let scalar = Unicode.Scalar(value) else { return (length, false, false) }
    let properties = scalar.properties
    // A mark that is combined with a letter belongs to it.
    let isMark = properties.generalCategory == .nonspacingMark
    return (length, properties.isAlphabetic || isMark, properties.isUppercase)
  }
}

/// Cuts a text into ``Token``s in one pass.
struct Tokenizer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// The tokens of a text, in order. Linear in its length.
  static func tokens(in text: String) -> [Token] {
    var tokenizer = Tokenizer(text)
    var tokens: [Token] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() -> Token? {
    while index < scalars.count, scalars[index].isSpace { index += 1 }
    guard index < scalars.count else { return nil }
    if let link = link() { return link }
    let scalar = scalars[index]
    if scalar.isHan { return run(kind: .word, isIdeographic: true) { $0.isHan } }
    if scalar.isKana { return run(kind: .word, isKana: true) { $0.isKana } }
    if scalar.isWordScalar { return word() }
    index += 1
    return Token(kind: .mark, text: String(scalar))
  }

  private mutating func run(
    kind: Token.Kind, isIdeographic: Bool = false, isKana: Bool = false, while belongs: (Unicode.Scalar) -> Bool
  ) -> Token {
    let start = index
    while index < scalars.count, belongs(scalars[index]) { index += 1 }
    return Token(kind: kind, text: string(start..<index), isIdeographic: isIdeographic, isKana: isKana)
  }

  /// A word or a number; joiners count only between two word characters.
  private mutating func word() -> Token {
    let start = index
    var hasLetter = false
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar.isHan || scalar.isKana { break }
      if scalar.isWordScalar {
        hasLetter = hasLetter || !scalar.isDigit
        index += 1
      } else if index + 1 < scalars.count, scalars[index + 1].isWordScalar, joins(scalar) {
        index += 1
      } else {
        break
      }
    }
    return Token(kind: hasLetter ? .word : .number, text: string(start..<index))
  }

  private func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "'", "\u{2019}", "-", "\u{2010}", "\u{2011}", "_", "&": true
    case ".", ",", ":", "/": index > 0 && scalars[index - 1].isDigit && scalars[index + 1].isDigit
    default: false
    }
  }

  /// How long a scheme or the part of an address before its `@` may be (RFC 5321, 4.5.3.1.1).
  private static let longestLocalPart = 64
  /// How much of a link is taken as one token.
  private static let longestLink = 2048

  /// A URL or an address: `scheme://…`, `www.…` or `local@domain`, up to the next space.
  ///
  /// Looks at no more than ``longestLocalPart`` characters if there is none, so that the whole stays linear.
  private mutating func link() -> Token? {
    guard index == 0 || !scalars[index - 1].isWordScalar else { return nil }
    var end = index
    scan: while end < scalars.count, end - index <= Self.longestLocalPart {
      switch scalars[end] {
      case "@" where end > index && end + 1 < scalars.count && scalars[end + 1].isWordScalar: break scan
      case ":" where end + 2 < scalars.count && scalars[end + 1] == "/" && scalars[end + 2] == "/": break scan
      case "." where end - index == 3 && string(index..<end).lowercased() == "www": break scan
      case "a"..."z", "A"..."Z", "0"..."9", ".", "+", "-", "_", "%": end += 1
      default: return nil
      }
    }
    guard end < scalars.count, end > index, end - index <= Self.longestLocalPart else { return nil }
    while end < scalars.count, !scalars[end].isSpace, end - index < Self.longestLink { end += 1 }
    while end > index + 1, ".,;:!?)]}>\"'”’»".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
    let start = index
    index = end
    return Token(kind: .link, text: string(start..<end))
  }

  private func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }
}

extension Unicode.Scalar {
  /// An ASCII or other decimal digit.
  var isDigit: Bool {
    isASCII ? value >= 0x30 && value <= 0x39 : properties.numericType == .decimal
  }

  /// A space of any kind, line ends included.
  var isSpace: Bool {
    isASCII ? value == 0x20 || (value >= 0x09 && value <= 0x0d) : properties.isWhitespace
  }

  /// Part of a word: a letter, a digit or a combining mark.
  var isWordScalar: Bool {
    if isASCII {
      return (value >= 0x61 && value <= 0x7a) || (value >= 0x41 && value <= 0x5a) || (value >= 0x30 && value <= 0x39)
    }
    if properties.isAlphabetic || isDigit { return true }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// A Han ideograph.
  var isHan: Bool {
    (0x4e00...0x9fff).contains(value) || (0x3400...0x4dbf).contains(value) || (0x2_0000...0x2_fa1f).contains(value)
      || value == 0x3005
  }

  /// Hiragana or katakana, with the long-vowel mark.
  var isKana: Bool { (0x3041...0x30ff).contains(value) && value != 0x30fb || (0xff66...0xff9f).contains(value) }
}

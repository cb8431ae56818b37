import Mail

/// Reads a text as people do: without the signs that have no width, with plain blanks and hyphens in the place of special
/// ones, and with what other formats escape. Linear.
struct EscapedText {
  /// The escapes in a text.
  struct Escapes: OptionSet {
    let rawValue: Int
    /// Quoted-printable with its soft line breaks (RFC 2045).
    static let mail = Escapes(rawValue: 1)
    /// References of HTML, with their semicolon.
    static let references = Escapes(rawValue: 2)
    /// Strings of JSON (RFC 8259).
    static let json = Escapes(rawValue: 4)
    /// Characters of two to four octets in quoted-printable, `=C3=BC`, and nothing else of it.
    static let octets = Escapes(rawValue: 8)
    /// Encoded words of header fields (RFC 2047).
    static let words = Escapes(rawValue: 16)

    /// The escapes that a text seems to have. An equals sign before two digits or at the end of a line is ordinary text, as
    /// in `PIN=4711`, unless the whole text is quoted-printable.
    init(in bytes: UnsafeBufferPointer<UInt8>) {
      var escapes: Escapes = []
      var quoted = QuotedPrintable()
      var hasReference = false
      var lineStart = 0
      var index = 0
      while index < bytes.count {
        func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
        switch bytes[index] {
        case 0x26: hasReference = hasReference || byte(1) == 0x23 || EscapedText.isLetter(byte(1))
        case 0x0A:
          quoted.noteLine(bytes: index - lineStart - (index > lineStart && bytes[index - 1] == 0x0D ? 1 : 0))
          lineStart = index + 1
        case 0x3D where byte(1) == 0x3F:
          escapes.insert(.words)
          // An encoded word has equals signs of its own.
          let end = bytes[(index + 2)...].prefix(100).firstIndex { $0 <= 0x20 } ?? min(bytes.count, index + 102)
          index = max(index, end - 1)
        case 0x3D: index = quoted.noteEquals(bytes, at: index, isLineStart: index == lineStart) - 1
        default: break
        }
        index += 1
      }
      quoted.noteLine(bytes: bytes.count - lineStart)
      if quoted.isWhole { escapes.insert(.mail) }
      if quoted.hasCharacters { escapes.insert(.octets) }
      if hasReference { escapes.insert(.references) }
      let isBlank = { (byte: UInt8) in byte <= 0x20 }
      if let first = bytes.first(where: { !isBlank($0) }), let last = bytes.last(where: { !isBlank($0) }),
        first == 0x7B && last == 0x7D || first == 0x5B && last == 0x5D, bytes.contains(0x22)
      {
        escapes.insert(.json)
      }
      self = escapes
    }

    init(rawValue: Int) { self.rawValue = rawValue }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let range: Range<Int>
  private let escapes: Escapes

  /// Adds a part of a text to a view.
  static func add(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ escapes: Escapes, to view: inout TextView
  ) {
    EscapedText(bytes: bytes, range: range, escapes: escapes).read(into: &view)
  }

  private func read(into view: inout TextView) {
    var literal = range.lowerBound
    var index = range.lowerBound
    while index < range.upperBound {
      guard let (text, end) = sign(at: index) else {
        index += 1
        continue
      }
      view.add(bytes, literal..<index)
      if !text.isEmpty { view.add(text.utf8, for: index..<end) }
      index = end
      literal = end
    }
    view.add(bytes, literal..<range.upperBound)
  }

  /// The escape at an index and its end; `nil` if the sign is not escaped.
  private func sign(at index: Int) -> (text: String, end: Int)? {
    switch bytes[index] {
    case 0x26 where escapes.contains(.references): reference(at: index)
    case 0x3D: equals(at: index)
    case 0x5C where escapes.contains(.json): escaped(at: index)
    case 0xC2, 0xCD, 0xE1, 0xE2, 0xE3, 0xEF: special(at: index)
    default: nil
    }
  }

  private func byte(_ index: Int) -> UInt8 { index < range.upperBound ? bytes[index] : 0 }

  private func equals(at index: Int) -> (String, Int)? {
    if escapes.contains(.mail), let quoted = quoted(at: index) { return quoted }
    if escapes.contains(.octets), let end = QuotedPrintable.characterEnd(bytes, at: index), end <= range.upperBound {
      return quoted(at: index)
    }
    return escapes.contains(.words) ? encodedWord(at: index) : nil
  }

  // MARK: - Special signs

  /// Signs of no width, blanks, hyphens, and the wide forms of ASCII.
  private func special(at index: Int) -> (String, Int)? {
    let length = bytes[index] >= 0xE0 ? 3 : 2
    guard index + length <= range.upperBound else { return nil }
    var value = UInt32(bytes[index]) & (0x7F >> UInt32(length))
    for byte in bytes[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
    return Self.replacement(value).map { ($0, index + length) }
  }

  private static func replacement(_ value: UInt32) -> String? {
    switch value {
    // Soft hyphen, joiners, marks of direction, byte order mark, Mongolian vowel separator.
    case 0xAD, 0x34F, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFEFF: ""
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: " "
    case 0x2010, 0x2011, 0xFE63: "-"
    case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0).map { String(Character($0)) }
    default: nil
    }
  }

  /// The escaped form of a sign.
  private static func text(_ scalar: Unicode.Scalar) -> String {
    replacement(scalar.value) ?? String(Character(scalar))
  }

  // MARK: - Escapes

  private func reference(at index: Int) -> (String, Int)? {
    // The longest reference has 12 bytes; a copy of these is all that is made.
    let window = ArraySlice(bytes[index..<min(range.upperBound, index + 16)])
    guard let reference = HTMLEntities.reference(in: window, at: window.startIndex + 1) else { return nil }
    return (Self.text(reference.scalar), index + (reference.end - window.startIndex))
  }

  private func escaped(at index: Int) -> (String, Int)? {
    switch byte(index + 1) {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): return ("\n", index + 2)
    case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): return (" ", index + 2)
    case UInt8(ascii: "\""): return ("\"", index + 2)
    case UInt8(ascii: "/"): return ("/", index + 2)
    case UInt8(ascii: "\\"): return ("\\", index + 2)
    case UInt8(ascii: "u"):
      guard let unit = unit(at: index) else { return nil }
      if let scalar = Unicode.Scalar(unit) { return (Self.text(scalar), index + 6) }
      guard 0xD800...0xDBFF ~= unit, let low = self.unit(at: index + 6), 0xDC00...0xDFFF ~= low,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { return nil }
      return (String(Character(scalar)), index + 12)
    default: return nil
    }
  }

  /// `\u00fc`
  private func unit(at index: Int) -> UInt32? {
    guard byte(index) == 0x5C, byte(index + 1) == UInt8(ascii: "u"), index + 6 <= range.upperBound else { return nil }
    var value: UInt32 = 0
    for byte in bytes[index + 2..<index + 6] {
      guard let digit = Self.digit(byte) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// A soft line break, or a sign of one to four octets.
  private func quoted(at index: Int) -> (String, Int)? {
    if let end = softBreak(at: index) { return ("", end) }
    guard index + 3 <= range.upperBound, let first = Self.octet(bytes, at: index) else { return nil }
    var end = index + 3
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    var value = length == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(length))
    for _ in 1..<length {
      while let next = softBreak(at: end) { end = next }
      guard end + 3 <= range.upperBound, let octet = Self.octet(bytes, at: end), 0x80...0xBF ~= octet else {
        // ISO 8859-1.
        return (Self.text(Unicode.Scalar(first)), index + 3)
      }
      value = value << 6 | UInt32(octet & 0x3F)
      end += 3
    }
    return Unicode.Scalar(value).map { (Self.text($0), end) }
  }

  private func softBreak(at index: Int) -> Int? {
    guard byte(index) == 0x3D else { return nil }
    if byte(index + 1) == 0x0A { return index + 2 }
    return byte(index + 1) == 0x0D && byte(index + 2) == 0x0A ? index + 3 : nil
  }

  /// `=?utf-8?Q?M=C3=BCller?=`, as one piece.
  private func encodedWord(at index: Int) -> (String, Int)? {
    guard byte(index + 1) == 0x3F else { return nil }
    var end = index + 2
    var marks = 0
    while end + 1 < range.upperBound, end - index < 100, bytes[end] > 0x20 {
      if bytes[end] == 0x3F {
        marks += 1
        if marks >= 3, bytes[end + 1] == 0x3D {
          let word = Array("Subject: ".utf8) + bytes[index..<end + 2]
          return Message(parsing: word).headers["Subject"].map { ($0, end + 2) }
        }
      }
      end += 1
    }
    return nil
  }

  // MARK: - Digits

  /// The octet that `=C3` represents.
  static func octet(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt8? {
    guard index >= 0, index + 2 < bytes.count, bytes[index] == 0x3D, let high = digit(bytes[index + 1]),
      let low = digit(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

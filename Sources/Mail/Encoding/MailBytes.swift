import Glibc

/// The bytes that mail syntax is made of.
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  /// Space, tab, line feed, vertical tab, form feed or carriage return.
  var isASCIIWhitespace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

  /// Space, tab, CR or LF.
  var isMailWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  /// A byte that may occur in a header field's name (RFC 5322 §3.6.8: printable, no colon).
  var isFieldName: Bool { self > 0x20 && self < 0x7F && self != 0x3A }

  /// A byte of a MIME token (RFC 2045 §5.1).
  var isToken: Bool {
    // A bit for each byte: all that is printable but `()<>@,;:\"/[]?=`.
    let bits: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x7FFF_FFFF_C7FF_FFFE
    return self < 128 && bits >> UInt64(self & 63) & 1 == 1
  }

  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  var isASCIILetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  /// The value of a hexadecimal digit in either case.
  var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  /// The first of the two hexadecimal digits of the byte.
  var hexadecimalHigh: UInt8 { UInt8.hexadecimalCharacter(self >> 4) }
  /// The second of the two hexadecimal digits of the byte.
  var hexadecimalLow: UInt8 { UInt8.hexadecimalCharacter(self & 15) }

  private static func hexadecimalCharacter(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

  /// The byte with ASCII capital letters made small.
  var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension ArraySlice<UInt8> {
  /// The slice without white space at both ends.
  var trimmingMailWhitespace: ArraySlice<UInt8> {
    var slice = self
    while let first = slice.first, first.isMailWhitespace { slice.removeFirst() }
    while let last = slice.last, last.isMailWhitespace { slice.removeLast() }
    return slice
  }

  /// The end of the line that starts at an index: where its content ends and where the next line starts.
  func lineEnd(from start: Int) -> (content: Int, next: Int) {
    let first = startIndex
    return withUnsafeBufferPointer { buffer in
      let offset = start - first
      guard offset >= 0, offset < buffer.count, let base = buffer.baseAddress,
        let found = memchr(base + offset, CInt(UInt8.lineFeed), buffer.count - offset)
      else { return (first + buffer.count, first + buffer.count) }
      let lineFeed = base.distance(to: found.assumingMemoryBound(to: UInt8.self))
      let hasReturn = lineFeed > offset && buffer[lineFeed - 1] == UInt8.carriageReturn
      return (first + (hasReturn ? lineFeed - 1 : lineFeed), first + lineFeed + 1)
    }
  }
}

extension StringProtocol {
  /// The text without ASCII white space at both ends.
  var trimmingASCIIWhitespace: String {
    let text = String(self)
    guard let first = text.utf8.first, let last = text.utf8.last else { return "" }
    // The bytes of white space occur in no longer character.
    if !first.isASCIIWhitespace, !last.isASCIIWhitespace { return text }
    var slice = text.utf8[...]
    while let first = slice.first, first.isASCIIWhitespace { slice.removeFirst() }
    while let last = slice.last, last.isASCIIWhitespace { slice.removeLast() }
    return String(text[slice.startIndex..<slice.endIndex])
  }

  /// The text with every run of white space, line ends among them, made one space.
  var collapsingWhitespace: String {
    var output = String.UnicodeScalarView()
    var pending = false
    for scalar in unicodeScalars {
      if scalar.isASCIIWhitespace || scalar == "\u{A0}" {
        pending = !output.isEmpty
      } else {
        if pending { output.append(" ") }
        pending = false
        output.append(scalar)
      }
    }
    return String(output)
  }
}

extension Unicode.Scalar {
  /// Space, tab, line feed, vertical tab, form feed or carriage return.
  var isASCIIWhitespace: Bool { value == 0x20 || (value >= 0x09 && value <= 0x0D) }
}

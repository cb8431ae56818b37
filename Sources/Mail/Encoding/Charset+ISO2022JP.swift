extension Charset {
  /// Decodes ISO-2022-JP as browsers, Outlook (CP50220 to CP50222) and phones understand it: RFC 1468 with the characters that
  /// Windows adds to JIS X 0208 (NEC row 13, IBM extensions), with half-width katakana and JIS X 0212.
  ///
  /// The C library's converter knows RFC 1468 alone.
  static func iso2022JP(_ bytes: ArraySlice<UInt8>) -> (text: String, isClean: Bool) {
    // Other sets than those of Japan come from RFC 1554 and JIS X 0213.
    for (escape, name) in [
      ("\u{1B}$A", "ISO-2022-JP-2"), ("\u{1B}.", "ISO-2022-JP-2"), ("\u{1B}$(C", "ISO-2022-JP-2"),
      ("\u{1B}$(O", "ISO-2022-JP-3"), ("\u{1B}$(Q", "ISO-2022-JP-3"), ("\u{1B}$(P", "ISO-2022-JP-3"),
    ]
    where bytes.contains(0x1B) && bytes.firstRange(of: Array(escape.utf8)) != nil {
      if let result = iconv(bytes, name: name) { return result }
    }
    if !bytes.contains(0x1B), bytes.contains(where: { $0 >= 0x80 }) {
      // The label lies: the text is UTF-8, or Shift_JIS.
      if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
      return (iconv(bytes, name: "CP932")?.text ?? "", false)
    }
    var decoder = ISO2022JPDecoder()
    decoder.take(bytes)
    return decoder.finish()
  }
}

/// Turns the shifts of ISO-2022-JP into Shift_JIS and EUC-JP, which the C library converts with all characters of Windows.
private struct ISO2022JPDecoder {
  private enum CharacterSet { case ascii, roman, katakana, kanji, supplement }

  private static let escapes: [(sign: String, set: CharacterSet)] = [
    ("(B", .ascii), ("(J", .roman), ("(H", .roman), ("(I", .katakana), ("$B", .kanji), ("$@", .kanji),
    ("$(B", .kanji), ("$(@", .kanji), ("$(D", .supplement),
  ]

  private var set = CharacterSet.ascii
  /// Whether SO has been seen without SI: bytes are katakana.
  private var isShifted = false
  private var text = ""
  private var isClean = true
  /// Bytes in Shift_JIS that wait to be converted.
  private var pending: [UInt8] = []

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let rest = bytes[(index + 1)...]
      if byte == 0x1B, let escape = Self.escapes.first(where: { rest.starts(with: $0.sign.utf8) }) {
        set = escape.set
        index += 1 + escape.sign.utf8.count
      } else if byte == 0x0E || byte == 0x0F {
        isShifted = byte == 0x0E
        index += 1
      } else if byte <= 0x20 || byte == 0x7F {
        // Line ends and spaces belong to every set; another escape is an error.
        byte == 0x1B ? fail() : pending.append(byte)
        index += 1
      } else if set == .kanji || set == .supplement, !isShifted {
        guard let second = rest.first, (0x21...0x7E).contains(byte), (0x21...0x7E).contains(second) else {
          fail()
          index += 1
          continue
        }
        append(byte, second)
        index += 2
      } else {
        append(byte)
        index += 1
      }
    }
  }

  private mutating func append(_ byte: UInt8) {
    switch byte {
    case 0x21...0x5F where set == .katakana || isShifted: pending.append(byte | 0x80)
    case 0xA1...0xDF: pending.append(byte)
    case 0x5C where set == .roman: append(text: "¥")
    case 0x7E where set == .roman: append(text: "‾")
    case 0x80...: fail()
    default: pending.append(byte)
    }
  }

  /// A character by its row and its place in the row (JIS X 0208 or 0212), each from 0x21 to 0x7E.
  private mutating func append(_ row: UInt8, _ place: UInt8) {
    if set == .supplement {
      let converted = Charset.iconv([0x8F, row | 0x80, place | 0x80], name: "EUC-JP-MS")
      append(text: converted?.text ?? "\u{FFFD}")
      isClean = isClean && converted?.isClean == true
      return
    }
    let lead = (row - 0x21) / 2 + 0x81
    pending.append(lead > 0x9F ? lead + 0x40 : lead)
    pending.append(row.isMultiple(of: 2) ? place + 0x7E : place + (place >= 0x60 ? 0x20 : 0x1F))
  }

  private mutating func append(text more: String) {
    flush()
    text += more
  }

  private mutating func fail() {
    append(text: "\u{FFFD}")
    isClean = false
  }

  private mutating func flush() {
    guard !pending.isEmpty else { return }
    let converted = Charset.iconv(pending[...], name: "CP932")
    text += converted?.text ?? ""
    isClean = isClean && converted?.isClean == true
    pending = []
  }

  mutating func finish() -> (text: String, isClean: Bool) {
    flush()
    return (text, isClean)
  }
}

import Glibc
import Synchronization

/// A character set by the label a message names it with.
///
/// UTF-8, US-ASCII, windows-1252, ISO-8859-1 and UTF-16 are decoded here; the others go through the C library's `iconv`.
/// Only names in the table reach `iconv`: a label is text from outside, and some converters are better left unloaded.
struct Charset: Sendable {
  enum Converter: Sendable, Equatable {
    case utf8
    case ascii
    case windows1252
    case utf16
    case utf16BigEndian
    case utf16LittleEndian
    case hz
    case iso2022JP
    case iconv(String)
  }

  let converter: Converter

  /// Looks a label up.
  ///
  /// - Returns: `nil` for a label that nothing is known about.
  init?(label: String) {
    switch label {
    case "utf-8", "UTF-8":
      converter = .utf8
      return
    case "us-ascii", "US-ASCII":
      converter = .ascii
      return
    case "iso-8859-1", "ISO-8859-1", "windows-1252":
      converter = .windows1252
      return
    default: break
    }
    var key = ""
    for scalar in label.unicodeScalars.prefix(64) where scalar.isASCII {
      let byte = UInt8(scalar.value)
      if byte.isDigit || byte.isASCIILetter { key.unicodeScalars.append(Unicode.Scalar(byte.lowercasedASCII)) }
    }
    if let converter = Charset.table[key] {
      self.converter = converter
      return
    }
    // Prefixes of vendors and of mistakes: x-sjis, cs…, win-1251, ansi1250, charset=utf-8.
    for (prefix, proper) in [("x", ""), ("cs", ""), ("charset", ""), ("win", "windows"), ("ansi", "windows")]
    where key.hasPrefix(prefix) {
      if let converter = Charset.table[proper + key.dropFirst(prefix.count)] {
        self.converter = converter
        return
      }
    }
    return nil
  }

  /// Decodes bytes into text that is always valid: undecodable bytes become U+FFFD.
  ///
  /// Bytes without a label, with an unknown one or with one that does not fit are read as UTF-8, else as windows-1252.
  ///
  /// - Returns: The text, and whether the label was understood and every byte decoded.
  static func decode(_ bytes: ArraySlice<UInt8>, label: String?) -> (text: String, isClean: Bool) {
    guard let label, !label.isEmpty else { return (guess(bytes), true) }
    guard let charset = Charset(label: label) else { return (guess(bytes), false) }
    switch charset.converter {
    case .utf8:
      if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
      return (guess(bytes, isLabelled: true), false)
    case .ascii:
      // Other bytes are there by mistake: a program that did not say what it wrote.
      return (guess(bytes), bytes.allSatisfy { $0 < 0x80 })
    case .windows1252:
      // ISO-8859-1 over UTF-8 bytes is a common lie, but without proof the label is used.
      return (windows1252(bytes), true)
    case .utf16:
      return utf16(bytes, isBigEndian: nil)
    case .utf16BigEndian:
      return utf16(bytes, isBigEndian: true)
    case .utf16LittleEndian:
      return utf16(bytes, isBigEndian: false)
    case .hz:
      let (unpacked, isClean) = unpackedHZ(bytes)
      guard let result = iconv(unpacked[...], name: "GB18030") else { return (guess(bytes), false) }
      return (result.text, result.isClean && isClean)
    case .iso2022JP: return iso2022JP(bytes)
    case .iconv(let name):
      guard let result = iconv(bytes, name: name) else { return (guess(bytes), false) }
      return result
    }
  }

  /// UTF-8 where the bytes are UTF-8, or nearly so (cut off in the middle of a character, one bad byte in a long text);
  /// otherwise windows-1252. Under the label UTF-8 less is enough to believe it.
  private static func guess(_ bytes: ArraySlice<UInt8>, isLabelled: Bool = false) -> String {
    if let text = String(validating: bytes, as: UTF8.self) {
      return isLabelled || !hasJapaneseEscapes(bytes) ? text : iso2022JP(bytes).text
    }
    let repaired = String(decoding: bytes, as: UTF8.self)
    var replaced = 0
    var multibyte = 0
    for scalar in repaired.unicodeScalars {
      if scalar == "\u{FFFD}" { replaced += 1 } else if !scalar.isASCII { multibyte += 1 }
    }
    return (isLabelled ? multibyte * 4 > replaced : multibyte > replaced * 4) ? repaired : windows1252(bytes)
  }

  /// Whether bytes turn to Japanese characters and back as ISO-2022-JP does (RFC 1468): no other text has these escapes.
  private static func hasJapaneseEscapes(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.contains(0x1B) else { return false }
    let japanese = [Array("\u{1B}$B".utf8), Array("\u{1B}$@".utf8)].contains { bytes.firstRange(of: $0) != nil }
    return japanese && bytes.firstRange(of: Array("\u{1B}(".utf8)) != nil
  }

  private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    // No character of the set takes more than three bytes.
    return String(unsafeUninitializedCapacity: bytes.count * 3) { output in
      var count = 0
      for byte in bytes {
        let value = byte >= 0x80 && byte < 0xA0 ? windows1252Controls[Int(byte) - 0x80].value : UInt32(byte)
        if value < 0x80 {
          output[count] = UInt8(truncatingIfNeeded: value)
          count += 1
        } else if value < 0x800 {
          output[count] = UInt8(truncatingIfNeeded: 0xC0 | value >> 6)
          output[count + 1] = UInt8(truncatingIfNeeded: 0x80 | value & 0x3F)
          count += 2
        } else {
          output[count] = UInt8(truncatingIfNeeded: 0xE0 | value >> 12)
          output[count + 1] = UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F)
          output[count + 2] = UInt8(truncatingIfNeeded: 0x80 | value & 0x3F)
          count += 3
        }
      }
      return count
    }
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool?) -> (text: String, isClean: Bool) {
    var content = bytes
    var big = isBigEndian
    if content.starts(with: [0xFE, 0xFF]) {
      content = content.dropFirst(2)
      big = big ?? true
    } else if content.starts(with: [0xFF, 0xFE]) {
      content = content.dropFirst(2)
      big = big ?? false
    }
    let pairs = content.count / 2
    let start = content.startIndex
    // Without a mark RFC 2781 says big-endian; the zero halves of ASCII characters say it more reliably.
    let isBig =
      big
      ?? {
        let leading = (0..<pairs).count { content[start + 2 * $0] == 0 }
        let trailing = (0..<pairs).count { content[start + 2 * $0 + 1] == 0 }
        return leading >= trailing
      }()
    let units = (0..<pairs).map { index -> UInt16 in
      let first = UInt16(content[start + 2 * index])
      let second = UInt16(content[start + 2 * index + 1])
      return isBig ? first << 8 | second : second << 8 | first
    }
    let text = String(decoding: units, as: UTF16.self)
    return (text, content.count.isMultiple(of: 2))
  }

  /// HZ (RFC 1843) as EUC: pairs of ASCII between `~{` and `~}` are characters of GB 2312, `~~` is a tilde, and a tilde at
  /// the end of a line joins it with the next.
  private static func unpackedHZ(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], isClean: Bool) {
    var output: [UInt8] = []
    var (isShifted, isClean) = (false, true)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let next = index + 1 < bytes.endIndex ? bytes[index + 1] : nil
      switch (byte, next) {
      case (UInt8(ascii: "~"), UInt8(ascii: "{")): isShifted = true
      case (UInt8(ascii: "~"), UInt8(ascii: "}")): isShifted = false
      case (UInt8(ascii: "~"), UInt8(ascii: "~")) where !isShifted: output.append(byte)
      case (UInt8(ascii: "~"), UInt8.lineFeed) where !isShifted: break
      case (0x21...0x77, .some(0x21...0x7E)) where isShifted: output += [byte | 0x80, bytes[index + 1] | 0x80]
      default:
        // A line that was cut ends what it has begun.
        if byte == UInt8.lineFeed { isShifted = false }
        isClean = isClean && !isShifted && byte < 0x80
        output.append(byte)
        index += 1
        continue
      }
      index += 2
    }
    return (output, isClean)
  }

  /// Converters of the C library that stay loaded.
  private static let loaded = Mutex<Set<String>>([])

  /// Keeps a converter that is never closed: with its last user gone, the C library would unload its code, and load it again
  /// for the next text. There are as many as the table has names.
  private static func keepLoaded(_ name: String) {
    let isNew = loaded.withLock { $0.insert(name).inserted }
    if isNew { _ = iconv_open("UTF-8", name) }
  }

  /// Converts through the C library.
  ///
  /// - Returns: `nil` if the library does not have the converter.
  static func iconv(_ bytes: ArraySlice<UInt8>, name: String) -> (text: String, isClean: Bool)? {
    keepLoaded(name)
    let descriptor = iconv_open("UTF-8", name)
    // iconv_open answers failure with the pointer value -1.
    guard let descriptor, descriptor != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(descriptor) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 2)
    var isClean = true
    input.withUnsafeMutableBufferPointer { inputBuffer in
      var source = inputBuffer.baseAddress
      var sourceLeft = inputBuffer.count
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { chunk in
        var isFlushing = false
        while true {
          var target = chunk.baseAddress
          var targetLeft = chunk.count
          let result =
            isFlushing
            ? Glibc.iconv(descriptor, nil, nil, &target, &targetLeft)
            : Glibc.iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
          let failure = errno
          for byte in chunk.prefix(chunk.count - targetLeft) { output.append(UInt8(bitPattern: byte)) }
          if result != -1 {
            if isFlushing { return }
            isFlushing = true
            continue
          }
          if failure == E2BIG { continue }
          isClean = false
          if isFlushing { return }
          // An invalid or cut-off sequence: one replacement character, then on with the next byte.
          output += [0xEF, 0xBF, 0xBD]
          guard failure == EILSEQ, sourceLeft > 0 else {
            isFlushing = true
            continue
          }
          source = source?.advanced(by: 1)
          sourceLeft -= 1
        }
      }
    }
    return (String(decoding: output, as: UTF8.self), isClean)
  }
}

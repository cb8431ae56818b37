/// Encoded words, `=?charset?B|Q?text?=`, in header values (RFC 2047, with the language suffix of RFC 2231).
struct EncodedWord {
  /// The label, without a language suffix.
  let charset: String
  /// Whether the text is in the B encoding, base64; otherwise Q.
  let isBase64: Bool
  let text: ArraySlice<UInt8>
  /// The index after the closing `?=`.
  let end: Int

  /// The bytes of the word, in its character set.
  var bytes: [UInt8] { isBase64 ? Base64.decode(text).bytes : QuotedPrintable.decodeWord(text) }

  /// Finds encoded words in one value; a search that has reached the end once is not made again, so the whole value is
  /// read in linear time whatever it contains.
  struct Scanner {
    private let value: ArraySlice<UInt8>
    private var hasTerminators = true

    init(_ value: ArraySlice<UInt8>) { self.value = value }

    /// The encoded word that starts at an index, or `nil`.
    mutating func word(at start: Int) -> EncodedWord? {
      guard hasTerminators, value.endIndex - start > 6, value[start] == UInt8(ascii: "="),
        value[start + 1] == UInt8(ascii: "?")
      else { return nil }
      var index = start + 2
      let charsetLimit = Swift.min(value.endIndex, index + 60)
      while index < charsetLimit, value[index].isToken { index += 1 }
      guard index > start + 2, index + 3 < value.endIndex, value[index] == UInt8(ascii: "?") else { return nil }
      let label = value[(start + 2)..<index]
      let encoding = value[index + 1].lowercasedASCII
      guard encoding == UInt8(ascii: "b") || encoding == UInt8(ascii: "q"), value[index + 2] == UInt8(ascii: "?")
      else { return nil }
      let textStart = index + 3
      index = textStart
      while index + 1 < value.endIndex {
        if value[index] == UInt8(ascii: "?"), value[index + 1] == UInt8(ascii: "=") {
          let charset = label.prefix { $0 != UInt8(ascii: "*") }
          return EncodedWord(
            charset: String(decoding: charset, as: UTF8.self), isBase64: encoding == UInt8(ascii: "b"),
            text: value[textStart..<index], end: index + 2)
        }
        index += 1
      }
      hasTerminators = false
      return nil
    }
  }

  /// Decodes a value without syntax of its own: `Subject`, a display name, a comment.
  static func decodeUnstructured(_ value: ArraySlice<UInt8>) -> String {
    if let text = plainText(value) { return text }
    var scanner = Scanner(value)
    var output = ""
    var plain: [UInt8] = []
    // Adjacent words of one character set are decoded together: writers cut characters in two.
    var pendingBytes: [UInt8] = []
    var pendingCharset: String?
    var gap: [UInt8] = []

    func flushPlain() {
      if plain.isEmpty { return }
      output += Charset.decode(plain[...], label: nil).text
      plain.removeAll(keepingCapacity: true)
    }
    func flushWords() {
      guard let charset = pendingCharset else { return }
      output += Charset.decode(pendingBytes[...], label: charset).text
      pendingBytes.removeAll(keepingCapacity: true)
      pendingCharset = nil
      plain += gap
      gap.removeAll(keepingCapacity: true)
    }

    var index = value.startIndex
    while index < value.endIndex {
      let byte = value[index]
      if byte == UInt8(ascii: "="), let word = scanner.word(at: index) {
        index = word.end
        if let charset = pendingCharset, charset.lowercased() != word.charset.lowercased() {
          gap.removeAll(keepingCapacity: true)
          flushWords()
        }
        gap.removeAll(keepingCapacity: true)
        flushPlain()
        pendingCharset = word.charset
        if pendingBytes.isEmpty { pendingBytes = word.bytes } else { pendingBytes += word.bytes }
        continue
      }
      if byte.isMailWhitespace {
        let run = whitespace(in: value, at: index)
        index = run.end
        if pendingCharset != nil { gap += run.text } else { plain += run.text }
        continue
      }
      flushWords()
      let start = index
      repeat {
        index += 1
      } while index < value.endIndex && !value[index].isMailWhitespace
        && value[index] != UInt8(ascii: "=")
      plain += value[start..<index]
    }
    flushWords()
    flushPlain()
    return output.withoutControlCharacters.trimmingASCIIWhitespace
  }

  /// The value if it is plain ASCII on one line without an encoded word, which most are.
  private static func plainText(_ value: ArraySlice<UInt8>) -> String? {
    value.withUnsafeBufferPointer { bytes in
      var start = 0
      var end = bytes.count
      while start < end, bytes[start].isMailWhitespace { start += 1 }
      while end > start, bytes[end - 1].isMailWhitespace { end -= 1 }
      var previous: UInt8 = 0
      for byte in bytes[start..<end] {
        if byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "?") && previous == UInt8(ascii: "=") { return nil }
        previous = byte
      }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  /// A run of white space, kept as it is, or as one space where it holds a line end.
  private static func whitespace(in value: ArraySlice<UInt8>, at start: Int) -> (text: ArraySlice<UInt8>, end: Int) {
    var end = start
    var isFold = false
    while end < value.endIndex, value[end].isMailWhitespace {
      if value[end] == UInt8.lineFeed || value[end] == UInt8.carriageReturn { isFold = true }
      end += 1
    }
    return (isFold ? [UInt8.space] : value[start..<end], end)
  }
}

extension String {
  /// The text with line ends made spaces and other control characters but the tab left out, as a header value may hold
  /// none, even where an encoded word smuggles them in.
  fileprivate var withoutControlCharacters: String {
    // These bytes occur in no longer character.
    guard utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return self }
    var output = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x0D: output.append(" ")
      case 0x09, 0x20...0x7E, 0x80...: output.append(scalar)
      default: break
      }
    }
    return String(output)
  }
}

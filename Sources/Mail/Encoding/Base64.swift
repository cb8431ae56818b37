/// Base64 as mail carries it (RFC 2045 §6.8): tolerant when reading, 76 columns when writing.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte in the alphabet; 255 for bytes outside it, 254 for the padding sign.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    // RFC 4648 §5: the file-name-safe alphabet turns up in mail, too.
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    values[Int(UInt8(ascii: "="))] = 254
    return values
  }()

  /// The result of decoding a text.
  struct Decoded {
    var bytes: [UInt8] = []
    /// Bytes that are neither in the alphabet nor white space; they were skipped.
    var foreignCount = 0
    /// Whether the last group of four lacks digits and padding.
    var isTruncated = false
  }

  /// Decodes what can be decoded: bytes outside the alphabet are skipped and missing padding is supplied. After padding,
  /// decoding goes on where the next line is base64, as where two encoded texts were concatenated, and otherwise ends:
  /// mailing lists append plain text.
  static func decode(_ encoded: ArraySlice<UInt8>) -> Decoded {
    var output = Decoded()
    let first = encoded.startIndex
    output.bytes = encoded.withUnsafeBufferPointer { source in
      values.withUnsafeBufferPointer { values in
        [UInt8](unsafeUninitializedCapacity: source.count / 4 * 3 + 3) { target, count in
          var group: UInt32 = 0
          var digits = 0
          var index = 0
          func flush() {
            if digits == 2 {
              target[count] = UInt8(truncatingIfNeeded: group >> 4)
              count += 1
            } else if digits == 3 {
              target[count] = UInt8(truncatingIfNeeded: group >> 10)
              target[count + 1] = UInt8(truncatingIfNeeded: group >> 2)
              count += 2
            }
            group = 0
            digits = 0
          }
          while index < source.count {
            // Groups of four that nothing interrupts, which all but the ends of lines are.
            if digits == 0, index + 4 <= source.count {
              let (one, two) = (values[Int(source[index])], values[Int(source[index + 1])])
              let (three, four) = (values[Int(source[index + 2])], values[Int(source[index + 3])])
              if one | two | three | four < 64 {
                let bits = UInt32(one) << 18 | UInt32(two) << 12 | UInt32(three) << 6 | UInt32(four)
                target[count] = UInt8(truncatingIfNeeded: bits >> 16)
                target[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                target[count + 2] = UInt8(truncatingIfNeeded: bits)
                count += 3
                index += 4
                continue
              }
            }
            let byte = source[index]
            index += 1
            let value = values[Int(byte)]
            if value < 64 {
              group = group << 6 | UInt32(value)
              digits += 1
              if digits == 4 {
                target[count] = UInt8(truncatingIfNeeded: group >> 16)
                target[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
                target[count + 2] = UInt8(truncatingIfNeeded: group)
                count += 3
                group = 0
                digits = 0
              }
            } else if value == 254 {
              flush()
              guard let next = nextRun(in: encoded, after: first + index) else { return }
              index = next - first
            } else if !byte.isMailWhitespace {
              output.foreignCount += 1
            }
          }
          output.isTruncated = digits > 0
          flush()
        }
      }
    }
    return output
  }

  /// The start of the next line that is base64 throughout, after padding.
  private static func nextRun(in encoded: ArraySlice<UInt8>, after padding: Int) -> Int? {
    var start = padding
    while start < encoded.endIndex, encoded[start] == UInt8(ascii: "=") || encoded[start].isMailWhitespace {
      start += 1
    }
    let isNewLine = encoded[padding..<start].contains(UInt8.lineFeed)
    guard isNewLine, start < encoded.endIndex else { return nil }
    let line = encoded[start..<encoded.lineEnd(from: start).content].trimmingMailWhitespace
    return isLine(line) ? start : nil
  }

  /// Whether a line is base64 throughout, and no word or rule that happens to have the same letters.
  static func isLine(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count.isMultiple(of: 4), line.count >= 16 || line.last == UInt8(ascii: "=") else { return false }
    return line.allSatisfy { values[Int($0)] != 255 && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
  }

  /// Whether a byte is one of the 64 digits.
  static func isDigit(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

  /// The number of bytes that `decode` returns for text without padding in the middle, without decoding it.
  static func decodedCount(_ encoded: ArraySlice<UInt8>) -> Int {
    let digits = encoded.reduce(0) { $0 + (values[Int($1)] < 64 ? 1 : 0) }
    return digits * 3 / 4
  }

  /// Encodes bytes; with a line length, a CRLF follows each full line but the last.
  static func encode(_ bytes: some Sequence<UInt8>, lineLength: Int? = nil) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.underestimatedCount * 4 / 3 + 4)
    var column = 0
    func emit(_ group: UInt32, _ digits: Int) {
      if let lineLength, column >= lineLength {
        output.append(UInt8.carriageReturn)
        output.append(UInt8.lineFeed)
        column = 0
      }
      for index in 0..<4 {
        let digit = Int(group >> UInt32(18 - 6 * index) & 63)
        output.append(index < digits ? alphabet[digit] : UInt8(ascii: "="))
      }
      column += 4
    }
    var group: UInt32 = 0
    var held = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      held += 1
      if held == 3 {
        emit(group, 4)
        group = 0
        held = 0
      }
    }
    if held == 1 { emit(group << 16, 2) }
    if held == 2 { emit(group << 8, 3) }
    return output
  }
}

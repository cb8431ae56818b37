/// Quoted-printable (RFC 2045 §6.7) and the Q encoding of header words (RFC 2047 §4.2).
enum QuotedPrintable {
  /// Decodes a body: soft line breaks join lines, white space before a line end is dropped, and a broken escape is kept.
  static func decode(_ encoded: ArraySlice<UInt8>) -> [UInt8] {
    encoded.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
        count = decode(source, into: target)
      }
    }
  }

  /// Decodes into memory that is at least as large as the source.
  ///
  /// - Returns: The number of bytes written.
  private static func decode(_ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>)
    -> Int
  {
    var count = 0
    var index = 0
    // Where trailing white space of the current line begins in the output; literal characters move it along.
    var lineContentEnd = 0
    while index < source.count {
      let byte = source[index]
      index += 1
      switch byte {
      case UInt8(ascii: "="):
        if index + 1 < source.count, let high = source[index].hexadecimalDigit,
          let low = source[index + 1].hexadecimalDigit
        {
          target[count] = high << 4 | low
          count += 1
          index += 2
        } else if let next = afterSoftBreak(source, from: index) {
          index = next
        } else {
          target[count] = byte
          count += 1
        }
        lineContentEnd = count
      case UInt8.space, UInt8.tab:
        target[count] = byte
        count += 1
      case UInt8.carriageReturn, UInt8.lineFeed:
        target[lineContentEnd] = byte
        count = lineContentEnd + 1
        lineContentEnd = count
      default:
        target[count] = byte
        count += 1
        lineContentEnd = count
      }
    }
    return lineContentEnd
  }

  /// The index behind the line end that a `=` takes away; `nil` if none follows.
  private static func afterSoftBreak(_ source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var end = start
    while end < source.count, source[end] == UInt8.space || source[end] == UInt8.tab { end += 1 }
    if end == source.count { return end }
    if source[end] == UInt8.lineFeed { return end + 1 }
    guard source[end] == UInt8.carriageReturn else { return nil }
    return end + 1 < source.count && source[end + 1] == UInt8.lineFeed ? end + 2 : end + 1
  }

  /// Decodes the text of a Q-encoded word, where `_` represents a space; folds inside it are dropped.
  static func decodeWord(_ encoded: ArraySlice<UInt8>) -> [UInt8] {
    encoded.withUnsafeBufferPointer { encoded in
      // Decoded text is never longer.
      [UInt8](unsafeUninitializedCapacity: encoded.count) { output, count in
        var index = 0
        while index < encoded.count {
          var byte = encoded[index]
          index += 1
          if byte == UInt8(ascii: "_") {
            byte = UInt8.space
          } else if byte == UInt8(ascii: "="), index + 1 < encoded.count,
            let high = encoded[index].hexadecimalDigit, let low = encoded[index + 1].hexadecimalDigit
          {
            byte = high << 4 | low
            index += 2
          } else if byte == UInt8.carriageReturn || byte == UInt8.lineFeed {
            while index < encoded.count, encoded[index].isMailWhitespace { index += 1 }
            continue
          }
          output[count] = byte
          count += 1
        }
      }
    }
  }

  /// Encodes a text body whose lines end with CRLF: lines of at most 76 columns, `From ` at a line start and a lone dot
  /// protected from mail systems that would change them.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 8)
    var column = 0
    func emit(_ byte: UInt8, escaped: Bool) {
      if column + (escaped ? 3 : 1) > 75 {
        output += [UInt8(ascii: "="), UInt8.carriageReturn, UInt8.lineFeed]
        column = 0
      }
      if escaped {
        output += [UInt8(ascii: "="), byte.hexadecimalHigh, byte.hexadecimalLow]
        column += 3
      } else {
        output.append(byte)
        column += 1
      }
    }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : UInt8.carriageReturn
      index += 1
      switch byte {
      case UInt8.carriageReturn where next == UInt8.lineFeed && index < bytes.count:
        output += [UInt8.carriageReturn, UInt8.lineFeed]
        column = 0
        index += 1
      case UInt8.space, UInt8.tab:
        emit(byte, escaped: next == UInt8.carriageReturn)
      case UInt8(ascii: "F") where column == 0 && bytes[index...].starts(with: Array("rom ".utf8)):
        emit(byte, escaped: true)
      case UInt8(ascii: ".") where column == 0:
        emit(byte, escaped: true)
      case 0x21...0x7E where byte != UInt8(ascii: "="):
        emit(byte, escaped: false)
      default:
        emit(byte, escaped: true)
      }
    }
    return output
  }
}

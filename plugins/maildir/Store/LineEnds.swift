/// Line ends of messages.
enum LineEnds {
  /// The bytes with LF where every line ends with CRLF; unchanged where line ends are mixed, since those may matter.
  static func unix(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0d {
        guard index + 1 < bytes.count, bytes[index + 1] == 0x0a else { return bytes }
        index += 1
        result.append(0x0a)
      } else if byte == 0x0a {
        return bytes
      } else {
        result.append(byte)
      }
      index += 1
    }
    return result
  }
}

/// Line ends of messages.
enum LineEnds {
  /// The bytes with LF where every line ends with CRLF; unchanged where line ends are mixed, since those may matter.
  static func unix(_ bytes: [UInt8]) -> [UInt8] {
    var isMixed = false
    let result = [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
      bytes.withUnsafeBufferPointer { bytes in
        var index = 0
        while index < bytes.count {
          let byte = bytes[index]
          if byte == 0x0d || byte == 0x0a {
            guard byte == 0x0d, index + 1 < bytes.count, bytes[index + 1] == 0x0a else {
              isMixed = true
              return
            }
            index += 1
          }
          result[count] = bytes[index]
          count += 1
          index += 1
        }
      }
    }
    return isMixed ? bytes : result
  }
}

extension LineEnds {
  /// A piece of a message with CRLF for every LF that has no CR before it.
  /// - Parameter endsWithReturn: Whether the piece before ended with CR; afterwards, whether this one does.
  static func wire(_ bytes: [UInt8], after endsWithReturn: inout Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 32)
    var start = bytes.startIndex
    for index in bytes.indices where bytes[index] == 0x0a {
      let isReturnBefore = index > bytes.startIndex ? bytes[index - 1] == 0x0d : endsWithReturn
      if isReturnBefore { continue }
      result += bytes[start..<index]
      result.append(0x0d)
      start = index
    }
    result += bytes[start...]
    endsWithReturn = bytes.last == 0x0d
    return result
  }
}

/// Line ends of messages: CR and LF on the wire, LF alone in files.
public enum LineEnds {
  /// The bytes with LF where every line ends with CRLF; unchanged where line ends are mixed, since those may matter.
  public static func unix(_ bytes: [UInt8]) -> [UInt8] {
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

  /// A whole message with CRLF for every LF that has no CR before it.
  public static func wire(_ bytes: [UInt8]) -> [UInt8] {
    var endsWithReturn = false
    return wire(bytes, after: &endsWithReturn)
  }

  /// A piece of a message with CRLF for every LF that has no CR before it.
  ///
  /// - Parameter endsWithReturn: Whether the piece before ended with CR; afterwards, whether this one does.
  public static func wire(_ bytes: [UInt8], after endsWithReturn: inout Bool) -> [UInt8] {
    var bare: [Int] = []
    bytes.withUnsafeBufferPointer { bytes in
      var isReturnBefore = endsWithReturn
      for index in bytes.indices {
        if bytes[index] == 0x0a, !isReturnBefore { bare.append(index) }
        isReturnBefore = bytes[index] == 0x0d
      }
    }
    if let last = bytes.last { endsWithReturn = last == 0x0d }
    guard !bare.isEmpty else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bare.count)
    var start = 0
    for index in bare {
      result += bytes[start..<index]
      result.append(0x0d)
      start = index
    }
    return result + bytes[start...]
  }
}

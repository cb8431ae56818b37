#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Line ends of messages: CR and LF on the wire, LF alone in files.
public enum LineEnds {
  /// The bytes with LF where every line ends with CRLF; unchanged where line ends are mixed, since those may matter.
  public static func unix(_ bytes: some RandomAccessCollection<UInt8>) -> [UInt8] {
    let stored = bytes.withContiguousStorageIfAvailable { $0.isEmpty ? [] : unix(in: UnsafeRawBufferPointer($0)) }
    return (stored ?? Array(bytes).withUnsafeBytes { unix(in: $0) }) ?? Array(bytes)
  }

  /// The bytes with LF, or `nil` if some line ends are not CRLF.
  private static func unix(in bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let base = bytes.baseAddress else { return [] }
    var isMixed = false
    let result = [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
      guard let target = UnsafeMutableRawPointer(result.baseAddress) else { return }
      var start = 0
      while start < bytes.count {
        let line = base + start
        let rest = bytes.count - start
        let end = memchr(line, 0x0a, rest).map { UnsafeRawPointer($0) - line }
        let firstReturn = memchr(line, 0x0d, end ?? rest).map { UnsafeRawPointer($0) - line }
        // The only CR of a line precedes its LF.
        guard firstReturn == end.map({ $0 - 1 }) else {
          isMixed = true
          return
        }
        let length = firstReturn ?? rest
        memcpy(target + count, line, length)
        count += length
        start += length
        guard end != nil else { return }
        (target + count).storeBytes(of: 0x0a, as: UInt8.self)
        count += 1
        start += 2
      }
    }
    return isMixed ? nil : result
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

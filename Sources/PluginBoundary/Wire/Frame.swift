/// One message between the host and a worker process, as it goes over the socket.
///
/// A frame is a header of 16 bytes in the machine's own byte order (both ends are the same program) and a payload: the
/// payload's length (4 bytes), the type (1 byte), three bytes of zero, an id (8 bytes). The meaning of the id depends on the
/// type.
package struct Frame: Equatable {
  /// The bytes of a header.
  package static let headerBytes = 16
  /// The largest payload; an answer may have 64 MiB, and what surrounds it a little.
  package static let payloadLimit = 72 << 20

  package let type: UInt8
  package let id: UInt64
  package let payload: [UInt8]
}

/// The other end does not keep to the protocol.
package struct FrameViolation: Error, Equatable {
  /// The violation, for a developer.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// Takes frames out of a stream of bytes.
package struct FrameDecoder {
  private static let chunk = 128 << 10

  private var buffer: [UInt8] = []
  private var start = 0
  private var end = 0
  private let payloadLimit: Int

  package init(payloadLimit: Int = Frame.payloadLimit) {
    self.payloadLimit = payloadLimit
  }

  /// Makes room and has it filled.
  ///
  /// - Parameter read: Writes to the beginning of the memory and returns how many bytes; 0 and less change nothing.
  package mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    if start == end {
      start = 0
      end = 0
      // A large frame does not keep its memory.
      if buffer.count > 4 * FrameDecoder.chunk { buffer = [] }
    }
    if buffer.count - end < FrameDecoder.chunk / 2 {
      if start > 0 {
        buffer.withUnsafeMutableBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          base.copyMemory(from: base + start, byteCount: end - start)
        }
        end -= start
        start = 0
      }
      // Grows with what has arrived, not with what a header promises.
      let wanted = max(FrameDecoder.chunk, 2 * end)
      if buffer.count < wanted { buffer += [UInt8](repeating: 0, count: wanted - buffer.count) }
    }
    let count = buffer.withUnsafeMutableBytes { read(UnsafeMutableRawBufferPointer(rebasing: $0[end...])) }
    if count > 0 { end += min(count, buffer.count - end) }
    return count
  }

  /// The next complete frame; `nil` if more bytes are needed.
  package mutating func next() throws(FrameViolation) -> Frame? {
    guard end - start >= Frame.headerBytes else { return nil }
    let header = start
    let (length, word, id) = buffer.withUnsafeBytes { bytes in
      (
        Int(bytes.loadUnaligned(fromByteOffset: header, as: UInt32.self)),
        bytes.loadUnaligned(fromByteOffset: header + 4, as: UInt32.self),
        bytes.loadUnaligned(fromByteOffset: header + 8, as: UInt64.self)
      )
    }
    guard length <= payloadLimit else { throw FrameViolation("a frame of \(length) bytes") }
    guard let type = UInt8(exactly: UInt32(littleEndian: word)) else { throw FrameViolation("a broken header") }
    guard end - start >= Frame.headerBytes + length else { return nil }
    let payload = Array(buffer[(start + Frame.headerBytes)..<(start + Frame.headerBytes + length)])
    start += Frame.headerBytes + length
    return Frame(type: type, id: id, payload: payload)
  }
}

/// Puts a frame together.
package struct FrameBuilder {
  private var bytes: [UInt8]

  package init(type: UInt8, id: UInt64, reserving capacity: Int = 64) {
    bytes = []
    bytes.reserveCapacity(Frame.headerBytes + capacity)
    append(UInt32(0))
    append(UInt32(type).littleEndian)
    append(id)
  }

  /// Adds a number in the machine's byte order.
  package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Adds a length and bytes.
  package mutating func append(_ field: UnsafeRawBufferPointer) {
    append(UInt32(clamping: field.count))
    bytes.append(contentsOf: field)
  }

  package mutating func append(_ field: [UInt8]) { field.withUnsafeBytes { append($0) } }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The frame with its length.
  package consuming func finish() -> [UInt8] {
    let length = UInt32(clamping: bytes.count - Frame.headerBytes)
    var finished = bytes
    withUnsafeBytes(of: length) { field in
      for (index, byte) in field.enumerated() { finished[index] = byte }
    }
    return finished
  }
}

/// Takes the fields out of a frame's payload.
package struct FieldReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) throws(FrameViolation) -> Number {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= size else { throw FrameViolation("a frame that ends too early") }
    let place = position
    position += size
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }

  package mutating func field() throws(FrameViolation) -> [UInt8] {
    let count = Int(try number(UInt32.self))
    guard bytes.count - position >= count else { throw FrameViolation("a field that is longer than its frame") }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  package mutating func text() throws(FrameViolation) -> String {
    String(decoding: try field(), as: UTF8.self)
  }

  /// A number of elements, each of which takes some bytes at least: none can be promised that do not fit.
  package mutating func count(elementBytes: Int) throws(FrameViolation) -> Int {
    let count = Int(try number(UInt32.self))
    guard (bytes.count - position) / max(1, elementBytes) >= count else {
      throw FrameViolation("more elements than fit the frame")
    }
    return count
  }

  /// Nothing may be left.
  package func end() throws(FrameViolation) {
    guard position == bytes.count else { throw FrameViolation("a frame with \(bytes.count - position) bytes too many") }
  }
}

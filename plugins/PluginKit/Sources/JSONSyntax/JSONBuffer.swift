/// A JSON text that grows at its end.
public struct JSONBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var count = 0
  /// All bytes that need not be ASCII, put together: each bit is one that some of them has.
  var notASCII: UInt64 = 0

  /// Begins an empty text with room for so many bytes.
  public init(capacity: Int = 256) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// The length of the text in bytes.
  public var size: Int { count }

  /// The text.
  public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  /// The text as a string.
  public var text: String {
    // What was put in is UTF-8.
    String(
      copying: unsafe UTF8Span(
        unchecked: UnsafeBufferPointer(start: base, count: count).span,
        isKnownASCII: notASCII & 0x8080_8080_8080_8080 == 0))
  }

  /// Forgets the text and keeps the room.
  public mutating func removeAll() { count = 0 }

  /// Makes room for so many further bytes.
  @inlinable @inline(__always)
  mutating func reserve(_ length: Int) {
    if capacity - count < length { grow(length) }
  }

  @usableFromInline @inline(never)
  mutating func grow(_ length: Int) {
    // Small texts grow faster, as what is copied on the way counts more than room for a moment.
    capacity = max(count + length, capacity * (capacity < 1 << 16 ? 4 : 2), 64)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  /// Adds a byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Adds bytes, which are UTF-8.
  @inlinable
  public mutating func append(bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    (base + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  /// Adds `null`.
  @inlinable
  public mutating func appendNull() {
    reserve(8)
    put(0x6C6C_756E)
    count += 4
  }

  /// Adds `true` or `false`.
  @inlinable
  public mutating func append(_ condition: Bool) {
    reserve(8)
    put(condition ? 0x6575_7274 : 0x65_736C_6166)
    count += condition ? 4 : 5
  }

  /// Puts eight bytes behind the end, for which there must be room.
  @inlinable @inline(__always)
  func put(_ word: UInt64) {
    UnsafeMutableRawPointer(base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}

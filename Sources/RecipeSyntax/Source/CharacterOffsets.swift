/// Turns libyaml's positions, counted in Unicode scalars, into byte offsets.
struct CharacterOffsets {
  private static let stride = 64
  private let bytes: ArraySlice<UInt8>
  /// The byte offset of every 64th scalar; empty where every scalar is one byte long.
  private var checkpoints: [Int] = []

  /// Prepares the table of a text that is valid UTF-8.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    guard bytes.contains(where: { $0 >= 0x80 }) else { return }
    var count = 0
    for index in bytes.indices where bytes[index] & 0xC0 != 0x80 {
      if count.isMultiple(of: Self.stride) { checkpoints.append(index) }
      count += 1
    }
  }

  /// The byte offset of a scalar; one beyond the end counts as the end.
  func byteOffset(of scalar: Int) -> Int {
    guard !checkpoints.isEmpty else { return min(bytes.startIndex + max(scalar, 0), bytes.endIndex) }
    let checkpoint = max(scalar, 0) / Self.stride
    guard checkpoint < checkpoints.count else { return bytes.endIndex }
    var offset = checkpoints[checkpoint]
    var remaining = max(scalar, 0) % Self.stride
    while remaining > 0, offset < bytes.endIndex {
      offset += 1
      while offset < bytes.endIndex, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      remaining -= 1
    }
    return offset
  }
}

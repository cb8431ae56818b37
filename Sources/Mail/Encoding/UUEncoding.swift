/// `x-uuencode`, how files were sent before MIME: `begin 644 name`, lines with their length, `end`.
struct UUDecoder: Sendable {
  private enum State {
    case before
    case inside
    case after
  }

  private var state = State.before

  /// Decodes a body; text before the first `begin` and after its `end` is left out. A body without `begin` stays as it is.
  static func decode(_ encoded: ArraySlice<UInt8>) -> [UInt8] {
    var decoder = UUDecoder()
    var output: [UInt8] = []
    var index = encoded.startIndex
    while index < encoded.endIndex {
      let (end, next) = encoded.lineEnd(from: index)
      output += decoder.decodeLine(encoded[index..<end])
      index = next
    }
    if case .before = decoder.state { return Array(encoded) }
    return output
  }

  /// Decodes a line, its end left out.
  mutating func decodeLine(_ line: ArraySlice<UInt8>) -> [UInt8] {
    switch state {
    case .before:
      if line.starts(with: "begin ".utf8) { state = .inside }
      return []
    case .after: return []
    case .inside:
      if line.trimmingMailWhitespace.elementsEqual("end".utf8) {
        state = .after
        return []
      }
      return UUDecoder.bytes(line)
    }
  }

  private static func bytes(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = line.first, (0x20...0x60).contains(first) else { return [] }
    let count = Int((first - 0x20) & 63)
    var output: [UInt8] = []
    output.reserveCapacity(count + 3)
    var index = line.startIndex + 1
    while output.count < count, index < line.endIndex {
      var group: UInt32 = 0
      for offset in 0..<4 {
        // Spaces at the end of a line get lost on the way; they are zeros.
        let byte = index + offset < line.endIndex ? line[index + offset] : UInt8.space
        guard (0x20...0x60).contains(byte) else { return output }
        group = group << 6 | UInt32((byte - 0x20) & 63)
      }
      index += 4
      output.append(UInt8(truncatingIfNeeded: group >> 16))
      output.append(UInt8(truncatingIfNeeded: group >> 8))
      output.append(UInt8(truncatingIfNeeded: group))
    }
    return Array(output.prefix(count))
  }
}

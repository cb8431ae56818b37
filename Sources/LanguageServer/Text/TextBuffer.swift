/// How a client counts the characters of a line.
enum PositionEncoding: String, Sendable {
  /// Code units of UTF-16: what the protocol assumes where nothing was agreed.
  case utf16 = "utf-16"
  /// Bytes.
  case utf8 = "utf-8"
}

/// The text of an open file, with offsets in bytes and the positions of the protocol.
struct TextBuffer: Sendable {
  private(set) var bytes: [UInt8]
  private(set) var lineStarts: [Int]

  init(_ text: String) {
    bytes = Array(text.utf8)
    lineStarts = Self.lineStarts(bytes)
  }

  private static func lineStarts(_ bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      if byte == 10 || (byte == 13 && !(index + 1 < bytes.count && bytes[index + 1] == 10)) { starts.append(index + 1) }
    }
    return starts
  }

  /// The bytes of a line, counted from 0, without its line break.
  func lineRange(_ line: Int) -> Range<Int> {
    guard line >= 0 else { return 0..<0 }
    guard line < lineStarts.count else { return bytes.count..<bytes.count }
    let start = lineStarts[line]
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
    while end > start, bytes[end - 1] == 10 || bytes[end - 1] == 13 { end -= 1 }
    return start..<end
  }

  /// The line, counted from 0, that an offset is in.
  func line(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The offset of a position; one beyond a line's end counts as its end.
  func offset(line: Int, character: Int, _ encoding: PositionEncoding) -> Int {
    let range = lineRange(line)
    var offset = range.lowerBound
    var units = 0
    while offset < range.upperBound {
      let (length, width) = Self.scalar(bytes[offset])
      let size = encoding == .utf8 ? length : width
      if units + size > character { break }
      units += size
      offset = min(offset + length, range.upperBound)
    }
    return offset
  }

  /// The position of an offset.
  func position(of offset: Int, _ encoding: PositionEncoding) -> (line: Int, character: Int) {
    let offset = min(max(offset, 0), bytes.count)
    let line = line(of: offset)
    let start = lineStarts[line]
    if encoding == .utf8 { return (line, offset - start) }
    var units = 0
    var index = start
    while index < offset {
      let (length, width) = Self.scalar(bytes[index])
      units += width
      index += length
    }
    return (line, units)
  }

  /// How many bytes, and how many UTF-16 units, the scalar takes that begins with a byte.
  private static func scalar(_ lead: UInt8) -> (length: Int, width: Int) {
    switch lead {
    case 0xC0...0xDF: (2, 1)
    case 0xE0...0xEF: (3, 1)
    case 0xF0...0xF7: (4, 2)
    default: (1, 1)
    }
  }

  /// Puts a text in the place of a range.
  mutating func replace(_ range: Range<Int>, with text: String) {
    let lower = min(max(range.lowerBound, 0), bytes.count)
    bytes.replaceSubrange(lower..<min(max(range.upperBound, lower), bytes.count), with: Array(text.utf8))
    lineStarts = Self.lineStarts(bytes)
  }

  /// The text of a range.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// The whole text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

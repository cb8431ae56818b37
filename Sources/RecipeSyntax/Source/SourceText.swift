/// The bytes of one source file, with the table that turns byte offsets into lines and columns.
///
/// Lines end with LF, CR LF or CR. A byte order mark at the start belongs to no column.
public struct SourceText: Sendable {
  /// The file as the user named it; `<stdin>` and the like for what is no file.
  public let path: String
  /// The bytes as they were read.
  public let bytes: [UInt8]
  /// The offset at which each line starts.
  let lineStarts: [Int]
  /// How many UTF-8 continuation bytes come before each 64th byte; empty where the text is ASCII. With it a column far
  /// into a long line takes no longer than one at its start.
  private let continuations: [Int]

  /// Takes bytes as they were read.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A {
        starts.append(index)
      } else if byte == 0x0D {
        if index < bytes.count, bytes[index] == 0x0A { index += 1 }
        starts.append(index)
      }
    }
    lineStarts = starts
    continuations = Self.continuations(in: bytes)
  }

  private static func continuations(in bytes: [UInt8]) -> [Int] {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return [] }
    var counts: [Int] = []
    var count = 0
    for (offset, byte) in bytes.enumerated() {
      if offset & 63 == 0 { counts.append(count) }
      if byte & 0xC0 == 0x80 { count += 1 }
    }
    counts.append(count)
    return counts
  }

  /// How many continuation bytes come before an offset within the text.
  private func continuationCount(before offset: Int) -> Int {
    guard !continuations.isEmpty else { return 0 }
    var count = continuations[offset >> 6]
    for index in (offset & ~63)..<offset where bytes[index] & 0xC0 == 0x80 { count += 1 }
    return count
  }

  /// Takes a text.
  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The whole as a string; bytes that are no UTF-8 become U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of lines, at least 1.
  public var lineCount: Int { lineStarts.count }

  /// The position of a byte offset; one beyond the end counts as the end.
  public func position(at offset: Int) -> SourceRange.Position {
    let offset = min(max(offset, lineStarts[0]), bytes.count)
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    let start = min(lineStarts[low], offset)
    var column = offset - start - (continuationCount(before: offset) - continuationCount(before: start)) + 1
    // Inside of a scalar its own column counts.
    if offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { column -= 1 }
    return SourceRange.Position(line: low + 1, column: max(column, 1), offset: offset)
  }

  /// The range between two byte offsets.
  public func range(_ offsets: Range<Int>) -> SourceRange {
    SourceRange(start: position(at: offsets.lowerBound), end: position(at: offsets.upperBound))
  }

  /// The text of a line, counted from 1, without its line break; `nil` where there is no such line.
  public func line(_ number: Int) -> String? {
    guard let bounds = lineBounds(number) else { return nil }
    return String(decoding: bytes[bounds], as: UTF8.self)
  }

  /// The offsets of a line, counted from 1, without its line break.
  func lineBounds(_ number: Int) -> Range<Int>? {
    guard number >= 1, number <= lineStarts.count else { return nil }
    let start = min(lineStarts[number - 1], bytes.count)
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }
}

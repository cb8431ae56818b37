import Plans
import Schemas

/// The keys and values of a YAML text as far as lines and indentation show them.
///
/// An editor asks while a line is being written, when the text is not a YAML: so this reads everything and refuses nothing. The
/// parser reports errors.
struct Outline: Sendable {
  typealias Path = [SchemaViolation.PathElement]

  /// A value with its place.
  struct Entry: Sendable {
    /// The keys and positions that lead to it.
    var path: Path
    /// The bytes of its key; `nil` for an element of a list.
    var key: Range<Int>?
    /// The bytes of the value, its quotes included; empty if there is none on its line.
    var value: Range<Int>
    /// The text of a single value, without quotes.
    var text: String
    /// Whether a map or a list in brackets is the value.
    var isCollection = false
  }

  /// An open map or list of the block style.
  private struct Frame {
    var indent: Int
    var isList: Bool
    var path: Path
    var key = ""
    var index = 0

    /// The path of what is below it last.
    var current: Path { path + [isList ? .index(index) : .key(key)] }
  }

  private(set) var entries: [Entry] = []
  /// The first entry of each path.
  private var positions: [Path: Int] = [:]
  /// The entries with keys right below each path.
  private var children: [Path: [Int]] = [:]
  private var frames: [Frame] = []
  private let bytes: [UInt8]
  private let buffer: TextBuffer

  /// Reads a text up to a line, or all of it.
  init(_ buffer: TextBuffer, before end: Int? = nil) {
    self.buffer = buffer
    bytes = buffer.bytes
    var line = 0
    let count = min(end ?? buffer.lineStarts.count, buffer.lineStarts.count)
    while line < count {
      line = max(scan(line, count), line + 1)
    }
    for (position, entry) in entries.enumerated() {
      if positions[entry.path] == nil { positions[entry.path] = position }
      if entry.key != nil { children[Array(entry.path.dropLast()), default: []].append(position) }
    }
  }

  /// The path of the map or value that begins at a column of the line after those that were read.
  ///
  /// - Parameter dashes: The columns of the `-` that precede it on its line.
  func container(column: Int, dashes: [Int] = []) -> Path {
    var copy = self
    for dash in dashes { copy.openItem(at: dash) }
    return copy.position(column)
  }

  private mutating func openItem(at column: Int) {
    while let top = frames.last, top.indent > column { frames.removeLast() }
    if let top = frames.last, top.indent == column, top.isList {
      frames[frames.count - 1].index += 1
    } else {
      frames.append(Frame(indent: column, isList: true, path: frames.last?.current ?? []))
    }
  }

  private mutating func position(_ column: Int) -> Path {
    while let top = frames.last, top.indent > column || (top.indent == column && top.isList) { frames.removeLast() }
    guard let top = frames.last else { return [] }
    return top.indent == column ? top.path : top.current
  }

  /// Reads a line, and further ones that its value goes over; returns the line after.
  private mutating func scan(_ line: Int, _ count: Int) -> Int {
    let range = buffer.lineRange(line)
    var offset = range.lowerBound
    while offset < range.upperBound, bytes[offset] == 32 || bytes[offset] == 9 { offset += 1 }
    guard offset < range.upperBound, bytes[offset] != UInt8(ascii: "#") else { return line + 1 }
    while offset < range.upperBound, bytes[offset] == UInt8(ascii: "-"),
      offset + 1 == range.upperBound || bytes[offset + 1] == 32
    {
      openItem(at: offset - range.lowerBound)
      offset += 1
      while offset < range.upperBound, bytes[offset] == 32 { offset += 1 }
    }
    guard offset < range.upperBound else { return line + 1 }
    let column = offset - range.lowerBound
    guard let key = key(offset..<range.upperBound) else {
      let path = position(column)
      return value(offset, path, key: nil, indent: column, line, count)
    }
    let path = position(column)
    if frames.last.map({ $0.indent != column || $0.isList }) ?? true {
      frames.append(Frame(indent: column, isList: false, path: path))
    }
    frames[frames.count - 1].key = unquoted(key.range)
    offset = key.end
    while offset < range.upperBound, bytes[offset] == 32 { offset += 1 }
    return value(offset, frames[frames.count - 1].current, key: key.range, indent: column, line, count)
  }

  /// The key that a range begins with, and where what follows its colon begins.
  private func key(_ range: Range<Int>) -> (range: Range<Int>, end: Int)? {
    guard let first = range.first else { return nil }
    if [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "|"), UInt8(ascii: ">")].contains(bytes[first]) {
      return nil
    }
    var index = first
    if bytes[first] == UInt8(ascii: "\"") || bytes[first] == UInt8(ascii: "'") {
      index = quotedEnd(first, limit: range.upperBound)
      let end = index
      while index < range.upperBound, bytes[index] == 32 { index += 1 }
      guard index < range.upperBound, bytes[index] == UInt8(ascii: ":") else { return nil }
      return (first..<end, index + 1)
    }
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: ":"), index + 1 == range.upperBound || bytes[index + 1] == 32 {
        return (first..<index, index + 1)
      }
      if bytes[index] == UInt8(ascii: "#"), index > first, bytes[index - 1] == 32 { return nil }
      if bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "\"") { return nil }
      index += 1
    }
    return nil
  }

  private mutating func value(
    _ start: Int, _ path: Path, key: Range<Int>?, indent: Int, _ line: Int, _ count: Int
  ) -> Int {
    let range = buffer.lineRange(line)
    guard start < range.upperBound else {
      entries.append(Entry(path: path, key: key, value: range.upperBound..<range.upperBound, text: ""))
      return line + 1
    }
    let limit = count < buffer.lineStarts.count ? buffer.lineStarts[count] : bytes.count
    if isTemplate(start) {
      let end = plainEnd(start..<range.upperBound)
      entries.append(Entry(path: path, key: key, value: start..<end, text: buffer.text(start..<end)))
      return line + 1
    }
    switch bytes[start] {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      var last = line
      while last + 1 < count {
        let next = buffer.lineRange(last + 1)
        let blanks = bytes[next].prefix { $0 == 32 }.count
        if blanks < next.count, blanks <= indent { break }
        last += 1
      }
      let value = start..<buffer.lineRange(last).upperBound
      entries.append(Entry(path: path, key: key, value: value, text: buffer.text(value)))
      return last + 1
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let end = flow(start, path, key: key, limit: limit, depth: 0)
      return buffer.line(of: end) + 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      var end = quotedEnd(start, limit: range.upperBound)
      if end == range.upperBound, end == start + 1 || bytes[end - 1] != bytes[start] {
        // A text over several lines, or one whose end is still to be written: the next line with a key decides.
        let whole = quotedEnd(start, limit: min(limit, start + 20_000))
        let isClosed = whole > start + 1 && whole <= bytes.count && bytes[whole - 1] == bytes[start]
        if isClosed, indent < columnAfterBreak(end) { end = whole }
      }
      entries.append(Entry(path: path, key: key, value: start..<end, text: unquoted(start..<end)))
      return buffer.line(of: max(end - 1, start)) + 1
    default:
      let end = plainEnd(start..<range.upperBound)
      entries.append(Entry(path: path, key: key, value: start..<end, text: buffer.text(start..<end)))
      return line + 1
    }
  }

  private func columnAfterBreak(_ end: Int) -> Int {
    let next = buffer.lineRange(buffer.line(of: end) + 1)
    return bytes[next].prefix { $0 == 32 }.count
  }

  /// The end of a plain text, before its comment and the blanks before that.
  private func plainEnd(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    for index in range.dropFirst() where bytes[index] == UInt8(ascii: "#") && bytes[index - 1] == 32 {
      end = index
      break
    }
    while end > range.lowerBound, bytes[end - 1] == 32 || bytes[end - 1] == 13 { end -= 1 }
    return end
  }

  /// Whether an expression in braces without quotes begins at an offset.
  private func isTemplate(_ offset: Int) -> Bool {
    offset + 1 < bytes.count && bytes[offset] == UInt8(ascii: "{") && bytes[offset + 1] == UInt8(ascii: "{")
  }

  private func isClosing(_ offset: Int) -> Bool {
    offset + 1 < bytes.count && bytes[offset] == UInt8(ascii: "}") && bytes[offset + 1] == UInt8(ascii: "}")
  }

  private func quotedEnd(_ start: Int, limit: Int) -> Int {
    let quote = bytes[start]
    var index = start + 1
    while index < limit {
      if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 2
        continue
      }
      if bytes[index] == quote {
        if quote == UInt8(ascii: "'"), index + 1 < limit, bytes[index + 1] == quote {
          index += 2
          continue
        }
        return index + 1
      }
      index += 1
    }
    return limit
  }

  private func unquoted(_ range: Range<Int>) -> String {
    guard let first = range.first, bytes[first] == UInt8(ascii: "\"") || bytes[first] == UInt8(ascii: "'") else {
      return buffer.text(range)
    }
    let isClosed = range.count > 1 && bytes[range.upperBound - 1] == bytes[first]
    return buffer.text(first + 1..<(isClosed ? range.upperBound - 1 : range.upperBound))
  }

  /// Reads a map or list in brackets; returns where it ends.
  private mutating func flow(_ start: Int, _ path: Path, key: Range<Int>?, limit: Int, depth: Int) -> Int {
    let isMap = bytes[start] == UInt8(ascii: "{")
    let close = UInt8(ascii: isMap ? "}" : "]")
    let own = entries.count
    entries.append(Entry(path: path, key: key, value: start..<start + 1, text: "", isCollection: true))
    var index = start + 1
    var element = 0
    while index < limit, depth < 64 {
      while index < limit, bytes[index] <= 32 || bytes[index] == UInt8(ascii: ",") {
        if bytes[index] == UInt8(ascii: ",") { element += 1 }
        index += 1
      }
      guard index < limit, bytes[index] != close else { break }
      // An unclosed bracket ends where a line looks like one of the block style again.
      if bytes[index] == UInt8(ascii: "}") || bytes[index] == UInt8(ascii: "]") { break }
      var elementPath = path + [.index(element)]
      var elementKey: Range<Int>?
      if isMap {
        let keyStart = index
        if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
          index = quotedEnd(index, limit: limit)
        } else {
          while index < limit, !Self.endsFlowKey(bytes[index]) { index += 1 }
        }
        let keyEnd = index
        while index < limit, bytes[index] == 32 { index += 1 }
        elementPath = path + [.key(unquoted(keyStart..<keyEnd))]
        elementKey = keyStart..<keyEnd
        guard index < limit, bytes[index] == UInt8(ascii: ":") else {
          entries.append(Entry(path: elementPath, key: elementKey, value: keyEnd..<keyEnd, text: ""))
          if index == keyStart { index += 1 }
          continue
        }
        index += 1
        while index < limit, bytes[index] == 32 { index += 1 }
        guard index < limit else { break }
      }
      if isTemplate(index) {
        let valueStart = index
        while index < limit, bytes[index] != 10, !(bytes[index] == UInt8(ascii: "}") && isClosing(index)) { index += 1 }
        if index < limit, isClosing(index) { index += 2 }
        entries.append(
          Entry(path: elementPath, key: elementKey, value: valueStart..<index, text: buffer.text(valueStart..<index)))
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        index = flow(index, elementPath, key: elementKey, limit: limit, depth: depth + 1)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = quotedEnd(index, limit: limit)
        entries.append(Entry(path: elementPath, key: elementKey, value: index..<end, text: unquoted(index..<end)))
        index = end
      default:
        let valueStart = index
        while index < limit, !Self.endsFlowValue(bytes[index]) { index += 1 }
        var end = index
        while end > valueStart, bytes[end - 1] <= 32 { end -= 1 }
        entries.append(
          Entry(
            path: elementPath, key: elementKey, value: valueStart..<end, text: buffer.text(valueStart..<end)))
      }
    }
    let end = index < limit && bytes[index] == close ? index + 1 : index
    entries[own].value = start..<end
    return end
  }

  private static func endsFlowKey(_ byte: UInt8) -> Bool {
    byte <= 32 || [UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
  }

  private static func endsFlowValue(_ byte: UInt8) -> Bool {
    byte == 10 || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
  }

  // MARK: Looking up

  /// The entry of a path.
  func entry(_ path: Path) -> Entry? { positions[path].map { entries[$0] } }

  /// The text of the value at a path.
  func text(_ path: Path) -> String? { entry(path)?.text }

  /// The innermost entry whose value holds an offset.
  func entry(valueAt offset: Int) -> Entry? {
    entries.filter { $0.value.lowerBound <= offset && offset <= $0.value.upperBound && !$0.value.isEmpty }
      .min { $0.value.count < $1.value.count }
  }

  /// The entry whose key holds an offset.
  func entry(keyAt offset: Int) -> Entry? {
    entries.first { $0.key.map { $0.lowerBound <= offset && offset <= $0.upperBound } ?? false }
  }

  /// The names of the keys right below a path.
  func keys(below path: Path) -> [Entry] { (children[path] ?? []).map { entries[$0] } }
}

extension Outline.Entry {
  /// The last key of the path.
  var name: String {
    if case .key(let name)? = path.last { name } else { "" }
  }
}

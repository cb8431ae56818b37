/// Where each byte of a scalar's text stands in the file.
///
/// Reading a scalar removes quotes, escapes, indentation and line breaks. This walks the raw text once more by the same
/// rules and writes down where every byte came from; it is done only for a scalar that has a problem.
struct ScalarPositions {
  private let start: Int
  /// The raw offset of each byte of the text, and the raw offset after each.
  private var sources: [Range<Int>] = []
  private var text: [UInt8] = []
  /// Whether the walk arrived at the same text.
  let isExact: Bool

  /// Walks a scalar.
  ///
  /// - Parameters:
  ///   - scalar: The scalar as libyaml read it.
  ///   - start: The offset of its first raw byte: the quote, the block indicator.
  ///   - bytes: The whole file.
  init(_ scalar: Node.Scalar, at start: Int, in bytes: [UInt8]) {
    self.start = start
    let expected = Array(scalar.text.utf8)
    switch scalar.style {
    case .plain, .singleQuoted, .doubleQuoted:
      var walk = FlowScalarWalk(bytes: bytes, style: scalar.style, index: start, length: expected.count)
      walk.run()
      (text, sources) = (walk.text, walk.sources)
      isExact = text == expected
    case .literal, .folded:
      var found = false
      for indentation in BlockScalarWalk.indentations(bytes: bytes, start: start) {
        var walk = BlockScalarWalk(bytes: bytes, isFolded: scalar.style == .folded, start: start, indent: indentation)
        walk.run()
        guard walk.text.starts(with: expected) else { continue }
        text = expected
        sources = Array(walk.sources.prefix(expected.count))
        found = true
        break
      }
      isExact = found
    }
  }

  /// The raw place of a part of the text; `nil` where the walk did not arrive at the same text.
  func range(of offsets: Range<Int>) -> Range<Int>? {
    guard isExact else { return nil }
    guard let last = sources.last else { return start..<start }
    let lower = offsets.lowerBound < 0 ? 0 : offsets.lowerBound
    let begin = lower < sources.count ? sources[lower].lowerBound : last.upperBound
    guard offsets.upperBound > lower else { return begin..<begin }
    let end = offsets.upperBound <= sources.count ? sources[offsets.upperBound - 1].upperBound : last.upperBound
    return begin..<max(begin, end)
  }
}

/// Walks plain and quoted scalars: YAML 1.2.2, section 7.3.
private struct FlowScalarWalk {
  let bytes: [UInt8]
  let style: Node.ScalarStyle
  var index: Int
  let length: Int
  var text: [UInt8] = []
  var sources: [Range<Int>] = []

  init(bytes: [UInt8], style: Node.ScalarStyle, index: Int, length: Int) {
    self.bytes = bytes
    self.style = style
    self.index = style == .plain ? index : index + 1
    self.length = length
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func emit(_ output: some Sequence<UInt8>, _ source: Range<Int>) {
    for byte in output {
      text.append(byte)
      sources.append(source)
    }
  }

  mutating func run() {
    while let byte = current, text.count < length {
      if byte.isBlank || byte.isBreak {
        whitespace()
      } else if style == .singleQuoted, byte == UInt8(ascii: "'") {
        guard index + 1 < bytes.count, bytes[index + 1] == byte else { return }
        emit([byte], index..<index + 2)
        index += 2
      } else if style == .doubleQuoted, byte == UInt8(ascii: "\\") {
        escape()
      } else if style == .doubleQuoted, byte == UInt8(ascii: "\"") {
        return
      } else {
        emit([byte], index..<index + 1)
        index += 1
      }
    }
  }

  private mutating func whitespace() {
    let start = index
    while let byte = current, byte.isBlank { index += 1 }
    guard let byte = current, byte.isBreak else {
      for offset in start..<index { emit([bytes[offset]], offset..<offset + 1) }
      return
    }
    let first = index
    skipBreak()
    if !blankLines() { emit([UInt8(ascii: " ")], first..<first + 1) }
  }

  /// Passes over empty lines and indentation, each empty line being a line feed of the text.
  private mutating func blankLines() -> Bool {
    var any = false
    while true {
      while let byte = current, byte.isBlank { index += 1 }
      guard let byte = current, byte.isBreak else { return any }
      emit([0x0A], index..<index + 1)
      any = true
      skipBreak()
    }
  }

  private mutating func skipBreak() {
    if current == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
    index += 1
  }

  private mutating func escape() {
    let start = index
    index += 1
    guard let byte = current else { return }
    if byte.isBreak {
      skipBreak()
      _ = blankLines()
      return
    }
    index += 1
    let digits: Int
    switch byte {
    case UInt8(ascii: "x"): digits = 2
    case UInt8(ascii: "u"): digits = 4
    case UInt8(ascii: "U"): digits = 8
    default:
      if let character = Self.escapes[byte] { emit(String(character).utf8, start..<index) }
      return
    }
    let end = min(index + digits, bytes.count)
    let code = UInt32(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16) ?? 0xFFFD
    index = end
    emit(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8, start..<end)
  }

  /// YAML 1.2.2, section 5.7.
  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{07}", UInt8(ascii: "b"): "\u{08}", UInt8(ascii: "t"): "\t",
    0x09: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{0B}", UInt8(ascii: "f"): "\u{0C}",
    UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: " "): " ", UInt8(ascii: "\""): "\"",
    UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
    UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
  ]
}

/// Walks block scalars: YAML 1.2.2, section 8.1. Writes every trailing line break; the reader's text may have fewer.
private struct BlockScalarWalk {
  let bytes: [UInt8]
  let isFolded: Bool
  var index: Int
  let indent: Int
  var text: [UInt8] = []
  var sources: [Range<Int>] = []

  init(bytes: [UInt8], isFolded: Bool, start: Int, indent: Int) {
    self.bytes = bytes
    self.isFolded = isFolded
    index = start
    self.indent = indent
    while index < bytes.count, !bytes[index].isBreak { index += 1 }
    skipBreak()
  }

  /// The indentations a block scalar may have: what its first line with text suggests, then every smaller one, since a
  /// header such as `|2` leaves further spaces to the text.
  static func indentations(bytes: [UInt8], start: Int) -> [Int] {
    var probe = BlockScalarWalk(bytes: bytes, isFolded: false, start: start, indent: 0)
    while true {
      let lineStart = probe.index
      while probe.index < bytes.count, bytes[probe.index] == 0x20 { probe.index += 1 }
      guard probe.index < bytes.count else { return [probe.index - lineStart] }
      if bytes[probe.index].isBreak {
        probe.skipBreak()
        continue
      }
      return Array((0...min(probe.index - lineStart, 200)).reversed())
    }
  }

  private mutating func skipBreak() {
    guard index < bytes.count else { return }
    if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
    index += 1
  }

  private mutating func emit(_ byte: UInt8, _ source: Range<Int>) {
    text.append(byte)
    sources.append(source)
  }

  mutating func run() {
    var leadingBreak: Int?
    var emptyLines = skipEmptyLines()
    var followsBlank = false
    while let column = columnOfContent(), column >= indent {
      index += indent
      let startsBlank = bytes[index].isBlank
      if let position = leadingBreak {
        if isFolded, !followsBlank, !startsBlank {
          if emptyLines.isEmpty { emit(0x20, position..<position + 1) }
        } else {
          emit(0x0A, position..<position + 1)
        }
      }
      for position in emptyLines { emit(0x0A, position..<position + 1) }
      followsBlank = startsBlank
      while index < bytes.count, !bytes[index].isBreak {
        emit(bytes[index], index..<index + 1)
        index += 1
      }
      leadingBreak = index
      guard index < bytes.count else { break }
      skipBreak()
      emptyLines = skipEmptyLines()
    }
    if let position = leadingBreak { emit(0x0A, position..<position + 1) }
    for position in emptyLines { emit(0x0A, position..<position + 1) }
  }

  /// Passes over lines that hold nothing beyond the indentation, and returns where each ends.
  private mutating func skipEmptyLines() -> [Int] {
    var ends: [Int] = []
    while true {
      var end = index
      while end < bytes.count, bytes[end] == 0x20, end - index < indent { end += 1 }
      guard end < bytes.count, bytes[end].isBreak else { return ends }
      ends.append(end)
      index = end
      skipBreak()
    }
  }

  /// How far the current line is indented, at most up to the scalar's own indentation; `nil` at the end of the file.
  private func columnOfContent() -> Int? {
    var end = index
    while end < bytes.count, bytes[end] == 0x20, end - index < indent { end += 1 }
    return end < bytes.count ? end - index : nil
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
  fileprivate var isBreak: Bool { self == 0x0A || self == 0x0D }
}

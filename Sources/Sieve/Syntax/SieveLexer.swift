import Localization

/// Cuts a Sieve script into tokens.
struct SieveLexer {
  private let bytes: [UInt8]
  private var index = 0
  private var title: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The next token.
  ///
  /// - Throws: An error for anything but a token.
  mutating func next() throws(SieveSyntaxError) -> SieveToken {
    title = nil
    try skipSpace()
    let start = index
    guard let byte = current else { return SieveToken(kind: .end, range: start..<start, title: title) }
    let kind: SieveToken.Kind
    switch byte {
    case UInt8(ascii: "\""): kind = .string(try quoted())
    case UInt8(ascii: ":"):
      index += 1
      guard let first = current, Self.isWord(first) else { throw unexpected(start) }
      kind = .tag(word())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number(try number())
    case _ where "[](){},;".utf8.contains(byte):
      index += 1
      kind = .mark(byte)
    case _ where Self.isWord(byte):
      let name = word()
      kind = name == "text" && current == UInt8(ascii: ":") ? .string(try multiLine(from: start)) : .identifier(name)
    default: throw unexpected(start)
    }
    return SieveToken(kind: kind, range: start..<index, title: title)
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func word() -> String {
    let start = index
    while let byte = current, Self.isWord(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
  }

  private func unexpected(_ start: Int) -> SieveSyntaxError {
    var end = min(start + 1, bytes.count)
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return SieveSyntaxError(
      message: .init("this is not Sieve", de: "das ist kein Sieve"), range: start..<end)
  }

  /// White space, `# comments` and `/* comments */`.
  private mutating func skipSpace() throws(SieveSyntaxError) {
    while let byte = current {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "#"):
        let start = index
        while let byte = current, byte != 0x0A, byte != 0x0D { index += 1 }
        if let found = Self.title(bytes[start..<index]) { title = found }
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*"):
        let start = index
        index += 2
        while index + 1 < bytes.count, bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/") {
          index += 1
        }
        guard index + 1 < bytes.count else {
          throw SieveSyntaxError(
            message: .init("this comment has no end", de: "dieser Kommentar hat kein Ende"), range: start..<start + 2)
        }
        index += 2
      default: return
      }
    }
  }

  /// The name in `# rule:[Name]`, as Roundcube and others write it.
  private static func title(_ comment: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: comment.dropFirst(), as: UTF8.self).drop { $0 == " " || $0 == "#" }
    guard text.lowercased().hasPrefix("rule:["), let end = text.lastIndex(of: "]") else { return nil }
    let name = text[text.index(text.startIndex, offsetBy: 6)..<end]
    return name.isEmpty ? nil : String(name.prefix(80))
  }

  private mutating func number() throws(SieveSyntaxError) -> Int64 {
    let start = index
    var value: Int64 = 0
    func tooLarge(_ end: Int) -> SieveSyntaxError {
      SieveSyntaxError(message: .init("this number is too large", de: "diese Zahl ist zu groß"), range: start..<end)
    }
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      index += 1
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      guard value <= 1 << 40 else { throw tooLarge(index) }
    }
    guard let byte = current else { return value }
    let shifts: [UInt8: Int64] = [
      UInt8(ascii: "k"): 10, UInt8(ascii: "K"): 10, UInt8(ascii: "m"): 20, UInt8(ascii: "M"): 20,
      UInt8(ascii: "g"): 30, UInt8(ascii: "G"): 30,
    ]
    if let shift = shifts[byte] {
      index += 1
      guard value < 1 << (50 - shift) else { throw tooLarge(index) }
      value <<= shift
    }
    if let byte = current, Self.isWord(byte) { throw unexpected(index) }
    return value
  }

  private mutating func quoted() throws(SieveSyntaxError) -> String {
    let start = index
    index += 1
    var text: [UInt8] = []
    while let byte = current {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let next = current else { break }
        text.append(next)
        index += 1
      case 0x0D where current == 0x0A: break
      default: text.append(byte)
      }
    }
    throw SieveSyntaxError(
      message: .init("this text has no closing quote", de: "diesem Text fehlt das schließende Anführungszeichen"),
      range: start..<start + 1)
  }

  /// `text:` and the lines up to a single dot; a dot that begins a line is doubled.
  private mutating func multiLine(from start: Int) throws(SieveSyntaxError) -> String {
    let noEnd = SieveSyntaxError(
      message: .init(
        "this text does not end with a line that is a dot",
        de: "dieser Text endet nicht mit einer Zeile aus einem Punkt"),
      range: start..<start + 5)
    index += 1
    while let byte = current, byte == 0x20 || byte == 0x09 { index += 1 }
    if current == UInt8(ascii: "#") { while let byte = current, byte != 0x0A { index += 1 } }
    if current == 0x0D { index += 1 }
    guard current == 0x0A else { throw noEnd }
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      var end = index
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      guard end < bytes.count || index < end else { break }
      var line = bytes[index..<end]
      if line.last == 0x0D { line = line.dropLast() }
      index = min(end + 1, bytes.count)
      if line.first == UInt8(ascii: ".") {
        if line.count == 1 { return String(decoding: text, as: UTF8.self) }
        line = line.dropFirst(line.dropFirst().first == UInt8(ascii: ".") ? 1 : 0)
      }
      text += line
      text.append(0x0A)
    }
    throw noEnd
  }
}

/// Finds values that belong to a name of a program: `DB_PASS=…`, `"client_secret": "…"`, `x-api-key: …`, `<password>…</password>`.
struct SecretAssignments {
  private static let longestName = 64
  private static let longestValue = 1_024
  private static let longestTag = 300

  private let bytes: UnsafeBufferPointer<UInt8>

  /// Every value of a text whose name says that it is a secret.
  static func find(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    let reader = SecretAssignments(bytes: bytes)
    var found: [Range<Int>] = []
    var end = 0
    func add(_ value: Range<Int>) {
      found.append(value)
      end = value.upperBound
    }
    for index in bytes.indices where index >= end {
      switch bytes[index] {
      case 0x3A, 0x3D: if let value = reader.assigned(at: index) { add(value) }
      case 0x3C: if let value = reader.element(at: index) { add(value) }
      default: break
      }
    }
    return found
  }

  private func byte(_ place: Int) -> UInt8 { place >= 0 && place < bytes.count ? bytes[place] : 0 }

  private static func isName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x2D || byte == 0x2E
      || byte >= 0x80
  }

  // MARK: - Assignments

  /// The value behind a colon or an equals sign.
  private func assigned(at sign: Int) -> Range<Int>? {
    guard byte(sign + 1) != 0x3D, byte(sign - 1) != 0x3D, byte(sign - 1) != 0x21 else { return nil }
    let isColon = bytes[sign] == 0x3A
    var end = sign
    // ":=", "?="
    while end > 0, sign - end < 3, byte(end - 1) == 0x20 || byte(end - 1) == 0x3A || byte(end - 1) == 0x3F { end -= 1 }
    if end > 1, byte(end - 1) == 0x5D { end -= 1 }
    // `\"` in a string of JSON.
    let quote = byte(end - 1) == 0x22 || byte(end - 1) == 0x27 ? byte(end - 1) : 0
    if quote != 0 { end -= 1 }
    if quote != 0, byte(end - 1) == 0x5C { end -= 1 }
    var start = end
    while start > 0, end - start <= Self.longestName, Self.isName(bytes[start - 1]) { start -= 1 }
    guard start < end, quote == 0 || byte(start - 1) == quote else { return nil }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let strength = SecretNames.strength(of: name) else { return nil }
    // A word of a sentence before a colon is the business of SecretReader.
    guard quote != 0 || !isColon || Self.isOfProgram(name) else { return nil }
    var value = sign + 1
    while value - sign < 200, byte(value) == 0x20 || byte(value) == 0x09 { value += 1 }
    if isColon, quote != 0, byte(value) == 0x0A || byte(value) == 0x0D {
      while value - sign < 200, byte(value) != 0, byte(value) <= 0x20 { value += 1 }
    }
    if byte(value) == 0x22 || byte(value) == 0x27 || byte(value) == 0x5C && byte(value + 1) == 0x22 {
      guard let range = quoted(at: value) else { return nil }
      return isSecret(range, strength, isQuoted: true) ? range : nil
    }
    let isQuery = byte(start - 1) == 0x3F || byte(start - 1) == 0x26
    guard let range = bare(at: value, isQuery: isQuery, isMember: quote != 0) else { return nil }
    return isSecret(range, strength, isQuoted: false) ? range : nil
  }

  /// Whether people would not write a name so: "x-api-key", "DB_PASS", "clientSecret".
  private static func isOfProgram(_ name: String) -> Bool {
    if name.utf8.contains(0x5F) { return true }
    if name.utf8.contains(0x2D) { return name.allSatisfy(\.isASCII) }
    return name.dropFirst().contains { $0.isUppercase } && name.contains { $0.isLowercase }
  }

  /// A value in quotes, with what is escaped in it.
  private func quoted(at place: Int) -> Range<Int>? {
    let isEscaped = bytes[place] == 0x5C
    let start = isEscaped ? place + 2 : place + 1
    let quote = isEscaped ? 0x22 : bytes[place]
    var end = start
    while end < bytes.count, end - start < Self.longestValue, bytes[end] != 0x0A {
      if isEscaped, bytes[end] == 0x5C, byte(end + 1) == quote { return start..<end }
      if bytes[end] == quote { return start..<end }
      end += bytes[end] == 0x5C && !isEscaped ? 2 : 1
    }
    return nil
  }

  private func bare(at start: Int, isQuery: Bool, isMember: Bool) -> Range<Int>? {
    let stops: [UInt8] = isQuery ? Array("&#\"'<>".utf8) : isMember ? Array(",}]\"'<>".utf8) : Array("\"'<>`".utf8)
    var end = start
    while end < bytes.count, end - start < Self.longestValue, bytes[end] > 0x20, bytes[end] != 0x7F,
      !stops.contains(bytes[end])
    { end += 1 }
    let range = SecretDetector.trimmed(start..<end, bytes)
    return range.isEmpty ? nil : range
  }

  private static let types = WordList(
    """
    str string int integer bool boolean number text varchar char any object optional null none nil undefined true false yes no on off required
    auto default env data bytes uuid redacted masked hidden password passwort secret token changeme example placeholder
    """)
  private static let sources = [
    "process.env", "os.environ", "os.getenv", "env.", "env:", "ENV[", "config.", "settings.", "self.", "this.", "args.",
    "request.", "req.",
    "secrets.", "vault:", "var.", "local.", "data.", "params.", "options.", "opts.", "ctx.", "inputs.", "steps.",
    "await", "new ",
  ]

  private func isSecret(_ range: Range<Int>, _ strength: SecretNames.Strength, isQuoted: Bool) -> Bool {
    let value = ArraySlice(bytes[range])
    guard !value.isEmpty,
      !SecretReader.isPlaceholder(value) || isQuoted && value.first == 0x24 && value.dropFirst().first != 0x7B
    else { return false }
    let text = String(decoding: value, as: UTF8.self)
    let word = text.lowercased()
    guard !Self.types.contains(word), !SecretDetector.nonPasswords.contains(word.prefix { $0 != " " }.description)
    else {
      return false
    }
    if !isQuoted {
      // Code: a call, an index, a member of something.
      guard !Self.sources.contains(where: { text.hasPrefix($0) }), !text.contains("("), !text.hasSuffix("[") else {
        return false
      }
    }
    let isNumber = value.allSatisfy { (0x30...0x39).contains($0) }
    switch strength {
    case .strong:
      // "pass=1" counts tests.
      return isNumber ? value.count >= 3 : value.count >= 2
    case .weak:
      guard value.count >= 6, !isNumber || value.count >= 8 else { return false }
      // "secret: OPENAI_API_KEY" is the name of one.
      let isName = value.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F } && value.contains(0x5F)
      guard !isName, !value.contains(0x20) else { return false }
      return SecretDetector.looksChosen(value) || value.count >= 12 || isQuoted && value.count >= 8
    }
  }

  // MARK: - Elements

  /// The text of `<password>…</password>`.
  private func element(at place: Int) -> Range<Int>? {
    var end = place + 1
    while end - place <= Self.longestName, Self.isName(byte(end)) || byte(end) == 0x3A { end += 1 }
    guard end > place + 1 else { return nil }
    let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
    let local = name.split(separator: ":").last.map(String.init) ?? name
    guard let strength = SecretNames.strength(of: local) else { return nil }
    while end < bytes.count, end - place < Self.longestTag, bytes[end] != 0x3E, bytes[end] != 0x3C { end += 1 }
    guard byte(end) == 0x3E, byte(end - 1) != 0x2F else { return nil }
    let start = end + 1
    var close = start
    while close < bytes.count, close - start < Self.longestValue, bytes[close] != 0x3C { close += 1 }
    guard byte(close) == 0x3C, byte(close + 1) == 0x2F else { return nil }
    var range = start..<close
    while !range.isEmpty, bytes[range.lowerBound] <= 0x20 { range = range.lowerBound + 1..<range.upperBound }
    while !range.isEmpty, bytes[range.upperBound - 1] <= 0x20 { range = range.lowerBound..<range.upperBound - 1 }
    return !range.isEmpty && isSecret(range, strength, isQuoted: true) ? range : nil
  }
}

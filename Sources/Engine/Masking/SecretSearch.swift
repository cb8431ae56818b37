import Expressions

/// Looks for forms of secrets in texts: as they are, in JSON (`\"`, `\u00e4`, also JSON in JSON), percent-encoded (also
/// twice) and with HTML's entities, and all of that mixed.
///
/// One pass over the text looks at two bytes at a time; only where they could begin a form is more done.
struct SecretSearch: Sendable {
  /// What a search has found.
  struct Findings {
    /// Where forms are; those that overlap or touch are one.
    var matches: [Range<Int>] = []
    /// From here on the text may be the beginning of a form; its end where it is none.
    var held: Int
  }

  /// How a form compares with a text from some place on.
  private enum Comparison {
    case different
    /// The text ends before the form does.
    case cut
    case match(end: Int)
  }

  private let forms: [SecretForms.Form]
  /// Texts that are looked for as words.
  private let words: [[UInt8]]
  /// Numbers that are secrets, as they are written.
  private let numbers: Set<String>
  /// The forms that may begin with a byte as it stands.
  private let byFirst: [[Int]]
  /// For each pair of bytes whether a form may begin with it.
  private let pairs: [Bool]

  init(_ forms: some Sequence<SecretForms.Form>, words: [[UInt8]] = [], numbers: Set<String> = []) {
    self.words = words.filter { !$0.isEmpty }
    self.numbers = numbers
    self.forms = forms.filter { $0.bytes.count >= SecretMask.shortest }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var byFirst = [[Int]](repeating: [], count: self.forms.isEmpty ? 0 : 256)
    var pairs = [Bool](repeating: false, count: self.forms.isEmpty ? 0 : 1 << 16)
    for (index, form) in self.forms.enumerated() {
      let (first, second) = (form.bytes[0], form.bytes[1])
      if form.isHexadecimal {
        for start in Set([first, SecretSearch.uppercased(first)]) {
          byFirst[Int(start)].append(index)
          for next in [second, SecretSearch.uppercased(second)] { pairs[Int(start) << 8 | Int(next)] = true }
        }
        continue
      }
      for start in first == UInt8(ascii: " ") ? [first, UInt8(ascii: "+")] : [first] {
        byFirst[Int(start)].append(index)
        for next in [second] + SecretSearch.signs + (second == UInt8(ascii: " ") ? [UInt8(ascii: "+")] : []) {
          pairs[Int(start) << 8 | Int(next)] = true
        }
        if form.isBase64 {
          pairs[Int(start) << 8 | 0x0D] = true
          pairs[Int(start) << 8 | 0x0A] = true
        }
      }
      for sign in SecretSearch.signs { byFirst[Int(sign)].append(index) }
    }
    if !self.forms.isEmpty {
      for sign in SecretSearch.signs {
        byFirst[Int(sign)] = Array(Set(byFirst[Int(sign)])).sorted()
        for next in 0..<256 where SecretSearch.canFollow(sign, UInt8(next)) { pairs[Int(sign) << 8 | next] = true }
      }
    }
    self.byFirst = byFirst
    self.pairs = pairs
  }

  var isEmpty: Bool { forms.isEmpty && words.isEmpty }

  /// Whether a number is a secret that somebody has taken for one.
  func isSecret(number: Value) -> Bool { !numbers.isEmpty && numbers.contains(number.jsonString) }

  /// What an encoded byte begins with: `%2F`, `\u002f`, `&#47;`.
  private static let signs = [UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")]

  private static func canFollow(_ sign: UInt8, _ byte: UInt8) -> Bool {
    switch sign {
    case UInt8(ascii: "%"): digit(byte) != nil
    case UInt8(ascii: "&"): byte == UInt8(ascii: "#") || "alqg".utf8.contains(byte)
    default: "\\u\"/'bfnrt".utf8.contains(byte)
    }
  }

  /// Finds all forms.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - isComplete: Whether the text is whole; otherwise its end may be held back.
  func find(in bytes: UnsafeBufferPointer<UInt8>, isComplete: Bool) -> Findings {
    var findings = Findings(held: bytes.count)
    guard !isEmpty else { return findings }
    if !forms.isEmpty { findForms(in: bytes, isComplete, &findings) }
    if !words.isEmpty { findWords(in: bytes, isComplete, &findings) }
    if let last = findings.matches.last, findings.held < last.upperBound {
      // What a form that is not yet whole begins with was taken for another: wait for both.
      findings.held = min(findings.held, last.lowerBound)
    }
    findings.matches.removeAll { $0.lowerBound >= findings.held }
    return findings
  }

  private func findForms(in bytes: UnsafeBufferPointer<UInt8>, _ isComplete: Bool, _ findings: inout Findings) {
    pairs.withUnsafeBufferPointer { pairs in
      var position = 0
      while position < bytes.count {
        let start = position
        position += 1
        if position < bytes.count {
          guard pairs[Int(bytes[start]) << 8 | Int(bytes[position])] else { continue }
        } else if isComplete {
          return
        }
        look(at: start, in: bytes, isComplete, &findings)
      }
    }
  }

  /// Finds the words that stand between what is no part of one.
  private func findWords(in bytes: UnsafeBufferPointer<UInt8>, _ isComplete: Bool, _ findings: inout Findings) {
    let known = findings.matches
    for word in words {
      var start = 0
      while start + word.count <= bytes.count {
        defer { start += 1 }
        let end = start + word.count
        guard bytes[start] == word[0], bytes[start..<end].elementsEqual(word),
          start == 0 || !SecretSearch.isWordByte(bytes[start - 1]),
          end == bytes.count || !SecretSearch.isWordByte(bytes[end])
        else { continue }
        findings.matches.append(start..<end)
      }
    }
    if findings.matches.count > known.count {
      let sorted = findings.matches.sorted { $0.lowerBound < $1.lowerBound }
      findings.matches = sorted.reduce(into: []) { merged, match in
        guard let last = merged.last, match.lowerBound <= last.upperBound else { return merged.append(match) }
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, match.upperBound)
      }
    }
    // The last word may go on, or begin one with more to it.
    guard !isComplete else { return }
    var start = max(0, bytes.count - (words.map(\.count).max() ?? 0))
    while start > 0, bytes.count - start < SecretSearch.longestWord, SecretSearch.isWordByte(bytes[start - 1]) {
      start -= 1
    }
    // Never within a character.
    while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    findings.held = min(findings.held, start)
  }

  /// The bytes of a word that are held back at most.
  private static let longestWord = 64

  /// Whether a byte belongs to a word: letters, digits, and everything beyond ASCII.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func uppercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
  }

  private func look(
    at start: Int, in bytes: UnsafeBufferPointer<UInt8>, _ isComplete: Bool, _ findings: inout Findings
  ) {
    for index in byFirst[Int(bytes[start])] {
      if forms[index].isHexadecimal {
        note(compareDigits(forms[index], with: bytes, from: start), at: start, isComplete, &findings)
        continue
      }
      var hasSigns = false
      note(
        compare(forms[index], with: bytes, from: Place(position: start), isDecoding: false, &hasSigns), at: start,
        isComplete, &findings)
      guard hasSigns else { continue }
      note(
        compare(forms[index], with: bytes, from: Place(position: start), isDecoding: true, &hasSigns), at: start,
        isComplete, &findings)
    }
  }

  private func note(_ comparison: Comparison, at start: Int, _ isComplete: Bool, _ findings: inout Findings) {
    switch comparison {
    case .different: break
    case .cut: if !isComplete { findings.held = min(findings.held, start) }
    case .match(let end):
      if let last = findings.matches.last, start <= last.upperBound {
        findings.matches[findings.matches.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        findings.matches.append(start..<end)
      }
    }
  }

  // MARK: - Comparing

  /// How often something may be encoded again: JSON in JSON has runs of backslashes, a URL in a URL `%2525`.
  private static let mostBackslashes = 16
  private static let mostPercents = 4
  private static let longestEntity = 10
  /// How many readings of backslashes are tried for one place of a text. The number of readings grows exponentially.
  private static let mostReadings = 64
  /// The most characters between two bytes in hexadecimal, such as `, 0x`.
  private static let longestSeparator = 6

  /// Compares hexadecimal digits, in either case and with separators between the bytes.
  private func compareDigits(
    _ form: SecretForms.Form, with bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Comparison {
    var position = start
    for (index, wanted) in form.bytes.enumerated() {
      if index > 0, index % 2 == 0 {
        let limit = min(bytes.count, position + SecretSearch.longestSeparator)
        while position < limit, bytes[position] | 0x20 != wanted || bytes[position] == UInt8(ascii: "0") {
          if ":- \t\r\n,_;\\x".utf8.contains(bytes[position]) {
            position += 1
          } else if bytes[position] == UInt8(ascii: "0"), position + 1 < bytes.count,
            bytes[position + 1] | 0x20 == UInt8(ascii: "x")
          {
            position += 2
          } else {
            break
          }
        }
      }
      guard position < bytes.count else { return .cut }
      let byte = bytes[position]
      guard byte == wanted || (byte | 0x20 == wanted && wanted >= UInt8(ascii: "a")) else { return .different }
      position += 1
    }
    return .match(end: position)
  }

  /// The state of a comparison.
  private struct Place {
    var position: Int
    var matched = 0
    var isEscaped = false
  }

  private func compare(
    _ form: SecretForms.Form, with bytes: UnsafeBufferPointer<UInt8>, from start: Place, isDecoding: Bool,
    _ hasSigns: inout Bool
  ) -> Comparison {
    var readings = SecretSearch.mostReadings
    return compare(form, with: bytes, from: start, isDecoding: isDecoding, &hasSigns, &readings)
  }

  private func compare(
    _ form: SecretForms.Form, with bytes: UnsafeBufferPointer<UInt8>, from start: Place, isDecoding: Bool,
    _ hasSigns: inout Bool, _ readings: inout Int
  ) -> Comparison {
    var (position, matched, isEscaped) = (start.position, start.matched, start.isEscaped)
    while matched < form.bytes.count {
      guard position < bytes.count else { return .cut }
      let wanted = form.bytes[matched]
      let byte = bytes[position]
      let wasEscaped = isEscaped
      isEscaped = false
      let isSign = byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
      if isSign { hasSigns = true }
      if form.isBase64, matched > 0, byte == 0x0D || byte == 0x0A {
        position += 1
      } else if isDecoding, isSign {
        switch decode(bytes, at: position, wanted: form.bytes[matched...]) {
        case .none: return .different
        case .cut: return .cut
        case .lineEnd(let next):
          guard form.isBase64, matched > 0 else { return .different }
          position = next
        case .bytes(let count, let next, let isPrefix):
          matched += count
          position = next
          isEscaped = isPrefix
        case .choice(let places, var isCut):
          for place in places where readings > 0 {
            readings -= 1
            let next = Place(position: place.next, matched: matched + place.count, isEscaped: place.isPrefix)
            switch compare(form, with: bytes, from: next, isDecoding: true, &hasSigns, &readings) {
            case .match(let end): return .match(end: end)
            case .cut: isCut = true
            case .different: break
            }
          }
          return isCut ? .cut : .different
        }
      } else if byte == wanted || (byte == UInt8(ascii: "+") && wanted == UInt8(ascii: " ")) {
        position += 1
        matched += 1
      } else if wasEscaped, SecretSearch.escaped(byte) == wanted {
        position += 1
        matched += 1
      } else {
        return .different
      }
    }
    return .match(end: position)
  }

  private enum Decoding {
    case none
    case cut
    /// A line end, which Base64 may hold.
    case lineEnd(next: Int)
    /// So many bytes of what is wanted; with `isPrefix` the next character may be escaped by the backslashes before it.
    case bytes(Int, next: Int, isPrefix: Bool)
    /// Several readings: a backslash of the secret may be written as backslashes or as `\u005c`. With `isCut` the text ends
    /// within another reading.
    case choice([(count: Int, next: Int, isPrefix: Bool)], isCut: Bool)
  }

  private func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, wanted: ArraySlice<UInt8>
  ) -> Decoding {
    guard let first = wanted.first else { return .none }
    switch bytes[position] {
    case UInt8(ascii: "%"):
      let decoding = percent(bytes, at: position, wanted: first)
      if case .none = decoding, first == UInt8(ascii: "%") { return .bytes(1, next: position + 1, isPrefix: false) }
      return decoding
    case UInt8(ascii: "&"):
      let decoding = entity(bytes, at: position, wanted: wanted)
      if case .none = decoding, first == UInt8(ascii: "&") { return .bytes(1, next: position + 1, isPrefix: false) }
      return decoding
    default: return backslashes(bytes, at: position, wanted: wanted)
    }
  }

  /// `%2F`, `%252F` (RFC 3986, section 2.1).
  private func percent(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int, wanted: UInt8) -> Decoding {
    var digits = position + 1
    for _ in 0..<SecretSearch.mostPercents {
      guard digits + 1 < bytes.count else { return .cut }
      guard let high = SecretSearch.digit(bytes[digits]), let low = SecretSearch.digit(bytes[digits + 1]) else {
        return .none
      }
      let byte = UInt8(high << 4 | low)
      if byte == wanted {
        // A percent sign may itself be what the next level encodes.
        return .bytes(1, next: digits + 2, isPrefix: false)
      }
      guard byte == UInt8(ascii: "%") else { return .none }
      digits += 2
    }
    return .none
  }

  /// `\"`, `\n`, `\u00e4`, `\ud83d\ude00`, each with as many backslashes as it takes in JSON in JSON (RFC 8259, section 7).
  private func backslashes(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, wanted: ArraySlice<UInt8>
  ) -> Decoding {
    var next = position
    while next < bytes.count, bytes[next] == UInt8(ascii: "\\"), next - position <= SecretSearch.mostBackslashes {
      next += 1
    }
    let count = next - position
    guard count <= SecretSearch.mostBackslashes else { return .none }
    let own = wanted.prefix { $0 == UInt8(ascii: "\\") }.count
    if own > 0 {
      guard next < bytes.count || count >= own else { return .cut }
      guard next < bytes.count, bytes[next] == UInt8(ascii: "u") else {
        return count < own ? .none : .bytes(own, next: next, isPrefix: count > own)
      }
      var choice: [(count: Int, next: Int, isPrefix: Bool)] = []
      var isCut = false
      switch unicode(bytes, at: next, wanted: [UInt8(ascii: "\\")]) {
      case .cut: isCut = true
      case .bytes(_, let end, _):
        // Backslashes before the one that belongs to `u` may also belong to the secret.
        for before in Set([0, min(own - 1, count / 2), min(own - 1, count - 1)]).sorted(by: >) {
          choice.append((before + 1, end, false))
        }
      default: break
      }
      // Or the last backslash belongs to a character that follows those of the secret.
      if count > own, case .bytes(let further, let end, _) = unicode(bytes, at: next, wanted: wanted.dropFirst(own)) {
        choice.append((own + further, end, false))
      }
      if count >= own { choice.append((own, next, count > own)) }
      return .choice(choice, isCut: isCut)
    }
    guard next < bytes.count else { return .cut }
    if bytes[next] == UInt8(ascii: "u") { return unicode(bytes, at: next, wanted: wanted) }
    guard let byte = SecretSearch.escaped(bytes[next]) else { return .none }
    if byte == wanted.first { return .bytes(1, next: next + 1, isPrefix: false) }
    return byte == 0x0A || byte == 0x0D ? .lineEnd(next: next + 1) : .none
  }

  private func unicode(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, wanted: ArraySlice<UInt8>
  ) -> Decoding {
    func unit(at position: Int) -> UInt32? {
      (1...4).reduce(UInt32?(0)) { value, offset in
        guard let value, let digit = SecretSearch.digit(bytes[position + offset]) else { return nil }
        return value << 4 | UInt32(digit)
      }
    }
    guard position + 4 < bytes.count else { return .cut }
    guard var value = unit(at: position) else { return .none }
    var end = position + 5
    if (0xD800..<0xDC00).contains(value) {
      var next = end
      while next < bytes.count, bytes[next] == UInt8(ascii: "\\"), next - end < SecretSearch.mostBackslashes {
        next += 1
      }
      guard next + 4 < bytes.count else { return .cut }
      guard bytes[next] == UInt8(ascii: "u"), let low = unit(at: next), (0xDC00..<0xE000).contains(low) else {
        return .none
      }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      end = next + 5
    }
    return scalar(value, next: end, wanted: wanted)
  }

  /// `&amp;`, `&#39;`, `&#x27;`.
  private func entity(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int, wanted: ArraySlice<UInt8>
  ) -> Decoding {
    let limit = position + 1 + SecretSearch.longestEntity
    let rest = bytes[position + 1..<min(bytes.count, limit)]
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return bytes.count < limit ? .cut : .none }
    let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
    let value: UInt32? =
      switch name {
      case "amp": 0x26
      case "lt": 0x3C
      case "gt": 0x3E
      case "quot": 0x22
      case "apos": 0x27
      default:
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
          UInt32(name.dropFirst(2), radix: 16)
        } else if name.hasPrefix("#") {
          UInt32(name.dropFirst())
        } else {
          nil
        }
      }
    guard let value else { return .none }
    return scalar(value, next: end + 1, wanted: wanted)
  }

  private func scalar(_ value: UInt32, next: Int, wanted: ArraySlice<UInt8>) -> Decoding {
    guard let scalar = Unicode.Scalar(value) else { return .none }
    let encoded = UTF8.encode(scalar).map(Array.init) ?? []
    if wanted.starts(with: encoded) { return .bytes(encoded.count, next: next, isPrefix: false) }
    return value == 0x0A || value == 0x0D ? .lineEnd(next: next) : .none
  }

  /// What a character after a backslash stands for.
  private static func escaped(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "'"): byte
    default: nil
    }
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte) - 0x57
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte) - 0x37
    default: nil
    }
  }
}

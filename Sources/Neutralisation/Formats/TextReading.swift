/// A second form of a text for detection: wrapped lines joined, missing capitals added.
struct TextReading {
  /// The detectors for it.
  enum Scope {
    case all
    /// Numbers and addresses alone.
    case numbers
  }

  let bytes: [UInt8]
  let scope: Scope
  /// Whether the text is written in lower case.
  let isInLowerCase: Bool
  /// Where each byte is in the view; `nil` if all are at the same place.
  private let places: [Int32]?
  /// The positions of blanks that replace the end of a line.
  private let lineEnds: Set<Int>

  /// Goes through the readings of a text; the first one has each byte at its place.
  ///
  /// - Parameter names: Words of names, in lower case, that other places have given away.
  static func forEach(of bytes: [UInt8], names: Set<String>, _ body: (TextReading) -> Void) {
    let (restored, isInLowerCase) = bytes.withUnsafeBufferPointer { LowercaseNames.restored($0, names) }
    let whole = restored ?? bytes
    body(TextReading(bytes: whole, scope: .all, isInLowerCase: isInLowerCase, places: nil))
    let lines = Lines(whole, isInLowerCase: isInLowerCase)
    for all in [false, true] {
      if let joined = lines.joined(all: all) { body(joined) }
    }
  }

  /// A finding, as a range of the view.
  func placed(_ finding: Finding) -> Finding {
    guard let places, !finding.range.isEmpty else { return finding }
    return Finding(
      range: Int(places[finding.range.lowerBound])..<Int(places[finding.range.upperBound - 1]) + 1, kind: finding.kind)
  }

  /// Whether a finding across lines is plausible: a number continues in the next line only with digits or capitals, not with
  /// ordinary words.
  func holds(_ finding: Finding) -> Bool {
    guard !lineEnds.isEmpty, Self.numbers.contains(finding.kind), !finding.range.isEmpty else { return true }
    for joint in finding.range.dropLast() where bytes[joint] == 0x20 {
      guard lineEnds.contains(joint) else { continue }
      let next = bytes[(joint + 1)..<finding.range.upperBound].prefix { $0 > 0x20 }
      let before = bytes[finding.range.lowerBound..<joint].reversed().prefix { $0 > 0x20 }
      guard next.allSatisfy(Self.isOfNumber), before.allSatisfy(Self.isOfNumber) else { return false }
    }
    return true
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || "+-./()".utf8.contains(byte)
  }

  private static let numbers: Set<PersonalDataKind> = [
    .iban, .card, .ahv, .tax, .socialInsurance, .idNumber, .phone, .ip,
  ]

  fileprivate init(bytes: [UInt8], scope: Scope, isInLowerCase: Bool, places: [Int32]?, lineEnds: Set<Int> = []) {
    self.lineEnds = lineEnds
    self.bytes = bytes
    self.scope = scope
    self.isInLowerCase = isInLowerCase
    self.places = places
  }
}

/// The lines of a text, and which of them were one before a person's mail program wrapped them.
private struct Lines {
  /// From so many signs on a line may be one that was wrapped.
  private static let narrowest = 36

  private struct Line {
    /// Without the signs of a quotation and the line's end.
    var range: Range<Int>
    /// How deep it is quoted.
    var depth: Int
    var firstWord: Int
    var signs: Int
    /// Whether it has letters: lines of numbers alone are a column.
    var hasLetters: Bool
  }

  private let bytes: [UInt8]
  private let isInLowerCase: Bool
  private var lines: [Line] = []

  init(_ bytes: [UInt8], isInLowerCase: Bool) {
    self.bytes = bytes
    self.isInLowerCase = isInLowerCase
    var start = 0
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      lines.append(Self.line(bytes, start..<end))
      start = end + 1
    }
  }

  private static func line(_ bytes: [UInt8], _ range: Range<Int>) -> Line {
    var start = range.lowerBound
    var depth = 0
    while start < range.upperBound, bytes[start] == 0x3E || bytes[start] == 0x20 || bytes[start] == 0x09 {
      if bytes[start] == 0x3E { depth += 1 }
      start += 1
    }
    var end = range.upperBound
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    let signs = bytes[start..<end].count { $0 & 0xC0 != 0x80 }
    let firstWord = bytes[start..<end].prefix { $0 > 0x20 }.count { $0 & 0xC0 != 0x80 }
    let hasLetters = bytes[start..<end].contains { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 > 0x7F }
    return Line(range: start..<end, depth: depth, firstWord: firstWord, signs: signs, hasLetters: hasLetters)
  }

  /// The text with lines joined; `nil` if there is nothing to join.
  ///
  /// - Parameter all: Whether all neighbours are, or those alone that look as if they had been wrapped.
  func joined(all: Bool) -> TextReading? {
    var output: [UInt8] = []
    var places: [Int32] = []
    var hasJoined = false
    var lineEnds: Set<Int> = []
    func add(_ range: Range<Int>) {
      output += bytes[range]
      places += range.lazy.map(Int32.init)
    }
    var widest = 0
    var paragraphEnd = 0
    for index in lines.indices {
      if index >= paragraphEnd {
        // The width of the paragraph that begins here.
        widest = 0
        paragraphEnd = index
        while paragraphEnd < lines.count, !lines[paragraphEnd].range.isEmpty {
          widest = max(widest, lines[paragraphEnd].signs)
          paragraphEnd += 1
        }
        paragraphEnd = max(paragraphEnd, index + 1)
      }
      add(lines[index].range)
      guard index + 1 < lines.count else { break }
      let (line, next) = (lines[index], lines[index + 1])
      let isParagraph = !line.range.isEmpty && !next.range.isEmpty && line.depth == next.depth
      let isWrapped =
        widest >= Self.narrowest && line.signs * 2 > widest && line.signs + 1 + next.firstWord > widest
      let place = line.range.upperBound
      guard isParagraph, all ? line.hasLetters : isWrapped else {
        output.append(0x0A)
        places.append(Int32(min(place, bytes.count - 1)))
        continue
      }
      hasJoined = true
      if isWrapped, isHyphenated(line, next) {
        // "Bahnhof-" and "strasse".
        output.removeLast()
        places.removeLast()
      } else {
        lineEnds.insert(output.count)
        output.append(0x20)
        places.append(Int32(place))
      }
    }
    guard hasJoined else { return nil }
    return TextReading(
      bytes: output, scope: all ? .numbers : .all, isInLowerCase: isInLowerCase, places: places, lineEnds: lineEnds)
  }

  private func isHyphenated(_ line: Line, _ next: Line) -> Bool {
    let end = line.range.upperBound
    guard line.range.count > 2, bytes[end - 1] == 0x2D, bytes[end - 2] > 0x40 else { return false }
    return (0x61...0x7A).contains(bytes[next.range.lowerBound])
  }
}

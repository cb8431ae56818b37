/// The visible part of a text, with its positions in the text.
struct TextView {
  /// A piece of the view.
  struct Piece {
    /// Where it is in the view.
    var view: Range<Int>
    /// Where it is in the source.
    var source: Range<Int>
    /// Whether both are the same bytes.
    var isVerbatim: Bool
  }

  /// The bytes to search.
  var bytes: [UInt8] = []
  /// Its pieces in order; bytes outside them do not occur in the source.
  var pieces: [Piece] = []
  /// Findings that need no search.
  var known: [Finding] = []
  /// Keys, passwords and codes, none overlapping another. No other rule reads them.
  var secrets: [Finding] = []

  /// A view of a whole text, or of a part of one.
  init(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ escapes: EscapedText.Escapes = []) {
    EscapedText.add(source, range, escapes, to: &self)
  }

  init() {}

  /// Adds bytes as they are in the source.
  mutating func add(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    pieces.append(Piece(view: bytes.count..<bytes.count + range.count, source: range, isVerbatim: true))
    bytes += source[range]
  }

  /// Adds what represents some bytes of the source.
  mutating func add(_ text: some Sequence<UInt8>, for range: Range<Int>) {
    let start = bytes.count
    bytes += text
    pieces.append(Piece(view: start..<bytes.count, source: range, isVerbatim: false))
  }

  /// Adds bytes that represent nothing: a line between two blocks.
  mutating func addSeparator(_ byte: UInt8) {
    if bytes.last != byte { bytes.append(byte) }
  }

  /// A part of a range of the view that the source has in one piece.
  struct Part {
    var view: Range<Int>
    var source: Range<Int>
    /// Whether both are the same bytes.
    var isVerbatim: Bool
  }

  /// The parts of ranges of the view, which are in order and apart; parts that touch in the source are joined.
  func parts(of ranges: [Range<Int>]) -> [[Part]] {
    var first = 0
    return ranges.map { range in
      var parts: [Part] = []
      while first < pieces.count, pieces[first].view.upperBound <= range.lowerBound { first += 1 }
      var index = first
      while index < pieces.count, pieces[index].view.lowerBound < range.upperBound {
        let piece = pieces[index]
        var part = Part(view: piece.view, source: piece.source, isVerbatim: piece.isVerbatim)
        if piece.isVerbatim {
          part.view = max(range.lowerBound, piece.view.lowerBound)..<min(range.upperBound, piece.view.upperBound)
          let offset = piece.source.lowerBound - piece.view.lowerBound
          part.source = part.view.lowerBound + offset..<part.view.upperBound + offset
        }
        if let last = parts.last, last.source.upperBound == part.source.lowerBound {
          parts[parts.count - 1] = Part(
            view: last.view.lowerBound..<part.view.upperBound, source: last.source.lowerBound..<part.source.upperBound,
            isVerbatim: last.isVerbatim && part.isVerbatim)
        } else {
          parts.append(part)
        }
        index += 1
      }
      return parts
    }
  }

  /// A part without the blanks and the punctuation at its ends; `nil` if it has nothing else. Escapes are not divided.
  func trimmed(_ part: Part) -> Part? {
    func isWordByte(_ byte: UInt8) -> Bool { byte >= 0x80 || PlaceholderReader.isWordByte(byte) }
    guard let first = bytes[part.view].firstIndex(where: isWordByte),
      let last = bytes[part.view].lastIndex(where: isWordByte)
    else { return nil }
    guard part.isVerbatim else { return part }
    let offset = part.source.lowerBound - part.view.lowerBound
    return Part(view: first..<last + 1, source: first + offset..<last + 1 + offset, isVerbatim: true)
  }

  /// Findings of another view of the same source, at their places in this one.
  func carrying(_ findings: [Finding], of other: TextView) -> [Finding] {
    let findings = Finding.merged(findings)
    var parts: [(source: Range<Int>, kind: PersonalDataKind)] = []
    for (finding, pieces) in zip(findings, other.parts(of: findings.map(\.range))) {
      for piece in pieces { parts.append((piece.source, finding.kind)) }
    }
    return zip(places(of: parts.map { $0.source }), parts).compactMap { place, part in
      place.map { Finding(range: $0, kind: part.kind) }
    }
  }

  /// Whether a range of the view has several lines, or punctuation that divides it; otherwise it is one value.
  func hasParts(in range: Range<Int>) -> Bool { bytes[range].contains { [0x0A, 0x2C, 0x3B].contains($0) } }

  /// Where ranges of the source, in order and apart, are in the view; `nil` for a range that the view does not have.
  func places(of sources: [Range<Int>]) -> [Range<Int>?] {
    var first = 0
    return sources.map { source in
      while first < pieces.count, pieces[first].source.upperBound <= source.lowerBound { first += 1 }
      var place: Range<Int>?
      var index = first
      while index < pieces.count, pieces[index].source.lowerBound < source.upperBound {
        let piece = pieces[index]
        var view = piece.view
        if piece.isVerbatim {
          let lower = max(source.lowerBound, piece.source.lowerBound) - piece.source.lowerBound
          let upper = min(source.upperBound, piece.source.upperBound) - piece.source.lowerBound
          view = piece.view.lowerBound + lower..<piece.view.lowerBound + upper
        }
        place = (place?.lowerBound ?? view.lowerBound)..<view.upperBound
        index += 1
      }
      return place
    }
  }
}

/// What people read of a text, and where in the text it stands.
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

  /// What is looked through.
  var bytes: [UInt8] = []
  /// Its pieces in order; what no piece covers stands in no source.
  var pieces: [Piece] = []
  /// What is known without looking.
  var known: [Finding] = []

  /// A view of a whole text, or of a part of one.
  init(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ escapes: EscapedText.Escapes = []) {
    EscapedText.add(source, range, escapes, to: &self)
  }

  init() {}

  /// Adds bytes as they stand in the source.
  mutating func add(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    pieces.append(Piece(view: bytes.count..<bytes.count + range.count, source: range, isVerbatim: true))
    bytes += source[range]
  }

  /// Adds what stands for some bytes of the source.
  mutating func add(_ text: some Sequence<UInt8>, for range: Range<Int>) {
    let start = bytes.count
    bytes += text
    pieces.append(Piece(view: start..<bytes.count, source: range, isVerbatim: false))
  }

  /// Adds bytes that stand for nothing: a line between two blocks.
  mutating func addSeparator(_ byte: UInt8) {
    if bytes.last != byte { bytes.append(byte) }
  }

  /// Where ranges of the view, in order and apart, stand in the source: for each its pieces, those that touch as one.
  func sources(of ranges: [Range<Int>]) -> [[Range<Int>]] {
    var first = 0
    return ranges.map { range in
      var sources: [Range<Int>] = []
      while first < pieces.count, pieces[first].view.upperBound <= range.lowerBound { first += 1 }
      var index = first
      while index < pieces.count, pieces[index].view.lowerBound < range.upperBound {
        let piece = pieces[index]
        var source = piece.source
        if piece.isVerbatim {
          let lower = max(range.lowerBound, piece.view.lowerBound) - piece.view.lowerBound
          let upper = min(range.upperBound, piece.view.upperBound) - piece.view.lowerBound
          source = piece.source.lowerBound + lower..<piece.source.lowerBound + upper
        }
        if let last = sources.last, last.upperBound == source.lowerBound {
          sources[sources.count - 1] = last.lowerBound..<source.upperBound
        } else {
          sources.append(source)
        }
        index += 1
      }
      return sources
    }
  }

  /// Whether a range of the view has several lines, or parts that punctuation divides; a name has neither.
  func hasParts(in range: Range<Int>) -> Bool { bytes[range].contains { [0x0A, 0x2C, 0x3B].contains($0) } }

  /// Whether a range of the view has more than blanks and punctuation.
  func hasWord(in range: Range<Int>) -> Bool { bytes[range].contains(where: PlaceholderReader.isWordByte) }

  /// Where ranges of the source, in order and apart, stand in the view.
  func places(of sources: [Range<Int>]) -> [Range<Int>] {
    var first = 0
    return sources.compactMap { source in
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

/// A block of a document, with the text that stands in it and how its parts look.
struct MarkdownBlock: Equatable {
  /// What a block is.
  enum Kind: Equatable {
    case paragraph
    /// From 1.
    case heading(Int)
    case code
    case rule
    /// The cells of one row, the first row of a table among them.
    case row([StyledText], isHeader: Bool)
  }

  var kind: Kind
  var text = StyledText()
  /// How deep it stands in lists.
  var indent = 0
  /// How deep it stands in quotations.
  var quotes = 0
  /// What stands in front of the first line of a list's element: `•`, `3.`
  var marker: String?
  /// Of a row: how each column is aligned, as cmark-gfm says it: `l`, `c`, `r`, or 0.
  var alignments: [UInt8] = []
  /// Whether it belongs closely to the block before it: elements of tight lists.
  var isTight = false
}

/// A text and the styles of its parts.
struct StyledText: Equatable {
  /// How a part looks.
  struct Style: OptionSet, Hashable {
    let rawValue: Int
    static let bold = Style(rawValue: 1)
    static let italic = Style(rawValue: 2)
    static let code = Style(rawValue: 4)
    static let struck = Style(rawValue: 8)
    static let link = Style(rawValue: 16)
  }

  /// A part.
  struct Span: Equatable {
    /// UTF-8 bytes of the text.
    var range: Range<Int>
    var style: Style
  }

  private(set) var bytes: [UInt8] = []
  private(set) var spans: [Span] = []

  /// Adds text. What no page can show is left out: control characters, and halves of UTF-8.
  mutating func append(_ text: String, _ style: Style = []) {
    let start = bytes.count
    for scalar in text.unicodeScalars {
      guard scalar.value >= 0x20 || scalar == "\n" || scalar == "\t", scalar.value != 0x7F else { continue }
      bytes += UTF8.encode(scalar).map { Array($0) } ?? []
    }
    if !style.isEmpty, bytes.count > start { spans.append(Span(range: start..<bytes.count, style: style)) }
  }

  var isEmpty: Bool { bytes.isEmpty }
  var string: String { String(decoding: bytes, as: UTF8.self) }
}

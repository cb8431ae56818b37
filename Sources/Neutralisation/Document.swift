/// A text cut into its views.
struct Document {
  /// The text that comes out, before anything is replaced.
  private var source: [UInt8]
  var views: [TextView]
  /// Whether the text has nothing but itself to be read: no tags, nothing that is escaped.
  let isPlain: Bool
  /// Whether tags are between what is read.
  let hasTags: Bool
  /// Whether commas divide columns.
  let isTable: Bool
  /// The views without what other formats escape, one for each of ``views``; empty if nothing is escaped that can hide a
  /// secret.
  var written: [TextView] = []
  /// Whether ``written`` may be what people read: the text looks like quoted-printable, and nothing declares it.
  let isGuess: Bool

  init(_ text: String, _ format: TextFormat) {
    var source = Array(text.utf8)
    let format = format == .auto ? source.withUnsafeBufferPointer(TextFormat.detected) : format
    if format == .mail {
      source = Array(MailText.text(of: source).utf8)
    } else {
      MailText.decodeBodies(&source)
    }
    self.source = source
    hasTags = format == .html
    isTable = format == .csv
    var isPlain = false
    var isGuess = false
    var written: [TextView] = []
    views = source.withUnsafeBufferPointer { bytes in
      var escapes = EscapedText.Escapes(in: bytes)
      let declared = format == .mail ? [] : QuotedPrintable.declaredParts(of: bytes)
      isGuess = declared.isEmpty && escapes.contains(.mail)
      switch format {
      case .html:
        if !declared.isEmpty { escapes.insert(.mail) }
        let views = HTMLView.views(bytes, escapes)
        if isGuess {
          written = HTMLView.views(bytes, escapes.subtracting(.mail))
          if written.count != views.count { written = [] }
        }
        return views
      case .csv: return [CSVView.view(bytes)]
      case .auto, .text, .markdown, .mail:
        isPlain = escapes.isEmpty && declared.isEmpty
        if isGuess || escapes.contains(.json) { written = [TextView(bytes, 0..<bytes.count)] }
        guard !declared.isEmpty else { return [TextView(bytes, 0..<bytes.count, escapes)] }
        var view = TextView()
        var position = 0
        escapes.remove(.mail)
        for part in declared {
          EscapedText.add(bytes, position..<part.lowerBound, escapes, to: &view)
          EscapedText.add(bytes, part, escapes.union(.mail), to: &view)
          position = part.upperBound
        }
        EscapedText.add(bytes, position..<bytes.count, escapes, to: &view)
        return [view]
      }
    }
    self.isGuess = isGuess
    self.written = written
    self.isPlain = isPlain
  }

  /// A part of the text.
  func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  /// The text with some ranges replaced.
  func applying(_ edits: [(range: Range<Int>, text: String)]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      // Findings within a replaced range are dropped; findings that reach beyond it are replaced as well.
      guard edit.range.lowerBound >= position || edit.range.upperBound > position else { continue }
      if edit.range.lowerBound >= position { output += source[position..<edit.range.lowerBound] }
      output += edit.text.utf8
      position = max(position, edit.range.upperBound)
    }
    output += source[position...]
    return String(decoding: output, as: UTF8.self)
  }
}

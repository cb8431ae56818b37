import RecipeSyntax

/// A text in which «…» marks the places where problems are expected; the marks are not part of the text.
struct MarkedText {
  let source: SourceText
  /// The marked places in order.
  let ranges: [SourceRange]

  init(_ marked: String, path: String = "recipe.yaml") {
    var plain: [UInt8] = []
    var open: [Int] = []
    var found: [Range<Int>] = []
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "«": open.append(plain.count)
      case "»": if let start = open.popLast() { found.append(start..<plain.count) }
      default: plain += Array(String(scalar).utf8)
      }
    }
    let source = SourceText(path: path, bytes: plain)
    self.source = source
    ranges = found.sorted { $0.lowerBound < $1.lowerBound }.map { source.range($0) }
  }
}

/// What a test compares of a diagnostic.
struct Finding: Equatable, CustomStringConvertible {
  let code: String
  let range: SourceRange?

  init(_ code: String, _ range: SourceRange?) {
    self.code = code
    self.range = range
  }

  init(_ diagnostic: Diagnostic) {
    self.init(diagnostic.code.rawValue, diagnostic.range)
  }

  var description: String {
    guard let range else { return code }
    return "\(code)@\(range.start.line):\(range.start.column)-\(range.end.line):\(range.end.column)"
  }
}

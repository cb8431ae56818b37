public import Localization

/// Writes diagnostics the way compilers do: the place, the message, the source line and a caret under what is meant.
///
/// ```
/// recipe.yaml:12:24: error: unknown step 'unraed' — did you mean 'unread'?
///    12 |   for_each: "{{ steps.unraed.output.messages }}"
///       |                       ^^^^^^
/// ```
public struct DiagnosticRenderer: Sendable {
  /// The language of the messages.
  public var language: Language
  /// Whether ANSI escapes mark severity and carets.
  public var usesColor: Bool
  /// What a colour sequence begins with, before its number and `m`.
  ///
  /// A caller that filters escapes out of what it prints may put a mark of its own here, to tell the renderer's
  /// colours from escapes in recipes.
  public var escapeStart = "\u{1B}["
  /// The most columns of a source line that are shown; longer lines are cut round the caret.
  public var width: Int

  /// Creates a renderer.
  public init(language: Language = .english, usesColor: Bool = false, width: Int = 160) {
    self.language = language
    self.usesColor = usesColor
    self.width = max(width, 40)
  }

  /// Writes diagnostics in source order.
  ///
  /// - Parameters:
  ///   - diagnostics: What to write.
  ///   - sources: The texts by path; of a file that is not among them no line is shown.
  /// - Returns: Lines with a line feed after each; empty where there is nothing to write.
  public func render(_ diagnostics: [Diagnostic], sources: [String: SourceText]) -> String {
    diagnostics.inSourceOrder.map { render($0, sources: sources) }.joined()
  }

  /// Writes one diagnostic with its related places.
  public func render(_ diagnostic: Diagnostic, sources: [String: SourceText]) -> String {
    let label: String
    let color: Color
    switch diagnostic.severity {
    case .error: (label, color) = (LocalizedText("error", de: "Fehler").string(in: language), .red)
    case .warning: (label, color) = (LocalizedText("warning", de: "Warnung").string(in: language), .yellow)
    }
    var text = entry(
      path: diagnostic.path, range: diagnostic.range, label: label, color: color, message: diagnostic.message,
      source: sources[diagnostic.path])
    for related in diagnostic.related {
      let path = related.path ?? diagnostic.path
      text += entry(
        path: path, range: related.range, label: LocalizedText("note", de: "Hinweis").string(in: language),
        color: .cyan, message: related.message, source: sources[path])
    }
    return text
  }

  private enum Color: String {
    case red = "31"
    case yellow = "33"
    case cyan = "36"
    case bold = "1"
    case green = "32"
  }

  private func painted(_ text: String, _ color: Color) -> String {
    usesColor ? "\(escapeStart)\(color.rawValue)m\(text)\(escapeStart)0m" : text
  }

  private func entry(
    path: String, range: SourceRange?, label: String, color: Color, message: LocalizedText, source: SourceText?
  ) -> String {
    let place = range.map { "\(path):\($0.start.line):\($0.start.column):" } ?? "\(path):"
    let head = "\(painted(place, .bold)) \(painted(label + ":", color)) \(message.string(in: language))\n"
    guard let range, let source, let line = source.line(range.start.line) else { return head }
    return head + excerpt(line, range)
  }

  /// The source line with its number, and carets below the range; a range that goes on in further lines ends here.
  private func excerpt(_ line: String, _ range: SourceRange) -> String {
    var shown = ""
    var column = 1
    var width = 0
    var caretStart: Int?
    var caretEnd = 0
    for character in line {
      let next = column + character.unicodeScalars.count
      if caretStart == nil, next > range.start.column { caretStart = width }
      let taken: Int
      if character == "\t" {
        taken = DisplayWidth.tab - width % DisplayWidth.tab
        shown += String(repeating: " ", count: taken)
      } else {
        taken = DisplayWidth.of(character)
        // A control character would move the caret.
        if taken > 0 || character.unicodeScalars.allSatisfy({ $0.value >= 0x300 }) { shown.append(character) }
      }
      width += taken
      if range.end.line > range.start.line || column < range.end.column { caretEnd = width }
      column = next
    }
    let start = caretStart ?? width
    let count = max(1, min(caretEnd, width) - start)
    let (cut, offset) = shorten(shown, width: width, caret: start)
    let number = String(range.start.line)
    let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
    let blank = String(repeating: " ", count: max(5, number.count))
    let carets = String(repeating: "^", count: min(count, max(1, self.width - (start - offset))))
    return "\(gutter) | \(cut)\n\(blank) | \(String(repeating: " ", count: start - offset))\(painted(carets, .green))\n"
  }

  /// Cuts a long line so that the caret stays in view.
  ///
  /// - Returns: The part to show and by how many columns the caret moves to the left.
  private func shorten(_ line: String, width: Int, caret: Int) -> (text: String, offset: Int) {
    guard width > self.width else { return (line, 0) }
    let from = caret > self.width * 2 / 3 ? caret - self.width / 3 : 0
    var text = ""
    var position = 0
    var start = 0
    for character in line {
      let taken = DisplayWidth.of(character)
      if position < from {
        position += taken
        start = position
        continue
      }
      if position + taken > from + self.width { break }
      text.append(character)
      position += taken
    }
    let isCut = position < width
    return ((start > 0 ? "…" : "") + text + (isCut ? "…" : ""), start > 0 ? start - 1 : 0)
  }
}

/// A piece of a page.
///
/// Texts and the values of attributes are escaped when the piece is written. No case holds markup, so a text from outside cannot
/// become markup.
package indirect enum HTML: Sendable, Hashable {
  /// A text.
  case text(String)
  /// An element with its attributes and contents.
  case element(Tag, [Attribute], [HTML])
  /// Pieces one after the other.
  case group([HTML])

  /// Nothing.
  package static let empty = HTML.group([])

  /// The markup.
  package var markup: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to output: inout String) {
    switch self {
    case .text(let text): Self.escape(text, to: &output)
    case .group(let parts): for part in parts { part.write(to: &output) }
    case .element(let tag, let attributes, let contents):
      output += "<" + tag.rawValue
      for attribute in attributes {
        output += " " + attribute.name
        guard let value = attribute.value else { continue }
        output += "=\""
        Self.escape(value, to: &output)
        output += "\""
      }
      output += ">"
      if tag.isVoid { return }
      // A parser drops the first line end of these elements.
      if tag == .textarea || tag == .pre { output += "\n" }
      for part in contents { part.write(to: &output) }
      output += "</" + tag.rawValue + ">"
    }
  }

  /// Writes a text without characters that mean something in HTML. Control characters, which HTML does not allow, become U+FFFD.
  private static func escape(_ text: String, to output: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      case "\n", "\t": output.unicodeScalars.append(scalar)
      case "\r": output += "&#13;"
      default:
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        output.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
      }
    }
  }
}

/// An element with a text.
package func tag(_ tag: Tag, _ attributes: Attribute..., text: String) -> HTML {
  .element(tag, attributes, [.text(text)])
}

/// An element with contents.
package func tag(_ tag: Tag, _ attributes: Attribute..., @HTMLBuilder contents: () -> HTML) -> HTML {
  .element(tag, attributes, [contents()])
}

/// An element without contents.
package func tag(_ tag: Tag, _ attributes: Attribute...) -> HTML { .element(tag, attributes, []) }

/// Collects pieces of a page.
@resultBuilder
package enum HTMLBuilder {
  /// A piece.
  package static func buildExpression(_ piece: HTML) -> HTML { piece }
  /// A text.
  package static func buildExpression(_ text: String) -> HTML { .text(text) }
  /// A piece that may be missing.
  package static func buildExpression(_ piece: HTML?) -> HTML { piece ?? .empty }
  /// Pieces one after the other.
  package static func buildBlock(_ pieces: HTML...) -> HTML { .group(pieces) }
  /// A piece under a condition.
  package static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .empty }
  /// One of two pieces.
  package static func buildEither(first piece: HTML) -> HTML { piece }
  /// One of two pieces.
  package static func buildEither(second piece: HTML) -> HTML { piece }
  /// The pieces of a loop.
  package static func buildArray(_ pieces: [HTML]) -> HTML { .group(pieces) }
}

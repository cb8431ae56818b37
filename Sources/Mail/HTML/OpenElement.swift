/// An element that was opened, followed to its end without a tree of elements.
struct OpenElement {
  /// The meaning of a token for the element.
  enum Step {
    case inside
    /// The token is its end tag.
    case ended
    /// It ended before the token, by the rules for end tags that are left out.
    case endedBefore
  }

  private let name: String
  /// How many elements of its name are open in it.
  private var depth = 0
  /// How many tables, or lists in the item of a list, are open in it: in these are cells and items of their own.
  private var inner = 0

  init(_ name: String) { self.name = name }

  /// Takes the next token.
  mutating func take(_ token: HTMLScanner.Token) -> Step {
    switch token {
    case .text: return .inside
    case .open(let tag, _):
      if isInner(tag) {
        inner += 1
      } else if inner == 0 {
        if isEnded(byStartOf: tag) { return .endedBefore }
        if tag == name { depth += 1 }
      }
    case .close(let tag):
      if isInner(tag) {
        if inner == 0 { return .endedBefore }
        inner -= 1
      } else if inner == 0 {
        if tag == name {
          if depth == 0 { return .ended }
          depth -= 1
        } else if isEnded(byEndOf: tag) {
          return .endedBefore
        }
      }
    }
    return .inside
  }

  private func isInner(_ tag: String) -> Bool {
    if tag == name { return false }
    switch tag {
    case "table": return name != "p"
    case "ul", "ol": return name == "li"
    case "dl": return name == "dt" || name == "dd"
    default: return false
    }
  }

  private func isEnded(byStartOf tag: String) -> Bool {
    switch name {
    case "table": false
    case "p": tag == "p" || HTMLText.blocks.contains(tag) || OpenElement.paragraphEnds.contains(tag)
    case "li": tag == "li" || OpenElement.cells.contains(tag)
    case "dt", "dd": tag == "dt" || tag == "dd" || OpenElement.cells.contains(tag)
    case "tr": tag == "tr" || OpenElement.sections.contains(tag)
    case "tbody", "thead", "tfoot": OpenElement.sections.contains(tag)
    default: OpenElement.cells.contains(tag)
    }
  }

  private func isEnded(byEndOf tag: String) -> Bool {
    switch name {
    case "table": false
    case "p": HTMLText.blocks.contains(tag) || OpenElement.cells.contains(tag) || tag == "table" || tag == "li"
    case "tr": OpenElement.sections.contains(tag)
    case "tbody", "thead", "tfoot": false
    default: OpenElement.cells.contains(tag)
    }
  }

  private static let sections: Set<String> = ["tbody", "thead", "tfoot"]
  private static let cells: Set<String> = ["td", "th", "tr", "tbody", "thead", "tfoot"]
  private static let paragraphEnds: Set<String> = [
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "dl", "pre", "blockquote", "ul", "ol", "li", "hr", "td", "th", "tr",
  ]
}

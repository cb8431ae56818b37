/// Turns the HTML of messages into readable plain text.
///
/// Not a browser: tags are read one after the other, no tree is built and nothing is looked at twice, so the time is linear in
/// the size whatever the input. Block elements make lines, list items get a mark, quotations `> `, cells of a row are side by
/// side, links keep their address, and scripts, styles and hidden text (the preview lines of newsletters) are left out.
public enum HTMLText {
  /// How the addresses of links are shown.
  public enum Links: Sendable {
    /// The address follows the linked words in parentheses, unless it says the same or is longer than 200 characters.
    case inline
    /// Only the linked words stay.
    case omitted
  }

  /// Converts HTML to text whose lines end with LF.
  public static func convert(_ html: String, links: Links = .inline) -> String {
    let text = convert(html, links: links, readsHidden: false)
    if case .nothingButHidden = text { return convert(html, links: links, readsHidden: true).text }
    return text.text
  }

  private enum Converted {
    case text(String)
    /// All that there is is hidden: some programs show it only where they know the screen.
    case nothingButHidden

    var text: String { if case .text(let text) = self { text } else { "" } }
  }

  private static func convert(_ html: String, links: Links, readsHidden: Bool) -> Converted {
    var converter = Converter(links: links, readsHidden: readsHidden)
    var scanner = HTMLScanner(html)
    while let token = scanner.next() { converter.take(token, scanner: &scanner) }
    let text = converter.finish()
    return text.isEmpty && converter.hasHiddenText ? .nothingButHidden : .text(text)
  }

  /// Escapes text so that it can occur in HTML.
  public static func escape(_ text: String) -> String {
    var output = ""
    output.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// The character set that a `meta` element names in the first kilobyte, where the header named none.
  static func charset(in bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(1024).map(\.lowercasedASCII), as: UTF8.self)
    var scanner = HTMLScanner(head)
    while let token = scanner.next() {
      guard case .open("meta", let attributes) = token else { continue }
      if let charset = attributes["charset"] { return charset }
      guard let content = attributes["content"] else { continue }
      let parsed = ParameterizedValue(parsing: Array(content.utf8)[...])
      if let charset = parsed.parameter("charset") { return charset }
    }
    return nil
  }

  /// Collects text and decides about white space.
  private struct Converter {
    let links: Links
    var output = String.UnicodeScalarView()
    /// Line ends due before the next text; two make an empty line.
    var pendingBreaks = 0
    var pendingSpace = false
    /// Nesting of `pre` and of `blockquote`.
    var preformattedDepth = 0
    var quoteDepth = 0
    /// The nesting of `blockquote` on the last line that has text.
    var lineDepth = 0
    /// Open lists: the next number, or `nil` for a list without numbers.
    var lists: [Int?] = []
    /// The mark of a list item that has no text yet.
    var pendingMark: String?
    var linkTarget: String?
    /// The linked words, cut if they are longer than any address that is compared with them.
    var linkText: [Unicode.Scalar] = []
    var isAtLineStart = true
    var rowHasCell = false
    let readsHidden: Bool
    /// The hidden element that is being skipped.
    var hidden: OpenElement?
    /// The open elements that set the size of their text, from the first that makes it unreadable.
    var sizes: [(element: OpenElement, isReadable: Bool)] = []
    var hasHiddenText = false
    /// The classes and identifiers that a style sheet hides.
    var hiddenSelectors: Set<String> = []

    init(links: Links, readsHidden: Bool) {
      self.links = links
      self.readsHidden = readsHidden
    }

    mutating func take(_ token: HTMLScanner.Token, scanner: inout HTMLScanner) {
      followSizes(token)
      if hidden != nil, isPassedOver(token, scanner: &scanner) { return }
      switch token {
      case .text(let text):
        guard sizes.last?.isReadable ?? true else {
          if !hasHiddenText { hasHiddenText = text.contains { !$0.isASCIIWhitespace } }
          return
        }
        append(text)
      case .open(let name, let attributes): open(name, attributes, scanner: &scanner)
      case .close(let name): close(name)
      }
    }

    mutating func finish() -> String {
      closeLink()
      return String(output).trimmingTrailingSpaces.trimmingASCIIWhitespace
    }

    // MARK: Hidden text

    /// Whether a token belongs to the hidden element; ends it where it does not.
    private mutating func isPassedOver(_ token: HTMLScanner.Token, scanner: inout HTMLScanner) -> Bool {
      guard var element = hidden else { return false }
      switch token {
      case .text(let text):
        if !hasHiddenText { hasHiddenText = text.contains { !$0.isASCIIWhitespace } }
      case .open("svg", _):
        scanner.skipForeignContent("svg")
        return true
      case .open(let name, _) where HTMLText.rawElements.contains(name):
        scanner.skip(past: name)
        return true
      default: break
      }
      let step = element.take(token)
      hidden = step == .inside ? element : nil
      return step != .endedBefore
    }

    /// Follows the elements that set the size of their text, as long as an outer one sets it to nothing.
    private mutating func followSizes(_ token: HTMLScanner.Token) {
      while var last = sizes.last {
        let step = last.element.take(token)
        sizes[sizes.count - 1].element = last.element
        if step == .inside { break }
        sizes.removeLast()
        if step == .ended { break }
      }
      guard hidden == nil, !readsHidden, sizes.count < 200, case .open(let name, let attributes) = token,
        !HTMLAllowList.void.contains(name), name != "body", name != "html", let style = attributes["style"],
        let isReadable = CSSFilter.hasReadableSize(style), !isReadable || !sizes.isEmpty, !isHidden(name, attributes)
      else { return }
      sizes.append((OpenElement(name), isReadable))
    }

    private func isHidden(_ name: String, _ attributes: HTMLAttributes) -> Bool {
      guard !readsHidden, !attributes.isEmpty, !HTMLAllowList.void.contains(name), name != "body", name != "html" else {
        return false
      }
      if attributes["hidden"] != nil { return true }
      if let style = attributes["style"], CSSFilter.hides(style) { return true }
      return StyleSheet.selects(attributes, hiddenSelectors)
    }

    private mutating func append(_ text: String.UnicodeScalarView) {
      for scalar in text {
        if preformattedDepth > 0, scalar == "\n" {
          pendingBreaks += 1
          continue
        }
        if preformattedDepth > 0, scalar == " " || scalar == "\t" {
          flushSpace()
          emit(" ")
        } else if scalar.isASCIIWhitespace {
          pendingSpace = true
        } else if scalar == "\u{200B}" || scalar == "\u{200C}" || scalar == "\u{FEFF}" || scalar == "\u{AD}"
          || scalar == "\u{34F}" || scalar == "\u{2007}"
        {
          // Fillers that newsletters hide behind their preview line.
          continue
        } else if scalar == "\u{A0}" {
          pendingSpace = true
        } else {
          flushSpace()
          emit(scalar)
        }
      }
    }

    /// Writes the line ends, marks and the space that are due before a character.
    private mutating func flushSpace() {
      if pendingBreaks > 0 {
        if !output.isEmpty {
          for _ in 0..<min(pendingBreaks, preformattedDepth > 0 ? 4 : 2) {
            // A line between a quotation and what is around it belongs to neither.
            if isAtLineStart { writeQuoteMarks(min(quoteDepth, lineDepth)) }
            output.append("\n")
            isAtLineStart = true
          }
        }
        pendingBreaks = 0
        pendingSpace = false
      }
      if isAtLineStart {
        writeQuoteMarks(quoteDepth)
        lineDepth = quoteDepth
        isAtLineStart = false
        pendingSpace = false
      }
      if let mark = pendingMark {
        output.append(contentsOf: mark.unicodeScalars)
        pendingMark = nil
        pendingSpace = false
      }
      if pendingSpace {
        output.append(" ")
        pendingSpace = false
      }
    }

    private mutating func writeQuoteMarks(_ depth: Int) {
      for _ in 0..<min(depth, 8) { output.append(contentsOf: "> ".unicodeScalars) }
    }

    private mutating func emit(_ scalar: Unicode.Scalar) {
      output.append(scalar)
      if linkTarget != nil, linkText.count < 400 { linkText.append(scalar) }
    }

    private mutating func breakLine(_ count: Int) { pendingBreaks = max(pendingBreaks, count) }

    private mutating func open(_ name: String, _ attributes: HTMLAttributes, scanner: inout HTMLScanner) {
      if isHidden(name, attributes) {
        hidden = OpenElement(name)
        return
      }
      switch name {
      case "style":
        let source = scanner.skip(past: name)
        if !readsHidden { hiddenSelectors.formUnion(StyleSheet(source).hiddenSelectors) }
      case "svg":
        scanner.skipForeignContent(name)
      case _ where HTMLText.rawElements.contains(name):
        scanner.skip(past: name)
      case "br":
        pendingBreaks += 1
      case "hr":
        breakLine(2)
        append("———".unicodeScalars)
        breakLine(2)
      case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "dl":
        breakLine(2)
      case "pre":
        breakLine(2)
        preformattedDepth += 1
      case "blockquote":
        breakLine(2)
        quoteDepth += 1
      case "ul", "ol":
        breakLine(lists.isEmpty ? 2 : 1)
        let start = attributes["start"].flatMap { Int($0) } ?? 1
        if lists.count < 32 { lists.append(name == "ol" ? .some(min(max(start, -9999), 99_999)) : .none) }
      case "li":
        startItem()
      case "tr":
        breakLine(1)
        rowHasCell = false
      case "td", "th":
        if rowHasCell { pendingSpace = true }
        rowHasCell = true
      case "img":
        if let text = attributes["alt"]?.collapsingWhitespace, !text.isEmpty { append("[\(text)]".unicodeScalars) }
      case "a":
        closeLink()
        linkTarget = attributes["href"]
        linkText = []
      case _ where HTMLText.blocks.contains(name):
        breakLine(1)
      default:
        break
      }
    }

    private mutating func close(_ name: String) {
      switch name {
      case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "dl":
        breakLine(2)
      case "pre":
        breakLine(2)
        preformattedDepth = max(0, preformattedDepth - 1)
      case "blockquote":
        breakLine(2)
        quoteDepth = max(0, quoteDepth - 1)
      case "ul", "ol":
        if !lists.isEmpty { lists.removeLast() }
        breakLine(lists.isEmpty ? 2 : 1)
      case "a":
        closeLink()
      case _ where HTMLText.blocks.contains(name) || name == "li" || name == "tr":
        breakLine(1)
      default:
        break
      }
    }

    private mutating func startItem() {
      breakLine(1)
      let indentation = String(repeating: "  ", count: max(0, lists.count - 1))
      if let last = lists.last, let number = last {
        pendingMark = "\(indentation)\(number). "
        lists[lists.count - 1] = number + 1
      } else {
        pendingMark = "\(indentation)• "
      }
    }

    private mutating func closeLink() {
      guard let target = linkTarget else { return }
      linkTarget = nil
      guard links == .inline, !linkText.isEmpty, target.utf8.count <= 200 else { return }
      let lowercased = target.lowercased()
      guard ["http:", "https:", "mailto:"].contains(where: lowercased.hasPrefix) else { return }
      let address = lowercased.hasPrefix("mailto:") ? String(target.dropFirst(7).prefix { $0 != "?" }) : target
      let words = String(String.UnicodeScalarView(linkText))
      if words.lowercased().contains(HTMLText.bare(address)) { return }
      let hadSpace = pendingSpace
      pendingSpace = true
      append("(\(address))".unicodeScalars)
      pendingSpace = hadSpace
    }
  }

  /// An address without the parts that link texts leave out, for comparison.
  private static func bare(_ address: String) -> String {
    var text = address.lowercased()
    for prefix in ["https://", "http://", "www."] where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  /// Elements whose content is not text.
  private static let rawElements: Set<String> = [
    "script", "style", "title", "textarea", "select", "object", "template", "iframe", "noembed", "noframes", "xml",
  ]

  /// Elements that start and end a line; those that keep more distance are dealt with one by one.
  static let blocks: Set<String> = [
    "address", "article", "aside", "body", "caption", "center", "dd", "div", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "header", "html", "main", "nav", "section", "tbody", "tfoot", "thead",
  ]
}

extension String {
  /// The text without spaces at the ends of its lines.
  fileprivate var trimmingTrailingSpaces: String {
    var output: [UInt8] = []
    output.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == UInt8.lineFeed {
        while output.last == UInt8.space { output.removeLast() }
      }
      output.append(byte)
    }
    return String(decoding: output, as: UTF8.self)
  }
}

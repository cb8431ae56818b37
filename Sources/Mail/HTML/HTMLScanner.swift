/// Cuts HTML into tags and text, forgivingly and in one pass.
struct HTMLScanner {
  enum Token {
    /// Text with its entities decoded.
    case text(String.UnicodeScalarView)
    /// A start tag: its name in lower case and its attributes.
    case open(String, HTMLAttributes)
    /// An end tag's name in lower case.
    case close(String)
  }

  private let bytes: [UInt8]
  private var index = 0
  /// Whether the last start tag ended with `/>`, which means something in SVG and MathML alone.
  private(set) var isSelfClosing = false
  /// Cleared once a search for the sign has met the end: the rest is then read without it.
  private var hasTagEnds = true
  private var hasCommentEnds = true
  private var hasQuotes: [UInt8: Bool] = [:]

  init(_ html: String) { bytes = Array(html.utf8) }

  mutating func next() -> Token? {
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), let token = readMarkup() {
        if let token { return token }
        continue
      }
      return .text(readText())
    }
    return nil
  }

  /// Moves to behind the end tag of an element whose content is not text; to the end if it is never closed.
  ///
  /// - Returns: The content before the end tag.
  @discardableResult
  mutating func skip(past name: String) -> ArraySlice<UInt8> {
    let target = Array("</\(name)".utf8)
    let start = index
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<"), index + target.count <= bytes.count,
        zip(bytes[index..<(index + target.count)], target).allSatisfy({ $0.lowercasedASCII == $1 })
      else {
        index += 1
        continue
      }
      let content = bytes[start..<index]
      index += target.count
      while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
      index = min(index + 1, bytes.count)
      return content
    }
    return bytes[start...]
  }

  /// Moves to behind the end of an element of SVG or MathML whose start tag was read; at most to the first tag that ends it in a
  /// browser, too: an element of HTML (HTML standard, 13.2.6.5).
  mutating func skipForeignContent(_ name: String) {
    if isSelfClosing { return }
    var (depth, innerHTML) = (1, 0)
    while depth > 0 {
      let start = index
      switch next() {
      case .open(let tag, let attributes):
        if tag == name {
          if !isSelfClosing { depth += 1 }
        } else if HTMLScanner.mayHoldHTML.contains(tag) {
          if !isSelfClosing { innerHTML += 1 }
        } else if innerHTML == 0, HTMLScanner.endsForeignContent(tag, attributes) {
          index = start
          return
        }
      case .close(let tag):
        if tag == name {
          depth -= 1
        } else if HTMLScanner.mayHoldHTML.contains(tag) {
          innerHTML = max(0, innerHTML - 1)
        } else if innerHTML == 0, tag == "p" || tag == "br" {
          index = start
          return
        }
      case .text: break
      case nil: return
      }
    }
  }

  private static let mayHoldHTML: Set<String> = ["foreignobject", "desc", "title", "annotation-xml"]

  private static func endsForeignContent(_ tag: String, _ attributes: HTMLAttributes) -> Bool {
    if tag == "font" { return ["color", "face", "size"].contains { attributes[$0] != nil } }
    return foreignEnds.contains(tag)
  }

  private static let foreignEnds: Set<String> = [
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
    "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
  ]

  private mutating func readText() -> String.UnicodeScalarView {
    let start = index
    // The first byte may be a `<` that opens no tag.
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
    return HTMLEntities.decode(bytes[start..<index])
  }

  /// Reads what starts with `<`: a token, `.some(nil)` for markup without a meaning here, `nil` for a plain `<`.
  private mutating func readMarkup() -> Token?? {
    guard hasTagEnds, index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      return skipDeclaration() ? .some(nil) : nil
    case UInt8(ascii: "/"):
      guard index + 2 < bytes.count, bytes[index + 2].isASCIILetter else { return nil }
      return readTag(nameStart: index + 2).map { .some(.close($0.name)) }
    case let byte where byte.isASCIILetter:
      return readTag(nameStart: index + 1).map { .some(.open($0.name, $0.attributes)) }
    default:
      return nil
    }
  }

  private mutating func skipDeclaration() -> Bool {
    let isComment = bytes[index...].starts(with: "<!--".utf8)
    if isComment {
      // `<!-->` and `<!--->` are comments without a text.
      for short in ["<!-->", "<!--->"] where bytes[index...].starts(with: short.utf8) {
        index += short.utf8.count
        return true
      }
    }
    if isComment, hasCommentEnds {
      var position = index + 4
      while position + 2 < bytes.count {
        if bytes[position] == UInt8(ascii: "-"), bytes[position + 1] == UInt8(ascii: "-"),
          bytes[position + 2] == UInt8(ascii: ">")
        {
          index = position + 3
          return true
        }
        position += 1
      }
      hasCommentEnds = false
    }
    guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
      hasTagEnds = false
      return false
    }
    index = end + 1
    return true
  }

  private mutating func readTag(nameStart: Int) -> (name: String, attributes: HTMLAttributes)? {
    var position = nameStart
    while position < bytes.count, isName(bytes[position]) { position += 1 }
    let name = lowercased(nameStart..<position)
    var attributes = HTMLAttributes(source: bytes)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        index = position + 1
        isSelfClosing = bytes[position - 1] == UInt8(ascii: "/")
        return (name, attributes)
      }
      if byte == UInt8(ascii: "<") {
        // The tag was never closed and the next one starts.
        index = position
        return (name, attributes)
      }
      if !isName(byte) {
        position += 1
        continue
      }
      let keyStart = position
      while position < bytes.count, isName(bytes[position]) { position += 1 }
      let key = keyStart..<position
      var afterKey = position
      while afterKey < bytes.count, bytes[afterKey].isMailWhitespace { afterKey += 1 }
      guard afterKey < bytes.count, bytes[afterKey] == UInt8(ascii: "=") else {
        attributes.append(name: key, value: position..<position)
        continue
      }
      position = afterKey + 1
      attributes.append(name: key, value: readAttributeValue(at: &position))
    }
    hasTagEnds = false
    return nil
  }

  private func lowercased(_ range: Range<Int>) -> String {
    String(unsafeUninitializedCapacity: range.count) { buffer in
      for (offset, byte) in bytes[range].enumerated() { buffer[offset] = byte.lowercasedASCII }
      return range.count
    }
  }

  private mutating func readAttributeValue(at position: inout Int) -> Range<Int> {
    while position < bytes.count, bytes[position].isMailWhitespace { position += 1 }
    guard position < bytes.count else { return position..<position }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), hasQuotes[quote] ?? true {
      if let end = bytes[(position + 1)...].firstIndex(of: quote) {
        defer { position = end + 1 }
        return (position + 1)..<end
      }
      hasQuotes[quote] = false
    }
    let start = position
    while position < bytes.count, !bytes[position].isMailWhitespace, bytes[position] != UInt8(ascii: ">") {
      position += 1
    }
    return start..<position
  }

  private func isName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}

/// Writes the tags and texts that may stay, and closes what it opened.
struct HTMLWriter {
  private let sanitizer: HTMLSanitizer
  private var output: [UInt8] = []
  private var open: [String] = []
  /// The index in ``open`` of the outermost element that is not shown; its contents are not loaded.
  private var hiddenFrom: Int?
  private var hiddenSelectors: Set<String> = []
  private var blockedPictures = 0
  private var removedTrackers = 0
  /// How often a data URL may be written: a message that shows one picture a thousand times would not stay in proportion.
  private var pictureBytes = 0

  /// Elements nested deeper than this are left out; their texts stay.
  private static let depthLimit = 200
  private static let pictureLimit = 40_000_000

  init(sanitizer: HTMLSanitizer) { self.sanitizer = sanitizer }

  mutating func take(_ token: HTMLScanner.Token, scanner: inout HTMLScanner) {
    switch token {
    case .text(let text): append(escaping: text)
    case .open(let name, let attributes): start(name, attributes, scanner: &scanner)
    case .close(let name): end(name)
    }
  }

  mutating func finish() -> HTMLSanitizer.Output {
    closeAll()
    return HTMLSanitizer.Output(
      html: String(decoding: output, as: UTF8.self), blockedPictures: blockedPictures, removedTrackers: removedTrackers)
  }

  // MARK: Elements

  private mutating func start(_ name: String, _ attributes: HTMLAttributes, scanner: inout HTMLScanner) {
    if name == "style" {
      writeStyleSheet(scanner.skip(past: name))
    } else if name == "body" {
      startBody(attributes)
    } else if name == "img" || name == "image" {
      writePicture(attributes)
    } else if name == "svg" || name == "math" {
      scanner.skipForeignContent(name)
    } else if HTMLAllowList.removedWithContent.contains(name) {
      scanner.skip(past: name)
    } else if HTMLAllowList.elements.contains(name) {
      closeImplicitly(before: name)
      if HTMLAllowList.void.contains(name) {
        write(name, attributes)
      } else if open.count < HTMLWriter.depthLimit {
        write(name, attributes)
        if hiddenFrom == nil, isHidden(attributes) { hiddenFrom = open.count }
        open.append(name)
      }
    }
  }

  private mutating func writeStyleSheet(_ source: ArraySlice<UInt8>) {
    let sheet = StyleSheet(source)
    hiddenSelectors.formUnion(sheet.hiddenSelectors)
    guard sanitizer.keepsStyleSheets, !sheet.text.isEmpty, open.isEmpty || open.last == "div" else { return }
    append("<style>\n\(sheet.text)</style>")
  }

  /// The page's colours go to an element that replaces it.
  private mutating func startBody(_ attributes: HTMLAttributes) {
    guard open.isEmpty, !attributes.isEmpty else { return }
    var style: [String] = []
    for (name, property) in [("bgcolor", "background-color"), ("text", "color")] {
      if let value = attributes[name] { style.append("\(property): \(value)") }
    }
    if let own = attributes["style"] { style.append(own) }
    let kept = CSSFilter.declarations(style.joined(separator: ";"))
    append("<div")
    if !kept.isEmpty { write(attribute: "style", kept) }
    append(">")
    open.append("div")
  }

  private mutating func closeImplicitly(before name: String) {
    guard let (names, boundaries) = HTMLAllowList.implicitlyClosed(by: name) else { return }
    for index in open.indices.reversed() {
      if names.contains(open[index]) {
        close(to: index)
        return
      }
      if boundaries.contains(open[index]) { return }
    }
  }

  private mutating func end(_ name: String) {
    for index in open.indices.reversed() {
      if open[index] == name {
        close(to: index)
        return
      }
      // A stray `</div>` in a cell does not end the table around it.
      if HTMLAllowList.scopes.contains(open[index]), name != "table", name != "tr", name != "tbody" { return }
    }
  }

  private mutating func close(to index: Int) {
    while open.count > index { append("</\(open.removeLast())>") }
    if let from = hiddenFrom, from >= open.count { hiddenFrom = nil }
  }

  private mutating func closeAll() { close(to: 0) }

  // MARK: Attributes

  private mutating func write(_ name: String, _ attributes: HTMLAttributes) {
    append("<\(name)")
    if !attributes.isEmpty {
      writeAttributes(attributes, of: name)
      if name == "a", let target = attributes["href"].flatMap(sanitizer.linkTarget) {
        write(attribute: "href", target)
        append(" target=\"_blank\" rel=\"noopener noreferrer\"")
      }
    }
    append(">")
  }

  private mutating func writeAttributes(_ attributes: HTMLAttributes, of element: String) {
    var written: Set<String> = []
    for name in attributes.names where written.insert(name).inserted {
      if name == "style" {
        let kept = CSSFilter.declarations(attributes[name] ?? "")
        if !kept.isEmpty { write(attribute: name, kept) }
      } else if name == "class" ? sanitizer.keepsStyleSheets : HTMLAllowList.allows(name, on: element) {
        write(attribute: name, String((attributes[name] ?? "").prefix(2000)))
      }
    }
  }

  private mutating func write(attribute: String, _ value: String) {
    append(" \(attribute)=\"")
    append(escaping: value.unicodeScalars)
    append("\"")
  }

  // MARK: Pictures

  private mutating func writePicture(_ attributes: HTMLAttributes) {
    let isInvisible =
      hiddenFrom != nil || isHidden(attributes) || HTMLWriter.isPoint(attributes, attributes["style"] ?? "")
    let source = sanitizer.pictureSource(attributes["src"] ?? "", isInvisible: isInvisible)
    switch source {
    case .tracker:
      removedTrackers += 1
      return
    case .blocked, .none:
      if case .blocked = source { blockedPictures += 1 }
      // The rest keeps the picture's alternative text and its size.
      let isEmpty = ["alt", "width", "height"].allSatisfy { (attributes[$0] ?? "").isEmpty }
      if isEmpty { return }
      append("<img")
    case .shown(let address):
      append("<img")
      if pictureBytes + address.utf8.count <= HTMLWriter.pictureLimit {
        pictureBytes += address.utf8.count
        write(attribute: "src", address)
      }
    }
    writeAttributes(attributes, of: "img")
    append(">")
  }

  /// Whether an element is not shown.
  private func isHidden(_ attributes: HTMLAttributes) -> Bool {
    if attributes["hidden"] != nil || attributes["style"].map(CSSFilter.hides) == true { return true }
    return StyleSheet.selects(attributes, hiddenSelectors)
  }

  /// Whether a picture is at most one pixel wide and high.
  private static func isPoint(_ attributes: HTMLAttributes, _ style: String) -> Bool {
    func size(_ text: String) -> (isPoint: Bool, isGiven: Bool) {
      let text = text.prefix { $0 != "!" }.trimmingASCIIWhitespace.lowercased()
      let digits = text.prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits) else { return (false, !text.isEmpty && text != "auto") }
      let unit = text.dropFirst(digits.count).trimmingASCIIWhitespace
      return (number == 0 || number <= 1 && ["", "px", "pt"].contains(unit), true)
    }
    let declarations = ["0", "1", "."].contains(where: style.contains) ? CSSFilter.parse(style) : []
    func side(_ name: String) -> (isPoint: Bool, isGiven: Bool) {
      var sizes = declarations.filter { $0.property == name }.map { size($0.value) }
      if let attribute = attributes[name] { sizes.append(size(attribute)) }
      let isCut = declarations.contains { $0.property == "max-\(name)" && size($0.value).isPoint }
      return (isCut || sizes.contains(where: \.isPoint), isCut || sizes.contains(where: \.isGiven))
    }
    let (width, height) = (side("width"), side("height"))
    return (width.isPoint || height.isPoint) && (width.isPoint || !width.isGiven)
      && (height.isPoint || !height.isGiven)
  }

  // MARK: Bytes

  private mutating func append(_ markup: String) { output.append(contentsOf: markup.utf8) }

  private mutating func append(escaping text: String.UnicodeScalarView) {
    for byte in String(text).utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      case UInt8(ascii: "'"): append("&#39;")
      // Characters that ended an attribute in old browsers, and those that HTML does not allow.
      case UInt8(ascii: "`"): append("&#96;")
      case 0...8, 0x0B, 0x0C, 0x0E...0x1F, 0x7F: append("\u{FFFD}")
      default: output.append(byte)
      }
    }
  }
}

/// Keeps of style sheets what lays text out and nothing that loads, covers or runs something.
///
/// A declaration is kept where its property is in the table and its value is made of plain words, numbers, colours and
/// harmless functions. Escapes are refused rather than decoded, as they only ever hide something.
enum CSSFilter {
  /// The declarations of a `style` attribute that are allowed, `""` if none is.
  static func declarations(_ source: String) -> String {
    var kept: [String] = []
    for (property, value) in parse(source) where isAllowed(property) {
      guard let safe = safeValue(value, of: property) else { continue }
      kept.append("\(property): \(safe)")
    }
    return kept.joined(separator: "; ")
  }

  /// Whether the declarations make an element invisible, as the preview lines of newsletters are.
  static func hides(_ source: String) -> Bool {
    // Most styles say nothing of the kind; they are not taken apart.
    let source = source.lowercased()
    guard ["none", "hidden", "collapse", "all", "0", ":-", ": -", "rect(", "inset("].contains(where: source.contains)
    else {
      return false
    }
    var isTiny = false
    var isCut = false
    for (property, value) in parse(source) {
      switch (property, value.prefix { $0 != "!" }.trimmingASCIIWhitespace.lowercased()) {
      case ("display", "none"), ("visibility", "hidden"), ("visibility", "collapse"), ("mso-hide", "all"): return true
      case ("opacity", "0"), ("opacity", "0.0"), ("opacity", "0.00"): return true
      // Far outside of the page.
      case ("text-indent", let size), ("left", let size), ("top", let size), ("margin-left", let size):
        if isFarOut(size) { return true }
      // One pixel of it, or nothing, as texts for screen readers are cut.
      case ("clip", let shape): if shape.hasPrefix("rect(0") || shape.hasPrefix("rect(1px") { return true }
      case ("clip-path", let shape): if shape.hasPrefix("inset(50%") || shape.hasPrefix("inset(100%") { return true }
      case ("transform", let change): if change == "scale(0)" { return true }
      case ("font-size", let size): isTiny = isUnreadable(size)
      case ("max-height", let size), ("height", let size), ("max-width", let size), ("width", let size):
        if isZero(size) { isCut = true }
      default: break
      }
    }
    return isCut && isTiny || isCut && source.contains("hidden")
  }

  private static func isFarOut(_ size: String) -> Bool {
    guard size.hasPrefix("-") else { return false }
    let digits = size.dropFirst().prefix { $0.isNumber || $0 == "." }
    let unit = size.dropFirst(digits.count + 1)
    return (Double(digits) ?? 0) >= (unit == "px" || unit == "pt" ? 900 : 90)
  }

  private static func isZero(_ size: String) -> Bool {
    Double(size.prefix { $0.isNumber || $0 == "." }) == 0
  }

  private static func isUnreadable(_ size: String) -> Bool { isZero(size) || size == "1px" || size == "1pt" }

  /// Whether text of the size that declarations set can be read, unless an element inside sets another; `nil` where they set none,
  /// or one in proportion to the size around them.
  static func hasReadableSize(_ source: String) -> Bool? {
    guard source.lowercased().contains("font") else { return nil }
    var isReadable: Bool?
    for (property, value) in parse(source) {
      let value = value.prefix { $0 != "!" }.trimmingASCIIWhitespace.lowercased()
      // `font: bold 12px/1.5 serif`: the size begins with a digit and ends before the height of lines; a weight has no unit.
      let size =
        switch property {
        case "font-size": value
        case "font":
          value.split(separator: " ").first { word in
            word.first?.isNumber == true && (word.contains { $0.isLetter || $0 == "%" || $0 == "/" } || word == "0")
          }.map { String($0.prefix { $0 != "/" }) } ?? ""
        default: ""
        }
      if isZero(size) || isUnreadable(size) {
        isReadable = false
      } else if !size.isEmpty, !size.hasSuffix("%"), !["inherit", "smaller", "larger", "unset"].contains(size),
        !size.hasSuffix("em") || size.hasSuffix("rem")
      {
        isReadable = true
      }
    }
    return isReadable
  }

  // MARK: Reading

  /// The declarations in their order, comments removed; names in lower case.
  static func parse(_ source: String) -> [(property: String, value: String)] {
    var found: [(String, String)] = []
    for piece in split(Array(withoutComments(Array(source.utf8)[...]))[...], at: UInt8(ascii: ";")) {
      guard found.count < 200, let colon = piece.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let property = String(decoding: piece[..<colon].trimmingMailWhitespace, as: UTF8.self).lowercased()
      let value = String(decoding: piece[(colon + 1)...].trimmingMailWhitespace, as: UTF8.self)
      if !property.isEmpty, !value.isEmpty { found.append((property, value)) }
    }
    return found
  }

  static func withoutComments(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.endIndex, bytes[index + 1] == UInt8(ascii: "*") {
        index += 2
        while index < bytes.endIndex,
          !(bytes[index] == UInt8(ascii: "*") && index + 1 < bytes.endIndex && bytes[index + 1] == UInt8(ascii: "/"))
        {
          index += 1
        }
        index = min(index + 2, bytes.endIndex)
        output.append(UInt8.space)
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return output
  }

  /// Cuts at a separator outside quotes and parentheses.
  private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var depth = 0
    var quote: UInt8?
    for index in bytes.indices {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth = max(0, depth - 1)
      } else if byte == separator, depth == 0 {
        pieces.append(bytes[start..<index])
        start = index + 1
      }
    }
    pieces.append(bytes[start...])
    return pieces
  }

  // MARK: Deciding

  private static func isAllowed(_ property: String) -> Bool {
    properties.contains(property) || prefixes.contains(where: property.hasPrefix)
  }

  /// The value without addresses of pictures; `nil` if something else in it may not stay.
  private static func safeValue(_ value: String, of property: String) -> String? {
    guard value.utf8.count <= 1000 else { return nil }
    var text = value
    if property == "background" || property == "list-style" {
      guard let rest = withoutAddresses(value) else { return nil }
      text = rest
    }
    let lowercased = text.lowercased()
    let bytes = Array(lowercased.utf8)
    let plain = bytes.allSatisfy { byte in
      byte.isASCIILetter || byte.isDigit || byte >= 0x80 || byte == UInt8.space || byte == UInt8.tab
        || UInt8.styleSigns.contains(byte)
    }
    guard plain, !text.trimmingASCIIWhitespace.isEmpty else { return nil }
    // Properties that move an element over others.
    if property.hasPrefix("margin") || property == "text-indent", lowercased.contains("-") { return nil }
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "(") {
      var start = index
      while start > 0, bytes[start - 1].isASCIILetter || bytes[start - 1] == UInt8(ascii: "-") { start -= 1 }
      if !functions.contains(String(decoding: bytes[start..<index], as: UTF8.self)) { return nil }
    }
    return text.collapsingWhitespace
  }

  private static func withoutAddresses(_ value: String) -> String? {
    var bytes = Array(value.utf8)
    for _ in 0..<8 {
      let lowercased = bytes.map(\.lowercasedASCII)
      guard let start = lowercased.firstRange(of: Array("url(".utf8))?.lowerBound else {
        return String(decoding: bytes, as: UTF8.self)
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ")")) else { return nil }
      bytes.removeSubrange(start...end)
    }
    return nil
  }

  private static let functions: Set<String> = ["rgb", "rgba", "hsl", "hsla", "calc", "min", "max", "clamp"]
  private static let prefixes = ["font", "text-", "margin", "padding", "border", "min-", "max-", "list-style"]
  private static let properties: Set<String> = [
    "background", "background-color", "box-sizing", "caption-side", "clear", "color", "direction", "display",
    "empty-cells", "float", "height", "hyphens", "letter-spacing", "line-height", "opacity", "overflow",
    "overflow-wrap", "table-layout", "unicode-bidi", "vertical-align", "visibility", "white-space", "width",
    "word-break", "word-spacing", "word-wrap", "writing-mode",
  ]
}

extension UInt8 {
  fileprivate static let styleSigns = Array("#%.,!()+-*/'\"_".utf8)
}

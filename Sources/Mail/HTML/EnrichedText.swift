/// `text/enriched` (RFC 1896), the marked-up text of old mail programs.
enum EnrichedText {
  /// The text as HTML.
  static func html(_ text: String) -> String {
    var converter = Converter()
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count { converter.read(bytes, at: &index) }
    return converter.finish()
  }

  /// The text as plain text.
  static func text(_ text: String) -> String { HTMLText.convert(html(text)) }

  private static let tags: [String: String] = [
    "bold": "b", "italic": "i", "underline": "u", "fixed": "tt", "smaller": "small", "bigger": "big",
    "center": "center",
    "excerpt": "blockquote", "indent": "dd", "flushleft": "div", "flushright": "div", "flushboth": "div",
    "indentright": "div", "paraindent": "div", "color": "span", "fontfamily": "span", "lang": "span", "nofill": "pre",
  ]

  private struct Converter {
    private var output: [UInt8] = []
    private var open: [String] = []
    private var isParameter = false
    private var nofillDepth = 0
    private var lineEnds = 0

    mutating func read(_ bytes: [UInt8], at index: inout Int) {
      let byte = bytes[index]
      if byte == UInt8(ascii: "<") {
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "<") {
          emit(byte)
          index += 2
        } else if let end = bytes[index...].prefix(62).firstIndex(of: UInt8(ascii: ">")) {
          command(String(decoding: bytes[(index + 1)..<end].map(\.lowercasedASCII), as: UTF8.self))
          index = end + 1
        } else {
          emit(byte)
          index += 1
        }
        return
      }
      index += 1
      if byte == UInt8.carriageReturn { return }
      if byte == UInt8.lineFeed, nofillDepth == 0 { lineEnds += 1 } else { emit(byte) }
    }

    mutating func finish() -> String {
      while let name = open.popLast() { append("</\(EnrichedText.tags[name] ?? "span")>") }
      return String(decoding: output, as: UTF8.self)
    }

    private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func emit(_ byte: UInt8) {
      if isParameter { return }
      flushLineEnds()
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      default: output.append(byte)
      }
    }

    /// One line end is a space, any more are line ends less one (RFC 1896, "Line-break rules").
    private mutating func flushLineEnds() {
      if lineEnds == 1 { append(" ") }
      if lineEnds > 1 { append(String(repeating: "<br>", count: min(lineEnds - 1, 20))) }
      lineEnds = 0
    }

    private mutating func command(_ name: String) {
      if name == "param" || name == "/param" {
        isParameter = name == "param"
        return
      }
      // A parameter that was never closed ends with the next command.
      isParameter = false
      flushLineEnds()
      if name.hasPrefix("/") {
        close(String(name.dropFirst()))
      } else if let tag = EnrichedText.tags[name], open.count < 100 {
        append(name == "flushright" ? "<div align=\"right\">" : "<\(tag)>")
        open.append(name)
        if name == "nofill" { nofillDepth += 1 }
      }
    }

    private mutating func close(_ name: String) {
      guard open.contains(name) else { return }
      while let last = open.popLast() {
        append("</\(EnrichedText.tags[last] ?? "span")>")
        if last == "nofill" { nofillDepth -= 1 }
        if last == name { return }
      }
    }
  }
}

/// The rules of a `style` element.
struct StyleSheet {
  /// The sheet with what may stay of it; holds no `<`, so it cannot end its element.
  private(set) var text = ""
  /// Classes (`.preheader`) and identifiers (`#preheader`) that the sheet makes invisible on every screen.
  private(set) var hiddenSelectors: Set<String> = []

  private let bytes: [UInt8]
  private var index = 0
  private var ruleCount = 0

  /// More rules than this are left out.
  private static let limit = 2000

  init(_ source: ArraySlice<UInt8>) {
    bytes = CSSFilter.withoutComments(source)
    readRules(isNested: false)
  }

  private mutating func readRules(isNested: Bool) {
    while index < bytes.count, ruleCount < StyleSheet.limit {
      let byte = bytes[index]
      if byte == UInt8(ascii: "}") {
        index += 1
        if isNested { return }
      } else if byte.isMailWhitespace || byte == UInt8(ascii: ";") {
        index += 1
      } else if byte == UInt8(ascii: "@") {
        readAtRule(isNested: isNested)
      } else {
        readRule(isNested: isNested)
      }
    }
  }

  /// `@media` is read; `@import`, `@font-face` and all the others are left out.
  private mutating func readAtRule(isNested: Bool) {
    ruleCount += 1
    let prelude = read { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: ";") }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else {
      index += 1
      return
    }
    index += 1
    let isMedia = prelude.lowercased().hasPrefix("@media") && StyleSheet.isPlain(prelude)
    guard isMedia, !isNested else {
      skipBlock()
      return
    }
    text += "\(prelude.collapsingWhitespace) {\n"
    readRules(isNested: true)
    text += "}\n"
  }

  private mutating func readRule(isNested: Bool) {
    ruleCount += 1
    let selector = read { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }.collapsingWhitespace
    guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return }
    index += 1
    let body = read { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "{") }
    if index < bytes.count, bytes[index] == UInt8(ascii: "{") {
      index += 1
      skipBlock()
      return
    }
    index += 1
    guard !selector.isEmpty, selector.utf8.count <= 500, StyleSheet.isPlain(selector) else { return }
    if !isNested, CSSFilter.hides(body) { noteHidden(selector) }
    let declarations = CSSFilter.declarations(body)
    if !declarations.isEmpty { text += "\(selector) { \(declarations) }\n" }
  }

  /// Remembers classes and identifiers that are named alone or with their element: `.preheader`, `span.preheader`, `#preheader`.
  private mutating func noteHidden(_ selector: String) {
    for piece in selector.split(separator: ",") {
      let words = piece.trimmingASCIIWhitespace.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "#" }
      guard words.count == 2, !words[1].isEmpty, words[0].allSatisfy({ $0.isLetter || $0.isNumber }),
        words[1].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
      else { continue }
      hiddenSelectors.insert("\(piece.contains("#") ? "#" : ".")\(words[1])")
    }
  }

  /// Whether an element has one of the classes or the identifier of ``hiddenSelectors``.
  static func selects(_ attributes: HTMLAttributes, _ selectors: Set<String>) -> Bool {
    if selectors.isEmpty { return false }
    if let identifier = attributes["id"], selectors.contains("#\(identifier.trimmingASCIIWhitespace)") { return true }
    guard let classes = attributes["class"] else { return false }
    return classes.split(whereSeparator: \.isWhitespace).contains { selectors.contains(".\($0)") }
  }

  private mutating func read(until isEnd: (UInt8) -> Bool) -> String {
    let start = index
    while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipBlock() {
    var depth = 1
    while index < bytes.count, depth > 0 {
      if bytes[index] == UInt8(ascii: "{") { depth += 1 }
      if bytes[index] == UInt8(ascii: "}") { depth -= 1 }
      index += 1
    }
  }

  private static let signs = Array("@.#*>+~:,-_[]=\"'()".utf8)

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || $0.isMailWhitespace || signs.contains($0) }
  }
}

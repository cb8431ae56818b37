import Expressions

/// Texts of YAML files for people: short values plain, long ones as blocks, all others in double quotes.
enum YAMLText {
  /// A value of a file.
  indirect enum Item {
    case text(String)
    /// Numbers and truth values.
    case bare(String)
    case texts([String])
    case map([(key: String, value: Item)])
    case maps([[(key: String, value: Item)]])
  }

  /// A map of keys, one after the other.
  static func map(_ entries: [(key: String, value: Item)], indent: Int = 0) -> String {
    entries.map { lines($0.key, $0.value, indent: indent) }.joined()
  }

  /// A key with its value, as whole lines.
  static func lines(_ key: String, _ value: Item, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    let head = margin + scalar(key) + ":"
    switch value {
    case .text(let text): return head + " " + (block(text, indent: indent + 2) ?? scalar(text)) + "\n"
    case .bare(let text): return head + " " + text + "\n"
    case .texts(let texts):
      if texts.isEmpty { return head + " []\n" }
      return head + "\n" + texts.map { "\(margin)  - \(scalar($0))\n" }.joined()
    case .map(let entries):
      return entries.isEmpty ? head + " {}\n" : head + "\n" + map(entries, indent: indent + 2)
    case .maps(let maps):
      if maps.isEmpty { return head + " []\n" }
      return head + "\n" + maps.map { element($0, indent: indent + 2) }.joined()
    }
  }

  private static func element(_ entries: [(key: String, value: Item)], indent: Int) -> String {
    let text = map(entries, indent: indent + 2)
    return String(repeating: " ", count: indent) + "- " + text.dropFirst(indent + 2)
  }

  /// A text on one line, in quotes where it would mean something else without them.
  static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "." || first == "_",
      text.unicodeScalars.last != " ", !words.contains(text.lowercased()), !text.hasPrefix("..."),
      text.unicodeScalars.count <= 120
    else { return false }
    if first == ".", !text.hasPrefix("./") { return false }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || " _-/.()".unicodeScalars.contains($0)
    }
  }

  /// A text in double quotes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          let (mark, width) = scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
          result += "\\" + mark + String(repeating: "0", count: width - digits.count) + digits
        }
      }
    }
    return result + "\""
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFDCF, 0xFDF0...0xFEFE, 0xFF00...0xFFFD: true
    case 0x10000...0x10FFFF: scalar.value & 0xFFFE != 0xFFFE
    default: false
    }
  }

  /// A text of several lines as it is; `nil` where it has to stand in quotes.
  private static func block(_ text: String, indent: Int) -> String? {
    guard text.unicodeScalars.contains("\n"), let first = text.unicodeScalars.first, first != " ", first != "\n",
      text.unicodeScalars.allSatisfy({ $0 == "\n" || isPrintable($0) })
    else { return nil }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.allSatisfy({ $0.isEmpty || $0.contains { $0 != " " } }) else { return nil }
    let endsInBreak = lines.last?.isEmpty ?? false
    let body = endsInBreak ? lines.dropLast() : lines[...]
    guard body.last.map({ !$0.isEmpty }) ?? false else { return nil }
    let margin = String(repeating: " ", count: indent)
    return (endsInBreak ? "|" : "|-")
      + body.map { $0.isEmpty ? "\n" : "\n" + margin + String($0) }.joined()
  }
}

/// The words of a text in Rich Text Format (RTF 1.9.1), without its looks.
///
/// Of HTML within RTF ([MS-OXRTFEX]) the words are read too: readers of RTF leave its tags out.
struct RTFText {
  private struct Group {
    /// Whether it is not text of the message.
    var isDestination = false
    /// Whether it has the mark of hidden text.
    var isInvisible = false
    var codePage: Int
    /// How many characters behind `\u` are there for readers that know no Unicode.
    var skipped = 1
    var isFontTable = false

    var isHidden: Bool { isDestination || isInvisible }
  }

  private static let deepest = 200
  /// Groups whose content is not text of the message.
  private static let destinations: Set<String> = [
    "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl", "headerr", "headerf", "footerl",
    "footerr", "footerf", "footnote", "listtable", "listoverridetable", "revtbl", "generator", "fldinst", "xmlnstbl",
    "themedata", "datastore", "latentstyles", "private",
  ]
  private static let characters: [String: String] = [
    "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": "\t", "emdash": "—",
    "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ",
    "enspace": " ", "qmspace": " ",
  ]
  /// The code pages of `\fcharset`.
  private static let codePages: [Int: Int] = [
    0: 1252, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
    204: 1251, 222: 874, 238: 1250,
  ]

  private let bytes: [UInt8]
  private var index = 0
  private var groups: [Group] = []
  private var group = Group(codePage: 1252)
  private var fonts: [Int: Int] = [:]
  private var font = 0
  private var standardPage = 1252
  private var output = ""
  /// Bytes of one code page that may be parts of one character.
  private var pending: [UInt8] = []
  private var unitsToSkip = 0
  private var surrogates: [UInt16] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text.
  ///
  /// - Returns: `nil` if the bytes are not RTF, or groups lie deeper than 200 in each other.
  static func read(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: Array(#"{\rtf"#.utf8)) else { return nil }
    var reader = RTFText(bytes)
    guard reader.read() else { return nil }
    return reader.output
  }

  private mutating func read() -> Bool {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"):
        flush()
        guard groups.count < Self.deepest else { return false }
        groups.append(group)
        unitsToSkip = 0
      case UInt8(ascii: "}"):
        flush()
        guard let outer = groups.popLast() else { return true }
        group = outer
        unitsToSkip = 0
      case UInt8(ascii: "\\"): control()
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0: break
      default: take(byte)
      }
    }
    flush()
    return true
  }

  private mutating func control() {
    guard index < bytes.count else { return }
    let first = bytes[index]
    guard Self.isLetter(first) else {
      index += 1
      return symbol(first)
    }
    let start = index
    while index < bytes.count, Self.isLetter(bytes[index]) { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    let digits = index
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    while index < bytes.count, (0x30...0x39).contains(bytes[index]), index - digits < 11 { index += 1 }
    let number = Int(String(decoding: bytes[digits..<index], as: UTF8.self))
    if index < bytes.count, bytes[index] == 0x20 { index += 1 }
    apply(word, number)
  }

  private mutating func symbol(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "'"):
      guard index + 2 <= bytes.count,
        let value = UInt8(String(decoding: bytes[index..<(index + 2)], as: UTF8.self), radix: 16)
      else { return }
      index += 2
      take(value)
    case UInt8(ascii: "*"): group.isDestination = true
    case UInt8(ascii: "~"): write("\u{A0}")
    case UInt8(ascii: "_"): write("-")
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"): write("\n")
    case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): take(byte)
    default: break
    }
  }

  private mutating func apply(_ word: String, _ number: Int?) {
    switch word {
    case "u": unit(number ?? 0)
    case "uc": group.skipped = min(max(number ?? 1, 0), 100)
    case "bin": index = min(bytes.count, index + max(0, number ?? 0))
    case "v":
      flush()
      group.isInvisible = number != 0
    case "ansicpg":
      standardPage = number ?? standardPage
      group.codePage = standardPage
    case "fonttbl": (group.isDestination, group.isFontTable) = (true, true)
    case "f":
      flush()
      font = number ?? 0
      if !group.isFontTable { group.codePage = fonts[font] ?? standardPage }
    case "fcharset": if group.isFontTable { fonts[font] = number.flatMap { Self.codePages[$0] } }
    case "plain":
      flush()
      (group.codePage, group.isInvisible) = (standardPage, false)
    default:
      if Self.destinations.contains(word) { group.isDestination = true }
      if let text = Self.characters[word] { write(text) }
    }
  }

  /// Takes the code unit of `\u`: UTF-16, as a signed number. A replacement in the code page follows, which is skipped.
  private mutating func unit(_ number: Int) {
    flush()
    unitsToSkip = group.skipped
    guard !group.isHidden else { return }
    let unit = UInt16(truncatingIfNeeded: number)
    surrogates.append(unit)
    if UTF16.isLeadSurrogate(unit), surrogates.count == 1 { return }
    output += String(decoding: surrogates, as: UTF16.self)
    surrogates = []
  }

  private mutating func take(_ byte: UInt8) {
    if unitsToSkip > 0 {
      unitsToSkip -= 1
    } else if !group.isHidden {
      pending.append(byte)
    }
  }

  private mutating func write(_ text: String) {
    if unitsToSkip > 0 {
      unitsToSkip -= 1
      return
    }
    flush()
    if !group.isHidden { output += text }
  }

  private mutating func flush() {
    guard !pending.isEmpty else { return }
    let label = group.codePage == 932 ? "shift_jis" : "windows-\(group.codePage)"
    output += Charset.decode(pending[...], label: label).text
    pending = []
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) }
}

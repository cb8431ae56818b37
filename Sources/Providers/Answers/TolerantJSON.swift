/// Reads one JSON object as models write it, and writes it as RFC 8259 has it.
///
/// Beyond JSON it takes trailing commas, comments, single and typographic quotes, names without quotes, line breaks inside
/// texts, the words of Python for true, false and null, and null for NaN and the infinities. It decides nothing: what it gives
/// is parsed afterwards as JSON. One pass, so the time is linear in the length.
struct TolerantJSON {
  /// Deeper objects are not read.
  static let maximumDepth = 256

  private let bytes: [UInt8]
  private var position: Int
  private var output: [UInt8] = []
  private var open: [UInt8] = []
  private var owesComma = false
  /// Reading ends where more than this is written.
  private var limit = Int.max

  /// What was found where an object begins.
  enum Finding: Equatable {
    /// An object that is closed, and the place behind it.
    case object(json: [UInt8], end: Int)
    /// The text ends before the object does.
    case cut
    /// It is no object after all; looking on makes sense behind this place.
    case none(at: Int)
  }

  /// Reads the object that begins with the brace at a place.
  static func object(in bytes: [UInt8], at start: Int) -> Finding {
    var reader = TolerantJSON(bytes, start)
    return reader.read()
  }

  /// Where in the text stands what is at an offset of the JSON that was made of it; the beginning of that word or text.
  static func place(of offset: Int, in bytes: [UInt8], from start: Int) -> Int {
    var reader = TolerantJSON(bytes, start)
    reader.limit = offset
    guard case .none(let place) = reader.read() else { return reader.position }
    return place
  }

  private init(_ bytes: [UInt8], _ start: Int) {
    self.bytes = bytes
    position = start
  }

  private mutating func read() -> Finding {
    while position < bytes.count {
      let byte = bytes[position]
      let begin = position
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: ","):
        owesComma = true
        position += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < Self.maximumDepth else { return .none(at: position) }
        put(byte)
        open.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() == byte else { return .none(at: position) }
        owesComma = false
        output.append(byte)
        position += 1
        if open.isEmpty { return .object(json: output, end: position) }
      case UInt8(ascii: "/") where skipComment(): break
      case UInt8(ascii: ":"):
        output.append(byte)
        position += 1
      default:
        if let quote = Self.quote(in: bytes, at: position) {
          guard text(quote) else { return .cut }
        } else if let length = Self.invisible(in: bytes, at: position) {
          position += length
        } else {
          word()
        }
      }
      if output.count > limit { return .none(at: begin) }
    }
    return .cut
  }

  /// Writes a byte of structure, with the comma that stands before it.
  private mutating func put(_ byte: UInt8) {
    settleComma()
    output.append(byte)
  }

  private mutating func settleComma() {
    if owesComma { output.append(UInt8(ascii: ",")) }
    owesComma = false
  }

  /// Copies a text; `false` where it does not end.
  private mutating func text(_ quote: Quote) -> Bool {
    settleComma()
    output.append(UInt8(ascii: "\""))
    position += quote.length
    while position < bytes.count {
      let byte = bytes[position]
      if let length = quote.end(in: bytes, at: position) {
        output.append(UInt8(ascii: "\""))
        position += length
        return true
      }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): output += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\\"):
        guard position < bytes.count else { return false }
        let next = bytes[position]
        if Self.escapes.contains(next) { output.append(byte) }
        if next < 0x20 { output += Self.escaped(next) } else { output.append(next) }
        position += 1
      case 0..<0x20: output += Self.escaped(byte)
      default: output.append(byte)
      }
    }
    return false
  }

  private static let escapes = Set("\"\\/bfnrtu".utf8)

  /// Whether a byte can be part of a number, a word, or a name without quotes.
  static func isOfWord(_ byte: UInt8) -> Bool { ofWords.contains(byte) || byte >= 0x80 }

  private static let ofWords = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789+-.".utf8)

  /// How many bytes a character takes that nobody sees, and that JSON does not have: a space that does not break, a space
  /// without width, a byte order mark.
  private static func invisible(in bytes: [UInt8], at place: Int) -> Int? {
    if bytes[place...].starts(with: [0xC2, 0xA0]) { return 2 }
    return bytes[place...].starts(with: [0xE2, 0x80, 0x8B]) || bytes[place...].starts(with: [0xEF, 0xBB, 0xBF])
      ? 3 : nil
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    switch byte {
    case UInt8(ascii: "\n"): return Array("\\n".utf8)
    case UInt8(ascii: "\r"): return Array("\\r".utf8)
    case UInt8(ascii: "\t"): return Array("\\t".utf8)
    default: return Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  /// Passes over `// …` and `/* … */`.
  private mutating func skipComment() -> Bool {
    guard position + 1 < bytes.count else { return false }
    switch bytes[position + 1] {
    case UInt8(ascii: "/"):
      position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      return true
    case UInt8(ascii: "*"):
      position += 2
      while position < bytes.count {
        if bytes[position] == UInt8(ascii: "/"), bytes[position - 1] == UInt8(ascii: "*") { break }
        position += 1
      }
      position = min(position + 1, bytes.count)
      return true
    default: return false
    }
  }

  /// Copies a number or a word; a word before a colon is a name.
  private mutating func word() {
    settleComma()
    let start = position
    while position < bytes.count, Self.isOfWord(bytes[position]),
      Self.quote(in: bytes, at: position) == nil, Self.invisible(in: bytes, at: position) == nil
    { position += 1 }
    guard position > start else {
      // Nothing of JSON: parsing will say so.
      output.append(bytes[position])
      position += 1
      return
    }
    let word = bytes[start..<position]
    var next = position
    while next < bytes.count, bytes[next] == UInt8(ascii: " ") { next += 1 }
    if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
      output += [UInt8(ascii: "\"")] + word + [UInt8(ascii: "\"")]
      return
    }
    switch String(decoding: word, as: UTF8.self) {
    case "True": output += Array("true".utf8)
    case "False": output += Array("false".utf8)
    case "None", "undefined", "NaN", "Infinity", "-Infinity": output += Array("null".utf8)
    default: output += word
    }
  }
}

/// The quotes in which models write texts.
extension TolerantJSON {
  /// One that begins a text.
  struct Quote: Equatable {
    /// Whether it is not the one of JSON: then it stands inside of texts too, and ends one only where structure follows.
    let isLoose: Bool
    let isDouble: Bool
    let length: Int

    /// How many bytes the quote takes that ends the text; `nil` where none does at that place.
    func end(in bytes: [UInt8], at place: Int) -> Int? {
      guard let found = TolerantJSON.quote(in: bytes, at: place), found.isDouble == isDouble else { return nil }
      if !isLoose { return found.isLoose ? nil : found.length }
      return TolerantJSON.isBeforeStructure(place + found.length, in: bytes) ? found.length : nil
    }
  }

  /// The quote at a place: `"`, `'`, or a typographic one.
  static func quote(in bytes: [UInt8], at place: Int) -> Quote? {
    switch bytes[place] {
    case UInt8(ascii: "\""): return Quote(isLoose: false, isDouble: true, length: 1)
    case UInt8(ascii: "'"): return Quote(isLoose: true, isDouble: false, length: 1)
    case 0xE2 where place + 2 < bytes.count && bytes[place + 1] == 0x80:
      switch bytes[place + 2] {
      case 0x98...0x9B: return Quote(isLoose: true, isDouble: false, length: 3)
      case 0x9C...0x9F: return Quote(isLoose: true, isDouble: true, length: 3)
      default: return nil
      }
    default: return nil
    }
  }

  /// Whether what follows a quote shows that it ends a text rather than being an apostrophe.
  private static func isBeforeStructure(_ place: Int, in bytes: [UInt8]) -> Bool {
    let next = bytes[place...].first { !blanks.contains($0) }
    return next.map(behindText.contains) ?? true
  }

  private static let blanks = Set(" \t\r\n".utf8)
  private static let behindText = Set(",:}]".utf8)
}

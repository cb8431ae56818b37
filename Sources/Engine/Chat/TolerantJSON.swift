/// Reads one JSON object as models write it, and writes it as RFC 8259 has it.
///
/// Beyond JSON it takes trailing commas, comments, single quotes, names without quotes, line breaks inside texts, and the
/// words of Python for true, false and null. It decides nothing: what it gives is parsed afterwards as JSON. One pass, so
/// the time is linear in the length.
struct TolerantJSON {
  /// Deeper objects are not read.
  static let maximumDepth = 256

  private let bytes: [UInt8]
  private var position: Int
  private var output: [UInt8] = []
  private var open: [UInt8] = []
  private var owesComma = false

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

  private init(_ bytes: [UInt8], _ start: Int) {
    self.bytes = bytes
    position = start
    output.reserveCapacity(min(bytes.count - start, 1 << 16))
  }

  private mutating func read() -> Finding {
    while position < bytes.count {
      let byte = bytes[position]
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
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard text(quote: byte) else { return .cut }
      case UInt8(ascii: "/") where skipComment(): break
      case UInt8(ascii: ":"):
        output.append(byte)
        position += 1
      default: word()
      }
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
  private mutating func text(quote: UInt8) -> Bool {
    settleComma()
    output.append(UInt8(ascii: "\""))
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case quote where quote == UInt8(ascii: "\"") || endsText():
        output.append(UInt8(ascii: "\""))
        return true
      case UInt8(ascii: "\""): output += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\\"):
        guard position < bytes.count else { return false }
        if Self.escapes.contains(bytes[position]) { output.append(byte) }
        output.append(bytes[position])
        position += 1
      case 0..<0x20: output += Self.escaped(byte)
      default: output.append(byte)
      }
    }
    return false
  }

  /// Whether what follows a single quote shows that it ends a text rather than being an apostrophe.
  private func endsText() -> Bool {
    var next = position
    while next < bytes.count, bytes[next] == UInt8(ascii: " ") || bytes[next] == UInt8(ascii: "\n") { next += 1 }
    return next >= bytes.count || Self.behindText.contains(bytes[next])
  }

  private static let escapes = Set("\"\\/bfnrtu".utf8)
  private static let behindText = Set(",:}]".utf8)
  private static let ofWords = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789+-.".utf8)

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
    while position < bytes.count, Self.ofWords.contains(bytes[position]) { position += 1 }
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
    case "None", "undefined": output += Array("null".utf8)
    default: output += word
    }
  }
}

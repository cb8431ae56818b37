/// JSON that is written piece by piece, without values in between.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  private static let digits = Array("0123456789abcdef".utf8)

  /// Gives the bytes away.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  // MARK: - Structure

  mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  /// The name of a member; needs no escapes.
  mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func endLine() {
    bytes.append(0x0A)
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  // MARK: - Values

  mutating func null() { literal("null") }

  mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  mutating func integer(_ number: Int?) {
    guard let number else { return null() }
    literal(String(number))
  }

  /// Milliseconds: whole ones as an integer, others to the microsecond.
  mutating func milliseconds(_ number: Double?) {
    guard let number, number.isFinite else { return null() }
    let rounded = (number * 1000).rounded() / 1000
    if let whole = Int64(exactly: rounded) { literal(String(whole)) } else { literal(rounded.description) }
  }

  mutating func string(_ text: String?) {
    guard var text else { return null() }
    text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
  }

  /// A text in UTF-8.
  mutating func string(_ text: UnsafeRawBufferPointer) {
    separate()
    needsComma = true
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for (position, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
      bytes.append(contentsOf: text[start..<position])
      start = position + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case 0x22, 0x5C: bytes.append(byte)
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      default:
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 15)])
      }
    }
    bytes.append(contentsOf: text[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  /// A value that is JSON already.
  mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate()
    needsComma = true
    bytes.append(contentsOf: json)
  }

  private mutating func literal(_ text: String) {
    separate()
    needsComma = true
    bytes.append(contentsOf: text.utf8)
  }
}

extension JSONText {
  /// A column of text, or of a text that stands for something else, as a string; null where it is null.
  mutating func string(_ scan: RowScan, _ column: Int32) {
    if scan.withBytes(column, { string($0) }) == nil { null() }
  }

  /// A value from its JSON text or, where that is null, from its blob's content.
  ///
  /// - Returns: `false` where both are null; nothing is written then.
  mutating func value(_ scan: RowScan, _ column: Int32, blob: Int32) -> Bool {
    scan.withBytes(column, { raw($0) }) != nil || scan.withBytes(blob, { raw($0) }) != nil
  }
}

internal import JSONSyntax

/// JSON that is written piece by piece, without values in between.
struct JSONText: ~Copyable {
  private var buffer = JSONBuffer()
  private var needsComma = false

  /// How many bytes are gathered.
  var size: Int { buffer.size }

  /// Gives the bytes away.
  mutating func take() -> [UInt8] {
    defer { buffer.removeAll() }
    return buffer.bytes
  }

  // MARK: - Structure

  mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    buffer.append(UInt8(ascii: bracket))
    needsComma = false
  }

  mutating func close(_ bracket: Unicode.Scalar) {
    buffer.append(UInt8(ascii: bracket))
    needsComma = true
  }

  /// The name of a member; needs no escapes.
  mutating func name(_ name: StaticString) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { buffer.append(bytes: $0) }
    buffer.append(UInt8(ascii: "\""))
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func endLine() {
    buffer.append(0x0A)
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: - Values

  mutating func null() {
    separate()
    buffer.appendNull()
  }

  mutating func bool(_ value: Bool) {
    separate()
    buffer.append(value)
  }

  mutating func integer(_ number: Int?) {
    guard let number else { return null() }
    separate()
    buffer.append(number: Int64(number))
  }

  /// Milliseconds: whole ones as an integer, others to the microsecond.
  mutating func milliseconds(_ number: Double?) {
    guard let number, number.isFinite else { return null() }
    separate()
    let rounded = (number * 1000).rounded() / 1000
    if let whole = Int64(exactly: rounded) {
      buffer.append(number: whole)
    } else {
      buffer.append(number: rounded)
    }
  }

  mutating func string(_ text: String?) {
    guard let text else { return null() }
    separate()
    buffer.append(string: text)
  }

  /// A text in UTF-8.
  mutating func string(_ text: UnsafeRawBufferPointer) {
    separate()
    text.withMemoryRebound(to: UInt8.self) { buffer.append(string: $0) }
  }

  /// A value that is JSON already.
  mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate()
    json.withMemoryRebound(to: UInt8.self) { buffer.append(bytes: $0) }
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

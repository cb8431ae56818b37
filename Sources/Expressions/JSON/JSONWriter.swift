/// Writes values as JSON.
struct JSONWriter {
  private static let maximumDepth = 1000
  private static let hexDigits = Array("0123456789abcdef".utf8)

  private(set) var bytes: [UInt8] = []
  let isPretty: Bool

  init(isPretty: Bool) {
    self.isPretty = isPretty
    // Most values are short.
    bytes.reserveCapacity(64)
  }

  mutating func write(_ value: Value, depth: Int) {
    if depth > Self.maximumDepth {
      append("null")
      return
    }
    switch value {
    case .null, .optional(nil): append("null")
    case .bool(let condition): append(condition ? "true" : "false")
    case .int(let number): append(String(number))
    case .uint(let number): append(String(number))
    case .double(let number):
      if number.isFinite { append(number.description) } else { write(number.text) }
    case .string(let text): write(text)
    case .bytes(let content): write(Base64.encode(content))
    case .timestamp(let time): write(time.rfc3339)
    case .duration(let span): write(span.text)
    case .type(let type): write(type.name)
    case .optional(let wrapped?): write(wrapped, depth: depth + 1)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        separate(position, depth + 1)
        write(element, depth: depth + 1)
      }
      close(UInt8(ascii: "]"), isEmpty: elements.isEmpty, depth)
    case .map(let map):
      bytes.append(UInt8(ascii: "{"))
      for (position, entry) in map.storage.enumerated() {
        separate(position, depth + 1)
        if case .string(let name) = entry.key { write(name) } else { write(entry.key.text) }
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(0x20) }
        write(entry.value, depth: depth + 1)
      }
      close(UInt8(ascii: "}"), isEmpty: map.isEmpty, depth)
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func separate(_ position: Int, _ depth: Int) {
    if position > 0 { bytes.append(UInt8(ascii: ",")) }
    if isPretty { breakLine(depth) }
  }

  private mutating func close(_ bracket: UInt8, isEmpty: Bool, _ depth: Int) {
    if isPretty, !isEmpty { breakLine(depth) }
    bytes.append(bracket)
  }

  private mutating func breakLine(_ depth: Int) {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { buffer in
      var start = 0
      for (position, byte) in buffer.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        bytes.append(contentsOf: buffer[start..<position])
        start = position + 1
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
          bytes.append(contentsOf: "u00".utf8)
          bytes.append(Self.hexDigits[Int(byte >> 4)])
          bytes.append(Self.hexDigits[Int(byte & 15)])
        }
      }
      bytes.append(contentsOf: buffer[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

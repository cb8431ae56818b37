internal import JSONSyntax

/// Writes values as JSON.
struct JSONWriter: ~Copyable {
  static let maximumDepth = 1000

  private(set) var buffer = JSONBuffer()
  private let isPretty: Bool

  init(isPretty: Bool) { self.isPretty = isPretty }

  mutating func write(_ value: Value, depth: Int) {
    if depth > Self.maximumDepth {
      buffer.appendNull()
      return
    }
    switch value {
    case .string(let text): buffer.append(string: text)
    case .null, .optional(nil): buffer.appendNull()
    case .bool(let condition): buffer.append(condition)
    case .int(let number): buffer.append(number: number)
    case .uint(let number): buffer.append(number: number)
    case .double(let number):
      if number.isFinite { buffer.append(number: number) } else { buffer.append(string: number.text) }
    case .bytes(let content): buffer.append(string: Base64.encode(content))
    case .timestamp(let time): buffer.append(string: time.rfc3339)
    case .duration(let span): buffer.append(string: span.text)
    case .type(let type): buffer.append(string: type.name)
    case .optional(let wrapped?): write(wrapped, depth: depth + 1)
    case .list(let elements):
      buffer.append(UInt8(ascii: "["))
      var isFirst = true
      // A span lends its elements; a loop over the array would take a reference to each.
      let span = elements.span
      for index in span.indices {
        separate(&isFirst, depth + 1)
        write(span[index], depth: depth + 1)
      }
      close(UInt8(ascii: "]"), isEmpty: isFirst, depth)
    case .map(let map):
      buffer.append(UInt8(ascii: "{"))
      var isFirst = true
      let span = map.storage.span
      for index in span.indices {
        separate(&isFirst, depth + 1)
        if case .string(let name) = span[index].key {
          buffer.append(string: name)
        } else {
          buffer.append(string: span[index].key.text)
        }
        buffer.append(UInt8(ascii: ":"))
        if isPretty { buffer.append(0x20) }
        write(span[index].value, depth: depth + 1)
      }
      close(UInt8(ascii: "}"), isEmpty: isFirst, depth)
    }
  }

  private mutating func separate(_ isFirst: inout Bool, _ depth: Int) {
    if !isFirst { buffer.append(UInt8(ascii: ",")) }
    isFirst = false
    if isPretty { breakLine(depth) }
  }

  private mutating func close(_ bracket: UInt8, isEmpty: Bool, _ depth: Int) {
    if isPretty, !isEmpty { breakLine(depth) }
    buffer.append(bracket)
  }

  private mutating func breakLine(_ depth: Int) {
    buffer.append(0x0A)
    for _ in 0..<depth * 2 { buffer.append(0x20) }
  }
}

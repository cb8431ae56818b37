internal import JSONSyntax

extension JSONValue {
  /// The value as JSON text on one line, members in their order; `null` for what holds a number that JSON cannot express.
  public var json: String {
    var buffer = JSONBuffer()
    return (try? write(to: &buffer)).map { buffer.text } ?? "null"
  }

  /// Adds the value to a JSON text.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot express.
  func write(to buffer: inout JSONBuffer) throws {
    switch self {
    case .string(let text): buffer.append(string: text)
    case .null: buffer.appendNull()
    case .bool(let condition): buffer.append(condition)
    case .integer(let number): buffer.append(number: number)
    case .number(let number):
      guard number.isFinite else {
        throw EncodingError.invalidValue(
          number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no \(number)"))
      }
      buffer.append(number: number)
    case .array(let elements):
      buffer.append(UInt8(ascii: "["))
      var isFirst = true
      // A span lends its elements; a loop over the array would take a reference to each.
      let span = elements.span
      for index in span.indices {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
        try span[index].write(to: &buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    case .object(let object):
      buffer.append(UInt8(ascii: "{"))
      var isFirst = true
      let span = object.members.members.span
      for index in span.indices {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
        buffer.append(string: span[index].name)
        buffer.append(UInt8(ascii: ":"))
        try span[index].value.write(to: &buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
  }
}

internal import Localization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `text.format(list)` of the strings extension: `%s %d %f %e %x %X %o %b %%`.
enum TextFormat {
  /// The most digits behind the point that may be asked for.
  private static let maximumPrecision = 1000

  @Sendable static func format(_ frame: inout Frame, _ text: Value, _ list: Value) throws(Fault) -> Value {
    guard case .string(let text) = text, case .list(let arguments) = list else { throw .noOverload }
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    try frame.chargeBytes(bytes.count)
    var position = 0
    var used = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let (letter, precision) = try clause(in: bytes, at: &position) else {
        result.append(byte)
        continue
      }
      guard used < arguments.count else { throw .indexOutOfRange(Int64(used)) }
      let formatted = try Self.format(&frame, arguments[used], letter, precision)
      try frame.chargeBytes(formatted.utf8.count)
      result.append(contentsOf: formatted.utf8)
      used += 1
    }
    return .string(String(decoding: result, as: UTF8.self))
  }

  /// The error in the clauses of a format; `nil` for a valid format.
  static func fault(in text: String) -> Fault? {
    let bytes = Array(text.utf8)
    var position = 0
    do throws(Fault) {
      while position < bytes.count {
        position += 1
        if bytes[position - 1] == UInt8(ascii: "%") { _ = try clause(in: bytes, at: &position) }
      }
      return nil
    } catch {
      return error
    }
  }

  /// The letter and the precision of the clause behind a `%`; `nil` for `%%`.
  private static func clause(
    in bytes: [UInt8], at position: inout Int
  ) throws(Fault) -> (letter: UInt8, precision: Int?)? {
    if position < bytes.count, bytes[position] == UInt8(ascii: "%") {
      position += 1
      return nil
    }
    let precision = try precision(in: bytes, at: &position)
    guard position < bytes.count else { throw unknownClause("") }
    let letter = bytes[position]
    position += 1
    guard "sdfexXob".utf8.contains(letter) else {
      throw unknownClause(String(decoding: bytes[(position - 1)...].prefix(4), as: UTF8.self))
    }
    return (letter, precision)
  }

  private static func precision(in bytes: [UInt8], at position: inout Int) throws(Fault) -> Int? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return nil }
    position += 1
    let start = position
    var precision = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      precision = precision * 10 + Int(bytes[position] - 48)
      position += 1
      if precision > maximumPrecision { throw unknownClause(".\(precision)") }
    }
    if position == start { throw unknownClause(".") }
    return precision
  }

  private static func unknownClause(_ clause: String) -> Fault {
    .evaluation(
      LocalizedText(
        "'%\(clause)' is not a format; there are %s %d %f %e %x %X %o %b %%",
        de: "'%\(clause)' ist kein Format; es gibt %s %d %f %e %x %X %o %b %%"))
  }

  private static func unfit(_ value: Value, _ clause: UInt8) -> Fault {
    let clause = Unicode.Scalar(clause)
    return .evaluation(
      LocalizedText(
        "'%\(clause)' cannot print \(value.typeName)", de: "'%\(clause)' kann \(value.typeName) nicht ausgeben"))
  }

  private static func format(
    _ frame: inout Frame, _ value: Value, _ clause: UInt8, _ precision: Int?
  ) throws(Fault) -> String {
    switch (Unicode.Scalar(clause), value) {
    case ("s", _):
      return try plain(&frame, value, depth: 0)
    case ("d", .int(let number)):
      return String(number)
    case ("d", .uint(let number)):
      return String(number)
    case ("d", .double(let number)):
      return number.positionalText
    case ("f", _), ("e", _):
      if case .string(let text) = value, ["NaN", "Infinity", "-Infinity"].contains(text) { return text }
      guard let number = value.doubleValue else { throw unfit(value, clause) }
      return number.isFinite ? printed(number, clause, precision ?? 6) : number.text
    case ("b", .bool(let condition)):
      return condition ? "1" : "0"
    case ("b", .int(let number)):
      return String(number, radix: 2)
    case ("b", .uint(let number)):
      return String(number, radix: 2)
    case ("o", .int(let number)):
      return String(number, radix: 8)
    case ("o", .uint(let number)):
      return String(number, radix: 8)
    case ("x", .int(let number)), ("X", .int(let number)):
      return String(number, radix: 16, uppercase: clause == UInt8(ascii: "X"))
    case ("x", .uint(let number)), ("X", .uint(let number)):
      return String(number, radix: 16, uppercase: clause == UInt8(ascii: "X"))
    case ("x", .string(let text)), ("X", .string(let text)):
      return hexadecimal(Array(text.utf8), isUpper: clause == UInt8(ascii: "X"))
    case ("x", .bytes(let bytes)), ("X", .bytes(let bytes)):
      return hexadecimal(bytes, isUpper: clause == UInt8(ascii: "X"))
    default:
      throw unfit(value, clause)
    }
  }

  private static func hexadecimal(_ bytes: [UInt8], isUpper: Bool) -> String {
    let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// What C's `printf` makes of a number; it rounds halves to even.
  private static func printed(_ number: Double, _ clause: UInt8, _ precision: Int) -> String {
    var buffer = [CChar](repeating: 0, count: precision + 330)
    let format = clause == UInt8(ascii: "e") ? "%.*e" : "%.*f"
    let length = withVaList([Int32(truncatingIfNeeded: precision), number]) { arguments in
      vsnprintf(&buffer, buffer.count, format, arguments)
    }
    return String(decoding: buffer.prefix(max(0, Int(length))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A value as `%s` shows it.
  private static func plain(_ frame: inout Frame, _ value: Value, depth: Int) throws(Fault) -> String {
    try frame.charge(1)
    if depth > frame.maximumDepth { throw .tooDeep }
    switch value {
    case .null: return "null"
    case .bool(let condition): return condition ? "true" : "false"
    case .int(let number): return String(number)
    case .uint(let number): return String(number)
    case .double(let number): return number.positionalText
    case .string(let text): return text
    case .bytes(let bytes):
      try frame.chargeBytes(bytes.count)
      return repaired(bytes)
    case .timestamp(let time): return time.rfc3339
    case .duration(let span): return span.text
    case .type(let type): return type.name
    case .list(let elements):
      var parts: [String] = []
      for element in elements { parts.append(try plain(&frame, element, depth: depth + 1)) }
      return "[" + parts.joined(separator: ", ") + "]"
    case .map(let map):
      var parts: [(key: String, value: String)] = []
      for entry in map.storage {
        parts.append(
          (try plain(&frame, entry.key.value, depth: depth + 1), try plain(&frame, entry.value, depth: depth + 1)))
      }
      parts.sort { $0.key.isBefore($1.key) }
      return "{" + parts.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    case .optional: throw unfit(value, UInt8(ascii: "s"))
    }
  }

  /// Bytes as text; each run of bytes that is not UTF-8 becomes one replacement character.
  private static func repaired(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = ""
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var isInvalidRun = false
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        result.unicodeScalars.append(scalar)
        isInvalidRun = false
      case .error:
        if !isInvalidRun { result.unicodeScalars.append("\u{FFFD}") }
        isInvalidRun = true
      case .emptyInput:
        return result
      }
    }
  }
}

internal import Localization

/// Functions of strings: the standard ones and the strings extension. Positions count code points.
enum TextFunctions {
  static let functions: [StandardFunction] = [
    .binary("contains", isMethod: true, [.string, .string, .bool]) {
      (frame: inout Frame, text: Value, part: Value) throws(Fault) -> Value in
      guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
      try frame.chargeBytes(text.utf8.count)
      return .bool(text.containsBytes(of: part))
    },
    .binary("startsWith", isMethod: true, [.string, .string, .bool]) {
      (frame: inout Frame, text: Value, part: Value) throws(Fault) -> Value in
      guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
      try frame.chargeBytes(part.utf8.count)
      return .bool(text.hasBytePrefix(part))
    },
    .binary("endsWith", isMethod: true, [.string, .string, .bool]) {
      (frame: inout Frame, text: Value, part: Value) throws(Fault) -> Value in
      guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
      try frame.chargeBytes(part.utf8.count)
      return .bool(text.hasByteSuffix(part))
    },
    .binary("matches", isMethod: true, [.string, .string, .bool], body: matches),
    .binary("matches", [.string, .string, .bool], body: matches),
    .binary("charAt", isMethod: true, [.string, .int, .string], body: charAt),
    .binary("indexOf", isMethod: true, [.string, .string, .int]) {
      (frame: inout Frame, text: Value, part: Value) throws(Fault) -> Value in
      try indexOf(&frame, [text, part])
    },
    .many("indexOf", isMethod: true, [.string, .string, .int, .int], body: indexOf),
    .binary("lastIndexOf", isMethod: true, [.string, .string, .int]) {
      (frame: inout Frame, text: Value, part: Value) throws(Fault) -> Value in
      try lastIndexOf(&frame, [text, part])
    },
    .many("lastIndexOf", isMethod: true, [.string, .string, .int, .int], body: lastIndexOf),
    .unary("lowerAscii", isMethod: true, [.string, .string]) {
      (frame: inout Frame, text: Value) throws(Fault) -> Value in
      try mapBytes(&frame, text) { (65...90).contains($0) ? $0 + 32 : $0 }
    },
    .unary("upperAscii", isMethod: true, [.string, .string]) {
      (frame: inout Frame, text: Value) throws(Fault) -> Value in
      try mapBytes(&frame, text) { (97...122).contains($0) ? $0 - 32 : $0 }
    },
    .unary("lower", isMethod: true, [.string, .string]) { (frame: inout Frame, text: Value) throws(Fault) -> Value in
      guard case .string(let text) = text else { throw .noOverload }
      try frame.chargeBytes(text.utf8.count)
      return .string(text.lowercased())
    },
    .unary("upper", isMethod: true, [.string, .string]) { (frame: inout Frame, text: Value) throws(Fault) -> Value in
      guard case .string(let text) = text else { throw .noOverload }
      try frame.chargeBytes(text.utf8.count)
      return .string(text.uppercased())
    },
    .many("replace", isMethod: true, [.string, .string, .string, .string], body: replace),
    .many("replace", isMethod: true, [.string, .string, .string, .int, .string], body: replace),
    .binary("split", isMethod: true, [.string, .string, .list(.string)]) {
      (frame: inout Frame, text: Value, separator: Value) throws(Fault) -> Value in
      try split(&frame, [text, separator])
    },
    .many("split", isMethod: true, [.string, .string, .int, .list(.string)], body: split),
    .binary("substring", isMethod: true, [.string, .int, .string]) {
      (frame: inout Frame, text: Value, start: Value) throws(Fault) -> Value in
      try substring(&frame, [text, start])
    },
    .many("substring", isMethod: true, [.string, .int, .int, .string], body: substring),
    .unary("trim", isMethod: true, [.string, .string], body: trim),
    .unary("join", isMethod: true, [.list(.string), .string]) {
      (frame: inout Frame, list: Value) throws(Fault) -> Value in try join(&frame, list, "")
    },
    .binary("join", isMethod: true, [.list(.string), .string, .string], body: join),
    .unary("strings.quote", [.string, .string], body: quote),
    .binary(
      "format", isMethod: true, [.string, .list(.dynamic), .string], [.timestamp, .string, .string],
      [.int, .int, .string], [.uint, .int, .string], [.double, .int, .string]
    ) { (frame: inout Frame, value: Value, argument: Value) throws(Fault) -> Value in
      switch value {
      case .timestamp: try CalendarFunctions.format(&frame, [value, argument])
      case .string: try TextFormat.format(&frame, value, argument)
      default: try NumberFormat.format(&frame, value, argument, .string("en"))
      }
    }.checking { arguments in
      guard case .string(let text)?? = arguments.first else { return nil }
      return TextFormat.fault(in: text)
    },
    .many(
      "format", isMethod: true, [.timestamp, .string, .string, .string], [.int, .int, .string, .string],
      [.uint, .int, .string, .string], [.double, .int, .string, .string]
    ) { (frame: inout Frame, arguments: [Value]) throws(Fault) -> Value in
      if case .timestamp = arguments[0] { return try CalendarFunctions.format(&frame, arguments) }
      return try NumberFormat.format(&frame, arguments[0], arguments[1], arguments[2])
    },
  ]

  @Sendable static func matches(_ frame: inout Frame, _ text: Value, _ pattern: Value) throws(Fault) -> Value {
    guard case .string(let text) = text, case .string(let pattern) = pattern else { throw .noOverload }
    return .bool(try RegularExpression.compiled(pattern, &frame).matches(text, &frame))
  }

  private static func scalars(_ frame: inout Frame, _ text: String) throws(Fault) -> [Unicode.Scalar] {
    try frame.chargeBytes(text.utf8.count)
    return Array(text.unicodeScalars)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// A position within a text, the end included.
  private static func position(_ index: Int64, count: Int) throws(Fault) -> Int {
    guard index >= 0, index <= count else { throw .indexOutOfRange(index) }
    return Int(index)
  }

  @Sendable private static func charAt(_ frame: inout Frame, _ text: Value, _ index: Value) throws(Fault) -> Value {
    guard case .string(let text) = text, case .int(let index) = index else { throw .noOverload }
    let scalars = try scalars(&frame, text)
    let position = try position(index, count: scalars.count)
    return .string(Self.text(scalars[position..<min(position + 1, scalars.count)]))
  }

  @Sendable private static func indexOf(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .string(let part) = arguments[1] else { throw .noOverload }
    let scalars = try scalars(&frame, text)
    let sought = try Self.scalars(&frame, part)
    var start = 0
    if arguments.count > 2 {
      guard case .int(let offset) = arguments[2] else { throw .noOverload }
      start = try position(offset, count: scalars.count)
    }
    guard sought.count <= scalars.count else { return .int(-1) }
    for position in stride(from: start, through: scalars.count - sought.count, by: 1) {
      try frame.charge(position & 7 == 0 ? 1 : 0)
      if try matches(&frame, scalars, sought, at: position) { return .int(Int64(position)) }
    }
    return .int(-1)
  }

  @Sendable private static func lastIndexOf(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .string(let part) = arguments[1] else { throw .noOverload }
    let scalars = try scalars(&frame, text)
    let sought = try Self.scalars(&frame, part)
    var last = scalars.count
    if arguments.count > 2 {
      guard case .int(let offset) = arguments[2] else { throw .noOverload }
      last = try position(offset, count: scalars.count)
    }
    for position in stride(from: min(last, scalars.count - sought.count), through: 0, by: -1) {
      try frame.charge(position & 7 == 0 ? 1 : 0)
      if try matches(&frame, scalars, sought, at: position) { return .int(Int64(position)) }
    }
    return .int(-1)
  }

  /// Whether a text has a part at a position; repetitive texts compare far before they differ, so each step is paid.
  private static func matches(
    _ frame: inout Frame, _ scalars: [Unicode.Scalar], _ sought: [Unicode.Scalar], at position: Int
  ) throws(Fault) -> Bool {
    for index in sought.indices where scalars[position + index] != sought[index] {
      try frame.chargeBytes(index)
      return false
    }
    return true
  }

  private static func mapBytes(
    _ frame: inout Frame, _ value: Value, _ transform: (UInt8) -> UInt8
  ) throws(Fault) -> Value {
    guard case .string(let text) = value else { throw .noOverload }
    try frame.chargeBytes(text.utf8.count)
    return .string(String(decoding: text.utf8.map(transform), as: UTF8.self))
  }

  @Sendable private static func replace(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .string(let old) = arguments[1],
      case .string(let new) = arguments[2]
    else { throw .noOverload }
    var limit = Int64.max
    if arguments.count > 3 {
      guard case .int(let count) = arguments[3] else { throw .noOverload }
      limit = count < 0 ? .max : count
    }
    try frame.chargeBytes(text.utf8.count)
    if limit == 0 { return arguments[0] }
    let bytes = Array(text.utf8)
    let replacement = Array(new.utf8)
    var result: [UInt8] = []
    var start = 0
    var count: Int64 = 0
    if old.isEmpty {
      // Before each code point, and at the end.
      for position in 0...bytes.count where position == bytes.count || bytes[position] & 0xC0 != 0x80 {
        result += bytes[start..<position]
        start = position
        if count < limit {
          try frame.charge(1 + replacement.count / Frame.bytesPerUnit)
          result += replacement
          count += 1
        }
      }
      return .string(String(decoding: result, as: UTF8.self))
    }
    let search = ByteSearch(Array(old.utf8))
    while count < limit, let match = search.first(in: bytes, from: start) {
      try frame.charge(1 + (replacement.count + match - start) / Frame.bytesPerUnit)
      result += bytes[start..<match]
      result += replacement
      start = match + search.needle.count
      count += 1
    }
    result += bytes[start...]
    return .string(String(decoding: result, as: UTF8.self))
  }

  @Sendable private static func split(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .string(let separator) = arguments[1] else { throw .noOverload }
    var limit = Int64.max
    if arguments.count > 2 {
      guard case .int(let count) = arguments[2] else { throw .noOverload }
      limit = count < 0 ? .max : count
    }
    try frame.chargeBytes(text.utf8.count)
    if limit == 0 { return .list([]) }
    if limit == 1 { return .list([arguments[0]]) }
    let bytes = Array(text.utf8)
    var parts: [Value] = []
    var start = 0
    if separator.isEmpty {
      for position in bytes.indices.dropFirst() where bytes[position] & 0xC0 != 0x80 {
        if Int64(parts.count) >= limit - 1 { break }
        try frame.charge(1)
        parts.append(.string(String(decoding: bytes[start..<position], as: UTF8.self)))
        start = position
      }
      if start < bytes.count { parts.append(.string(String(decoding: bytes[start...], as: UTF8.self))) }
      return .list(parts)
    }
    let search = ByteSearch(Array(separator.utf8))
    while Int64(parts.count) < limit - 1, let match = search.first(in: bytes, from: start) {
      try frame.charge(1)
      parts.append(.string(String(decoding: bytes[start..<match], as: UTF8.self)))
      start = match + search.needle.count
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    return .list(parts)
  }

  @Sendable private static func substring(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .int(let first) = arguments[1] else { throw .noOverload }
    let scalars = try scalars(&frame, text)
    var end = scalars.count
    if arguments.count > 2 {
      guard case .int(let last) = arguments[2] else { throw .noOverload }
      end = try position(last, count: scalars.count)
    }
    let start = try position(first, count: scalars.count)
    guard start <= end else { throw .indexOutOfRange(first) }
    return .string(Self.text(scalars[start..<end]))
  }

  @Sendable private static func trim(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    guard case .string(let text) = value else { throw .noOverload }
    try frame.chargeBytes(text.utf8.count)
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return .string("") }
    return .string(String(scalars[first...last]))
  }

  @Sendable private static func join(_ frame: inout Frame, _ list: Value, _ separator: Value) throws(Fault) -> Value {
    guard case .list(let elements) = list, case .string(let separator) = separator else { throw .noOverload }
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let part) = element else { throw .noOverload }
      try frame.charge(1 + (part.utf8.count + separator.utf8.count) / Frame.bytesPerUnit)
      if index > 0 { result += separator }
      result += part
    }
    return .string(result)
  }

  @Sendable private static func quote(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    guard case .string(let text) = value else { throw .noOverload }
    try frame.chargeBytes(2 * text.utf8.count)
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{07}": result += "\\a"
      case "\u{08}": result += "\\b"
      case "\u{0C}": result += "\\f"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0B}": result += "\\v"
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return .string(result + "\"")
  }
}

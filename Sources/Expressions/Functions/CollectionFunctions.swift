internal import Localization

/// Functions of lists and maps: `size`, and the lists extension.
enum CollectionFunctions {
  static let functions: [StandardFunction] = [
    .unary(
      "size", [.string, .int], [.bytes, .int], [.list(.parameter("A")), .int],
      [.map(.parameter("A"), .parameter("B")), .int], body: size),
    .unary(
      "size", isMethod: true, [.string, .int], [.bytes, .int], [.list(.parameter("A")), .int],
      [.map(.parameter("A"), .parameter("B")), .int], body: size),
    .many("slice", isMethod: true, [.list(.parameter("A")), .int, .int, .list(.parameter("A"))], body: slice),
    .unary(
      "flatten", isMethod: true, [.list(.list(.parameter("A"))), .list(.parameter("A"))],
      [.list(.dynamic), .list(.dynamic)]
    ) { (frame: inout Frame, list: Value) throws(Fault) -> Value in
      try flatten(&frame, list, .int(1))
    },
    .binary("flatten", isMethod: true, [.list(.dynamic), .int, .list(.dynamic)], body: flatten),
    .unary("sort", isMethod: true, [.list(.parameter("A")), .list(.parameter("A"))]) {
      (frame: inout Frame, list: Value) throws(Fault) -> Value in
      guard case .list(let elements) = list else { throw .noOverload }
      return .list(try sorted(&frame, elements, by: elements))
    },
    .unary("distinct", isMethod: true, [.list(.parameter("A")), .list(.parameter("A"))], body: distinct),
    .unary(
      "reverse", isMethod: true, [.list(.parameter("A")), .list(.parameter("A"))], [.string, .string], body: reverse),
    .unary("lists.range", [.int, .list(.int)]) { (frame: inout Frame, count: Value) throws(Fault) -> Value in
      guard case .int(let count) = count else { throw .noOverload }
      guard count > 0 else { return .list([]) }
      try frame.charge(Int(clamping: count))
      return .list((0..<count).map { .int($0) })
    },
    .unary("first", isMethod: true, [.list(.parameter("A")), .optional(.parameter("A"))]) {
      (_: inout Frame, list: Value) throws(Fault) -> Value in
      guard case .list(let elements) = list else { throw .noOverload }
      return .optional(elements.first)
    },
    .unary("last", isMethod: true, [.list(.parameter("A")), .optional(.parameter("A"))]) {
      (_: inout Frame, list: Value) throws(Fault) -> Value in
      guard case .list(let elements) = list else { throw .noOverload }
      return .optional(elements.last)
    },
  ]

  @Sendable private static func size(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .string(let text):
      try frame.chargeBytes(text.utf8.count)
      return .int(Int64(text.unicodeScalars.count))
    case .bytes(let bytes): return .int(Int64(bytes.count))
    case .list(let elements): return .int(Int64(elements.count))
    case .map(let map): return .int(Int64(map.count))
    default: throw .noOverload
    }
  }

  @Sendable private static func slice(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .list(let elements) = arguments[0], case .int(let start) = arguments[1],
      case .int(let end) = arguments[2]
    else { throw .noOverload }
    guard start >= 0, start <= elements.count else { throw .indexOutOfRange(start) }
    guard end >= start, end <= elements.count else { throw .indexOutOfRange(end) }
    try frame.charge(Int(end - start))
    return .list(Array(elements[Int(start)..<Int(end)]))
  }

  @Sendable private static func flatten(_ frame: inout Frame, _ list: Value, _ depth: Value) throws(Fault) -> Value {
    guard case .list(let elements) = list, case .int(let depth) = depth else { throw .noOverload }
    guard depth >= 0 else {
      throw .evaluation(
        LocalizedText("flatten() takes a depth of 0 or more", de: "flatten() nimmt eine Tiefe ab 0"))
    }
    var result: [Value] = []
    try flatten(&frame, elements, depth: min(Int(clamping: depth), frame.maximumDepth), into: &result)
    return .list(result)
  }

  private static func flatten(
    _ frame: inout Frame, _ elements: [Value], depth: Int, into result: inout [Value]
  ) throws(Fault) {
    for element in elements {
      try frame.charge(1)
      if depth > 0, case .list(let inner) = element {
        try flatten(&frame, inner, depth: depth - 1, into: &result)
      } else {
        result.append(element)
      }
    }
  }

  /// Elements in the order of their keys; equal ones keep their order. All keys must be of one ordered type.
  static func sorted(_ frame: inout Frame, _ elements: [Value], by keys: [Value]) throws(Fault) -> [Value] {
    guard let firstKey = keys.first else { return [] }
    for key in keys where key.typeName != firstKey.typeName || !isOrdered(key) { throw .noOverload }
    // Paid ahead: the sort calls back where nothing can be thrown from.
    let width = keys.count.bitWidth - keys.count.leadingZeroBitCount
    try frame.charge(keys.count * width)
    for key in keys {
      if case .string(let text) = key { try frame.chargeBytes(text.utf8.count) }
    }
    var unpaid = Frame(Bindings(), slotCount: 0, limits: EvaluationLimits(cost: .max, depth: frame.maximumDepth))
    let order = keys.indices.sorted { first, second in
      switch try? keys[first].order(keys[second], &unpaid) {
      case .less: true
      case .greater: false
      default: first < second
      }
    }
    return order.map { elements[$0] }
  }

  private static func isOrdered(_ value: Value) -> Bool {
    switch value {
    case .bool, .int, .uint, .string, .bytes, .timestamp, .duration: true
    case .double(let number): !number.isNaN
    default: false
    }
  }

  @Sendable private static func distinct(_ frame: inout Frame, _ list: Value) throws(Fault) -> Value {
    guard case .list(let elements) = list else { throw .noOverload }
    var result: [Value] = []
    var seen: Set<Value> = []
    for element in elements {
      try frame.charge(1)
      if case .string(let text) = element {
        // Strings equal nothing but strings, so hashing finds them.
        try frame.chargeBytes(text.utf8.count)
        if seen.insert(element).inserted { result.append(element) }
        continue
      }
      var isKnown = false
      for other in result where !isKnown {
        try frame.charge(1)
        isKnown = try other.equals(element, &frame)
      }
      if !isKnown { result.append(element) }
    }
    return .list(result)
  }

  @Sendable private static func reverse(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .list(let elements):
      try frame.charge(elements.count)
      return .list(elements.reversed())
    case .string(let text):
      try frame.chargeBytes(text.utf8.count)
      var reversed = String.UnicodeScalarView()
      reversed.append(contentsOf: text.unicodeScalars.reversed())
      return .string(String(reversed))
    default:
      throw .noOverload
    }
  }
}

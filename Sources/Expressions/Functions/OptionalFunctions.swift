internal import Localization

/// Functions of optional values. `or`, `orValue` and the macros `optMap`, `optFlatMap` are nodes of their own, as they evaluate
/// their argument only if it is needed.
enum OptionalFunctions {
  static let functions: [StandardFunction] = [
    .many("optional.none", [.optional(.parameter("A"))]) { (_: inout Frame, _: [Value]) throws(Fault) -> Value in
      .optional(nil)
    },
    .unary("optional.of", [.parameter("A"), .optional(.parameter("A"))]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in .optional(value)
    },
    .unary("optional.ofNonZeroValue", [.parameter("A"), .optional(.parameter("A"))]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in
      isZero(value) ? .optional(nil) : .optional(value)
    },
    .unary("hasValue", isMethod: true, [.optional(.parameter("A")), .bool]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .optional(let wrapped) = value else { throw .noOverload }
      return .bool(wrapped != nil)
    },
    .unary("value", isMethod: true, [.optional(.parameter("A")), .parameter("A")]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .optional(let wrapped) = value else { throw .noOverload }
      guard let wrapped else {
        throw .evaluation(LocalizedText("the optional has no value", de: "Das Optional hat keinen Wert"))
      }
      return wrapped
    },
    .binary(
      "or", isMethod: true,
      [.optional(.parameter("A")), .optional(.parameter("A")), .optional(.parameter("A"))]
    ) { (_: inout Frame, value: Value, other: Value) throws(Fault) -> Value in
      guard case .optional(let wrapped) = value, case .optional = other else { throw .noOverload }
      return wrapped == nil ? other : value
    },
    .binary("orValue", isMethod: true, [.optional(.parameter("A")), .parameter("A"), .parameter("A")]) {
      (_: inout Frame, value: Value, other: Value) throws(Fault) -> Value in
      guard case .optional(let wrapped) = value else { throw .noOverload }
      return wrapped ?? other
    },
    .unary("optional.unwrap", [.list(.optional(.parameter("A"))), .list(.parameter("A"))], body: unwrap),
    .unary(
      "unwrapOpt", isMethod: true, [.list(.optional(.parameter("A"))), .list(.parameter("A"))], body: unwrap),
  ]

  @Sendable private static func unwrap(_ frame: inout Frame, _ list: Value) throws(Fault) -> Value {
    guard case .list(let elements) = list else { throw .noOverload }
    try frame.charge(elements.count)
    var values: [Value] = []
    for element in elements {
      guard case .optional(let wrapped) = element else { throw .noOverload }
      if let wrapped { values.append(wrapped) }
    }
    return .list(values)
  }

  /// Whether a value is what its type has for nothing: false, 0, empty, null.
  private static func isZero(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .bool(let condition): !condition
    case .int(let number): number == 0
    case .uint(let number): number == 0
    case .double(let number): number == 0
    case .string(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .list(let elements): elements.isEmpty
    case .map(let map): map.isEmpty
    case .timestamp(let time): time == Timestamp(seconds: 0)
    case .duration(let span): span.nanoseconds == 0
    case .type: false
    case .optional(let wrapped): wrapped == nil
    }
  }
}

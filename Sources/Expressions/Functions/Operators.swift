/// Arithmetic, comparison and membership.
enum Operators {
  static let functions: [StandardFunction] = [
    .binary(
      "_+_", [.int, .int, .int], [.uint, .uint, .uint], [.double, .double, .double], [.string, .string, .string],
      [.bytes, .bytes, .bytes], [.list(.parameter("A")), .list(.parameter("A")), .list(.parameter("A"))],
      [.timestamp, .duration, .timestamp], [.duration, .timestamp, .timestamp], [.duration, .duration, .duration],
      body: add),
    .binary(
      "_-_", [.int, .int, .int], [.uint, .uint, .uint], [.double, .double, .double],
      [.timestamp, .timestamp, .duration], [.timestamp, .duration, .timestamp], [.duration, .duration, .duration],
      body: subtract),
    .binary("_*_", [.int, .int, .int], [.uint, .uint, .uint], [.double, .double, .double], body: multiply),
    .binary("_/_", [.int, .int, .int], [.uint, .uint, .uint], [.double, .double, .double], body: divide),
    .binary("_%_", [.int, .int, .int], [.uint, .uint, .uint], body: remainder),
    .unary("-_", [.int, .int], [.double, .double], body: negate),
    .unary("!_", [.bool, .bool]) { (_: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .bool(let condition) = value else { throw .noOverload }
      return .bool(!condition)
    },
    .binary("_==_", [.parameter("A"), .parameter("A"), .bool]) {
      (frame: inout Frame, left: Value, right: Value) throws(Fault) -> Value in
      .bool(try left.equals(right, &frame))
    },
    .binary("_!=_", [.parameter("A"), .parameter("A"), .bool]) {
      (frame: inout Frame, left: Value, right: Value) throws(Fault) -> Value in
      .bool(try !left.equals(right, &frame))
    },
    comparison("_<_") { $0 == .less },
    comparison("_<=_") { $0 == .less || $0 == .equal },
    comparison("_>_") { $0 == .greater },
    comparison("_>=_") { $0 == .greater || $0 == .equal },
    .binary(
      "@in", [.parameter("A"), .list(.parameter("A")), .bool],
      [.parameter("A"), .map(.parameter("A"), .parameter("B")), .bool], body: contains),
  ]

  private static func comparison(
    _ name: String, _ test: @escaping @Sendable (Value.Order) -> Bool
  ) -> StandardFunction {
    .binary(
      name, [.bool, .bool, .bool], [.int, .int, .bool], [.uint, .uint, .bool], [.double, .double, .bool],
      [.string, .string, .bool], [.bytes, .bytes, .bool], [.timestamp, .timestamp, .bool],
      [.duration, .duration, .bool], [.int, .uint, .bool], [.int, .double, .bool], [.uint, .int, .bool],
      [.uint, .double, .bool], [.double, .int, .bool], [.double, .uint, .bool]
    ) { (frame: inout Frame, left: Value, right: Value) throws(Fault) -> Value in
      guard let order = try left.order(right, &frame) else { throw .noOverload }
      return .bool(test(order))
    }
  }

  @Sendable static func add(_ frame: inout Frame, _ left: Value, _ right: Value) throws(Fault) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      return .int(try checked(left.addingReportingOverflow(right), "int"))
    case (.uint(let left), .uint(let right)):
      return .uint(try checked(left.addingReportingOverflow(right), "uint"))
    case (.double(let left), .double(let right)):
      return .double(left + right)
    case (.string(let left), .string(let right)):
      try frame.chargeBytes(left.utf8.count + right.utf8.count)
      return .string(left + right)
    case (.bytes(let left), .bytes(let right)):
      try frame.chargeBytes(left.count + right.count)
      return .bytes(left + right)
    case (.list(let left), .list(let right)):
      try frame.charge(left.count + right.count)
      return .list(left + right)
    case (.timestamp(let time), .duration(let span)), (.duration(let span), .timestamp(let time)):
      guard let sum = time.adding(span) else { throw .overflow("timestamp") }
      return .timestamp(sum)
    case (.duration(let left), .duration(let right)):
      guard let sum = left.adding(right) else { throw .overflow("duration") }
      return .duration(sum)
    default:
      throw .noOverload
    }
  }

  @Sendable static func subtract(_ frame: inout Frame, _ left: Value, _ right: Value) throws(Fault) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      return .int(try checked(left.subtractingReportingOverflow(right), "int"))
    case (.uint(let left), .uint(let right)):
      return .uint(try checked(left.subtractingReportingOverflow(right), "uint"))
    case (.double(let left), .double(let right)):
      return .double(left - right)
    case (.timestamp(let left), .timestamp(let right)):
      guard let difference = left.since(right) else { throw .overflow("duration") }
      return .duration(difference)
    case (.timestamp(let time), .duration(let span)):
      guard let negated = TimeSpan(nanoseconds: 0).subtracting(span), let difference = time.adding(negated) else {
        throw .overflow("timestamp")
      }
      return .timestamp(difference)
    case (.duration(let left), .duration(let right)):
      guard let difference = left.subtracting(right) else { throw .overflow("duration") }
      return .duration(difference)
    default:
      throw .noOverload
    }
  }

  @Sendable static func multiply(_ frame: inout Frame, _ left: Value, _ right: Value) throws(Fault) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      .int(try checked(left.multipliedReportingOverflow(by: right), "int"))
    case (.uint(let left), .uint(let right)):
      .uint(try checked(left.multipliedReportingOverflow(by: right), "uint"))
    case (.double(let left), .double(let right)):
      .double(left * right)
    default:
      throw .noOverload
    }
  }

  @Sendable static func divide(_ frame: inout Frame, _ left: Value, _ right: Value) throws(Fault) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      if right == 0 { throw .divisionByZero }
      return .int(try checked(left.dividedReportingOverflow(by: right), "int"))
    case (.uint(let left), .uint(let right)):
      if right == 0 { throw .divisionByZero }
      return .uint(left / right)
    case (.double(let left), .double(let right)):
      return .double(left / right)
    default:
      throw .noOverload
    }
  }

  @Sendable static func remainder(_ frame: inout Frame, _ left: Value, _ right: Value) throws(Fault) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      if right == 0 { throw .divisionByZero }
      return .int(try checked(left.remainderReportingOverflow(dividingBy: right), "int"))
    case (.uint(let left), .uint(let right)):
      if right == 0 { throw .divisionByZero }
      return .uint(left % right)
    default:
      throw .noOverload
    }
  }

  @Sendable static func negate(_ frame: inout Frame, _ value: Value) throws(Fault) -> Value {
    switch value {
    case .int(let value): .int(try checked((0 as Int64).subtractingReportingOverflow(value), "int"))
    case .double(let value): .double(-value)
    default: throw .noOverload
    }
  }

  @Sendable static func contains(_ frame: inout Frame, _ sought: Value, _ container: Value) throws(Fault) -> Value {
    switch container {
    case .list(let elements):
      for element in elements {
        try frame.charge(1)
        if try element.equals(sought, &frame) { return .bool(true) }
      }
      return .bool(false)
    case .map(let map):
      return .bool(MapKey(lookingUp: sought).map(map.contains) ?? false)
    default:
      throw .noOverload
    }
  }

  @inline(__always)
  static func checked<T>(_ result: (partialValue: T, overflow: Bool), _ type: String) throws(Fault) -> T {
    if result.overflow { throw .overflow(type) }
    return result.partialValue
  }
}

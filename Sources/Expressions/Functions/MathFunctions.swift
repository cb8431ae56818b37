internal import Localization

/// The math extension.
enum MathFunctions {
  static let functions: [StandardFunction] = [
    .many("math.greatest") { (frame: inout Frame, arguments: [Value]) throws(Fault) -> Value in
      try extreme(&frame, arguments, replacing: .less)
    },
    .many("math.least") { (frame: inout Frame, arguments: [Value]) throws(Fault) -> Value in
      try extreme(&frame, arguments, replacing: .greater)
    },
    rounding("math.ceil") { $0.rounded(.up) },
    rounding("math.floor") { $0.rounded(.down) },
    rounding("math.round") { $0.rounded(.toNearestOrAwayFromZero) },
    rounding("math.trunc") { $0.rounded(.towardZero) },
    test("math.isNaN") { $0.isNaN },
    test("math.isInf") { $0.isInfinite },
    test("math.isFinite") { $0.isFinite },
    .unary("math.abs", [.int, .int], [.uint, .uint], [.double, .double]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in
      switch value {
      case .int(let number):
        guard number > .min else { throw .overflow("int") }
        return .int(abs(number))
      case .uint: return value
      case .double(let number): return .double(number.magnitude)
      default: throw .noOverload
      }
    },
    .unary("math.sign", [.int, .int], [.uint, .uint], [.double, .double]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in
      switch value {
      case .int(let number): return .int(number.signum())
      case .uint(let number): return .uint(number == 0 ? 0 : 1)
      case .double(let number): return .double(number > 0 ? 1 : number < 0 ? -1 : number)
      default: throw .noOverload
      }
    },
    .unary("math.sqrt", [.int, .double], [.uint, .double], [.double, .double]) {
      (_: inout Frame, value: Value) throws(Fault) -> Value in
      guard let number = value.doubleValue else { throw .noOverload }
      return .double(number.squareRoot())
    },
    bits("math.bitAnd", { $0 & $1 }, { $0 & $1 }),
    bits("math.bitOr", { $0 | $1 }, { $0 | $1 }),
    bits("math.bitXor", { $0 ^ $1 }, { $0 ^ $1 }),
    .unary("math.bitNot", [.int, .int], [.uint, .uint]) { (_: inout Frame, value: Value) throws(Fault) -> Value in
      switch value {
      case .int(let number): return .int(~number)
      case .uint(let number): return .uint(~number)
      default: throw .noOverload
      }
    },
    shift("math.bitShiftLeft") { $0 << $1 },
    shift("math.bitShiftRight") { $0 >> $1 },
  ]

  /// The first of the values that no other one beats; they come one by one or as one list.
  private static func extreme(
    _ frame: inout Frame, _ arguments: [Value], replacing order: Value.Order
  ) throws(Fault) -> Value {
    var values = arguments
    if arguments.count == 1, case .list(let elements) = arguments[0] { values = elements }
    guard var best = values.first else {
      throw .evaluation(LocalizedText("there is no value to choose from", de: "Es gibt keinen Wert zur Auswahl"))
    }
    if best.doubleValue == nil { throw .noOverload }
    for value in values.dropFirst() {
      try frame.charge(1)
      guard let found = best.numericOrder(value) else { throw .noOverload }
      if found == order { best = value }
    }
    return best
  }

  private static func rounding(_ name: String, _ round: @escaping @Sendable (Double) -> Double) -> StandardFunction {
    .unary(name, [.double, .double]) { (_: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .double(let number) = value else { throw .noOverload }
      return .double(round(number))
    }
  }

  private static func test(_ name: String, _ test: @escaping @Sendable (Double) -> Bool) -> StandardFunction {
    .unary(name, [.double, .bool]) { (_: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .double(let number) = value else { throw .noOverload }
      return .bool(test(number))
    }
  }

  private static func bits(
    _ name: String, _ signed: @escaping @Sendable (Int64, Int64) -> Int64,
    _ unsigned: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> StandardFunction {
    .binary(name, [.int, .int, .int], [.uint, .uint, .uint]) {
      (_: inout Frame, left: Value, right: Value) throws(Fault) -> Value in
      switch (left, right) {
      case (.int(let left), .int(let right)): return .int(signed(left, right))
      case (.uint(let left), .uint(let right)): return .uint(unsigned(left, right))
      default: throw .noOverload
      }
    }
  }

  /// Shifts bits, zeros coming in at either end; Swift's shift by 64 and more gives 0, as the extension wants it.
  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64
  ) -> StandardFunction {
    .binary(name, [.int, .int, .int], [.uint, .int, .uint]) {
      (_: inout Frame, value: Value, offset: Value) throws(Fault) -> Value in
      guard case .int(let offset) = offset else { throw .noOverload }
      switch value {
      case .int, .uint: break
      default: throw .noOverload
      }
      guard offset >= 0 else {
        throw .evaluation(
          LocalizedText("bits cannot be shifted by \(offset)", de: "Bits lassen sich nicht um \(offset) schieben"))
      }
      if case .uint(let bits) = value { return .uint(shift(bits, offset)) }
      guard case .int(let number) = value else { throw .noOverload }
      return .int(Int64(bitPattern: shift(UInt64(bitPattern: number), offset)))
    }
  }
}

internal import Localization

/// Functions that compute one value from a list, named as in the lists library of Kubernetes; the sets extension; functions
/// of the entries of a map.
enum AggregateFunctions {
  static let functions: [StandardFunction] = [
    .unary(
      "sum", isMethod: true, [.list(.int), .int], [.list(.uint), .uint], [.list(.double), .double],
      [.list(.duration), .duration], body: sum),
    .unary("average", isMethod: true, [.list(.int), .double], [.list(.uint), .double], [.list(.double), .double]) {
      (frame: inout Frame, list: Value) throws(Fault) -> Value in
      guard case .list(let elements) = list else { throw .noOverload }
      guard !elements.isEmpty else { throw empty("average") }
      // Whole numbers are added as floating point ones, so that large ones do not overflow.
      var total = 0.0
      for element in elements {
        try frame.charge(1)
        guard let number = element.doubleValue else { throw .noOverload }
        total += number
      }
      return .double(total / Double(elements.count))
    },
    .unary("min", isMethod: true, [.list(.parameter("A")), .parameter("A")]) {
      (frame: inout Frame, list: Value) throws(Fault) -> Value in try extreme(&frame, list, "min", replacing: .greater)
    },
    .unary("max", isMethod: true, [.list(.parameter("A")), .parameter("A")]) {
      (frame: inout Frame, list: Value) throws(Fault) -> Value in try extreme(&frame, list, "max", replacing: .less)
    },
    .binary("take", isMethod: true, [.list(.parameter("A")), .int, .list(.parameter("A"))], [.string, .int, .string]) {
      (frame: inout Frame, value: Value, count: Value) throws(Fault) -> Value in
      try part(&frame, value, count) {
        $0.prefix($1)
      } scalars: {
        $0.prefix($1)
      }
    },
    .binary("drop", isMethod: true, [.list(.parameter("A")), .int, .list(.parameter("A"))], [.string, .int, .string]) {
      (frame: inout Frame, value: Value, count: Value) throws(Fault) -> Value in
      try part(&frame, value, count) {
        $0.dropFirst($1)
      } scalars: {
        $0.dropFirst($1)
      }
    },
    .binary("sets.contains", [.list(.parameter("A")), .list(.parameter("A")), .bool]) {
      (frame: inout Frame, all: Value, some: Value) throws(Fault) -> Value in .bool(try holds(&frame, all, some))
    },
    .binary("sets.equivalent", [.list(.parameter("A")), .list(.parameter("A")), .bool]) {
      (frame: inout Frame, left: Value, right: Value) throws(Fault) -> Value in
      guard try holds(&frame, left, right) else { return .bool(false) }
      return .bool(try holds(&frame, right, left))
    },
    .binary("sets.intersects", [.list(.parameter("A")), .list(.parameter("A")), .bool]) {
      (frame: inout Frame, left: Value, right: Value) throws(Fault) -> Value in
      guard case .list(let left) = left, case .list(let right) = right else { throw .noOverload }
      for element in left {
        if try isIn(right, element, &frame) { return .bool(true) }
      }
      return .bool(false)
    },
    .unary("keys", isMethod: true, [.map(.parameter("A"), .parameter("B")), .list(.parameter("A"))]) {
      (frame: inout Frame, map: Value) throws(Fault) -> Value in
      guard case .map(let map) = map else { throw .noOverload }
      try frame.charge(map.count)
      return .list(map.storage.map(\.key.value))
    },
    .unary("values", isMethod: true, [.map(.parameter("A"), .parameter("B")), .list(.parameter("B"))]) {
      (frame: inout Frame, map: Value) throws(Fault) -> Value in
      guard case .map(let map) = map else { throw .noOverload }
      try frame.charge(map.count)
      return .list(map.values)
    },
    .binary(
      "merge", isMethod: true,
      [.map(.parameter("A"), .dynamic), .map(.parameter("A"), .dynamic), .map(.parameter("A"), .dynamic)]
    ) { (frame: inout Frame, map: Value, other: Value) throws(Fault) -> Value in
      guard case .map(var result) = map, case .map(let other) = other else { throw .noOverload }
      try frame.charge(result.count + other.count)
      for entry in other.storage { result[entry.key] = entry.value }
      return .map(result)
    },
  ]

  /// The sum of numbers or durations; of whole and floating point numbers together a floating point one.
  @Sendable private static func sum(_ frame: inout Frame, _ list: Value) throws(Fault) -> Value {
    guard case .list(let elements) = list else { throw .noOverload }
    guard var total = elements.first else { return .int(0) }
    switch total {
    case .int, .uint, .double, .duration: break
    default: throw .noOverload
    }
    for element in elements.dropFirst() {
      try frame.charge(1)
      switch (total, element) {
      case (.int(let left), .int(let right)):
        let (result, overflows) = left.addingReportingOverflow(right)
        if overflows { throw .overflow("int") }
        total = .int(result)
      case (.uint(let left), .uint(let right)):
        let (result, overflows) = left.addingReportingOverflow(right)
        if overflows { throw .overflow("uint") }
        total = .uint(result)
      case (.duration(let left), .duration(let right)):
        guard let result = left.adding(right) else { throw .overflow("duration") }
        total = .duration(result)
      default:
        guard let left = total.doubleValue, let right = element.doubleValue else { throw .noOverload }
        total = .double(left + right)
      }
    }
    return total
  }

  private static func empty(_ name: String) -> Fault {
    .evaluation(
      LocalizedText("\(name)() needs at least one element", de: "\(name)() braucht mindestens ein Element"))
  }

  private static func extreme(
    _ frame: inout Frame, _ list: Value, _ name: String, replacing order: Value.Order
  ) throws(Fault) -> Value {
    guard case .list(let elements) = list else { throw .noOverload }
    guard var best = elements.first else { throw empty(name) }
    // A single element needs an order as well, so that the list's type decides and not its length.
    guard try best.order(best, &frame) != nil else { throw .noOverload }
    for element in elements.dropFirst() {
      try frame.charge(1)
      guard let found = try best.order(element, &frame) else { throw .noOverload }
      if found == order || isNaN(element) { best = element }
    }
    return best
  }

  /// NaN is neither less nor greater than a number; as an extreme it counts wherever it is in the list.
  private static func isNaN(_ value: Value) -> Bool {
    if case .double(let number) = value { number.isNaN } else { false }
  }

  /// A part of a list or of a text; a count beyond the ends is not an error.
  private static func part(
    _ frame: inout Frame, _ value: Value, _ count: Value, of list: (ArraySlice<Value>, Int) -> ArraySlice<Value>,
    scalars: (Substring.UnicodeScalarView, Int) -> Substring.UnicodeScalarView
  ) throws(Fault) -> Value {
    guard case .int(let count) = count else { throw .noOverload }
    let length = max(0, Int(clamping: count))
    switch value {
    case .list(let elements):
      try frame.charge(elements.count)
      return .list(Array(list(elements[...], length)))
    case .string(let text):
      try frame.chargeBytes(text.utf8.count)
      return .string(String(Substring(scalars(Substring(text).unicodeScalars, length))))
    default: throw .noOverload
    }
  }

  /// Whether the first list has every element of the second one.
  private static func holds(_ frame: inout Frame, _ all: Value, _ some: Value) throws(Fault) -> Bool {
    guard case .list(let all) = all, case .list(let some) = some else { throw .noOverload }
    for element in some {
      if try !isIn(all, element, &frame) { return false }
    }
    return true
  }

  private static func isIn(_ list: [Value], _ element: Value, _ frame: inout Frame) throws(Fault) -> Bool {
    for other in list {
      try frame.charge(1)
      if try other.equals(element, &frame) { return true }
    }
    return false
  }
}

extension Value {
  /// Whether two values are equal as the language sees it: numbers across their types, everything else of one type.
  func equals(_ other: Value, _ frame: inout Frame, depth: Int = 0) throws(Fault) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)):
      if left.utf8.count == right.utf8.count { try frame.chargeBytes(left.utf8.count) }
      return left.hasSameBytes(as: right)
    case (.int(let left), .int(let right)): return left == right
    case (.bool(let left), .bool(let right)): return left == right
    case (.null, .null): return true
    case (.uint(let left), .uint(let right)): return left == right
    case (.double(let left), .double(let right)): return left == right
    case (.int, .uint), (.int, .double), (.uint, .int), (.uint, .double), (.double, .int), (.double, .uint):
      return numericOrder(other) == .equal
    case (.bytes(let left), .bytes(let right)):
      if left.count == right.count { try frame.chargeBytes(left.count) }
      return left == right
    case (.timestamp(let left), .timestamp(let right)): return left == right
    case (.duration(let left), .duration(let right)): return left == right
    case (.type(let left), .type(let right)): return left.name == right.name
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return false }
      if depth >= frame.maximumDepth { throw .tooDeep }
      try frame.charge(left.count)
      for (left, right) in zip(left, right) {
        if try !left.equals(right, &frame, depth: depth + 1) { return false }
      }
      return true
    case (.map(let left), .map(let right)):
      guard left.count == right.count else { return false }
      if depth >= frame.maximumDepth { throw .tooDeep }
      try frame.charge(left.count)
      for entry in left.storage {
        guard let counterpart = right[entry.key] else { return false }
        if try !entry.value.equals(counterpart, &frame, depth: depth + 1) { return false }
      }
      return true
    case (.optional(let left), .optional(let right)):
      guard let left, let right else { return left == nil && right == nil }
      if depth >= frame.maximumDepth { throw .tooDeep }
      return try left.equals(right, &frame, depth: depth + 1)
    default:
      return false
    }
  }

  /// How two values are ordered.
  enum Order {
    case less, equal, greater
    /// One of them is not a number.
    case unordered
  }

  /// The order of two values; `nil` if their types have none.
  func order(_ other: Value, _ frame: inout Frame) throws(Fault) -> Order? {
    switch (self, other) {
    case (.int(let left), .int(let right)): return Self.order(left, right)
    case (.string(let left), .string(let right)):
      try frame.chargeBytes(min(left.utf8.count, right.utf8.count))
      return left.hasSameBytes(as: right) ? .equal : left.isBefore(right) ? .less : .greater
    case (.timestamp(let left), .timestamp(let right)): return Self.order(left, right)
    case (.duration(let left), .duration(let right)): return Self.order(left, right)
    case (.bool(let left), .bool(let right)): return left == right ? .equal : right ? .less : .greater
    case (.bytes(let left), .bytes(let right)):
      try frame.chargeBytes(min(left.count, right.count))
      return left == right ? .equal : left.lexicographicallyPrecedes(right) ? .less : .greater
    default: return numericOrder(other)
    }
  }

  /// The order of two numbers of whatever types; `nil` for anything else.
  func numericOrder(_ other: Value) -> Order? {
    switch (self, other) {
    case (.int(let left), .int(let right)): Self.order(left, right)
    case (.uint(let left), .uint(let right)): Self.order(left, right)
    case (.double(let left), .double(let right)): Self.order(left, right)
    case (.int(let left), .uint(let right)): left < right ? .less : left == right ? .equal : .greater
    case (.uint(let left), .int(let right)): left < right ? .less : left == right ? .equal : .greater
    // Beyond the range of the integers the double decides alone; within it both count as doubles.
    case (.int(let left), .double(let right)): Self.order(Double(left), right)
    case (.uint(let left), .double(let right)): Self.order(Double(left), right)
    case (.double(let left), .int(let right)): Self.order(left, Double(right))
    case (.double(let left), .uint(let right)): Self.order(left, Double(right))
    default: nil
    }
  }

  private static func order<T: Comparable>(_ left: T, _ right: T) -> Order {
    left < right ? .less : left == right ? .equal : left > right ? .greater : .unordered
  }
}

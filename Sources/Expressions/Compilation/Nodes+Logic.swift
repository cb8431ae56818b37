/// `a && b && c`: false as soon as one operand is, even where another fails.
final class AndNode: Evaluable {
  let operands: [any Evaluable]

  init(_ operands: [any Evaluable]) {
    self.operands = operands
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    var failure: Fault?
    for operand in operands {
      do {
        if try !operand.condition(&frame) { return false }
      } catch {
        if error.isFinal { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return true
  }
}

/// `a || b || c`: true as soon as one operand is, even where another fails.
final class OrNode: Evaluable {
  let operands: [any Evaluable]

  init(_ operands: [any Evaluable]) {
    self.operands = operands
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    var failure: Fault?
    for operand in operands {
      do {
        if try operand.condition(&frame) { return true }
      } catch {
        if error.isFinal { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return false
  }
}

/// An operand that must be a bool; names the place if it is not.
final class OperandNode: Evaluable {
  let node: any Evaluable
  let range: Range<Int>

  init(_ node: any Evaluable, range: Range<Int>) {
    self.node = node
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    do {
      return try node.condition(&frame)
    } catch {
      throw error.at(range)
    }
  }
}

/// `condition ? first : second`.
final class ConditionalNode: Evaluable {
  let test: any Evaluable
  let first: any Evaluable
  let second: any Evaluable

  init(_ test: any Evaluable, _ first: any Evaluable, _ second: any Evaluable) {
    self.test = test
    self.first = first
    self.second = second
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    return try test.condition(&frame) ? first.evaluate(&frame) : second.evaluate(&frame)
  }
}

/// `a == b`, `a != b`.
final class EqualityNode: Evaluable {
  let left: any Evaluable
  let right: any Evaluable
  let isNegated: Bool
  let range: Range<Int>

  init(_ left: any Evaluable, _ right: any Evaluable, isNegated: Bool, range: Range<Int>) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    try frame.charge(1)
    let left = try left.evaluate(&frame)
    let right = try right.evaluate(&frame)
    do {
      return try left.equals(right, &frame) != isNegated
    } catch {
      throw error.at(range)
    }
  }
}

/// `a < b` and its kin.
final class OrderNode: Evaluable {
  enum Relation { case less, lessOrEqual, greater, greaterOrEqual }

  let left: any Evaluable
  let right: any Evaluable
  let relation: Relation
  let function: String
  let range: Range<Int>

  init(_ left: any Evaluable, _ right: any Evaluable, _ relation: Relation, function: String, range: Range<Int>) {
    self.left = left
    self.right = right
    self.relation = relation
    self.function = function
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    try frame.charge(1)
    let left = try left.evaluate(&frame)
    let right = try right.evaluate(&frame)
    guard let order = try left.order(right, &frame) else { throw Fault.noOverload(function, [left, right]).at(range) }
    return switch relation {
    case .less: order == .less
    case .lessOrEqual: order == .less || order == .equal
    case .greater: order == .greater
    case .greaterOrEqual: order == .greater || order == .equal
    }
  }
}

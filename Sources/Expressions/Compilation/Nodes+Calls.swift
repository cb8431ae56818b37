/// A call of a function of one argument.
final class UnaryCallNode: Evaluable {
  let name: String
  let argument: any Evaluable
  let body: StandardFunction.Unary
  let range: Range<Int>

  init(name: String, argument: any Evaluable, body: @escaping StandardFunction.Unary, range: Range<Int>) {
    self.name = name
    self.argument = argument
    self.body = body
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let value = try argument.evaluate(&frame)
    do {
      return try body(&frame, value)
    } catch {
      throw error.inCall(of: name, [value], at: range)
    }
  }
}

/// A call of a function of two arguments.
final class BinaryCallNode: Evaluable {
  let name: String
  let first: any Evaluable
  let second: any Evaluable
  let body: StandardFunction.Binary
  let range: Range<Int>

  init(
    name: String, first: any Evaluable, second: any Evaluable, body: @escaping StandardFunction.Binary,
    range: Range<Int>
  ) {
    self.name = name
    self.first = first
    self.second = second
    self.body = body
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let left = try first.evaluate(&frame)
    let right = try second.evaluate(&frame)
    do {
      return try body(&frame, left, right)
    } catch {
      throw error.inCall(of: name, [left, right], at: range)
    }
  }
}

/// A call of a function of any other number of arguments.
final class CallNode: Evaluable {
  let name: String
  let arguments: [any Evaluable]
  let body: StandardFunction.Many
  let range: Range<Int>

  init(name: String, arguments: [any Evaluable], body: @escaping StandardFunction.Many, range: Range<Int>) {
    self.name = name
    self.arguments = arguments
    self.body = body
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.evaluate(&frame)) }
    do {
      return try body(&frame, values)
    } catch {
      throw error.inCall(of: name, values, at: range)
    }
  }
}

/// `text.matches("pattern")` with a pattern compiled ahead.
final class MatchNode: Evaluable {
  let text: any Evaluable
  let pattern: RegularExpression
  let range: Range<Int>

  init(text: any Evaluable, pattern: RegularExpression, range: Range<Int>) {
    self.text = text
    self.pattern = pattern
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value { .bool(try condition(&frame)) }

  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    try frame.charge(1)
    let value = try text.evaluate(&frame)
    guard case .string(let text) = value else { throw Fault.noOverload("matches", [value, .string("")]).at(range) }
    return try pattern.matches(text, &frame)
  }
}

/// `optional.or(other)`, `optional.orValue(other)`: the other one is evaluated only if it is needed.
final class AlternativeNode: Evaluable {
  let target: any Evaluable
  let other: any Evaluable
  let unwraps: Bool
  let range: Range<Int>

  init(_ target: any Evaluable, _ other: any Evaluable, unwraps: Bool, range: Range<Int>) {
    self.target = target
    self.other = other
    self.unwraps = unwraps
    self.range = range
  }

  func evaluate(_ frame: inout Frame) throws(Fault) -> Value {
    try frame.charge(1)
    let value = try target.evaluate(&frame)
    guard case .optional(let wrapped) = value else {
      throw Fault.noOverload(unwraps ? "orValue" : "or", [value]).at(range)
    }
    if let wrapped { return unwraps ? wrapped : value }
    let alternative = try other.evaluate(&frame)
    if unwraps { return alternative }
    guard case .optional = alternative else { throw Fault.noOverload("or", [value, alternative]).at(range) }
    return alternative
  }
}

extension Fault {
  /// The fault as the call shows it: with the function's name where no overload fits, and with a place.
  fileprivate func inCall(of name: String, _ arguments: [Value], at range: Range<Int>) -> Fault {
    self === Fault.noOverload ? .noOverload(name, arguments).at(range) : at(range)
  }
}

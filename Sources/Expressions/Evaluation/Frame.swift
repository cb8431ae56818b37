/// The state of one evaluation: the values of names, and the remaining cost.
struct Frame {
  let bindings: Bindings
  /// The variables the expression names, looked up at first use, then the names its macros introduce.
  var slots: [Value?]
  private(set) var remainingCost: Int
  /// How deep values may nest.
  let maximumDepth: Int

  init(_ bindings: Bindings, slotCount: Int, limits: EvaluationLimits) {
    self.bindings = bindings
    slots = Array(repeating: nil, count: slotCount)
    remainingCost = limits.cost
    maximumDepth = limits.depth
  }

  /// Pays for work to come; call before doing it.
  @inline(__always)
  mutating func charge(_ cost: Int) throws(Fault) {
    let (remaining, overflows) = remainingCost.subtractingReportingOverflow(cost)
    if overflows || remaining < 0 { throw .outOfCost }
    remainingCost = remaining
  }

  /// Pays for handling so many bytes.
  @inline(__always)
  mutating func chargeBytes(_ count: Int) throws(Fault) {
    if count >= 10 { try charge(count / 10) }
  }
}

/// A compiled node.
protocol Evaluable: AnyObject, Sendable {
  func evaluate(_ frame: inout Frame) throws(Fault) -> Value

  /// Evaluates what must be a truth value.
  func condition(_ frame: inout Frame) throws(Fault) -> Bool
}

extension Evaluable {
  func condition(_ frame: inout Frame) throws(Fault) -> Bool {
    let value = try evaluate(&frame)
    guard case .bool(let condition) = value else { throw .notBoolean(value) }
    return condition
  }
}

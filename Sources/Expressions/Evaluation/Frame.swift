/// The state of one evaluation: the values of names, and the remaining cost.
struct Frame {
  let bindings: Bindings
  /// The variables the expression names, looked up at first use, then the names its macros introduce.
  var slots: [Value?]
  private(set) var remainingCost: Int
  /// How deep values may nest.
  let maximumDepth: Int
  /// The bytes of a text that are handled for one unit of cost: 64 MiB, the largest answer of an action, can be measured and
  /// put into a text within ``EvaluationLimits/standard``.
  static let bytesPerUnit = 256

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
    if count >= Self.bytesPerUnit { try charge(count / Self.bytesPerUnit) }
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

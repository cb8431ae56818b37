import Expressions
import Plans

extension Plan.Concurrency {
  /// `{group, policy, max}`, and `order` for a mail filter.
  var explanation: Value {
    var fields: ValueMap = ["group": group.source, "policy": .string(policy.rawValue), "max": .int(Int64(max))]
    if let order { fields["order"] = .int(Int64(order)) }
    return .map(fields)
  }
}

import Expressions
import Localization
import Plans
import Schemas

/// Decides what the rules of a mail filter do with a message.
///
/// The rules are asked in order. As in Sieve (RFC 5228), a message that no rule takes stays if it is, and so does one whose
/// condition fails, for which no rule acts at all.
struct MessageJudge {
  /// The decision about a message.
  enum Decision {
    /// No rule is for it.
    case kept
    /// The positions of the rules that act on it, in order, and why the first does.
    case acted(rules: [Int], reason: String)
    /// The condition of a rule failed.
    case failed(rule: Int, error: ExpressionError)
    /// A run has begun to send it on for a rule, and has not said how that ended.
    case inDoubt(rule: Int, run: String)
    /// It is not judged.
    case skipped(reason: LocalizedText)
    /// Filters move it in a circle: the rule that would move it next, the names of the filters, and the number of moves.
    case circling(rule: Int, recipes: [String], count: Int)
  }

  let rules: [MessageSelection.Rule]
  private var bindings: Bindings

  init(_ selection: MessageSelection, _ bindings: Bindings) {
    rules = selection.rules
    self.bindings = bindings
  }

  /// Decides about a message.
  mutating func decide(_ message: Value) -> Decision {
    bindings.variables["message"] = message
    var acting: [Int] = []
    var reason = ""
    var isKept = false
    for (position, rule) in rules.enumerated() where !(isKept && rule.takes) {
      do {
        guard try holds(rule) else { continue }
      } catch {
        return .failed(rule: position, error: error)
      }
      if acting.isEmpty { reason = self.reason(of: rule) }
      acting.append(position)
      if rule.keeps { isKept = true }
      if rule.ends { break }
    }
    return acting.isEmpty ? .kept : .acted(rules: acting, reason: reason)
  }

  private func holds(_ rule: MessageSelection.Rule) throws(ExpressionError) -> Bool {
    guard let condition = rule.condition else { return true }
    let value = try condition.evaluate(bindings)
    guard let holds = value.boolValue else { throw .notBoolean(value) }
    return holds
  }

  /// The part of a rule's condition that holds, as it is written; empty if the rule is for every message.
  private func reason(of rule: MessageSelection.Rule) -> String {
    guard let condition = rule.condition else { return "" }
    let part = rule.alternatives.first { (try? $0.evaluate(bindings))?.boolValue == true }
    return (part ?? condition).source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension ExpressionError {
  fileprivate static func notBoolean(_ value: Value) -> ExpressionError {
    ExpressionError(
      .wrongType,
      .init(
        "the condition is \(value.typeName), not true or false",
        de: "die Bedingung ist \(value.typeName), nicht true oder false"))
  }
}

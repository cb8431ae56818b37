/// A condition over a message: tests in CEL, joined.
indirect enum Formula: Hashable {
  /// An expression that gives a truth value; a relation (`a < b`) needs parentheses behind `!`.
  case test(String, isRelation: Bool)
  case constant(Bool)
  case not(Formula)
  case all([Formula])
  case any([Formula])

  /// The negation, simplified.
  var negated: Formula {
    switch self {
    case .constant(let value): .constant(!value)
    case .not(let inner): inner
    default: .not(self)
    }
  }

  /// All of several conditions, simplified.
  static func all(of parts: [Formula]) -> Formula {
    var found: [Formula] = []
    for part in parts {
      let pieces: [Formula] = if case .all(let inner) = part { inner } else { [part] }
      for piece in pieces where piece != .constant(true) && !found.contains(piece) { found.append(piece) }
    }
    let held = Set(found)
    if found.contains(where: { $0 == .constant(false) || $0.isRefuted(by: held) }) { return .constant(false) }
    return found.count == 1 ? found[0] : found.isEmpty ? .constant(true) : .all(found)
  }

  /// One of several conditions, simplified.
  static func any(of parts: [Formula]) -> Formula {
    var found: [Formula] = []
    for part in parts {
      let pieces: [Formula] = if case .any(let inner) = part { inner } else { [part] }
      for piece in pieces where piece != .constant(false) && !found.contains(piece) { found.append(piece) }
    }
    if found.contains(where: { $0 == .constant(true) || found.contains($0.negated) }) { return .constant(true) }
    // What another alternative covers adds nothing.
    found = found.filter { part in !found.contains { $0 != part && part.conjuncts.isStrictSuperset(of: $0.conjuncts) } }
    return found.count == 1 ? found[0] : found.isEmpty ? .constant(false) : .any(found)
  }

  /// The parts that must all hold.
  var conjuncts: Set<Formula> {
    switch self {
    case .all(let parts): Set(parts)
    case .constant(true): []
    default: [self]
    }
  }

  /// The same parts in their order.
  var parts: [Formula] {
    switch self {
    case .all(let parts): parts
    case .constant(true): []
    default: [self]
    }
  }

  /// Whether two conditions cannot both hold, as far as their parts tell.
  func excludes(_ other: Formula) -> Bool {
    if self == .constant(false) || other == .constant(false) { return true }
    let (own, others) = (conjuncts, other.conjuncts)
    return own.contains { $0.isRefuted(by: others) } || others.contains { $0.isRefuted(by: own) }
  }

  /// Whether this cannot hold where all of `parts` do: its opposite may be several of them together.
  private func isRefuted(by parts: Set<Formula>) -> Bool {
    self != .constant(false) && negated.conjuncts.isSubset(of: parts)
  }

  /// The expression in CEL.
  var expression: String { text(inside: .none) }

  private enum Surroundings { case none, all, any, not }

  private func text(inside surroundings: Surroundings) -> String {
    switch self {
    case .test(let text, let isRelation): return isRelation && surroundings == .not ? "(\(text))" : text
    case .constant(let value): return value ? "true" : "false"
    case .not(let inner): return "!" + inner.text(inside: .not)
    case .all(let parts):
      let text = parts.map { $0.text(inside: .all) }.joined(separator: " && ")
      return surroundings == .not ? "(\(text))" : text
    case .any(let parts):
      let text = parts.map { $0.text(inside: .any) }.joined(separator: " || ")
      return surroundings == .not || surroundings == .all ? "(\(text))" : text
    }
  }
}

/// A condition over a message: tests in CEL, joined.
indirect enum Formula: Hashable {
  /// An expression that gives a truth value.
  ///
  /// Its hash is made once: conditions are looked for in each other again and again.
  struct Test: Hashable {
    let text: String
    /// A relation (`a < b`) needs parentheses behind `!`.
    let isRelation: Bool
    private let hash: Int

    fileprivate init(_ text: String, isRelation: Bool) {
      (self.text, self.isRelation, hash) = (text, isRelation, text.hashValue)
    }

    static func == (left: Test, right: Test) -> Bool { left.hash == right.hash && left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  case leaf(Test)
  case constant(Bool)
  case not(Formula)
  case all([Formula])
  case any([Formula])

  static func test(_ text: String, isRelation: Bool) -> Formula { .leaf(Test(text, isRelation: isRelation)) }

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
    // An alternative that another one covers adds nothing.
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
  func excludes(_ other: Formula) -> Bool { Self.exclude(conjuncts, other.conjuncts) }

  /// Whether conditions with such conjuncts cannot both hold.
  static func exclude(_ own: Set<Formula>, _ others: Set<Formula>) -> Bool {
    if own.contains(.constant(false)) || others.contains(.constant(false)) { return true }
    return own.contains { $0.isRefuted(by: others) } || others.contains { $0.isRefuted(by: own) }
  }

  /// Whether this cannot hold where all of `parts` do: its opposite may be several of them together.
  private func isRefuted(by parts: Set<Formula>) -> Bool {
    switch self {
    case .constant: false
    case .not(.all(let inner)): inner.allSatisfy(parts.contains)
    case .not(let inner): parts.contains(inner)
    default: parts.contains(.not(self))
    }
  }

  /// The expression in CEL.
  var expression: String { text(inside: .none) }

  /// How many bytes the expression has, at most one more than a limit. It is not written for that: a condition that is
  /// copied again and again takes little memory and becomes a long text.
  func length(upTo limit: Int) -> Int {
    var left = limit + 1
    subtract(from: &left)
    return limit + 1 - max(0, left)
  }

  private func subtract(from left: inout Int) {
    guard left > 0 else { return }
    switch self {
    case .leaf(let test): left -= test.text.utf8.count
    case .constant: left -= 4
    case .not(let inner):
      left -= 1
      inner.subtract(from: &left)
    case .all(let parts), .any(let parts):
      left -= 4 * (parts.count - 1)
      for part in parts { part.subtract(from: &left) }
    }
  }

  private enum Surroundings { case none, all, any, not }

  private func text(inside surroundings: Surroundings) -> String {
    switch self {
    case .leaf(let test): return test.isRelation && surroundings == .not ? "(\(test.text))" : test.text
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

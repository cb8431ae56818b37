/// What repeating an action would do to the world; it decides what is written down, and what a crash recovery may repeat.
public enum Effect: String, Sendable, CaseIterable {
  /// The output depends on the input alone.
  case pure
  /// It looks at the world and changes nothing.
  case read
  /// Doing it twice with the same key is the same as doing it once.
  case idempotent
  /// Doing it twice is wrong: a mail is sent, money is moved.
  case once
}

extension Effect: Comparable {
  /// Orders effects by how much care they need: `pure`, `read`, `idempotent`, `once`.
  public static func < (left: Effect, right: Effect) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .pure: 0
    case .read: 1
    case .idempotent: 2
    case .once: 3
    }
  }
}

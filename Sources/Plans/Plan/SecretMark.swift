public import Expressions

extension Value {
  /// The place of a secret in the input of a step: `{ secret: MARK }`, or `{ secret: [text, MARK …] }` for a text that
  /// holds one.
  ///
  /// A type, as no data from outside is one: neither JSON nor an expression can make this mark. Explanations and JSON show
  /// the name of the secret.
  public static func secretMark(_ name: String) -> Value { .type(.abstract(name, [])) }

  /// The name of the secret, if this is the mark of one.
  public var markedSecret: String? {
    if case .type(.abstract(let name, let parameters)) = self, parameters.isEmpty { name } else { nil }
  }
}

extension BoundValue {
  /// The names of the secrets that the value holds.
  public var secretNames: [String] {
    switch self {
    case .literal(let value): value.markedSecret.map { [$0] } ?? []
    case .template: []
    case .list(let elements): elements.flatMap(\.secretNames)
    case .map(let entries): entries.flatMap(\.value.secretNames)
    }
  }
}

/// Unifies types: which type parameters represent what, and whether a value of one type is accepted as another. Follows the
/// rules of the CEL reference checker: `dyn` matches every type, the more general type wins.
struct TypeInference {
  private var substitutions: [String: ValueType] = [:]
  private var freshCount = 0

  /// A type parameter that represents nothing yet.
  mutating func fresh() -> ValueType {
    freshCount += 1
    return .parameter("%\(freshCount)")
  }

  /// Replaces the parameters of a signature by fresh ones, the same by the same.
  mutating func instantiate(_ signature: FunctionSignature) -> (parameters: [ValueType], result: ValueType) {
    var renamed: [String: ValueType] = [:]
    let parameters = signature.parameters.map { rename($0, &renamed) }
    return (parameters, rename(signature.result, &renamed))
  }

  private mutating func rename(_ type: ValueType, _ renamed: inout [String: ValueType]) -> ValueType {
    switch type {
    case .parameter(let name):
      if let known = renamed[name] { return known }
      let replacement = fresh()
      renamed[name] = replacement
      return replacement
    case .list(let element): return .list(rename(element, &renamed))
    case .map(let key, let value): return .map(rename(key, &renamed), rename(value, &renamed))
    case .optional(let wrapped): return .optional(rename(wrapped, &renamed))
    case .type(let inner): return .type(rename(inner, &renamed))
    case .abstract(let name, let parameters): return .abstract(name, parameters.map { rename($0, &renamed) })
    default: return type
    }
  }

  /// The type with what its parameters represent put in; free parameters become `dyn` on request.
  func resolved(_ type: ValueType, freeAsDynamic: Bool = false) -> ValueType {
    switch type {
    case .parameter(let name):
      if let substitution = substitutions[name] { return resolved(substitution, freeAsDynamic: freeAsDynamic) }
      return freeAsDynamic ? .dynamic : type
    case .list(let element):
      return .list(resolved(element, freeAsDynamic: freeAsDynamic))
    case .map(let key, let value):
      return .map(resolved(key, freeAsDynamic: freeAsDynamic), resolved(value, freeAsDynamic: freeAsDynamic))
    case .optional(let wrapped):
      return .optional(resolved(wrapped, freeAsDynamic: freeAsDynamic))
    case .type(let inner):
      return .type(resolved(inner, freeAsDynamic: freeAsDynamic))
    case .abstract(let name, let parameters):
      return .abstract(name, parameters.map { resolved($0, freeAsDynamic: freeAsDynamic) })
    default:
      return type
    }
  }

  /// Whether values of all the types are accepted as the others; remembers what parameters represent, or forgets all if one
  /// pair does not fit.
  mutating func assign(_ types: [ValueType], to wanted: [ValueType]) -> Bool {
    guard types.count == wanted.count else { return false }
    let before = substitutions
    for (type, want) in zip(types, wanted) where !unify(type, want) {
      substitutions = before
      return false
    }
    return true
  }

  /// Whether a value of one type is accepted as another.
  mutating func assign(_ type: ValueType, to wanted: ValueType) -> Bool {
    assign([type], to: [wanted])
  }

  /// The type of what may be of either type; `dyn` where they have nothing in common.
  mutating func join(_ first: ValueType, _ second: ValueType) -> ValueType {
    assign(first, to: second) ? moreGeneral(resolved(first), resolved(second)) : .dynamic
  }

  // MARK: Unification

  private mutating func unify(_ first: ValueType, _ second: ValueType) -> Bool {
    if case .parameter(let name) = second {
      let (fits, isBound) = substitute(first, for: name)
      if fits { return true }
      if isBound { return false }
    }
    if case .parameter(let name) = first { return substitute(second, for: name).fits }
    switch (first, second) {
    case (.dynamic, _), (_, .dynamic): return true
    case (.null, _): return Self.isNullable(second)
    case (_, .null): return Self.isNullable(first)
    case (.list(let left), .list(let right)): return unify(left, right)
    case (.optional(let left), .optional(let right)): return unify(left, right)
    case (.type, .type): return true
    case (.map(let leftKey, let left), .map(let rightKey, let right)):
      return unify(leftKey, rightKey) && unify(left, right)
    case (.object, .object): return true
    case (.object, .map(let key, let value)): return unify(.string, key) && unify(.dynamic, value)
    case (.map(let key, let value), .object): return unify(key, .string) && unify(value, .dynamic)
    case (.abstract(let left, let leftParameters), .abstract(let right, let rightParameters)):
      guard left == right, leftParameters.count == rightParameters.count else { return false }
      for (left, right) in zip(leftParameters, rightParameters) where !unify(left, right) { return false }
      return true
    default: return first == second
    }
  }

  private static func isNullable(_ type: ValueType) -> Bool {
    switch type {
    case .null, .timestamp, .duration, .optional, .abstract: true
    default: false
    }
  }

  private mutating func substitute(_ type: ValueType, for name: String) -> (fits: Bool, isBound: Bool) {
    if type == .parameter(name) { return (true, true) }
    if let known = substitutions[name] {
      if type == known { return (true, true) }
      guard unify(type, known) else { return (false, true) }
      let general = moreGeneral(type, known)
      if !occurs(name, in: general) { substitutions[name] = general }
      return (true, true)
    }
    if occurs(name, in: type) { return (false, false) }
    substitutions[name] = type
    return (true, false)
  }

  private func occurs(_ name: String, in type: ValueType) -> Bool {
    switch type {
    case .parameter(let other): other == name || (substitutions[other].map { occurs(name, in: $0) } ?? false)
    case .list(let inner), .optional(let inner), .type(let inner): occurs(name, in: inner)
    case .map(let key, let value): occurs(name, in: key) || occurs(name, in: value)
    case .abstract(_, let parameters): parameters.contains { occurs(name, in: $0) }
    default: false
    }
  }

  private func moreGeneral(_ first: ValueType, _ second: ValueType) -> ValueType {
    if case .null = first { return second }
    if case .object = first, case .object = second, first != second { return .map(.string, .dynamic) }
    if case .object = first, case .map = second { return second }
    return isAtLeastAsGeneral(first, as: second) ? first : second
  }

  private func isAtLeastAsGeneral(_ first: ValueType, as second: ValueType) -> Bool {
    switch (first, second) {
    case (.dynamic, _), (.parameter, _): true
    case (_, .dynamic), (_, .parameter): false
    case (_, .null): true
    case (.list(let left), .list(let right)), (.optional(let left), .optional(let right)):
      isAtLeastAsGeneral(left, as: right)
    case (.map(let leftKey, let left), .map(let rightKey, let right)):
      isAtLeastAsGeneral(leftKey, as: rightKey) && isAtLeastAsGeneral(left, as: right)
    case (.map, .object): true
    case (.type, .type): true
    case (.abstract(let left, let leftParameters), .abstract(let right, let rightParameters)):
      left == right && zip(leftParameters, rightParameters).allSatisfy { isAtLeastAsGeneral($0, as: $1) }
    default: first == second
    }
  }
}

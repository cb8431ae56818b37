/// A part of what a token may do; the rights of its user limit it further.
public enum TokenScope: Sendable, Hashable {
  /// The rights of a role.
  case role(AccessRole)
  /// One verb on one kind of object: `runs:create`.
  case word(AccessObject, AccessVerb)

  /// Reads a scope.
  ///
  /// - Parameters:
  ///   - text: The name of a role, or `OBJECT:VERB`.
  ///   - roles: All roles.
  /// - Throws: ``AccessError``: `invalid_rule`, also for `secrets:read`; `unknown_role`.
  public init(_ text: String, roles: [AccessRole]) throws(AccessError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1 {
      guard let role = roles.first(where: { $0.name == text }) else {
        let names = roles.map(\.name).joined(separator: ", ")
        throw AccessError(
          .unknownRole, "no role '\(text)'; these exist: \(names)", de: "keine Rolle '\(text)'; es gibt: \(names)")
      }
      self = .role(role)
      return
    }
    guard parts.count == 2, let object = AccessObject(rawValue: parts[0]), let verb = AccessVerb(rawValue: parts[1])
    else {
      throw AccessError(
        .invalidRule, "'\(text)' is not a scope: a role, or an object and a verb such as runs:create",
        de: "'\(text)' ist kein Geltungsbereich: eine Rolle, oder Gegenstand und Verb wie runs:create")
    }
    guard object != .secrets || verb != .read else {
      throw AccessError(
        .invalidRule, "no token can read secrets", de: "kein Token kann Geheimnisse lesen")
    }
    self = .word(object, verb)
  }

  /// The scope that it grants at most.
  func scope(_ verb: AccessVerb, _ object: AccessObject, folder: String?) -> AccessScope {
    switch self {
    case .role(let role): role.scope(verb, object, folder: folder)
    case .word(let named, let allowed): named == object && allowed == verb ? .all : .none
    }
  }
}

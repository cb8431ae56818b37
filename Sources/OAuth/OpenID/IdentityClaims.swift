import Expressions
import Localization

/// An account of an identity provider, as its checked claims describe it (OpenID Connect Core 1.0, section 5.1).
public struct IdentityClaims: Sendable, Hashable {
  /// The issuer.
  public let issuer: String
  /// The id of the account at the issuer, which never changes.
  public let subject: String
  /// How the user is called at the provider (`preferred_username`).
  public let userName: String?
  /// The address, unless the provider says that it is not verified.
  public let email: String?
  /// The name for people.
  public let fullName: String?
  /// The language tag.
  public let locale: String?
  /// The groups in the wanted claim, at most 1000.
  public let groups: [String]

  /// Reads claims.
  ///
  /// - Parameter groupsClaim: The claim with the groups: a list or one text. `realm_access.roles` is the claim `roles` within
  ///   `realm_access`, unless a claim has exactly this name.
  init(issuer: String, subject: String, _ claims: ValueMap, groupsClaim: String) {
    func text(_ name: String) -> String? { claims[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
    self.issuer = issuer
    self.subject = subject
    userName = text("preferred_username")
    let isVerified = claims["email_verified"]?.boolValue ?? (claims["email_verified"]?.stringValue != "false")
    email = isVerified ? text("email") : nil
    fullName = text("name")
    locale = text("locale")
    let found = Self.value(groupsClaim, in: claims)
    groups = (found?.stringValue.map { [$0] } ?? found?.listValue?.compactMap(\.stringValue) ?? [])
      .prefix(1000).filter { !$0.isEmpty && $0.utf8.count <= 255 }
  }

  /// The value of a claim, which may be within others.
  static func value(_ name: String, in claims: ValueMap) -> Value? {
    if let value = claims[name] { return value }
    guard let dot = name.firstIndex(of: "."), let inner = claims[String(name[..<dot])]?.mapValue else { return nil }
    return value(String(name[name.index(after: dot)...]), in: inner)
  }
}

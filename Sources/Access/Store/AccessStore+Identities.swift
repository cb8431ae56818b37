public import Expressions
internal import Foundation
public import Localization

/// A user as an identity provider describes it (OpenID Connect).
public struct ProvidedUser: Sendable {
  /// The account at the provider, by which the user is found again.
  public var identity: AccessUser.Identity
  /// How the user may be called here, the best first; need not be valid names.
  public var names: [String]
  /// The name for people; `nil` leaves the stored one.
  public var fullName: String?
  /// The language of a new user.
  public var language: Language?
  /// The groups at the provider. Those that cannot be the name of a group here are left out.
  public var groups: [String]
  /// The names of its roles.
  public var roles: Set<String>

  /// Creates a description.
  public init(
    identity: AccessUser.Identity, names: [String], fullName: String? = nil, language: Language? = nil,
    groups: [String] = [], roles: Set<String>
  ) {
    (self.identity, self.names, self.fullName) = (identity, names, fullName)
    (self.language, self.groups, self.roles) = (language, groups, roles)
  }

  /// A valid user name from the proposals: `Jürgen Müller` becomes `jurgen-muller`.
  var userName: String {
    names.lazy.compactMap(Self.userName).first ?? "user"
  }

  /// The groups as they are stored: lower case, without the slash by which Keycloak marks a path. Other characters are not
  /// replaced: two groups of the provider must not become one here.
  var storedGroups: Set<String> {
    Set(groups.map { ($0.hasPrefix("/") ? String($0.dropFirst()) : $0).lowercased() }.filter(AccessName.isValid))
  }

  /// The full name as one line of at most 400 bytes.
  var storedFullName: String? {
    guard let fullName else { return nil }
    var line = ""
    for scalar in fullName.unicodeScalars {
      let shown: Unicode.Scalar = scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar
      guard line.utf8.count + UTF8.width(shown) <= 400 else { break }
      line.unicodeScalars.append(shown)
    }
    return line
  }

  private static func userName(_ text: String) -> String? {
    let plain = text.folding(options: [.diacriticInsensitive], locale: nil).lowercased()
    var name = ""
    for byte in plain.utf8.prefix(200) {
      switch byte {
      case 0x61...0x7A, 0x30...0x39: name.unicodeScalars.append(Unicode.Scalar(byte))
      // A name begins with a letter or digit.
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "@"):
        if !name.isEmpty { name.unicodeScalars.append(Unicode.Scalar(byte)) }
      default: if !name.isEmpty, !name.hasSuffix("-") { name += "-" }
      }
    }
    // Room for a number.
    name = String(name.prefix(60))
    while name.hasSuffix("-") { name.removeLast() }
    // The names of erased users.
    if name.hasPrefix("erased-") { name = "user-" + name.dropFirst(7) }
    return AccessName.isValid(name) ? name : nil
  }
}

extension AccessStore {
  /// Signs in a user whom an identity provider has signed in, and opens a new session.
  ///
  /// The first sign-in adds the user. Later ones adopt its full name, groups and roles. A user of the same name with another
  /// identity, or without one, stays as it is: the new user is called `anna-2`.
  ///
  /// - Parameters:
  ///   - address: The address of the client.
  ///   - former: The secret of the session that the client had before; it ends.
  /// - Throws: ``AccessError``: `sign_in_refused` if the user is disabled, `unknown_role`, `last_administrator` if the
  ///   provider no longer gives its role to the last administrator.
  public func signIn(
    _ provided: ProvidedUser, address: String?, former: String? = nil, now: Timestamp
  ) throws(AccessError) -> SignedIn {
    let user = try user(provided, address, now)
    guard user.disabled == nil else {
      throw AccessError(
        .signInRefused,
        "the user '\(user.name)' is disabled; an administrator can enable it: sous users enable \(user.name)",
        de:
          "der Benutzer '\(user.name)' ist gesperrt; ein Administrator kann ihn freigeben: sous users enable \(user.name)"
      )
    }
    return try openSession(user: user.name, address: address, former: former, now: now)
  }

  /// The user of an identity as the provider describes it now.
  private func user(_ provided: ProvidedUser, _ address: String?, _ now: Timestamp) throws(AccessError) -> AccessUser {
    let wanted = provided.userName
    for number in 1...1000 {
      if let known = try user(identity: provided.identity) { return try update(known, provided, address, now) }
      let name = number == 1 ? wanted : "\(wanted)-\(number)"
      do throws(AccessError) {
        return try addUser(
          UserDraft(
            name: name, fullName: provided.storedFullName ?? "", language: provided.language,
            groups: provided.storedGroups, roles: provided.roles, identity: provided.identity),
          by: AuditSource(actor: name, origin: "sign-in", address: address), now: now)
      } catch {
        // Another user has the name; or the same user has signed in at the same moment, and is found now.
        guard error.code == .userExists else { throw error }
      }
    }
    throw AccessError(
      .userExists, "there are too many users called '\(wanted)'", de: "zu viele Benutzer heißen '\(wanted)'")
  }

  private func update(
    _ known: AccessUser, _ provided: ProvidedUser, _ address: String?, _ now: Timestamp
  ) throws(AccessError) -> AccessUser {
    var change = UserChange()
    if let fullName = provided.storedFullName, fullName != known.fullName { change.fullName = fullName }
    if provided.storedGroups != Set(known.groups) { change.groups = provided.storedGroups }
    if provided.roles != Set(known.roles) { change.roles = provided.roles }
    let isSame = change.fullName == nil && change.groups == nil && change.roles == nil
    guard known.disabled == nil, !isSame else { return known }
    return try changeUser(
      known.name, change, by: AuditSource(actor: known.name, origin: "sign-in", address: address), now: now)
  }
}

public import Localization

/// A user at work: who acts, with which rights.
public struct Actor: Sendable, Hashable {
  /// How the actor has proved who it is.
  public enum Origin: Sendable, Hashable {
    /// Signed in, by a session.
    case session
    /// By an API token with this id.
    case token(String)
    /// By the local socket, which only the owner of the state folder can open.
    case socket

    /// The word in the audit log.
    public var word: String {
      switch self {
      case .session: "session"
      case .token: "token"
      case .socket: "socket"
      }
    }
  }

  /// The user name.
  public let user: String
  /// The name for people; empty if none is known.
  public let fullName: String
  /// The groups of the user.
  public let groups: Set<String>
  /// The roles of the user.
  public let roles: [AccessRole]
  /// The language of the user; `nil` if none was chosen.
  public let language: Language?
  /// How the actor has proved who it is.
  public let origin: Origin
  /// The scopes of a token, which limit the roles; `nil`: no limit.
  public let limits: [TokenScope]?

  /// Creates an actor.
  public init(
    user: String, fullName: String = "", groups: Set<String> = [], roles: [AccessRole], language: Language? = nil,
    origin: Origin = .session, limits: [TokenScope]? = nil
  ) {
    (self.user, self.fullName, self.groups, self.roles) = (user, fullName, groups, roles)
    (self.language, self.origin, self.limits) = (language, origin, limits)
  }

  /// The actor of the local socket: an administrator.
  ///
  /// - Parameter user: The name of the user of the operating system.
  public static func socket(user: String, language: Language? = nil) -> Actor {
    Actor(user: user, roles: [.administrator], language: language, origin: .socket)
  }

  /// The largest scope that the roles grant, limited by the scopes of the token.
  ///
  /// - Parameter folder: The folder of the recipe, empty for the top folder. `nil`: rules that are limited to a folder do not
  ///   count.
  public func scope(_ verb: AccessVerb, _ object: AccessObject, folder: String? = nil) -> AccessScope {
    guard object != .secrets || verb != .read else { return .none }
    let granted = roles.map { $0.scope(verb, object, folder: folder) }.max() ?? .none
    guard let limits else { return granted }
    return min(granted, limits.map { $0.scope(verb, object, folder: folder) }.max() ?? .none)
  }

  /// Whether the actor may do something to one object.
  ///
  /// - Parameters:
  ///   - owner: The user to whom the object belongs. `nil`: none, so that only the scope `all` allows it; for `create`, the
  ///     new object belongs to the actor.
  ///   - ownerGroups: The groups to which the object belongs: those of its owner.
  ///   - folder: The folder of the recipe, empty for the top folder; `nil` if the object is in no folder.
  public func may(
    _ verb: AccessVerb, _ object: AccessObject, owner: String? = nil, ownerGroups: Set<String> = [],
    folder: String? = nil
  ) -> Bool {
    let owner = verb == .create ? owner ?? user : owner
    return switch scope(verb, object, folder: folder) {
    case .none: false
    case .my: owner == user
    case .group: owner == user || !groups.isDisjoint(with: ownerGroups)
    case .all: true
    }
  }

  /// Whether there can be an object of this kind, in some folder, to which the actor may do this.
  public func mayAnywhere(_ verb: AccessVerb, _ object: AccessObject) -> Bool { widestScope(verb, object) != .none }

  /// The largest scope that the actor has in some folder.
  public func widestScope(_ verb: AccessVerb, _ object: AccessObject) -> AccessScope {
    var rules = roles.flatMap(\.rules)
    for case .role(let role) in limits ?? [] { rules += role.rules }
    let folders: [String?] = [nil] + rules.map(\.folder)
    return folders.map { scope(verb, object, folder: $0) }.max() ?? .none
  }

  /// The actor with all rights of its roles, as if its token had no scopes: what it may do then but may not do now, the scopes
  /// forbid.
  public var withoutScopes: Actor {
    Actor(user: user, fullName: fullName, groups: groups, roles: roles, language: language, origin: origin)
  }

  /// The user to whom runs belong that the actor starts; `nil` for the local socket, which has no user of the server.
  public var owner: String? { origin == .socket ? nil : user }

  /// Whether the actor has all rights of a role: only then it may give the role to a user or take it away, and change the
  /// password of a user who has it. Otherwise a right to change users would be a right to everything.
  public func hasRights(of role: AccessRole) -> Bool {
    role.rules.allSatisfy { rule in
      AccessVerb.allCases.allSatisfy { scope($0, rule.object, folder: rule.folder) >= rule[$0] }
    }
  }
}

public import Expressions

/// Who may do what: a row for each user and kind of object.
public enum AccessOverview {
  /// The rights of a user on one kind of object.
  public struct Row: Sendable, Hashable {
    /// The user name.
    public let user: String
    /// The kind of object.
    public let object: AccessObject
    /// The folder of recipes; `nil` for all.
    public let folder: String?
    /// The scope of each verb.
    public let scopes: [AccessVerb: AccessScope]
    /// The roles that grant something of it.
    public let roles: [String]
  }

  /// The rows of actors, in their order; objects without any right are left out.
  ///
  /// A folder has a row of its own if it grants more than the rules without a folder.
  public static func rows(_ actors: [Actor]) -> [Row] {
    actors.flatMap { actor in AccessObject.allCases.flatMap { rows(actor, $0) } }
  }

  private static func rows(_ actor: Actor, _ object: AccessObject) -> [Row] {
    let folders = Set(actor.roles.flatMap(\.rules).filter { $0.object == object }.compactMap(\.folder)).sorted()
    let whole = scopes(actor, object, nil)
    return ([nil] + folders).compactMap { folder in
      let scopes = folder == nil ? whole : scopes(actor, object, folder)
      guard scopes.values.contains(where: { $0 != .none }), folder == nil || scopes != whole else { return nil }
      let roles = actor.roles.filter { role in
        AccessVerb.allCases.contains { role.scope($0, object, folder: folder) != .none }
      }
      return Row(user: actor.user, object: object, folder: folder, scopes: scopes, roles: roles.map(\.name))
    }
  }

  private static func scopes(_ actor: Actor, _ object: AccessObject, _ folder: String?) -> [AccessVerb: AccessScope] {
    Dictionary(uniqueKeysWithValues: AccessVerb.allCases.map { ($0, actor.scope($0, object, folder: folder)) })
  }
}

extension AccessOverview.Row {
  /// The row for programs: `{user, object, folder, read, create, update, delete, roles}`.
  public var json: Value {
    var map: ValueMap = [
      "user": .string(user), "object": .string(object.rawValue), "folder": folder.map { .string($0) } ?? .null,
    ]
    for verb in AccessVerb.allCases { map[verb.rawValue] = .string((scopes[verb] ?? .none).rawValue) }
    map["roles"] = .list(roles.map { .string($0) })
    return .map(map)
  }
}

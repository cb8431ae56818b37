import Expressions

/// The form of results in each version of the protocol.
enum ResultForm {
  /// Methods whose results a client may keep for a while.
  private static let cacheable: Set = [
    "server/discover", "tools/list", "resources/list", "resources/templates/list", "resources/read",
  ]

  /// A result with the members that its version demands.
  static func complete(
    _ result: ValueMap, of method: String, _ version: ProtocolVersion, _ facts: ServerFacts
  ) -> ValueMap {
    guard version.isStateless else { return result }
    var map: ValueMap = ["resultType": result["resultType"] ?? "complete"]
    for (key, value) in result.entries { map[key] = value }
    var meta = result["_meta"]?.mapValue ?? [:]
    meta[MetaKey.server] = facts.identity
    map["_meta"] = .map(meta)
    if cacheable.contains(method) {
      // Recipes, runs and rights may change at any time.
      map["ttlMs"] = 0
      map["cacheScope"] = "private"
    }
    return map
  }
}

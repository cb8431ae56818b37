/// Paths of recipes that Sous writes itself; no file has them.
enum RecipePath {
  /// The beginning of the path of a message's recipe.
  static let outboxScheme = "outbox:"

  /// Whether the recipe is that of a message in the outbox.
  static func isOutbox(_ path: String) -> Bool { path.hasPrefix(outboxScheme) }
}

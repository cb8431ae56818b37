/// Paths of recipes that Sous writes itself; no file has them.
package enum RecipePath {
  /// The beginning of the path of a message's recipe.
  package static let outboxScheme = "outbox:"

  /// Whether the recipe is that of a message in the outbox.
  package static func isOutbox(_ path: String) -> Bool { path.hasPrefix(outboxScheme) }
}

public import Expressions

/// A text that the file of a recipe has had.
public struct RecipeVersion: Sendable, Hashable {
  /// Who has made a version, and how.
  public struct Source: Sendable, Hashable {
    /// `file`: the file changed on disk. `sync`: a commit. `command`, `session`, `token`, `socket`: as in the audit log.
    public var origin: String
    /// The user, or the author of the commit; `nil` if unknown.
    public var actor: String?
    /// The hash of the commit.
    public var commit: String?

    /// Creates a source.
    public init(origin: String, actor: String? = nil, commit: String? = nil) {
      (self.origin, self.actor, self.commit) = (origin, actor, commit)
    }

    /// The file has changed on disk; its writer is not known.
    public static let file = Source(origin: "file")
  }

  /// The recipe's file.
  public var path: String
  /// The number, from 1 for each file.
  public var number: Int
  /// The recipe's name.
  public var recipe: String
  /// The SHA-256 of the text, as the API has it in `ETag`; `nil` if the file was deleted.
  public var digest: String?
  /// The size of the text in bytes.
  public var bytes: Int
  /// When Sous has written or first served it.
  public var at: Timestamp
  /// Who has made it, and how.
  public var source: Source
  /// The number of the version whose text came back.
  public var restored: Int?
}

/// A text that the file of a recipe has now, for its history.
public struct RecipeVersionDraft: Sendable, Hashable {
  /// The recipe's file.
  public var path: String
  /// The recipe's name.
  public var recipe: String
  /// The text; `nil` if the file is deleted.
  public var text: String?
  /// Who has made it, and how.
  public var source: RecipeVersion.Source
  /// The number of the version whose text comes back.
  public var restored: Int?

  /// Creates a draft.
  public init(
    path: String, recipe: String, text: String?, _ source: RecipeVersion.Source, restored: Int? = nil
  ) {
    (self.path, self.recipe, self.text, self.source, self.restored) = (path, recipe, text, source, restored)
  }
}

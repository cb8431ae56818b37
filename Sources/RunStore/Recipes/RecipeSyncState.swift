public import Expressions

/// The state after the last sync of recipes from a Git repository.
public struct RecipeSyncState: Sendable, Hashable {
  /// Where they come from: repository, branch and folder, as a text that is only compared.
  public var source: String
  /// The hash of the commit.
  public var commit: String
  /// When it was read.
  public var at: Timestamp
  /// The SHA-256 of each file that the sync has written or found, by its path below the folder of recipes.
  public var files: [String: String]

  /// Creates a state.
  public init(source: String, commit: String, at: Timestamp, files: [String: String]) {
    (self.source, self.commit, self.at, self.files) = (source, commit, at, files)
  }
}

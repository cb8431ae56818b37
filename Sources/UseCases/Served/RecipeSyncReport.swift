public import Localization

/// The changes that a sync of recipes makes, or would make.
public struct RecipeSyncReport: Sendable {
  /// The folder of recipes.
  public var folder: String
  /// The hash of the commit of the last sync; `nil` before the first one.
  public var former: String?
  /// The hash of the newest commit.
  public var commit: String
  /// Its author.
  public var author: String
  /// The first line of its message.
  public var subject: String
  /// The changes of files.
  public var changes: [RecipeSyncPlan.Change]
  /// Files in the folder of the repository that are not recipes and stay there.
  public var others: Int
  /// Recipes with errors, with the first error of each.
  public var problems: [(path: String, message: LocalizedText)] = []
  /// Whether the signatures of commits were checked.
  public var isSigned: Bool
  /// Whether the files are as in the repository now.
  public var isApplied = false

  /// Creates a report of changes that are not made yet.
  package init(
    folder: String, former: String?, commit: String, author: String, subject: String, changes: [RecipeSyncPlan.Change],
    others: Int, isSigned: Bool
  ) {
    (self.folder, self.former, self.commit) = (folder, former, commit)
    (self.author, self.subject, self.changes) = (author, subject, changes)
    (self.others, self.isSigned) = (others, isSigned)
  }
}

internal import Engine
public import Expressions
public import Localization

/// Something that is wrong with the run log, and what to do about it.
public struct CheckFinding: Sendable, Hashable {
  /// A stable name for a kind of finding.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// SQLite itself finds the file damaged.
    public static let damage = Kind(rawValue: "damage")
    /// A row speaks of one that is not there.
    public static let dangling = Kind(rawValue: "dangling_reference")
    /// The content of a large value is not what was stored.
    public static let blob = Kind(rawValue: "blob_changed")
    /// A run has ended, but something in it has not.
    public static let unfinished = Kind(rawValue: "unfinished_part")
    /// A run waits, and nothing will ever end its wait.
    public static let stuck = Kind(rawValue: "stuck_run")
    /// A run belongs to a process that is not known, or to one though nobody works on it.
    public static let owner = Kind(rawValue: "wrong_owner")
    /// A run belongs to another one that is not there.
    public static let parent = Kind(rawValue: "missing_parent")
    /// The attempts of a step have gaps in their numbers.
    public static let attempts = Kind(rawValue: "missing_attempt")
    /// The index of searches does not fit what it stands for.
    public static let search = Kind(rawValue: "search_index")
  }

  /// The kind of finding.
  public var kind: Kind
  /// What is wrong, and where.
  public var message: LocalizedText
  /// What to do about it.
  public var remedy: LocalizedText
  /// The run that it is about.
  public var run: String?

  /// The finding for `sous db check --json`: `{kind, message, message_de, remedy, remedy_de, run}`.
  public var json: Value {
    .object([
      ("kind", .string(kind.rawValue)), ("message", .string(message.english)),
      ("message_de", .string(message.german)), ("remedy", .string(remedy.english)),
      ("remedy_de", .string(remedy.german)), ("run", .text(run)),
    ])
  }
}

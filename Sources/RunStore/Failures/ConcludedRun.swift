public import Engine
public import Expressions
public import Localization
public import Plans

/// The end of a run that is to be judged: whether anybody is told of it.
public struct ConcludedRun: Sendable, Equatable {
  /// Its number among the ends.
  public var number: Int
  /// The run.
  public var run: RunID
  /// The recipe's file.
  public var path: String
  /// Where the recipe's text comes from; `file` if the run was removed meanwhile.
  public var recipeOrigin = RecipeOrigin.file
  /// The recipe's name.
  public var recipe: String
  /// How it ended: `failed`, `needs_attention`, `succeeded`.
  public var status: RunStatus
  /// When.
  public var at: Timestamp
  /// Whether a person started the run and watched it, so that its success needs no notice.
  public var isByHand = false
  /// Why it failed.
  public var message: LocalizedText?

  /// Creates an end.
  public init(number: Int, run: RunID, path: String, recipe: String, status: RunStatus, at: Timestamp) {
    (self.number, self.run, self.path, self.recipe, self.status, self.at) = (number, run, path, recipe, status, at)
  }
}

/// Failures of a recipe one after the other, up to now.
public struct FailureStreak: Sendable, Equatable {
  /// How many.
  public var failures: Int
  /// When the first of them was.
  public var since: Timestamp
  /// Whether somebody was told of one of them.
  public var isTold: Bool

  /// Creates a streak.
  public init(failures: Int, since: Timestamp, isTold: Bool) {
    (self.failures, self.since, self.isTold) = (failures, since, isTold)
  }
}

/// What is told of ends of runs.
public enum FailureTelling: Sendable {
  /// A notification for the inbox, and the run that carries it further; `nil` where the inbox is all.
  case now(NotificationRecord, RunStart?)
  /// A part of a message that is sent later.
  ///
  /// - Parameters:
  ///   - target: Who is told; JSON.
  ///   - title: The title of the part.
  ///   - text: Its text.
  ///   - at: When it happened.
  ///   - due: When the message is sent, unless one for the target is due already.
  case later(target: String, title: String, text: String, at: Timestamp, due: Timestamp)
}

/// A message that has been gathered, and is due.
public struct FailureDigest: Sendable, Equatable {
  /// Something that happened.
  public struct Part: Sendable, Equatable {
    /// Its number.
    public var number: Int
    /// The title.
    public var title: String
    /// The text.
    public var text: String
    /// When it happened.
    public var at: Timestamp
  }

  /// Who is told; JSON.
  public var target: String
  /// What happened, the oldest first.
  public var parts: [Part]
}

/// The delivery state of the last notice about the failures of a recipe.
public struct FailureNoticeState: Sendable, Equatable {
  /// When the notice was written.
  public var at: Timestamp
  /// Whether at least one of its ways has reached a person; true if the inbox is its only way.
  public var isDelivered: Bool
  /// Whether the run that delivers the notice has not ended.
  public var isUnderWay: Bool
}

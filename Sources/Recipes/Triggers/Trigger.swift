public import Schedules

/// What starts a recipe by itself.
public struct Trigger: Sendable {
  /// The sorts of triggers.
  public enum Kind: Sendable {
    /// At points in time.
    case schedule(Schedule)
    /// On something that happens in a mailbox.
    case mail(MailEvent)
    /// Only by hand; says so to readers.
    case manual
  }

  /// What it waits for.
  public var kind: Kind
  /// Where it stands.
  public var range: SourceRange
}

/// Points in time at which a recipe runs.
public struct Schedule: Sendable, Hashable {
  /// How the points are described.
  public enum Pattern: Sendable, Hashable {
    /// A cron expression.
    case cron(CronExpression)
    /// A recurrence rule.
    case rrule(RecurrenceRule)
    /// Every so many seconds.
    case every(Double)
  }

  /// What happens when a run is due and the one before still works.
  public enum Overlap: String, Sendable, CaseIterable {
    /// The new one is left out.
    case skip
    /// The new one waits.
    case queue
    /// The old one is cancelled.
    case cancel
    /// Both run.
    case allow
  }

  /// What happens to points that passed while Sous was not running.
  public enum CatchUp: String, Sendable, CaseIterable {
    /// They are left out.
    case none
    /// The last one runs.
    case last
    /// All of them run.
    case all
  }

  /// What happens to a point that a clock change leaves out.
  public enum Missing: String, Sendable, CaseIterable {
    /// It moves to the next existing time.
    case shift
    /// It is left out.
    case skip
  }

  /// What happens to a point that a clock change makes twice.
  public enum Repeated: String, Sendable, CaseIterable {
    /// Only the first counts.
    case first
    /// Only the last counts.
    case last
    /// Both count.
    case both
  }

  /// The points.
  public var pattern: Pattern
  /// The time of day for a recurrence rule.
  public var at: TimeOfDay?
  /// The IANA time zone; `nil` means the system's.
  public var timezone: String?
  /// What happens when runs would overlap.
  public var overlap: Overlap = .skip
  /// What happens to missed points.
  public var catchUp: CatchUp = .last
  /// How far back missed points count, in seconds; `nil` means no bound.
  public var catchUpWindow: Double?
  /// What a clock change does to a point that it leaves out.
  public var missing: Missing = .shift
  /// What a clock change does to a point that it makes twice.
  public var repeated: Repeated = .first
}

/// Something that happens in a mailbox.
public struct MailEvent: Sendable, Hashable {
  /// What happens.
  public enum Kind: String, Sendable, CaseIterable {
    /// A message arrives.
    case new
  }

  /// What happens.
  public var kind: Kind
  /// The provider whose mailbox it is; `nil` means the default for `mail.store`.
  public var provider: String?
  /// The folder.
  public var folder: String = "INBOX"
}

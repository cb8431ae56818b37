public import Engine
public import Expressions
public import Localization

/// A reminder as a listing shows it.
public struct ReminderEntry: Sendable {
  /// Where a reminder stands.
  public enum State: String, Sendable {
    /// It was delivered and is repeated until somebody acknowledges it, or its time has come.
    case due
    /// It is still to come.
    case coming
    /// It was delivered, and nothing more comes.
    case delivered
    /// Somebody has acknowledged or deleted it.
    case done
    /// It could not be delivered, or a person has to look at its run.
    case failed
    /// It comes again and again, but its triggers are switched off.
    case off
  }

  /// What names it: of one that comes once the run that delivers it first, of one that comes again and again its recipe's
  /// name.
  public var id: String
  /// What it reminds of.
  public var title: String
  /// Where it stands.
  public var state: State
  /// The time that it is about.
  public var at: Timestamp?
  /// When it is delivered next; `nil` for never.
  public var next: Timestamp?
  /// Which delivery comes next, from 1; 0 for one ahead of time.
  public var round = 1
  /// How it repeats, as its recipe says; empty where it comes once.
  public var rhythm = ""
  /// The same in words; `nil` where it comes once.
  public var rhythmWords: LocalizedText?
  /// The recipe's file; `nil` where there is none.
  public var path: String?
  /// The run that delivers it next, or has delivered it last; `nil` where none has begun.
  public var run: RunID?
}

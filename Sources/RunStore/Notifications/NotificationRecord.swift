public import Expressions
public import Localization

/// A notification in the inbox.
public struct NotificationRecord: Sendable, Equatable {
  /// How urgent a notification is.
  public enum Priority: String, Sendable, CaseIterable {
    /// Nothing that needs a look.
    case min
    /// Less than usual.
    case low
    /// As usual.
    case normal
    /// More than usual.
    case high
    /// At once.
    case urgent
  }

  /// Its number in the inbox, from 1 upwards; 0 before it is there.
  public var number = 0
  /// The idempotency key of the step that sends it.
  public var call: String
  /// The recipe's name.
  public var recipe: String
  /// The run.
  public var run: String
  /// The recipe sends nothing with the same key twice within ``keyPeriod``.
  public var key: String?
  /// The title; empty for none.
  public var title = ""
  /// The text.
  public var text: String
  /// How urgent it is.
  public var priority = Priority.normal
  /// Words that services show or sort by.
  public var tags: [String] = []
  /// The URL that opens with it.
  public var link: String?
  /// When it came.
  public var at: Timestamp
  /// When somebody has read it.
  public var readAt: Timestamp?
  /// Who delivers it beside the inbox; `nil` for nobody.
  public var provider: String?
  /// When that provider took it.
  public var deliveredAt: Timestamp?
  /// Why that provider has not taken it.
  public var trouble: LocalizedText?
  /// Of a notice of failures that goes out by mail too: why the mail has not been sent; `nil` if it has, or was not tried.
  public var mailTrouble: LocalizedText?

  /// Seconds for which a key counts: seven days.
  public static let keyPeriod = 7.0 * 86_400

  /// Creates a notification that has just come.
  public init(call: String, recipe: String, run: String, text: String, at: Timestamp) {
    self.call = call
    self.recipe = recipe
    self.run = run
    self.text = text
    self.at = at
  }
}

/// What became of a notification that was put into the inbox.
public enum NotificationPosting: Sendable, Equatable {
  /// It is there now, or was there from an earlier attempt of the same step and still has to be delivered.
  case open(NotificationRecord)
  /// It is there and has been delivered.
  case delivered(NotificationRecord)
  /// The recipe has sent another one with the same key before; this one is left out.
  case duplicate(of: NotificationRecord)
}

public import Expressions

/// A summary of a message, or a message that waits for one.
public struct SummaryRecord: Sendable, Equatable {
  /// How far it has come.
  public enum State: String, Sendable, CaseIterable {
    /// It waits for its turn.
    case waiting
    /// The summary is there.
    case done
    /// No summary could be made.
    case failed
  }

  /// The provider of `mail.store`.
  public var account: String
  /// The Message-ID; folder and uid where there is none.
  public var message: String
  /// The folder it was seen in.
  public var folder: String
  /// Its name in the folder.
  public var uid: String
  /// How far it has come.
  public var state = State.waiting
  /// Which comes first: the lower.
  public var rank: Int
  /// The message's date; of equal ranks the newer comes first.
  public var date: Timestamp
  /// When it was seen.
  public var queuedAt: Timestamp
  /// When its summary was made, or could not be made.
  public var endedAt: Timestamp?
  /// Whether nobody asked for it.
  public var isInAdvance = true
  /// `subject`, `from`, and of one that is done `text` and `model`; may be sealed.
  public var body: Value
  /// Why no summary could be made.
  public var trouble: String?

  /// Creates a message that waits.
  public init(
    account: String, message: String, folder: String, uid: String, rank: Int, date: Timestamp, queuedAt: Timestamp,
    body: Value
  ) {
    self.account = account
    self.message = message
    self.folder = folder
    self.uid = uid
    self.rank = rank
    self.date = date
    self.queuedAt = queuedAt
    self.body = body
  }
}

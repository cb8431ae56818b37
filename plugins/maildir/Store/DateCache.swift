import Mail
import Synchronization

/// The dates of messages that were read, so that the next page of a search need not read all headers again.
///
/// Message files never change, so that a date once read stays right; it is kept by folder and uid.
final class DateCache: Sendable {
  /// More dates than these are forgotten all at once: about 20 MB.
  private static let limit = 200_000

  private let dates = Mutex<[String: [String: MessageDate]]>([:])

  /// The dates of a folder.
  func dates(of folder: FolderName) -> [String: MessageDate] { dates.withLock { $0[folder.display] ?? [:] } }

  /// Replaces the dates of a folder.
  func keep(_ new: [String: MessageDate], of folder: FolderName) {
    dates.withLock { dates in
      dates[folder.display] = new
      if dates.values.reduce(0, { $0 + $1.count }) > Self.limit { dates = [:] }
    }
  }
}

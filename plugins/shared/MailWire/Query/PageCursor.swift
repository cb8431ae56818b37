public import PluginKit

/// Where a page of a search ended: the date and name of its last message.
///
/// Messages that come or go meanwhile shift nothing. The text is opaque to recipes: `2.<newest|oldest>.<seconds>.<total>.<uid>`.
public struct PageCursor: Sendable, Hashable {
  /// The order of the search.
  public var isNewestFirst: Bool
  /// The date of the last message, in seconds since 1970.
  public var seconds: Int
  /// The name of the last message.
  public var uid: String
  /// How many messages matched when the first page was made.
  public var total: Int

  /// Creates a cursor.
  public init(isNewestFirst: Bool, seconds: Int, uid: String, total: Int) {
    self.isNewestFirst = isNewestFirst
    self.seconds = seconds
    self.uid = uid
    self.total = total
  }

  /// Reads a cursor.
  ///
  /// - Throws: `invalid_input` where the text is none, or one of a search in the other order.
  public init(_ text: String, isNewestFirst: Bool) throws(ActionError) {
    let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "2", parts[1] == (isNewestFirst ? "newest" : "oldest"),
      let seconds = Int(parts[2]), let total = Int(parts[3]), total >= 0, !parts[4].isEmpty
    else {
      throw ActionError(
        .invalidInput, "'cursor' is not one that a search with this order has returned.",
        german: "'cursor' stammt nicht aus einer Suche mit dieser Reihenfolge.",
        advice: "Pass the 'cursor' of the last page on unchanged, with the same conditions.",
        adviceGerman: "Der 'cursor' der letzten Seite wird unverändert weitergegeben, mit denselben Bedingungen.")
    }
    self.init(isNewestFirst: isNewestFirst, seconds: seconds, uid: String(parts[4]), total: total)
  }

  /// The cursor as a text.
  public var text: String { "2.\(isNewestFirst ? "newest" : "oldest").\(seconds).\(total).\(uid)" }

  /// Whether a message comes after this place.
  public func precedes(seconds: Int, uid: String) -> Bool {
    if seconds != self.seconds { return (seconds < self.seconds) == isNewestFirst }
    return isNewestFirst ? uid < self.uid : uid > self.uid
  }
}

/// Reads a recipe of kind `mail-filter`.
struct MailFilterReader {
  /// The actions of a rule that are one word.
  static let words = ["mark_seen", "mark_unseen", "flag", "unflag", "delete", "stop"]
}

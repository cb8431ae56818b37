/// The flags of a message as a Maildir keeps them: letters behind `:2,`, sorted in ASCII order.
///
/// See <https://cr.yp.to/proto/maildir.html>. Letters that are not known here (keywords of other programs) are kept.
struct MessageFlags: Sendable, Hashable {
  /// The letters, sorted, each once.
  private(set) var letters: [Character]

  /// Takes letters in any order.
  init(letters: some Sequence<Character> = []) {
    let given = Array(letters)
    // Most messages have one flag or none.
    self.letters =
      given.count < 2
      ? given : Set(given).sorted { String($0).utf8.lexicographicallyPrecedes(String($1).utf8) }
  }

  /// The letters as they are in a file name.
  var text: String { String(letters) }

  /// Read by the user.
  static let seen: Character = "S"
  /// Answered.
  static let answered: Character = "R"
  /// Marked as important.
  static let flagged: Character = "F"

  /// Whether a letter is set.
  func contains(_ letter: Character) -> Bool { letters.contains(letter) }

  /// The flags with some added and some removed.
  func changed(adding: [Character], removing: [Character]) -> MessageFlags {
    MessageFlags(letters: letters.filter { !removing.contains($0) } + adding)
  }

  /// Letters and their IMAP names (RFC 9051, 2.3.2), in alphabetical order of the letters.
  private static let names: [(letter: Character, name: String)] = [
    ("D", "\\Draft"), ("F", "\\Flagged"), ("P", "$Forwarded"), ("R", "\\Answered"), ("S", "\\Seen"), ("T", "\\Deleted"),
  ]

  /// The flags as IMAP spells them.
  var imapNames: [String] { Self.names.filter { contains($0.letter) }.map(\.name) }

  /// The letter for a flag in its usual spelling; `nil` for keywords, which each folder has letters of its own for.
  static func letter(_ flag: String) -> Character? { names.first { $0.name == flag }?.letter }

  /// The letters that represent keywords: `a` to `z`, as Dovecot and Courier use them.
  var keywordLetters: [Character] { letters.filter { ("a"..."z").contains($0) } }
}

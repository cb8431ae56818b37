/// What a folder is for (RFC 6154), told from its name in German and English.
enum SpecialUse: String, Sendable, CaseIterable {
  case sent = "\\Sent"
  case drafts = "\\Drafts"
  case trash = "\\Trash"
  case junk = "\\Junk"
  case archive = "\\Archive"

  private static let names: [String: SpecialUse] = [
    "sent": .sent, "sent items": .sent, "sent messages": .sent, "sent mail": .sent, "gesendet": .sent,
    "gesendete objekte": .sent, "gesendete elemente": .sent, "gesendete nachrichten": .sent,
    "drafts": .drafts, "draft": .drafts, "entwürfe": .drafts, "entwurf": .drafts,
    "trash": .trash, "deleted": .trash, "deleted items": .trash, "deleted messages": .trash, "bin": .trash,
    "papierkorb": .trash, "gelöscht": .trash, "gelöschte objekte": .trash, "gelöschte elemente": .trash,
    "junk": .junk, "spam": .junk, "junk e-mail": .junk, "bulk mail": .junk, "unerwünscht": .junk,
    "archive": .archive, "archives": .archive, "archiv": .archive, "all mail": .archive,
  ]

  /// The use of a folder at the top level, or one level below an account's own prefix such as `[Gmail]`.
  init?(_ folder: FolderName) {
    let levels = folder.display.split(separator: "/")
    guard !folder.isInbox, let last = levels.last else { return nil }
    guard levels.count == 1 || (levels.count == 2 && (levels[0].hasPrefix("[") || levels[0].lowercased() == "inbox"))
    else { return nil }
    guard let use = Self.names[last.lowercased()] else { return nil }
    self = use
  }
}

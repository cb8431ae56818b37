/// The special use of a folder (RFC 6154), with the attribute as its raw value.
public enum SpecialUse: String, Sendable, CaseIterable {
  /// Copies of what was sent.
  case sent = "\\Sent"
  /// Messages that are being written.
  case drafts = "\\Drafts"
  /// Deleted messages.
  case trash = "\\Trash"
  /// Unwanted messages.
  case junk = "\\Junk"
  /// Archived messages.
  case archive = "\\Archive"
  /// Every message of the account, as Gmail has it.
  case all = "\\All"
  /// Flagged messages of all folders: a view rather than a folder.
  case flagged = "\\Flagged"

  /// The use that an attribute of `LIST` names, whatever its case.
  ///
  /// `\Spam`, `\Starred` and `\AllMail` are what Gmail's XLIST said before RFC 6154.
  public init?(attribute: String) {
    switch attribute.lowercased() {
    case "\\sent": self = .sent
    case "\\drafts": self = .drafts
    case "\\trash": self = .trash
    case "\\junk", "\\spam": self = .junk
    case "\\archive": self = .archive
    case "\\all", "\\allmail": self = .all
    case "\\flagged", "\\starred": self = .flagged
    default: return nil
    }
  }

  /// The use that a folder's name suggests, in English and German and as Gmail, Outlook, Yahoo, iCloud and GMX call it.
  ///
  /// Only folders at the top level count, and those one level below `INBOX` or below an account's own prefix such as `[Gmail]`:
  /// `Projects/Sent` is a person's own.
  ///
  /// - Parameter levels: The levels of the name, the outermost first.
  public init?(levels: [String]) {
    guard let last = levels.last, levels.count <= 2 else { return nil }
    if levels.count == 2 {
      let first = levels[0].lowercased()
      guard first == "inbox" || first.hasPrefix("[") else { return nil }
    }
    guard let use = Self.names[Self.plain(last)] else { return nil }
    self = use
  }

  /// Lower case, with hyphens as spaces: `Junk-E-Mail` and `junk e-mail` are one name.
  private static func plain(_ name: String) -> String {
    String(name.lowercased().map { $0 == "-" || $0 == "_" ? " " : $0 })
  }

  /// The names; `plain` has been applied to them.
  private static let names: [String: SpecialUse] = {
    let lists: [(SpecialUse, [String])] = [
      (
        .sent,
        [
          "sent", "sent items", "sent messages", "sent mail", "sent objects", "gesendet", "gesendete objekte",
          "gesendete elemente", "gesendete nachrichten", "gesendete mails", "gesendete e mails",
        ]
      ),
      (.drafts, ["drafts", "draft", "entwürfe", "entwurf"]),
      (
        .trash,
        [
          "trash", "deleted", "deleted items", "deleted messages", "deleted objects", "bin", "papierkorb", "gelöscht",
          "gelöschte objekte", "gelöschte elemente", "gelöschte nachrichten",
        ]
      ),
      (
        .junk,
        [
          "junk", "spam", "junk e mail", "junk email", "junk mail", "bulk", "bulk mail", "unerwünscht",
          "unerwünschte werbung", "spamverdacht", "werbung und spam",
        ]
      ),
      (.archive, ["archive", "archives", "archiv", "archived"]),
      (.all, ["all mail", "alle nachrichten"]),
      (.flagged, ["starred", "markiert"]),
    ]
    return lists.reduce(into: [:]) { names, list in
      for name in list.1 { names[name] = list.0 }
    }
  }()
}

import MailWire

/// Whose mailbox it is: UIDVALIDITY and UIDs name messages for one user of one server only, and two servers may number
/// alike. Whatever is kept by such numbers is kept with this, since the settings of a provider may change.
struct MailboxOrigin: Sendable, Equatable {
  /// A digest of the server's name and port.
  let server: String
  /// A digest of the user.
  let user: String

  init(_ settings: IMAPSettings) {
    server = KeyDigest.hexadecimal("\(settings.host.lowercased())\n\(settings.port)")
    user = KeyDigest.hexadecimal(settings.user)
  }

  /// Reads what ``text`` gives; `nil` for anything else.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    (server, user) = (String(parts[0]), String(parts[1]))
  }

  /// `SERVER.USER`.
  var text: String { "\(server).\(user)" }
}

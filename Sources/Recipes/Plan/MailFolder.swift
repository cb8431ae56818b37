/// A folder of a mailbox.
public struct MailFolder: Sendable, Hashable {
  /// The provider of the mailbox.
  public var provider: String
  /// The folder's canonical name.
  public var name: String

  /// Creates a folder.
  public init(provider: String, name: String) {
    self.provider = provider
    self.name = Self.canonicalName(name)
  }

  /// The one spelling of a folder's name: `INBOX` has any case (RFC 9051, section 5.1), all other names are exact.
  public static func canonicalName(_ name: String) -> String { name.uppercased() == "INBOX" ? "INBOX" : name }
}

public import MailWire

/// What is beside `plugin: maildir` in `sous.yaml`.
public struct MaildirConfiguration: Decodable, Sendable {
  /// The Maildir: the folder that holds `cur`, `new` and `tmp`.
  public var path: String
  /// Whether the Maildir is made if it is missing; no, where absent, so that a mistyped path is noticed.
  public var create: Bool?
  /// The sender of messages that name none, and the owner of the mailbox: `Name <address>`.
  public var from: String?
  /// The folder that keeps a copy of what is sent; none where absent.
  public var sent: String?
  /// The folder that sent messages are delivered to; the inbox where absent.
  public var deliverTo: String?
  /// Which folders are for what, where their names do not say so.
  public var folders: SpecialFolderSettings?
}

/// The settings beside `plugin: smtp` in `sous.yaml`.
public struct SMTPConfiguration: Decodable, Sendable {
  /// Text that goes under every message.
  public struct Signature: Decodable, Sendable {
    /// The text.
    public var text: String?
    /// The text as HTML; made of `text` where absent.
    public var html: String?
  }

  /// How long something may take, in seconds.
  public struct Timeouts: Decodable, Sendable {
    /// Until the connection is established.
    public var connect: Double?
    /// Until a command is answered.
    public var command: Double?
    /// Until a piece of a message has gone out.
    public var data: Double?
    /// Until the server says whether it takes a message.
    public var end: Double?
    /// How long a connection waits for the next message.
    public var idle: Double?
  }

  /// The events that delivery reports should cover (DSN).
  public struct Notification: Decodable, Sendable {
    /// `success`, `failure`, `delay` or `never`.
    public var on: [String]
    /// `headers` or `full`.
    public var `return`: String?
  }

  /// Where a copy of what was sent goes: an IMAP server.
  public struct Sent: Decodable, Sendable {
    /// The server.
    public var host: String
    /// 993 where absent, 143 without implicit TLS.
    public var port: Int?
    /// `implicit`, `starttls` or `none`; `implicit` where absent.
    public var tls: String?
    /// Who signs in; the provider's `user` where absent.
    public var user: String?
    /// The password; the provider's where absent.
    public var password: String?
    /// An OAuth access token instead.
    public var token: String?
    /// The folder; the one that the server calls Sent where absent.
    public var folder: String?
  }

  /// The server.
  public var host: String
  /// Its port; by `tls` where absent.
  public var port: Int?
  /// `implicit`, `starttls` or `none`; by the port where absent.
  public var tls: String?
  /// `smtp` or `lmtp`.
  public var `protocol`: String?
  /// The user; without it there is no sign-in.
  public var user: String?
  /// The password.
  public var password: String?
  /// An OAuth access token instead.
  public var token: String?
  /// The only way to sign in by; the strongest that the server offers where absent.
  public var auth: String?
  /// The sender of messages that name none.
  public var from: String?
  /// The name beside that address.
  public var displayName: String?
  /// Where answers go where a message does not say.
  public var replyTo: String?
  /// Text under every message.
  public var signature: Signature?
  /// Whether the provider sends at all.
  public var active: Bool?
  /// The name for EHLO.
  public var helo: String?
  /// Time limits.
  public var timeouts: Timeouts?
  /// The most connections at a time.
  public var connections: Int?
  /// Whether messages must stay encrypted on all of their way (REQUIRETLS).
  public var requireTls: Bool?
  /// Reports on the delivery.
  public var notify: Notification?
  /// Where a copy of what was sent goes; nowhere where absent.
  public var sent: Sent?
}

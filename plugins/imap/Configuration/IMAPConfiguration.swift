public import MailWire

/// The settings beside `plugin: imap` in `sous.yaml`.
public struct IMAPConfiguration: Decodable, Sendable {
  /// The server's name or address.
  public var host: String
  /// 993 where absent, 143 without implicit TLS.
  public var port: Int?
  /// `implicit`, `starttls` or `none`; `implicit` where absent.
  public var tls: String?
  /// The name to sign in with.
  public var user: String
  /// The password, or one made for this program.
  public var password: String?
  /// An access token (OAuth 2.0) in the place of a password.
  public var token: String?
  /// How to sign in: `plain`, `login`, `xoauth2`, `oauthbearer`, `scram-sha-256`; the best the server has where absent.
  public var auth: String?
  /// The owner of the mailbox, and the author of messages that name none: `Name <address>`.
  public var from: String?
  /// Which folder is for what, where the server does not say it or says it wrongly.
  public var folders: SpecialFolderSettings?
  /// How long connecting may take; 15 s where absent.
  public var connectTimeout: TimeSpan?
  /// How long the server may be silent while it answers; 30 s where absent.
  public var commandTimeout: TimeSpan?
  /// How often IDLE is renewed; 9 minutes where absent, 28 at most.
  public var idleRenewal: TimeSpan?
  /// How often new mail is asked for where the server has no IDLE; 1 minute where absent.
  public var pollInterval: TimeSpan?
  /// Whether bytes are compressed where the server can; absent: unless it is on this machine.
  public var compress: Bool?
  /// The most connections at a time, besides those of triggers; 4 where absent.
  public var connections: Int?
}

/// A length of time in a configuration: seconds as a number, or `90s`, `15m`, `1h`.
public struct TimeSpan: Decodable, Sendable, Hashable {
  /// The length.
  public let seconds: Double

  /// Takes seconds.
  public init(seconds: Double) { self.seconds = seconds }

  /// Reads a number of seconds, or a text with its unit.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      seconds = number
    } else {
      let text = try container.decode(String.self)
      let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
      guard let last = text.last, let unit = units[last], let number = Double(text.dropLast()), number.isFinite else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected seconds, or 90s, 15m, 1h")
      }
      seconds = number * unit
    }
    guard seconds >= 0, seconds <= 1e7 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a time that is not negative")
    }
  }
}

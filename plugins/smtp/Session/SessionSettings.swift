import SASL

/// How a connection is to be opened.
struct SessionSettings: Sendable {
  /// When it is encrypted.
  enum TLS: String, Sendable, Decodable {
    /// From the first byte.
    case implicit
    /// By the command STARTTLS, before anything else of value.
    case starttls
    /// Never; has to be written.
    case none
  }

  /// The name for EHLO: a host name or an address in brackets.
  var name: String
  /// When it is encrypted.
  var tls: TLS
  /// Whether the other side speaks LMTP (RFC 2033).
  var isLMTP = false
  /// The credentials; `nil` without sign-in.
  var credentials: SASLCredentials?
  /// The only mechanisms that may be used; `nil` for all.
  var mechanisms: [SASLMechanism]?
  /// What SCRAM takes for its nonce; `nil` for a random one.
  var nonce: String?
}

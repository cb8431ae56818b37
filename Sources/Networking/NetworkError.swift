public import Localization

/// Why something on the network did not work.
///
/// Names host, port and remedy; never the query of a URL, a header or a body.
public struct NetworkError: CodedError {
  /// The sort of failure as a plugin reports it, which decides whether the engine tries again.
  public enum Kind: String, Sendable, CaseIterable {
    /// A name could not be resolved.
    case dns
    /// Nothing happened for too long.
    case timeout
    /// The connection was refused: no program listens there.
    case refused
    /// There is no way there.
    case unreachable
    /// The connection broke.
    case io
    /// It is not allowed, or the other side cannot be trusted.
    case auth
    /// The URL or the host that was asked for is none.
    case invalidInput = "invalid_input"
    /// A request or an answer violates the protocol.
    case `protocol`
    /// It was cancelled.
    case cancelled
  }

  /// The kind of error, a stable name in snake_case.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name has no address.
    public static let nameUnknown = Code(rawValue: "name_unknown")
    /// The name service did not answer, or not usefully.
    public static let nameServiceFailed = Code(rawValue: "name_service_failed")
    /// The connection was not established in time.
    public static let connectTimeout = Code(rawValue: "connect_timeout")
    /// The other side was silent for too long.
    public static let idleTimeout = Code(rawValue: "idle_timeout")
    /// Every address refused the connection.
    public static let connectionRefused = Code(rawValue: "connection_refused")
    /// It cannot be listened at an address, as another process has it, or as it is none of this machine.
    public static let addressUnusable = Code(rawValue: "address_unusable")
    /// There is no route to any address.
    public static let hostUnreachable = Code(rawValue: "host_unreachable")
    /// The connection broke, or ended in the middle.
    public static let connectionLost = Code(rawValue: "connection_lost")
    /// No policy rule names the host.
    public static let hostNotAllowed = Code(rawValue: "host_not_allowed")
    /// The host is named, but is at an address that it may not have.
    public static let addressNotAllowed = Code(rawValue: "address_not_allowed")
    /// The provider is kept from the network altogether.
    public static let offline = Code(rawValue: "offline")
    /// The certificate is not trusted.
    public static let certificateUntrusted = Code(rawValue: "certificate_untrusted")
    /// The certificate is for another host.
    public static let certificateForOtherHost = Code(rawValue: "certificate_for_other_host")
    /// It is not the certificate that the configuration pins.
    public static let certificateNotPinned = Code(rawValue: "certificate_not_pinned")
    /// A certificate file of the configuration cannot be read.
    public static let certificateFileInvalid = Code(rawValue: "certificate_file_invalid")
    /// A redirect leads from https to http.
    public static let redirectInsecure = Code(rawValue: "redirect_insecure")
    /// The URL cannot be used.
    public static let urlInvalid = Code(rawValue: "url_invalid")
    /// A host name or address cannot be used.
    public static let hostInvalid = Code(rawValue: "host_invalid")
    /// The request is malformed: its method, a header.
    public static let requestInvalid = Code(rawValue: "request_invalid")
    /// TLS could not be agreed on.
    public static let tlsFailed = Code(rawValue: "tls_failed")
    /// There were bytes in plain text behind the point where TLS begins.
    public static let plaintextBehindTLS = Code(rawValue: "plaintext_behind_tls")
    /// The answer is not HTTP.
    public static let responseInvalid = Code(rawValue: "response_invalid")
    /// The response is larger than the request allows.
    public static let responseTooLarge = Code(rawValue: "response_too_large")
    /// More is waiting to be sent than the host keeps.
    public static let unsentTooLarge = Code(rawValue: "unsent_too_large")
    /// There were too many redirects.
    public static let tooManyRedirects = Code(rawValue: "too_many_redirects")
    /// It was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The host is being shut down.
    public static let closed = Code(rawValue: "network_closed")
  }

  /// The sort of failure.
  public var kind: Kind
  /// The kind of error.
  public var code: Code
  /// The problem, with host and port.
  public var message: LocalizedText
  /// A remedy, if one is known.
  public var advice: LocalizedText?
  /// The rule that would allow a refused host, as the configuration spells it; `nil` if nothing was refused.
  public var refused: String?

  /// Creates an error.
  public init(_ kind: Kind, _ code: Code, _ message: LocalizedText, advice: LocalizedText? = nil) {
    self.kind = kind
    self.code = code
    self.message = message
    self.advice = advice
  }
}

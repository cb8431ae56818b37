/// Why an action failed, decided by the code that understands the failure. Contains no secret and no message body.
public struct ActionError: Error, Sendable, Equatable {
  /// The kind of failure; decides whether a repetition can help.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as the ABI header lists it.
    public let rawValue: String
    /// Creates a kind from its name; a name the host does not know counts as permanent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A host name did not resolve. May pass.
    public static let dns = Kind(rawValue: "dns")
    /// No answer within the time allowed. May pass.
    public static let timeout = Kind(rawValue: "timeout")
    /// The connection was refused. May pass.
    public static let refused = Kind(rawValue: "refused")
    /// The host or network cannot be reached. May pass.
    public static let unreachable = Kind(rawValue: "unreachable")
    /// Reading or writing failed midway. May pass.
    public static let io = Kind(rawValue: "io")
    /// The service asks to slow down. May pass.
    public static let rateLimited = Kind(rawValue: "rate_limited")
    /// The service failed on its side. May pass.
    public static let server = Kind(rawValue: "server")
    /// An answer came, but it is not what was asked for; the next one may be. May pass.
    public static let unsuitable = Kind(rawValue: "unsuitable")
    /// Credentials are missing, wrong or not sufficient.
    public static let auth = Kind(rawValue: "auth")
    /// An allowance is used up; waiting a little does not help.
    public static let quota = Kind(rawValue: "quota")
    /// The other side did not keep to the protocol.
    public static let `protocol` = Kind(rawValue: "protocol")
    /// An answer or a file could not be read.
    public static let parse = Kind(rawValue: "parse")
    /// The input cannot be worked with.
    public static let invalidInput = Kind(rawValue: "invalid_input")
    /// A named thing does not exist.
    public static let notFound = Kind(rawValue: "not_found")
    /// This provider cannot do it.
    public static let unsupported = Kind(rawValue: "unsupported")
    /// The call was cancelled.
    public static let cancelled = Kind(rawValue: "cancelled")
  }

  /// The sort of failure.
  public var kind: Kind
  /// The message in English, with the other side's own words if it gave any.
  public var message: String
  /// The message in German.
  public var messageGerman: String?
  /// The remedy for the user, in English.
  public var advice: String?
  /// The advice in German.
  public var adviceGerman: String?
  /// Seconds the other side asked to wait before the next attempt.
  public var retryAfter: Double?
  /// The tokens of a model for an answer that is unusable but paid for, as in outputs of the contract
  /// `chat`: `{prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens}`.
  public var usage: JSONValue?

  /// Creates an error.
  public init(
    _ kind: Kind, _ message: String, german messageGerman: String? = nil, advice: String? = nil,
    adviceGerman: String? = nil, retryAfter: Double? = nil
  ) {
    self.kind = kind
    self.message = message
    self.messageGerman = messageGerman
    self.advice = advice
    self.adviceGerman = adviceGerman
    self.retryAfter = retryAfter
  }

  /// Two errors are equal when their kinds are.
  public static func == (left: ActionError, right: ActionError) -> Bool { left.kind == right.kind }

  /// The payload of a `SOUS_STATUS_ERROR` result.
  var json: String {
    var fields = [("kind", JSONText.string(kind.rawValue)), ("message", JSONText.string(message))]
    if let messageGerman { fields.append(("message_de", JSONText.string(messageGerman))) }
    if let advice { fields.append(("advice", JSONText.string(advice))) }
    if let adviceGerman { fields.append(("advice_de", JSONText.string(adviceGerman))) }
    if let retryAfter, retryAfter.isFinite { fields.append(("retry_after", String(retryAfter))) }
    if let usage { fields.append(("usage", usage.json)) }
    return JSONText.object(fields)
  }

  /// The error for any error that a plugin throws.
  ///
  /// A decoding error counts as something unreadable that came from elsewhere; other errors without a kind are reported
  /// as permanent, since nothing is known about them.
  package init(any error: any Error) {
    switch error {
    case let error as ActionError: self = error
    case is CancellationError: self = ActionError(.cancelled, "Cancelled", german: "Abgebrochen")
    case is DecodingError:
      let failure = DecodingFailure(error)
      self = ActionError(.parse, failure.english, german: failure.german)
    default: self = ActionError(.protocol, String("\(error)".prefix(500)))
    }
  }

  /// The error for a failure to decode a call's input.
  init(input error: any Error) {
    let failure = DecodingFailure(error)
    self = ActionError(
      .invalidInput, "The input is not usable: \(failure.english)", german: "Unbrauchbare Eingabe: \(failure.german)")
  }
}

extension ActionError {
  static var cancelled: ActionError { ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }

  /// The host is too old, or too small, for a capability.
  static func missing(_ capability: String) -> ActionError {
    ActionError(
      .unsupported, "This host does not offer \(capability).", german: "Dieser Host bietet \(capability) nicht an.",
      advice: "Use a newer version of Sous.", adviceGerman: "Eine neuere Fassung von Sous verwenden.")
  }
}

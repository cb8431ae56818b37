public import Localization

/// Why signing in by SASL (RFC 4422) is not possible, or has failed on this side. Holds no password and no token.
public struct SASLError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server offers no mechanism that the credentials and the settings allow.
    public static let noMechanism = Code(rawValue: "no_mechanism")
    /// All that is left would send the password over an unencrypted connection.
    public static let unencrypted = Code(rawValue: "unencrypted")
    /// The user name or the password holds a character that may not occur there.
    public static let invalidCredentials = Code(rawValue: "invalid_credentials")
    /// The server's challenge does not keep to the mechanism.
    public static let malformedChallenge = Code(rawValue: "malformed_challenge")
    /// The server says that it accepts, but has not proved that it knows the password.
    public static let serverNotVerified = Code(rawValue: "server_not_verified")
    /// The server refuses, in words of the mechanism.
    public static let rejected = Code(rawValue: "rejected")
    /// libcrypto failed.
    public static let system = Code(rawValue: "system")
  }

  /// The kind of error.
  public var code: Code
  /// The problem, with the server's text if there is one.
  public var message: LocalizedText
  /// The remedy.
  public var advice: LocalizedText?

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, advice: LocalizedText? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }

  static func malformed(_ english: String, _ german: String) -> SASLError {
    SASLError(
      .malformedChallenge,
      LocalizedText(
        "The server's challenge does not keep to the mechanism: \(english).",
        de: "Die Abfrage des Servers hält sich nicht an das Verfahren: \(german)."))
  }
}

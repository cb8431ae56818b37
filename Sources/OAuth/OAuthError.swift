public import Localization

/// Why a sign-in failed, or why no token is available.
///
/// Holds the server's words, but no code, token or secret.
public struct OAuthError: CodedError {
  /// The kind of failure, a stable name in snake_case.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The configuration or the request is incomplete or cannot be used.
    public static let configuration = Code(rawValue: "auth_configuration")
    /// No user has signed in to the account.
    public static let notSignedIn = Code(rawValue: "not_signed_in")
    /// The server no longer takes the refresh token: `invalid_grant` (RFC 6749, section 5.2).
    public static let signInAgain = Code(rawValue: "sign_in_again")
    /// The server refused, in its own words.
    public static let refused = Code(rawValue: "auth_refused")
    /// The server wants fewer requests.
    public static let rateLimited = Code(rawValue: "auth_rate_limited")
    /// The server's answer is not in the form that the protocol wants.
    public static let invalidResponse = Code(rawValue: "auth_invalid_response")
    /// The server did not tell whose token it is.
    public static let userInfoFetchFailed = Code(rawValue: "user_info_fetch_failed")
    /// Another account was signed in to than the one that is wanted.
    public static let addressMismatch = Code(rawValue: "address_mismatch")
    /// The server sends no address to compare with.
    public static let addressUnknown = Code(rawValue: "address_unknown")
    /// The sign-in was not finished in time.
    public static let timedOut = Code(rawValue: "auth_timed_out")
    /// The server cannot be reached, or is in trouble; later it may be different.
    public static let unavailable = Code(rawValue: "auth_unavailable")
    /// The answer of the browser cannot be received on this machine.
    public static let redirect = Code(rawValue: "auth_redirect")
    /// The tokens cannot be read from the vault, or written to it.
    public static let vault = Code(rawValue: "auth_vault")
    /// The folder's configuration names the account, and the user has not trusted it.
    public static let untrusted = Code(rawValue: "not_trusted")
    /// It was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public var code: Code
  /// The problem, with account or server.
  public var message: LocalizedText
  /// The remedy.
  public var advice: LocalizedText?
  /// Seconds after which the server wants to be asked again, where it says so.
  public var retryAfter: Double?
  /// The HTTP status of the answer, if there was one.
  public var status: Int?
  /// The value of `error` in the server's answer (RFC 6749, section 5.2).
  public var serverCode: String?

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, advice: LocalizedText? = nil, retryAfter: Double? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
    self.retryAfter = retryAfter
  }

  /// Whether a retry may succeed without any change.
  public var isTemporary: Bool { code == .unavailable || code == .rateLimited }

  /// Problem and remedy in one text.
  public var text: LocalizedText { advice.map { message + LocalizedText(verbatim: "; ") + $0 } ?? message }
}

extension OAuthError {
  /// The command that signs in.
  static func signInAdvice(_ account: String) -> LocalizedText {
    LocalizedText("sign in with: sous auth login \(account)", de: "anmelden mit: sous auth login \(account)")
  }

  /// No user has signed in.
  static func notSignedIn(_ account: String) -> OAuthError {
    OAuthError(
      .notSignedIn,
      LocalizedText(
        "no user is signed in to the account '\(account)'", de: "beim Konto '\(account)' ist kein Benutzer angemeldet"),
      advice: signInAdvice(account))
  }

  /// An answer that is not as it should be.
  static func invalidResponse(_ english: String, de german: String) -> OAuthError {
    OAuthError(
      .invalidResponse,
      LocalizedText(
        "the answer of the authorization server cannot be used: ",
        de: "die Antwort des Anmeldeservers ist nicht brauchbar: ")
        + LocalizedText(english, de: german))
  }
}

extension OAuthError {
  static var cancelled: OAuthError {
    OAuthError(.cancelled, LocalizedText("cancelled", de: "abgebrochen"))
  }

  /// An endpoint that is needed and not known.
  static func missing(_ endpoint: String, account: String) -> OAuthError {
    OAuthError(
      .configuration,
      LocalizedText(
        "the server of the account '\(account)' has no '\(endpoint)'",
        de: "der Server des Kontos '\(account)' hat keinen '\(endpoint)'"),
      advice: LocalizedText(
        "name 'issuer' or '\(endpoint)' under 'auth' in sous.yaml",
        de: "'issuer' oder '\(endpoint)' unter 'auth' in sous.yaml nennen"))
  }

  /// The userinfo endpoint has refused.
  static func userInfo(_ answer: HTTPAnswer, hiding secrets: [String]) -> OAuthError {
    let words = ServerFailure(answer)?.error(hiding: secrets).message ?? LocalizedText(verbatim: "")
    var error = OAuthError(
      answer.status == 429 ? .rateLimited : .userInfoFetchFailed,
      LocalizedText(
        "the server did not tell whose token it gave (HTTP status \(answer.status)): ",
        de: "der Server sagt nicht, wessen Token er ausgegeben hat (HTTP-Status \(answer.status)): ") + words,
      retryAfter: answer.retryAfter)
    error.status = answer.status
    return error
  }
}

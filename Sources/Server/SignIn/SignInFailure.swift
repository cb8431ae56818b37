import Access
import Localization
import OAuth

/// Why a sign-in at the identity provider failed.
struct SignInFailure: Error {
  /// The status of HTTP.
  let status: Int
  /// A stable name.
  let code: String
  /// The problem and the remedy.
  let message: LocalizedText

  init(_ status: Int, _ code: String, _ message: LocalizedText) {
    (self.status, self.code, self.message) = (status, code, message)
  }

  init(_ error: OAuthError) {
    switch error.code {
    case .unavailable, .rateLimited, .cancelled:
      self.init(
        503, "identity_unavailable",
        error.text
          + LocalizedText(
            "; try again in a minute. Users with a password can sign in meanwhile",
            de: "; in einer Minute noch einmal versuchen. Benutzer mit Passwort können sich solange damit anmelden"))
    case .refused, .signInAgain, .userInfoFetchFailed: self.init(403, error.code.rawValue, error.text)
    case .invalidResponse: self.init(502, error.code.rawValue, error.text)
    default: self.init(503, error.code.rawValue, error.text)
    }
  }

  init(_ error: AccessError) {
    switch error.code {
    case .signInRefused: self.init(403, error.code.rawValue, error.message)
    case .lastAdministrator: self.init(409, error.code.rawValue, error.message)
    case .unknownRole:
      self.init(
        503, error.code.rawValue,
        error.message
          + LocalizedText(
            "; check 'roles' under 'server.identity' in sous.yaml",
            de: "; 'roles' unter 'server.identity' in sous.yaml prüfen"))
    default: self.init(503, error.code.rawValue, error.message)
    }
  }

  /// The browser did not come back in time, or came twice.
  static let unknownState = SignInFailure(
    400, "sign_in_expired",
    LocalizedText(
      "this sign-in was used already, or began more than 10 minutes ago; begin again",
      de: "diese Anmeldung wurde schon benutzt oder begann vor mehr als 10 Minuten; neu beginnen"))

  /// Another browser has begun it, or this one keeps no cookies.
  static let otherBrowser = SignInFailure(
    400, "sign_in_foreign",
    LocalizedText(
      "this sign-in was begun in another browser, or this browser refuses cookies; begin again here",
      de: "diese Anmeldung hat ein anderer Browser begonnen, oder dieser lehnt Cookies ab; hier neu beginnen"))

  /// A path that leads elsewhere.
  static let foreignPath = SignInFailure(
    400, "invalid_next",
    LocalizedText(
      "'next' must be a path of this server, such as /runs",
      de: "'next' muss ein Pfad dieses Servers sein, zum Beispiel /runs"))

  /// A user without a group that has a role.
  static func noRole(_ claim: String) -> SignInFailure {
    SignInFailure(
      403, "no_role",
      LocalizedText(
        "none of your groups at the identity provider may use this server; ask an administrator: 'roles' under "
          + "'server.identity' in sous.yaml lists the groups, and the provider sends those of a user in the claim '\(claim)'",
        de:
          "keine Ihrer Gruppen beim Identitätsprovider darf diesen Server benutzen; einen Administrator fragen: 'roles' "
          + "unter 'server.identity' in sous.yaml nennt die Gruppen, und der Provider sendet die eines Benutzers im Claim "
          + "'\(claim)'"))
  }
}

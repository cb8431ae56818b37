import Expressions
import Localization

/// The error answer of a server (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8628, section 3.5).
struct ServerFailure: Sendable {
  /// The value of `error`; `nil` if there is only the status.
  var code: String?
  /// The value of `error_description`.
  var description: String?
  /// The HTTP status; `nil` if it came by the browser.
  var status: Int?
  /// Seconds to wait.
  var retryAfter: Double?

  init(code: String?, description: String?, status: Int?, retryAfter: Double?) {
    self.code = code
    self.description = description
    self.status = status
    self.retryAfter = retryAfter
  }

  /// The error in an answer; `nil` if it is not an error.
  init?(_ answer: HTTPAnswer) {
    let object = answer.object
    let code = object?["error"]?.stringValue
    // Some say 200 and mean no.
    guard code != nil || !(200..<300).contains(answer.status) else { return nil }
    self.init(
      code: code, description: object?["error_description"]?.stringValue, status: answer.status,
      retryAfter: answer.retryAfter)
  }

  /// The error for it, in the server's words.
  ///
  /// - Parameter secrets: Texts that must not appear, even if the server repeats them.
  func error(hiding secrets: [String]) -> OAuthError {
    let words = ServerWords(secrets: secrets)
    let said = [code, description].compactMap(\.self).map(words.clean).filter { !$0.isEmpty }.joined(separator: ": ")
    let told =
      said.isEmpty
      ? LocalizedText("HTTP status \(status ?? 0)", de: "HTTP-Status \(status ?? 0)") : LocalizedText(verbatim: said)
    var error = OAuthError(
      kind, LocalizedText("the authorization server says: ", de: "der Anmeldeserver sagt: ") + told, advice: advice,
      retryAfter: retryAfter)
    error.status = status
    error.serverCode = code.map(words.clean)
    return error
  }

  private var kind: OAuthError.Code {
    if status == 429 { return .rateLimited }
    switch code {
    case "slow_down", "temporarily_unavailable", "server_error", "too_many_requests", "rate_limit_exceeded":
      return code == "temporarily_unavailable" || code == "server_error" ? .unavailable : .rateLimited
    case "invalid_grant", "interaction_required", "login_required", "consent_required": return .signInAgain
    case nil:
      guard let status else { return .invalidResponse }
      if status >= 500 || status == 408 { return .unavailable }
      // Some refuse without a word.
      return status >= 400 ? .refused : .invalidResponse
    default: return .refused
    }
  }

  private var advice: LocalizedText? {
    switch code {
    case "invalid_client", "unauthorized_client":
      LocalizedText(
        "check 'client_id' and 'client_secret' under 'auth' in sous.yaml",
        de: "'client_id' und 'client_secret' unter 'auth' in sous.yaml prüfen")
    case "invalid_scope":
      LocalizedText("check 'scopes' under 'auth' in sous.yaml", de: "'scopes' unter 'auth' in sous.yaml prüfen")
    case "redirect_uri_mismatch":
      LocalizedText(
        "register the client as a desktop application, or name the port that it knows: redirect_port",
        de: "den Client als Desktop-Anwendung eintragen, oder den Port nennen, den er kennt: redirect_port")
    default: nil
    }
  }
}

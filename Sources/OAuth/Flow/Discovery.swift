import Localization
import Networking

extension AuthorizationServer {
  /// Looks up the endpoints of the issuer where some that are needed are missing.
  ///
  /// - Parameters:
  ///   - needsDevice: Whether a sign-in on another device is wanted.
  ///   - call: Makes what sends requests to the server as it is known so far.
  /// - Throws: ``OAuthError`` where the issuer gives no description of itself.
  public mutating func discover(
    needsDevice: Bool, call: (AuthorizationServer) throws(OAuthError) -> any HTTPCaller
  ) throws(OAuthError) {
    let isComplete = token != nil && (needsDevice ? deviceAuthorization != nil : authorization != nil)
    guard let issuer, !isComplete else { return }
    let caller = try call(self)
    var status = 0
    for url in Self.descriptions(of: issuer) {
      let answer = try caller.call(HTTPRequest(url: url, headers: [HTTPHeader("Accept", "application/json")]))
      if answer.status == 200, let description = answer.object {
        return try complete(by: description, of: issuer)
      }
      status = answer.status
    }
    var error = OAuthError(
      .invalidResponse,
      LocalizedText(
        "the issuer '\(issuer)' does not describe its endpoints (HTTP status \(status))",
        de: "der Aussteller '\(issuer)' beschreibt seine Endpunkte nicht (HTTP-Status \(status))"),
      advice: LocalizedText(
        "name them under 'auth' in sous.yaml: authorization_endpoint, token_endpoint",
        de: "sie unter 'auth' in sous.yaml nennen: authorization_endpoint, token_endpoint"))
    error.status = status
    throw error
  }
}

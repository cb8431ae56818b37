import Localization

/// The parameters of the browser's request to the server (RFC 6749, section 4.1.1; RFC 7636, section 4.3).
struct AuthorizationRequest: Sendable {
  let server: AuthorizationServer
  let clientID: String
  let scopes: [String]
  let redirect: String
  /// Ties the answer to this request.
  let state: String
  /// Ties the identity token to this request (OpenID Connect Core 1.0, section 3.1.2.1).
  let nonce: String
  let key: ProofKey
  /// The address that is to be signed in to, which the server may fill in.
  let hint: String?

  /// The URL for the browser.
  ///
  /// - Parameter endpoint: The authorization endpoint; it may have a query already.
  func url(_ endpoint: String) -> String {
    var fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirect),
      ("scope", scopes.joined(separator: " ")), ("state", state), ("code_challenge", key.challenge),
      ("code_challenge_method", "S256"),
    ]
    if scopes.contains("openid") { fields.append(("nonce", nonce)) }
    if let hint { fields.append(("login_hint", hint)) }
    fields += server.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return endpoint + (endpoint.contains("?") ? "&" : "?") + FormBody.encoded(fields)
  }

  /// The form that exchanges a code (RFC 6749, section 4.1.3).
  func exchange(_ code: String) -> [(String, String)] {
    [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect), ("code_verifier", key.verifier)]
  }

  /// The result in the query of a redirect; `nil` if it belongs to another request: the right one may follow.
  func code(in query: Substring) -> Result<String, OAuthError>? {
    let fields = FormBody.fields(query)
    func value(_ name: String) -> String? {
      let found = fields.filter { $0.name == name }
      return found.count == 1 ? found.first?.value : nil
    }
    guard value("state") == state else { return nil }
    // RFC 9207, section 2.4: the answer of an attacker's server has another 'iss', or none.
    let issuers = fields.filter { $0.name == "iss" }.map(\.value)
    if let issuer = server.issuer, !issuers.isEmpty, issuers != [issuer] {
      return .failure(
        .invalidResponse("it comes from another issuer", de: "sie kommt von einem anderen Aussteller"))
    }
    if server.namesItself, issuers.isEmpty {
      return .failure(
        .invalidResponse(
          "it has no issuer ('iss'), although this server always sends one: it may come from another server",
          de: "sie hat keinen Aussteller ('iss'), obwohl dieser Server immer einen sendet: Sie kann von einem anderen "
            + "Server kommen"))
    }
    if let error = value("error") {
      return .failure(
        ServerFailure(code: error, description: value("error_description"), status: nil, retryAfter: nil)
          .error(hiding: [key.verifier]))
    }
    guard let code = value("code"), !code.isEmpty, code.utf8.count <= 4096 else {
      return .failure(.invalidResponse("it has no code", de: "sie enthält keinen Code"))
    }
    return .success(code)
  }
}

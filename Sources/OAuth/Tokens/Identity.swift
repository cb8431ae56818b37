import Expressions
import Localization

/// Whose token it is.
struct Identity: Sendable, Equatable {
  /// The mail address; `nil` if the server does not tell.
  var address: String?

  /// Reads an identity token that came from the token endpoint itself, over TLS, so that its signature need not be checked
  /// (OpenID Connect Core 1.0, section 3.1.3.7, number 6).
  ///
  /// - Parameters:
  ///   - token: A JWT (RFC 7519).
  ///   - clientID: The client it must be for.
  ///   - issuer: Who must have made it; `nil` if that is not known.
  ///   - nonce: The nonce of the request; `nil` if the flow has none.
  /// - Throws: ``OAuthError/Code/invalidResponse`` for a token that is none, or another's.
  init(token: String, clientID: String, issuer: String?, nonce: String?) throws(OAuthError) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard token.utf8.count <= 64 << 10, parts.count == 3, let payload = Base64URL.decoded(parts[1]),
      let claims = (try? Value(json: payload, limits: JSONLimits(depth: 16, size: 64 << 10)))?.mapValue
    else { throw .invalidResponse("its id_token cannot be read", de: "ihr id_token ist nicht lesbar") }
    let audience = claims["aud"]?.stringValue.map { [$0] } ?? claims["aud"]?.listValue?.compactMap(\.stringValue) ?? []
    guard audience.contains(clientID) else {
      throw .invalidResponse("its id_token is for another client", de: "ihr id_token gilt für einen anderen Client")
    }
    // Google says it with and without the scheme.
    if let issuer, let said = claims["iss"]?.stringValue, said != issuer, "https://" + said != issuer {
      throw .invalidResponse("its id_token has another issuer", de: "ihr id_token hat einen anderen Aussteller")
    }
    if let nonce, claims["nonce"]?.stringValue != nonce {
      throw .invalidResponse(
        "its id_token belongs to another request", de: "ihr id_token gehört zu einer anderen Anfrage")
    }
    self.init(claims)
  }

  /// Reads claims, of a token or of the userinfo endpoint.
  init(_ claims: ValueMap) {
    func text(_ name: String) -> String? {
      claims[name]?.stringValue.flatMap { Self.isAddress($0) ? $0 : nil }
    }
    let isVerified = claims["email_verified"]?.boolValue ?? (claims["email_verified"]?.stringValue != "false")
    // Microsoft sends the address of the mailbox in the other fields where an account has no `email`.
    address = (isVerified ? text("email") : nil) ?? text("preferred_username") ?? text("upn")
  }

  private static func isAddress(_ text: String) -> Bool {
    text.utf8.count <= 320 && text.dropFirst().dropLast().contains("@")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }

  /// Checks that it is the address that is wanted; case does not matter.
  ///
  /// - Throws: ``OAuthError/Code/addressMismatch``, ``OAuthError/Code/addressUnknown``.
  func check(_ wanted: String?, account: String) throws(OAuthError) {
    guard let wanted else { return }
    guard let address else {
      throw OAuthError(
        .addressUnknown,
        LocalizedText(
          "the authorization server does not tell whose token it gave, so '\(wanted)' cannot be checked",
          de: "der Anmeldeserver sagt nicht, wessen Token er ausgegeben hat; '\(wanted)' lässt sich nicht prüfen"),
        advice: LocalizedText(
          "ask for the scopes openid and email, name 'userinfo_endpoint', or take 'address' out of sous.yaml",
          de: "die Scopes openid und email verlangen, 'userinfo_endpoint' nennen oder 'address' aus sous.yaml nehmen"))
    }
    guard address.lowercased() == wanted.lowercased() else {
      let shown = ServerWords().clean(address)
      throw OAuthError(
        .addressMismatch,
        LocalizedText(
          "the account '\(account)' is for \(wanted), but \(shown) was signed in; nothing was kept",
          de: "das Konto '\(account)' ist für \(wanted), angemeldet wurde aber \(shown); nichts wurde behalten"),
        advice: OAuthError.signInAdvice(account))
    }
  }
}

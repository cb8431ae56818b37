import Expressions

/// An identity token as it came: a signed JWT (RFC 7519, RFC 7515) whose signature and claims are not yet checked.
struct IdentityToken: Sendable {
  /// The rules for the claims of a token (OpenID Connect Core 1.0, section 3.1.3.7).
  struct Expectation: Sendable {
    /// The issuer, compared exactly.
    var issuer: String
    /// The client that the token is for.
    var client: String
    /// The nonce of the request.
    var nonce: String
    /// Seconds since 1970.
    var now: Int64
  }

  /// Seconds by which the clocks of the provider and of this machine may differ.
  static let leeway = 60.0
  /// Seconds after which a token is too old even if it has not expired: it is made when the code is exchanged.
  private static let longestAge = 3600.0
  private static let mostBytes = 64 << 10

  /// The algorithm of the signature.
  let algorithm: JSONWebKey.Algorithm
  /// The id of its key; `nil` if the provider gives none.
  let keyID: String?
  /// The claims. Nothing may rest on them before ``isSigned(by:)`` and ``check(_:)``.
  let claims: ValueMap
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Reads a token.
  ///
  /// - Throws: ``OAuthError/Code/invalidResponse`` if it is not a token, or its algorithm is another than RS256 and ES256.
  init(_ text: String) throws(OAuthError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.mostBytes, parts.count == 3, let header = Self.object(parts[0]),
      let claims = Self.object(parts[1]), let signature = Base64URL.decoded(parts[2])
    else { throw .invalidResponse("its id_token cannot be read", de: "ihr id_token ist nicht lesbar") }
    let stated = header["alg"]?.stringValue ?? ""
    guard let algorithm = JSONWebKey.Algorithm(rawValue: stated) else {
      let shown = ServerWords().clean(String(stated.prefix(20)))
      throw .invalidResponse(
        "its id_token is signed by '\(shown)'; set RS256 or ES256 for this client at the provider",
        de: "ihr id_token ist mit '\(shown)' signiert; beim Provider RS256 oder ES256 für diesen Client einstellen")
    }
    // Extensions that must be understood (RFC 7515, section 4.1.11).
    guard header["crit"] == nil else {
      throw .invalidResponse(
        "its id_token needs extensions that Sous does not know",
        de: "ihr id_token verlangt Erweiterungen, die Sous nicht kennt")
    }
    self.algorithm = algorithm
    keyID = header["kid"]?.stringValue
    self.claims = claims
    self.signature = signature
    signed = Array((parts[0] + "." + parts[1]).utf8)
  }

  private static func object(_ part: Substring) -> ValueMap? {
    Base64URL.decoded(part).flatMap {
      (try? Value(json: $0, limits: JSONLimits(depth: 16, size: mostBytes)))?.mapValue
    }
  }

  /// Whether one of the keys has the id and the algorithm of the token.
  func hasKey(in keys: [JSONWebKey]) -> Bool { keys.contains(where: isSuitable) }

  /// Whether one of the keys has signed the token.
  func isSigned(by keys: [JSONWebKey]) -> Bool {
    keys.contains { isSuitable($0) && KeySignature.isValid(signature, of: signed, by: $0) }
  }

  private func isSuitable(_ key: JSONWebKey) -> Bool {
    key.algorithm == algorithm && (keyID == nil || key.id == nil || key.id == keyID)
  }

  /// Checks the claims.
  ///
  /// - Returns: The id of the account.
  /// - Throws: ``OAuthError/Code/invalidResponse`` with the first rule that they break.
  func check(_ expected: Expectation) throws(OAuthError) -> String {
    guard claims["iss"]?.stringValue == expected.issuer else {
      throw .invalidResponse("its id_token has another issuer", de: "ihr id_token hat einen anderen Aussteller")
    }
    let audience =
      claims["aud"]?.stringValue.map { [$0] } ?? claims["aud"]?.listValue?.compactMap(\.stringValue) ?? []
    let party = claims["azp"]?.stringValue
    guard audience.contains(expected.client), party == expected.client || party == nil && audience.count == 1 else {
      throw .invalidResponse("its id_token is for another client", de: "ihr id_token gilt für einen anderen Client")
    }
    let now = Double(expected.now)
    func time(_ name: String) -> Double? { claims[name]?.doubleValue.flatMap { $0.isFinite ? $0 : nil } }
    guard let expires = time("exp"), let issued = time("iat") else {
      throw .invalidResponse("its id_token has no times (exp, iat)", de: "ihr id_token hat keine Zeiten (exp, iat)")
    }
    guard now < expires + Self.leeway, issued <= now + Self.leeway, issued >= now - Self.longestAge - Self.leeway,
      time("nbf").map({ $0 <= now + Self.leeway }) ?? true
    else {
      throw .invalidResponse(
        "its id_token is not valid at this time; compare the clocks of both machines",
        de: "ihr id_token gilt zu dieser Zeit nicht; die Uhren beider Rechner vergleichen")
    }
    guard claims["nonce"]?.stringValue == expected.nonce else {
      throw .invalidResponse(
        "its id_token belongs to another request", de: "ihr id_token gehört zu einer anderen Anfrage")
    }
    guard let subject = claims["sub"]?.stringValue, !subject.isEmpty, subject.utf8.count <= 255 else {
      throw .invalidResponse("its id_token names no account (sub)", de: "ihr id_token nennt kein Konto (sub)")
    }
    return subject
  }
}

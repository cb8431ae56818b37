import COpenSSL
import Expressions
import Localization
import Testing

@testable import OAuth

@Suite("Identity tokens")
struct IdentityTokenTests {
  private static let now: Int64 = 1_795_510_800
  private let expectation = IdentityToken.Expectation(
    issuer: "https://id.example.com", client: "sous", nonce: "n-1", now: now)

  private func claims(_ changes: ValueMap = [:]) -> ValueMap {
    var claims: ValueMap = [
      "iss": "https://id.example.com", "sub": "4711", "aud": "sous", "nonce": "n-1", "iat": .int(Self.now),
      "exp": .int(Self.now + 300),
    ]
    for (name, value) in changes.entries { claims[name] = value }
    return claims
  }

  private func keys(_ keys: SigningKey...) throws -> [JSONWebKey] {
    try #require(JSONWebKey.keys(in: ["keys": .list(keys.map(\.webKey))]))
  }

  @Test func bothAlgorithmsAreChecked() throws {
    for key in [try SigningKey.rsa("a"), try SigningKey.elliptic("a")] {
      let text = try key.token(claims())
      let token = try IdentityToken(text)
      #expect(token.isSigned(by: try keys(key)))
      #expect(try token.check(expectation) == "4711")
      // One changed character of the claims.
      let parts = text.split(separator: ".")
      let changed = SigningKey.encoded(claims(["sub": "4712"]))
      #expect(!(try IdentityToken("\(parts[0]).\(changed).\(parts[2])").isSigned(by: try keys(key))))
      // A signature of another key with the same id.
      let other = key.algorithm == "RS256" ? try SigningKey.rsa("a") : try SigningKey.elliptic("a")
      #expect(!(try IdentityToken(text).isSigned(by: try keys(other))))
      // A signature that is cut off, empty, or all zeros, which ECDSA without checks would accept.
      for bytes in [[], [0], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0, count: 256)] as [[UInt8]] {
        let forged = try IdentityToken("\(parts[0]).\(parts[1]).\(Base64URL.encoded(bytes))")
        #expect(!forged.isSigned(by: try keys(key)))
      }
    }
  }

  @Test func manySignaturesOfRandomLengthsAreRead() throws {
    // The numbers of ES256 have leading zeros in one of 128 signatures.
    let key = try SigningKey.elliptic("a")
    for number in 0..<300 {
      let token = try IdentityToken(try key.token(claims(["jti": .int(Int64(number))])))
      #expect(token.isSigned(by: try keys(key)))
    }
  }

  @Test(arguments: ["none", "None", "HS256", "HS512", "RS512", "PS256", "", "EdDSA"])
  func otherAlgorithmsAreRefused(_ algorithm: String) throws {
    let key = try SigningKey.rsa("a")
    let signed = SigningKey.encoded(["alg": .string(algorithm), "kid": "a"]) + "." + SigningKey.encoded(claims())
    for signature in ["", Base64URL.encoded(Self.code(of: signed, key: key.information))] {
      #expect(throws: OAuthError(.invalidResponse, "")) { try IdentityToken(signed + "." + signature) }
    }
    let withoutAlgorithm = SigningKey.encoded(["kid": "a"]) + "." + SigningKey.encoded(claims()) + "."
    #expect(throws: OAuthError(.invalidResponse, "")) { try IdentityToken(withoutAlgorithm) }
  }

  /// The HMAC that a verifier would compute if it took the public key for a shared secret.
  private static func code(of text: String, key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    _ = HMAC(EVP_sha256(), key, Int32(key.count), Array(text.utf8), text.utf8.count, &code, &count)
    return code
  }

  @Test func aKeyIsUsedWithItsOwnAlgorithmOnly() throws {
    let (rsa, elliptic) = (try SigningKey.rsa("a"), try SigningKey.elliptic("a"))
    let token = try IdentityToken(try rsa.token(claims(), header: ["alg": "ES256"]))
    #expect(!token.isSigned(by: try keys(rsa, elliptic)))
    #expect(!token.hasKey(in: try keys(rsa)))
  }

  @Test func extensionsThatMustBeUnderstoodAreRefused() throws {
    let text = try SigningKey.elliptic("a").token(claims(), header: ["crit": ["exp"]])
    #expect(throws: OAuthError(.invalidResponse, "")) { try IdentityToken(text) }
  }

  @Test(
    arguments: [
      ["iss": "https://id.example.com/"], ["iss": "https://evil.example.com"], ["iss": .null], ["aud": "other"],
      ["aud": ["other"]], ["aud": []], ["aud": .null], ["aud": ["sous", "other"]],
      ["aud": ["sous", "other"], "azp": "other"],
      ["azp": "other"], ["exp": .int(now - 60)], ["exp": .null], ["exp": "soon"], ["iat": .null],
      ["iat": .int(now + 61)], ["iat": .int(now - 3661), "exp": .int(now + 300)], ["nbf": .int(now + 61)],
      ["nonce": "n-2"],
      ["nonce": .null], ["sub": .null], ["sub": ""],
    ] as [ValueMap])
  func claimsOfAnotherRequestAreRefused(_ changes: ValueMap) throws {
    let token = try IdentityToken(try SigningKey.elliptic("a").token(claims(changes)))
    #expect(throws: OAuthError(.invalidResponse, "")) { try token.check(expectation) }
  }

  @Test(
    arguments: [
      ["aud": ["sous"]], ["aud": ["other", "sous"], "azp": "sous"], ["azp": "sous"], ["exp": .int(now - 59)],
      ["iat": .int(now + 60)], ["exp": .double(Double(now) + 0.5)], ["nbf": .int(now + 60)],
    ] as [ValueMap])
  func clocksMayDifferByAMinute(_ changes: ValueMap) throws {
    let token = try IdentityToken(try SigningKey.elliptic("a").token(claims(changes)))
    #expect(try token.check(expectation) == "4711")
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c", "a.b.c.d", "..", "e30.e30.", "e30.W10.e30"])
  func aTextThatIsNotATokenIsRefused(_ text: String) {
    #expect(throws: OAuthError(.invalidResponse, "")) { try IdentityToken(text) }
  }

  @Test func unusableKeysAreLeftOut() throws {
    let good = try #require(try SigningKey.rsa("a").webKey.mapValue)
    let changes: [ValueMap] = [
      ["use": "enc"], ["alg": "RSA-OAEP"], ["alg": "PS256"], ["key_ops": ["encrypt"]], ["kty": "oct"], ["n": "AQAB"],
      ["n": .string(String(repeating: "A", count: 342))], ["e": "AQ"], ["e": "Ag"], ["e": ""], ["n": .null],
    ]
    for change in changes {
      var key = good
      for (name, value) in change.entries { key[name] = value }
      #expect(JSONWebKey(key) == nil, "\(change)")
    }
    let curve = try #require(try SigningKey.elliptic("a").webKey.mapValue)
    for change in [["crv": "P-384"], ["x": "AQAB"], ["alg": "RS256"]] as [ValueMap] {
      var key = curve
      for (name, value) in change.entries { key[name] = value }
      #expect(JSONWebKey(key) == nil, "\(change)")
    }
    // A point beside the curve has the right form, and libcrypto refuses it.
    var beside = curve
    beside["y"] = curve["x"]
    let key = try #require(JSONWebKey(beside))
    #expect(!(try IdentityToken(try SigningKey.elliptic("a").token(claims())).isSigned(by: [key])))
  }
}

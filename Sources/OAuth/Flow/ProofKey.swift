import Hashing

/// Proves at the token endpoint that the client is the one that started the sign-in (PKCE, RFC 7636).
struct ProofKey: Sendable {
  /// The verifier: 32 random bytes as 43 characters.
  let verifier: String

  /// Creates a key.
  ///
  /// - Parameter bytes: 32 random bytes.
  init(_ bytes: [UInt8]) { verifier = Base64URL.encoded(bytes) }

  /// The challenge by the method S256: the hash of the verifier's characters.
  var challenge: String { Base64URL.encoded(ContentHash.bytes(of: Array(verifier.utf8))) }
}

/// Random bytes of the kernel.
enum Random {
  /// Cryptographically secure random bytes.
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

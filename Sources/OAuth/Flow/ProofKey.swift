import Hashing

/// What proves at the token endpoint that the client which asks is the one that began (PKCE, RFC 7636).
struct ProofKey: Sendable {
  /// The verifier: 32 random bytes as 43 characters.
  let verifier: String

  /// Creates a key.
  ///
  /// - Parameter bytes: 32 bytes that nobody can guess.
  init(_ bytes: [UInt8]) { verifier = Base64URL.encoded(bytes) }

  /// The challenge by the method S256: the hash of the verifier's characters.
  var challenge: String { Base64URL.encoded(ContentHash.bytes(of: Array(verifier.utf8))) }
}

/// Random bytes of the kernel.
enum Random {
  /// So many bytes that nobody can guess.
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

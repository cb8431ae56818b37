internal import COpenSSL
internal import FoundationEssentials
import Localization

/// What SCRAM needs of libcrypto.
enum SASLCryptography {
  /// A hash function that a mechanism is named after.
  enum Hash: Sendable {
    case sha1
    case sha256

    var size: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      }
    }

    fileprivate var function: OpaquePointer? {
      switch self {
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      }
    }
  }

  /// The hash of bytes.
  static func digest(_ hash: Hash, _ bytes: [UInt8]) throws(SASLError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: hash.size)
    var length: UInt32 = 0
    guard EVP_Digest(bytes, bytes.count, &result, &length, hash.function, nil) == 1, Int(length) == hash.size else {
      throw failure("EVP_Digest")
    }
    return result
  }

  /// HMAC (RFC 2104).
  static func authenticationCode(_ hash: Hash, key: [UInt8], _ bytes: [UInt8]) throws(SASLError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: hash.size)
    var length: UInt32 = 0
    guard let keyLength = Int32(exactly: key.count),
      HMAC(hash.function, key, keyLength, bytes, bytes.count, &result, &length) != nil, Int(length) == hash.size
    else { throw failure("HMAC") }
    return result
  }

  /// PBKDF2 (RFC 8018) with HMAC, one block long: `Hi` of RFC 5802.
  static func stretched(
    _ hash: Hash, password: [UInt8], salt: [UInt8], iterations: Int
  ) throws(SASLError) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: hash.size)
    let characters = password.map { CChar(bitPattern: $0) }
    guard let passwordLength = Int32(exactly: password.count), let saltLength = Int32(exactly: salt.count),
      let count = Int32(exactly: iterations), count > 0,
      PKCS5_PBKDF2_HMAC(
        characters, passwordLength, salt, saltLength, count, hash.function, Int32(hash.size), &result) == 1
    else { throw failure("PKCS5_PBKDF2_HMAC") }
    return result
  }

  /// Whether two values are the same, in a time that does not depend on them.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }

  /// A random text: 144 bits, in Base64.
  static func nonce() throws(SASLError) -> String {
    var bytes = [UInt8](repeating: 0, count: 18)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { throw failure("RAND_bytes") }
    return Data(bytes).base64EncodedString()
  }

  private static func failure(_ function: String) -> SASLError {
    SASLError(
      .system, LocalizedText("libcrypto refused: \(function)", de: "libcrypto hat abgelehnt: \(function)"))
  }
}

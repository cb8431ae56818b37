import Expressions

/// A public key that checks signatures of identity tokens (JSON Web Key, RFC 7517).
struct JSONWebKey: Sendable, Hashable {
  /// An algorithm of signatures (RFC 7518, section 3.1). Others are refused: `none` signs nothing, and for `HS256` a public key
  /// would be the secret.
  enum Algorithm: String, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
  }

  /// The id; `nil` if the provider gives none.
  let id: String?
  /// The only algorithm that it is used with.
  let algorithm: Algorithm
  /// The key as `SubjectPublicKeyInfo` (RFC 5280, section 4.1.2.7).
  let information: [UInt8]

  /// The bytes of an RSA modulus: 2048 to 8192 bits.
  private static let modulusSizes = 256...1024

  /// Reads a key; `nil` for one of another kind or purpose, or with impossible numbers.
  init?(_ key: ValueMap) {
    if let use = key["use"]?.stringValue, use != "sig" { return nil }
    if let operations = key["key_ops"]?.listValue, !operations.contains("verify") { return nil }
    func number(_ name: String) -> [UInt8]? {
      key[name]?.stringValue.flatMap { $0.utf8.count <= 2048 ? Base64URL.decoded($0) : nil }
    }
    switch key["kty"]?.stringValue {
    case "RSA":
      guard let modulus = number("n").map({ Array($0.drop { $0 == 0 }) }),
        let exponent = number("e").map({ Array($0.drop { $0 == 0 }) }),
        Self.modulusSizes.contains(modulus.count), Self.isOdd(modulus), (1...8).contains(exponent.count),
        Self.isOdd(exponent), exponent != [1]
      else { return nil }
      algorithm = .rs256
      information = DER.rsaKey(modulus: modulus, exponent: exponent)
    case "EC":
      guard key["crv"] == "P-256", let x = number("x"), let y = number("y"), x.count == 32, y.count == 32 else {
        return nil
      }
      algorithm = .es256
      information = DER.p256Key(x: x, y: y)
    default: return nil
    }
    if let stated = key["alg"]?.stringValue, stated != algorithm.rawValue { return nil }
    id = key["kid"]?.stringValue
  }

  private static func isOdd(_ number: [UInt8]) -> Bool { number.last.map { $0 & 1 == 1 } ?? false }

  /// The usable keys of a set (RFC 7517, section 5), at most 100.
  static func keys(in set: ValueMap) -> [JSONWebKey]? {
    set["keys"]?.listValue.map { $0.prefix(100).compactMap(\.mapValue).compactMap(JSONWebKey.init) }
  }
}

/// The few forms of DER (ITU-T X.690) that libcrypto needs for keys and signatures.
enum DER {
  /// `rsaEncryption` with its NULL (RFC 3279, section 2.3.1).
  private static let rsa: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]
  /// `id-ecPublicKey` with the curve `secp256r1` (RFC 5480, section 2.1.1).
  private static let p256: [UInt8] = [
    0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03,
    0x01, 0x07,
  ]

  static func rsaKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    sequence(rsa + bits(sequence(integer(modulus) + integer(exponent))))
  }

  static func p256Key(x: [UInt8], y: [UInt8]) -> [UInt8] { sequence(p256 + bits([0x04] + x + y)) }

  /// A signature of ES256, which a token holds as two numbers of 32 bytes (RFC 7518, section 3.4); `nil` for another size.
  static func signature(ofNumbers bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count == 64 else { return nil }
    return sequence(integer(Array(bytes.prefix(32))) + integer(Array(bytes.suffix(32))))
  }

  private static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

  private static func bits(_ content: [UInt8]) -> [UInt8] { element(0x03, [0] + content) }

  /// A number without sign.
  private static func integer(_ magnitude: [UInt8]) -> [UInt8] {
    let short = Array(magnitude.drop { $0 == 0 })
    // A leading 1 bit would be a sign.
    return element(0x02, short.first.map { $0 < 0x80 } ?? false ? short : [0] + short)
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    guard count >= 0x80 else { return [tag, UInt8(truncatingIfNeeded: count)] + content }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(truncatingIfNeeded: length.count)] + length + content
  }
}

import COpenSSL
import Expressions
import Foundation

@testable import OAuth

/// A key pair of a provider in tests.
final class SigningKey: Sendable {
  struct Failure: Error {}

  /// The id.
  let id: String
  /// The public key as a JSON Web Key.
  let webKey: Value
  /// `RS256`, `ES256`.
  let algorithm: String
  private let privateKey: [UInt8]

  /// An RSA key of 2048 bits.
  static func rsa(_ id: String) throws -> SigningKey { try SigningKey(id, "RSA", "RS256") }
  /// A key on P-256.
  static func elliptic(_ id: String) throws -> SigningKey { try SigningKey(id, "EC", "ES256") }

  private init(_ id: String, _ kind: String, _ algorithm: String) throws {
    (self.id, self.algorithm) = (id, algorithm)
    guard let context = EVP_PKEY_CTX_new_from_name(nil, kind, nil) else { throw Failure() }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1 else { throw Failure() }
    if kind == "EC" { guard EVP_PKEY_CTX_set_group_name(context, "P-256") == 1 else { throw Failure() } }
    var made: OpaquePointer?
    guard EVP_PKEY_generate(context, &made) == 1, let made else { throw Failure() }
    defer { EVP_PKEY_free(made) }
    privateKey = try Self.bytes { i2d_PrivateKey(made, $0) }
    let information = try Self.bytes { i2d_PUBKEY(made, $0) }
    let common: ValueMap = ["kty": .string(kind), "kid": .string(id), "use": "sig", "alg": .string(algorithm)]
    var key = common
    if kind == "EC" {
      key["crv"] = "P-256"
      key["x"] = .string(Base64URL.encoded(Array(information.suffix(64).prefix(32))))
      key["y"] = .string(Base64URL.encoded(Array(information.suffix(32))))
    } else {
      // The information ends with the modulus, its length before it, and 65537 as the exponent (02 03 01 00 01).
      key["n"] = .string(Base64URL.encoded(Array(information.dropLast(5).suffix(256))))
      key["e"] = "AQAB"
    }
    webKey = .map(key)
  }

  private static func bytes(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) throws -> [UInt8] {
    let count = Int(write(nil))
    guard count > 0 else { throw Failure() }
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBufferPointer { buffer in
      var next = buffer.baseAddress
      _ = write(&next)
    }
    return bytes
  }

  /// The public key as bytes, which an attacker takes for the secret of HS256.
  var information: [UInt8] { webKey.mapValue.flatMap(JSONWebKey.init)?.information ?? [] }

  /// A signature in the form of RFC 7518.
  func signature(of text: String) throws -> [UInt8] {
    let key = privateKey.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var next = bytes.baseAddress
      return d2i_AutoPrivateKey(nil, &next, bytes.count)
    }
    guard let key, let context = EVP_MD_CTX_new() else { throw Failure() }
    defer {
      EVP_PKEY_free(key)
      EVP_MD_CTX_free(context)
    }
    let message = Array(text.utf8)
    var count = 0
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw Failure() }
    var bytes = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &bytes, &count, message, message.count) == 1 else { throw Failure() }
    bytes = Array(bytes.prefix(count))
    return algorithm == "ES256" ? Self.numbers(of: bytes) : bytes
  }

  /// The two numbers of a signature in DER, 32 bytes each.
  private static func numbers(of signature: [UInt8]) -> [UInt8] {
    var rest = signature.dropFirst(2)
    var numbers: [UInt8] = []
    for _ in 0..<2 {
      let count = Int(rest.dropFirst().first ?? 0)
      let number = Array(rest.dropFirst(2).prefix(count).drop { $0 == 0 })
      numbers += [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number
      rest = rest.dropFirst(2 + count)
    }
    return numbers
  }

  /// A token with this key's signature.
  ///
  /// - Parameter header: Further members of the header, which replace the usual ones.
  func token(_ claims: ValueMap, header: ValueMap = [:]) throws -> String {
    var head: ValueMap = ["alg": .string(algorithm), "kid": .string(id), "typ": "JWT"]
    for (name, value) in header.entries { head[name] = value }
    let signed = Self.encoded(head) + "." + Self.encoded(claims)
    return signed + "." + Base64URL.encoded(try signature(of: signed))
  }

  /// A part of a token.
  static func encoded(_ map: ValueMap) -> String { Base64URL.encoded(Value.map(map).json()) }
}

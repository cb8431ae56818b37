import Localization

/// A key that personal data is sealed with, so that it can be written down: AES-256-GCM (NIST SP 800-38D) with a random
/// nonce for each text.
public struct SealingKey: Sendable {
  private let key: SecureBytes

  /// Makes a new key.
  public init() throws(SecretError) { key = try Cryptography.randomKey(Cryptography.keySize) }

  /// The key that ``text`` has given; `nil` for what is none.
  public init?(_ text: String) throws(SecretError) {
    guard text.utf8.count == 2 * Cryptography.keySize else { return nil }
    var bytes: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    key = try SecureBytes(capacity: bytes.count) { memory throws(SecretError) in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// The key as 64 hexadecimal digits, for the vault.
  public func text() throws(SecretError) -> SecureBytes {
    let digits = Array("0123456789abcdef".utf8)
    return try SecureBytes(capacity: 2 * key.count) { memory throws(SecretError) in
      key.withBytes { bytes in
        for (index, byte) in bytes.enumerated() {
          memory[2 * index] = digits[Int(byte >> 4)]
          memory[2 * index + 1] = digits[Int(byte & 15)]
        }
      }
      return 2 * key.count
    }
  }

  /// Seals bytes.
  ///
  /// - Parameter purpose: The purpose of the bytes; opening with another purpose fails.
  /// - Returns: The nonce, the ciphertext and the tag.
  public func seal(_ bytes: [UInt8], for purpose: String) throws(SecretError) -> [UInt8] {
    let nonce = try Cryptography.randomBytes(Cryptography.nonceSize)
    let plaintext = try SecureBytes(capacity: max(1, bytes.count)) { memory throws(SecretError) in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
    return try nonce + Cryptography.seal(plaintext, key: key, nonce: nonce, authenticating: Array(purpose.utf8))
  }

  /// Opens what ``seal(_:for:)`` has given; `nil` if it was sealed with another key or for another purpose, or altered.
  public func open(_ sealed: [UInt8], for purpose: String) throws(SecretError) -> [UInt8]? {
    guard sealed.count >= Cryptography.nonceSize + Cryptography.tagSize else { return nil }
    let plaintext = try Cryptography.open(
      Array(sealed.dropFirst(Cryptography.nonceSize)), key: key, nonce: Array(sealed.prefix(Cryptography.nonceSize)),
      authenticating: Array(purpose.utf8))
    return plaintext?.withBytes { Array($0) }
  }
}

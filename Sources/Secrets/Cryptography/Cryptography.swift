import COpenSSL
import Glibc
import Hashing
import Localization

/// The functions of libcrypto that the vault uses, each with checked lengths and an error instead of a status.
enum Cryptography {
  /// The bytes of an AES-256 key.
  static let keySize = 32
  /// The bytes of a nonce for GCM (NIST SP 800-38D, section 8.2).
  static let nonceSize = 12
  /// The bytes of a tag of GCM.
  static let tagSize = 16
  /// The bytes of a SHA-256 digest.
  static let digestSize = ContentHash.size

  /// Cryptographically secure random bytes.
  static func randomBytes(_ count: Int) throws(SecretError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let length = Int32(exactly: count), RAND_bytes(&bytes, length) == 1 else { throw failure("RAND_bytes") }
    return bytes
  }

  /// A new key, straight into protected memory.
  static func randomKey(_ count: Int) throws(SecretError) -> SecureBytes {
    try SecureBytes(capacity: count) { memory throws(SecretError) in
      guard let length = Int32(exactly: count),
        RAND_priv_bytes(memory.baseAddress?.assumingMemoryBound(to: UInt8.self), length) == 1
      else { throw failure("RAND_priv_bytes") }
      return count
    }
  }

  /// SHA-256 (FIPS 180-4).
  static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] { ContentHash.bytes(of: Array(bytes)) }

  /// HMAC-SHA-256 (RFC 2104).
  static func authenticationCode(of bytes: [UInt8], key: SecureBytes) throws(SecretError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: digestSize)
    var length: UInt32 = 0
    let isDone = key.withBytes { key in
      guard let count = Int32(exactly: key.count) else { return false }
      return HMAC(EVP_sha256(), key.baseAddress, count, bytes, bytes.count, &code, &length) != nil
    }
    guard isDone, length == UInt32(digestSize) else { throw failure("HMAC") }
    return code
  }

  /// HKDF with SHA-256 (RFC 5869), for at most 255 digests' worth of bytes.
  ///
  /// - Parameters:
  ///   - key: The input keying material.
  ///   - salt: The salt.
  ///   - info: The purpose of the result.
  ///   - count: The bytes wanted.
  static func expand(
    _ key: SecureBytes, salt: [UInt8], info: [UInt8], count: Int
  ) throws(SecretError) -> SecureBytes {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil), let saltLength = Int32(exactly: salt.count) else {
      throw failure("HKDF")
    }
    defer { EVP_PKEY_CTX_free(context) }
    return try SecureBytes(capacity: count) { memory throws(SecretError) in
      var length = count
      let isDone = key.withBytes { key in
        guard let keyLength = Int32(exactly: key.count), let infoLength = Int32(exactly: info.count) else {
          return false
        }
        return EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
          && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, saltLength) == 1
          && EVP_PKEY_CTX_set1_hkdf_key(
            context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), keyLength) == 1
          && EVP_PKEY_CTX_add1_hkdf_info(context, info, infoLength) == 1
          && EVP_PKEY_derive(context, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), &length) == 1
      }
      guard isDone, length == count else { throw failure("HKDF") }
      return count
    }
  }

  /// scrypt (RFC 7914).
  ///
  /// - Parameters:
  ///   - passphrase: The passphrase's bytes.
  ///   - salt: The salt.
  ///   - cost: How much work it is.
  ///   - count: The bytes wanted.
  static func scrypt(
    _ passphrase: SecureBytes, salt: [UInt8], cost: ScryptCost, count: Int
  ) throws(SecretError) -> SecureBytes {
    try SecureBytes(capacity: count) { memory throws(SecretError) in
      let status = passphrase.withBytes { bytes in
        EVP_PBE_scrypt(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, salt, salt.count, cost.iterations,
          UInt64(cost.blockSize), UInt64(cost.parallelism), cost.memory + (1 << 20),
          memory.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
      }
      guard status == 1 else { throw failure("scrypt") }
      return count
    }
  }

  /// Encrypts with AES-256-GCM.
  ///
  /// - Returns: The ciphertext with the tag behind it.
  static func seal(
    _ plaintext: SecureBytes, key: SecureBytes, nonce: [UInt8], authenticating header: [UInt8]
  ) throws(SecretError) -> [UInt8] {
    guard key.count == keySize, nonce.count == nonceSize, let length = Int32(exactly: plaintext.count),
      let headerLength = Int32(exactly: header.count), let context = EVP_CIPHER_CTX_new()
    else { throw failure("EVP_CIPHER_CTX_new") }
    defer { EVP_CIPHER_CTX_free(context) }
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
    var tag = [UInt8](repeating: 0, count: tagSize)
    var written: Int32 = 0
    let isDone = key.withBytes { key in
      plaintext.withBytes { plaintext in
        EVP_EncryptInit_ex(
          context, EVP_aes_256_gcm(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nonce) == 1
          && EVP_EncryptUpdate(context, nil, &written, header, headerLength) == 1
          && EVP_EncryptUpdate(
            context, &ciphertext, &written, plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self), length) == 1
          && written == length && EVP_EncryptFinal_ex(context, &tag, &written) == 1 && written == 0
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(tagSize), &tag) == 1
      }
    }
    guard isDone else { throw failure("AES-256-GCM") }
    return ciphertext + tag
  }

  /// Decrypts what ``seal(_:key:nonce:authenticating:)`` has made.
  ///
  /// - Returns: The plaintext; `nil` if key, nonce, header, ciphertext and tag do not belong together.
  static func open(
    _ sealed: [UInt8], key: SecureBytes, nonce: [UInt8], authenticating header: [UInt8]
  ) throws(SecretError) -> SecureBytes? {
    guard sealed.count >= tagSize else { return nil }
    let ciphertext = Array(sealed.dropLast(tagSize))
    var tag = Array(sealed.suffix(tagSize))
    guard key.count == keySize, nonce.count == nonceSize, let length = Int32(exactly: ciphertext.count),
      let headerLength = Int32(exactly: header.count), let context = EVP_CIPHER_CTX_new()
    else { throw failure("EVP_CIPHER_CTX_new") }
    defer { EVP_CIPHER_CTX_free(context) }
    var isAuthentic = false
    let plaintext = try SecureBytes(capacity: ciphertext.count) { memory throws(SecretError) in
      var written: Int32 = 0
      let output = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let isRun = key.withBytes { key in
        EVP_DecryptInit_ex(
          context, EVP_aes_256_gcm(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nonce) == 1
          && EVP_DecryptUpdate(context, nil, &written, header, headerLength) == 1
          && EVP_DecryptUpdate(context, output, &written, ciphertext, length) == 1 && written == length
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagSize), &tag) == 1
      }
      guard isRun else { throw failure("AES-256-GCM") }
      var rest = [UInt8](repeating: 0, count: 16)
      isAuthentic = EVP_DecryptFinal_ex(context, &rest, &written) == 1
      return isAuthentic ? ciphertext.count : 0
    }
    return isAuthentic ? plaintext : nil
  }

  /// Whether two texts that are not secrets, but must not be guessed piece by piece, are the same.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }

  private static func failure(_ function: String) -> SecretError {
    SecretError(
      .system,
      LocalizedText("libcrypto refused: \(function)", de: "libcrypto hat abgelehnt: \(function)"))
  }
}

internal import COpenSSL

/// The SHA-256 of some bytes, which names a blob.
enum ContentHash {
  /// The hash as 64 lowercase hexadecimal digits.
  static func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    bytes.withUnsafeBufferPointer { content in
      digest.withUnsafeMutableBufferPointer { result in
        _ = SHA256(content.baseAddress, content.count, result.baseAddress)
      }
    }
    return text(of: digest)
  }

  fileprivate static func text(of digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// The SHA-256 of bytes that come in pieces.
// The context is only touched inside the lock of whoever keeps it.
final class RunningHash: @unchecked Sendable {
  private let context = EVP_MD_CTX_new()

  init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) } }

  /// The hash as 64 lowercase hexadecimal digits. To be called once.
  func finish() -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    EVP_DigestFinal_ex(context, &digest, nil)
    return ContentHash.text(of: digest)
  }
}

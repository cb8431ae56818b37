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
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

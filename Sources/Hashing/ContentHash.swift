internal import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes that are there as a whole.
public enum ContentHash {
  /// The bytes of a hash.
  public static let size = 32

  /// The hash, ``size`` bytes.
  public static func bytes(of content: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    _ = SHA256(content, content.count, &digest)
    return digest
  }

  /// The hash as 64 lowercase hexadecimal digits.
  public static func hexadecimal(of content: [UInt8]) -> String { text(of: bytes(of: content)) }

  fileprivate static func text(of digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// SHA-256 of bytes that come in pieces. One caller at a time: it is for use inside a lock.
public final class RunningHash: @unchecked Sendable {
  private let context = EVP_MD_CTX_new()

  /// The hash of nothing so far.
  public init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  public func update(_ bytes: some Sequence<UInt8>) {
    let isAdded: Void? = bytes.withContiguousStorageIfAvailable {
      _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    if isAdded == nil { update(Array(bytes)) }
  }

  /// The hash as 64 lowercase hexadecimal digits. To be called once.
  public func finish() -> String {
    var digest = [UInt8](repeating: 0, count: ContentHash.size)
    EVP_DigestFinal_ex(context, &digest, nil)
    return ContentHash.text(of: digest)
  }
}

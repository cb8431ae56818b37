internal import COpenSSL

/// SHA-256 (FIPS 180-4) of bytes that are there as a whole.
public enum ContentHash {
  /// The bytes of a hash.
  public static let size = 32

  /// The hash, ``size`` bytes.
  public static func bytes(of content: [UInt8]) -> [UInt8] {
    var context = SHA256_CTX()
    SHA256_Init(&context)
    SHA256_Update(&context, content, content.count)
    return digest(&context)
  }

  /// The hash as 64 lowercase hexadecimal digits.
  public static func hexadecimal(of content: [UInt8]) -> String { text(of: bytes(of: content)) }

  /// A UUID in upper case that the same content always gives (RFC 9562, version 8).
  public static func uuid(of content: [UInt8]) -> String {
    var bytes = Array(bytes(of: content).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var result = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { result.append("-") }
      result += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return result
  }

  fileprivate static func digest(_ context: inout SHA256_CTX) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    SHA256_Final(&digest, &context)
    return digest
  }

  fileprivate static func text(of digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// SHA-256 of bytes that come in pieces. One caller at a time: it is for use inside a lock.
public final class RunningHash: @unchecked Sendable {
  private var context = SHA256_CTX()

  /// The hash of nothing so far.
  public init() { SHA256_Init(&context) }

  /// Adds bytes.
  public func update(_ bytes: some Sequence<UInt8>) {
    let isAdded: Void? = bytes.withContiguousStorageIfAvailable {
      _ = SHA256_Update(&context, $0.baseAddress, $0.count)
    }
    if isAdded == nil { update(Array(bytes)) }
  }

  /// The hash as 64 lowercase hexadecimal digits. To be called once.
  public func finish() -> String { ContentHash.text(of: ContentHash.digest(&context)) }
}

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
public enum MessageAuthentication {
  /// The code of a text under a key, 32 bytes.
  public static func code(of content: [UInt8], key: [UInt8]) -> [UInt8] {
    let block = 64
    var padded = key.count > block ? ContentHash.bytes(of: key) : key
    padded += [UInt8](repeating: 0, count: block - padded.count)
    let inner = ContentHash.bytes(of: padded.map { $0 ^ 0x36 } + content)
    return ContentHash.bytes(of: padded.map { $0 ^ 0x5c } + inner)
  }

  /// Whether two texts are the same, in a time that does not tell where they differ.
  public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    // In Swift | and ^ have the same precedence: without the brackets a later byte could cancel a difference.
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// A short digest of an idempotency key, for names; not for secrets.
public enum KeyDigest {
  /// FNV-1a, 64 bits, as 16 hexadecimal digits.
  public static func hexadecimal(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash &*= 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
  }
}

/// Modified UTF-7 (RFC 3501, 5.1.3), in which IMAP servers write folder names on disk.
public enum ModifiedUTF7 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,".utf8)

  /// The encoded form: printable ASCII stays, `&` becomes `&-`, the rest UTF-16 in Base64 between `&` and `-`.
  public static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    var pending: [UInt16] = []
    func flush() {
      guard !pending.isEmpty else { return }
      result.append(UInt8(ascii: "&"))
      var bits: UInt32 = 0
      var count = 0
      for unit in pending {
        bits = bits << 16 | UInt32(unit)
        count += 16
        while count >= 6 {
          count -= 6
          result.append(alphabet[Int(bits >> UInt32(count) & 63)])
        }
        bits &= (1 << UInt32(count)) - 1
      }
      if count > 0 { result.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
      result.append(UInt8(ascii: "-"))
      pending = []
    }
    for unit in text.utf16 {
      if unit >= 0x20 && unit <= 0x7e {
        flush()
        result.append(UInt8(truncatingIfNeeded: unit))
        if unit == 0x26 { result.append(UInt8(ascii: "-")) }
      } else {
        pending.append(unit)
      }
    }
    flush()
    return String(decoding: result, as: UTF8.self)
  }

  /// The text, or nil where the form is not valid: not ASCII, a foreign character or an open end in the Base64 part, or
  /// half of a surrogate pair.
  public static func decode(_ encoded: String) -> String? {
    let bytes = Array(encoded.utf8)
    var units: [UInt16] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte >= 0x20, byte <= 0x7e else { return nil }
      index += 1
      guard byte == UInt8(ascii: "&") else {
        units.append(UInt16(byte))
        continue
      }
      guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "-")) else { return nil }
      if end == index {
        units.append(0x26)
      } else {
        guard let decoded = units64(bytes[index..<end]) else { return nil }
        units += decoded
      }
      index = end + 1
    }
    return String(validating: units, as: UTF16.self)
  }

  private static func units64(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
    var units: [UInt16] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      guard let value = alphabet.firstIndex(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 16 {
        count -= 16
        units.append(UInt16(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    // The rest is padding: less than one digit, all zero.
    return count < 6 && bits == 0 ? units : nil
  }
}

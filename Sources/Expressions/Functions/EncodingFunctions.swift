/// The encoders extension.
enum EncodingFunctions {
  static let functions: [StandardFunction] = [
    .unary("base64.encode", [.bytes, .string]) { (frame: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .bytes(let bytes) = value else { throw .noOverload }
      try frame.chargeBytes(bytes.count)
      return .string(Base64.encode(bytes))
    },
    .unary("base64.decode", [.string, .bytes]) { (frame: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .string(let text) = value else { throw .noOverload }
      try frame.chargeBytes(text.utf8.count)
      guard let bytes = Base64.decode(text) else { throw .cannotConvert(value, to: "bytes") }
      return .bytes(bytes)
    },
  ]
}

/// Base64 as in RFC 4648, section 4.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let second = start + 1 < bytes.count ? bytes[start + 1] : 0
      let third = start + 2 < bytes.count ? bytes[start + 2] : 0
      result.append(alphabet[Int(bytes[start] >> 2)])
      result.append(alphabet[Int((bytes[start] & 3) << 4 | second >> 4)])
      result.append(start + 1 < bytes.count ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
      result.append(start + 2 < bytes.count ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes of an encoded text, with or without its padding; `nil` for anything else.
  static func decode(_ text: String) -> [UInt8]? {
    var characters = Array(text.utf8)
    if characters.count % 4 == 0 {
      if characters.last == UInt8(ascii: "=") { characters.removeLast() }
      if characters.last == UInt8(ascii: "="), characters.count % 4 == 3 { characters.removeLast() }
    }
    guard characters.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(characters.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for character in characters {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(digit)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        bits &= (1 << UInt32(bitCount)) - 1
      }
    }
    return result
  }
}

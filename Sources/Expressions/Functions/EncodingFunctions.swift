internal import Hashing
internal import Localization

/// The encoders extension, and encodings of the same form: JSON, percent-encoding, SHA-256.
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
    .unary("json.encode", [.parameter("A"), .string]) { (frame: inout Frame, value: Value) throws(Fault) -> Value in
      try frame.chargeBytes(value.jsonSize)
      return .string(value.jsonString)
    },
    .unary("json.decode", [.string, .dynamic]) { (frame: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .string(let text) = value else { throw .noOverload }
      try frame.chargeBytes(text.utf8.count)
      do throws(ExpressionError) {
        return try Value(json: text)
      } catch {
        throw .evaluation(
          LocalizedText(
            "this text is not JSON: \(error.message.english)", de: "Dieser Text ist kein JSON: \(error.message.german)")
        )
      }
    },
    .unary("url.encode", [.string, .string]) { (frame: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .string(let text) = value else { throw .noOverload }
      try frame.chargeBytes(3 * text.utf8.count)
      return .string(PercentEncoding.encode(text))
    },
    .unary("url.decode", [.string, .string]) { (frame: inout Frame, value: Value) throws(Fault) -> Value in
      guard case .string(let text) = value else { throw .noOverload }
      try frame.chargeBytes(text.utf8.count)
      guard let decoded = PercentEncoding.decode(text) else {
        throw .evaluation(
          LocalizedText(
            "this text is not percent-encoded UTF-8: behind each '%' are two hexadecimal digits",
            de: "Dieser Text ist kein UTF-8 in Prozentkodierung: hinter jedem '%' stehen zwei hexadezimale Ziffern"))
      }
      return .string(decoded)
    },
    .unary("hash.sha256", [.string, .string], [.bytes, .string]) {
      (frame: inout Frame, value: Value) throws(Fault) -> Value in
      let content: [UInt8]
      switch value {
      case .string(let text): content = Array(text.utf8)
      case .bytes(let bytes): content = bytes
      default: throw .noOverload
      }
      try frame.chargeBytes(content.count)
      return .string(ContentHash.hexadecimal(of: content))
    },
  ]
}

/// Percent-encoding as in RFC 3986, section 2: all but letters, digits and `-._~`.
enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text; `+` stays. `nil` for a `%` without two hexadecimal digits, and for bytes that are not UTF-8.
  static func decode(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "%") else {
        result.append(bytes[position])
        position += 1
        continue
      }
      guard position + 2 < bytes.count,
        let high = hexadecimalDigit(bytes[position + 1]), let low = hexadecimalDigit(bytes[position + 2])
      else { return nil }
      result.append(high << 4 | low)
      position += 3
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
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

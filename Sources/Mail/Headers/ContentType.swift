/// The media type of a part (RFC 2045 §5).
public struct ContentType: Sendable {
  /// The type and subtype in lower case, such as `text/plain`.
  public let mediaType: String
  /// The type before the slash, such as `text`.
  public let type: String
  /// The subtype after the slash, such as `plain`.
  public let subtype: String
  private let parameters: [(name: String, value: String)]
  /// Whether the field named a type and a subtype.
  let isValid: Bool

  /// The type of a part without a usable `Content-Type`.
  static let plainText = ContentType(mediaType: "text/plain")

  init(mediaType: String, parameters: [(name: String, value: String)] = []) {
    self.mediaType = mediaType
    (type, subtype) = ContentType.split(mediaType)
    self.parameters = parameters
    isValid = true
  }

  private static func split(_ mediaType: String) -> (type: String, subtype: String) {
    let bytes = mediaType.utf8
    let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
    return (String(mediaType[..<slash]), String(mediaType[slash...].dropFirst()))
  }

  /// Reads a field's value; where it names no type and subtype, the type is `text/plain`, the parameters stay.
  init(parsing bytes: ArraySlice<UInt8>) {
    if let plain = ContentType.plain(bytes) {
      self = plain
      return
    }
    let parsed = ParameterizedValue(parsing: bytes)
    let value = Array(parsed.value.lowercased().utf8)
    let slash = value.firstIndex(of: UInt8(ascii: "/")) ?? value.endIndex
    let first = value[..<slash].trimmingMailWhitespace
    let word = value[slash...].dropFirst().trimmingMailWhitespace.prefix {
      !$0.isMailWhitespace && $0 != UInt8(ascii: ",")
    }
    parameters = parsed.parameters
    // A bare `Content-Type: text` is from before MIME.
    let isPair = !first.isEmpty && !word.isEmpty && first.allSatisfy(\.isToken)
    type = isPair ? String(decoding: first, as: UTF8.self) : "text"
    subtype = isPair ? String(decoding: word, as: UTF8.self) : "plain"
    mediaType = "\(type)/\(subtype)"
    isValid = isPair || first.elementsEqual("text".utf8)
  }

  /// Reads the form that most fields have, `text/plain` or `text/plain; charset=utf-8`; `nil` for all others.
  private static func plain(_ value: ArraySlice<UInt8>) -> ContentType? {
    let bytes = value.trimmingMailWhitespace
    return bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      func token(_ isWanted: (UInt8) -> Bool) -> Range<Int>? {
        let start = index
        while index < bytes.count, isWanted(bytes[index]) { index += 1 }
        return index > start ? start..<index : nil
      }
      func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
      }
      func lowercased(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].map(\.lowercasedASCII), as: UTF8.self)
      }
      // Characters of the usual names and values, without a meaning of their own.
      func isWord(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "-") }
      guard let type = token(isWord), skip(UInt8(ascii: "/")), let subtype = token(isWord) else { return nil }
      let mediaType = lowercased(type.lowerBound..<subtype.upperBound)
      if index == bytes.count { return ContentType(mediaType: mediaType) }
      guard skip(UInt8(ascii: ";")) else { return nil }
      _ = token(\.isMailWhitespace)
      guard let name = token(isWord), skip(UInt8(ascii: "=")), let value = token(isWord), index == bytes.count else {
        return nil
      }
      return ContentType(
        mediaType: mediaType, parameters: [(lowercased(name), String(decoding: bytes[value], as: UTF8.self))])
    }
  }

  /// A parameter's decoded value by its name in lower case, such as `charset`; of duplicates the first.
  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Whether parts are inside.
  public var isMultipart: Bool { type == "multipart" }
}

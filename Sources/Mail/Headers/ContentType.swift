/// The media type of a part (RFC 2045 §5).
public struct ContentType: Sendable {
  /// The type and subtype in lower case, such as `text/plain`.
  public let mediaType: String
  private let parameters: [(name: String, value: String)]
  /// Whether the field named a type and a subtype.
  let isValid: Bool

  /// What a part without a usable `Content-Type` is.
  static let plainText = ContentType(mediaType: "text/plain")

  init(mediaType: String, parameters: [(name: String, value: String)] = []) {
    self.mediaType = mediaType
    self.parameters = parameters
    isValid = true
  }

  /// Reads a field's value; where it names no type and subtype, the type is `text/plain`, the parameters stay.
  init(parsing bytes: ArraySlice<UInt8>) {
    let parsed = ParameterizedValue(parsing: bytes)
    let pieces = parsed.value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let type = pieces.first?.trimmingASCIIWhitespace.lowercased() ?? ""
    let subtype = pieces.count == 2 ? pieces[1].trimmingASCIIWhitespace.lowercased() : ""
    let word = subtype.prefix { !$0.isWhitespace && $0 != "," }
    parameters = parsed.parameters
    // A bare `Content-Type: text` is from before MIME.
    let isPair = !type.isEmpty && !word.isEmpty && type.utf8.allSatisfy(\.isToken)
    mediaType = isPair ? "\(type)/\(word)" : "text/plain"
    isValid = isPair || type == "text"
  }

  /// A parameter's decoded value by its name in lower case, such as `charset`; of duplicates the first.
  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The type before the slash, such as `text`.
  public var type: String { String(mediaType.prefix { $0 != "/" }) }
  /// The subtype after the slash, such as `plain`.
  public var subtype: String { String(mediaType.drop { $0 != "/" }.dropFirst()) }
  /// Whether parts are inside.
  public var isMultipart: Bool { type == "multipart" }
}

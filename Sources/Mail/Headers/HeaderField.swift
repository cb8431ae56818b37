/// One header field as it stands in a message.
public struct HeaderField: Sendable {
  /// The name as written, without the colon.
  public let name: String
  /// The bytes after the colon up to the field's last line end: folds and encoded words as they came.
  public let rawValue: ArraySlice<UInt8>
  /// The name in lower case, which is what names are compared by.
  let key: String

  init(name: String, rawValue: ArraySlice<UInt8>) {
    self.name = name
    self.rawValue = rawValue
    key = name.lowercased()
  }

  /// The value as text: unfolded, encoded words decoded (RFC 2047), bytes outside ASCII read as UTF-8 (RFC 6532) or else
  /// as windows-1252. A fold and the white space around it become one space.
  public var text: String { EncodedWord.decodeUnstructured(rawValue) }

  /// The value as a list of addresses, groups flattened.
  public var addresses: [Address] { Address.parseList(rawValue) }

  /// The value as message identifiers, without their angle brackets.
  public var messageIDs: [String] { MessageID.parseList(rawValue) }

  /// The value as a date, or `nil` where it is none.
  public var date: MessageDate? { MessageDate(parsing: EncodedWord.decodeUnstructured(rawValue)) }
}

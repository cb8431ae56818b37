/// One header field as it is in a message.
public struct HeaderField: Sendable {
  /// The name as written, without the colon.
  public var name: String { String(decoding: nameBytes, as: UTF8.self) }
  /// The bytes after the colon up to the field's last line end: folds and encoded words as they came.
  public let rawValue: ArraySlice<UInt8>
  private let nameBytes: ArraySlice<UInt8>
  /// ``key(of:)`` of the name.
  let nameKey: UInt32

  init(name: ArraySlice<UInt8>, rawValue: ArraySlice<UInt8>) {
    nameBytes = name
    nameKey = name.withUnsafeBufferPointer { HeaderField.key(of: $0) }
    self.rawValue = rawValue
  }

  /// A number for a name (FNV-1a), the same whatever its case: names with different numbers differ.
  static func key(of name: some Sequence<UInt8>) -> UInt32 {
    var key: UInt32 = 2_166_136_261
    for byte in name { key = (key ^ UInt32(byte.lowercasedASCII)) &* 16_777_619 }
    return key
  }

  /// Whether the field has a name; case does not matter.
  func isNamed(_ name: String) -> Bool {
    guard name.utf8.count == nameBytes.count else { return false }
    return nameBytes.withUnsafeBufferPointer { own in
      var index = 0
      for byte in name.utf8 {
        if own[index].lowercasedASCII != byte.lowercasedASCII { return false }
        index += 1
      }
      return true
    }
  }

  /// The value as text: unfolded, encoded words decoded (RFC 2047), bytes outside ASCII read as UTF-8 (RFC 6532) or else
  /// as windows-1252. A fold and the white space around it become one space.
  public var text: String { EncodedWord.decodeUnstructured(rawValue) }

  /// The value as a list of addresses, groups flattened, international domains in Unicode; see ``DomainName``.
  public var addresses: [Address] { Address.parseList(rawValue).map(\.withUnicodeDomain) }

  /// The value as message identifiers, without their angle brackets.
  public var messageIDs: [String] { MessageID.parseList(rawValue) }

  /// The value as a date, or `nil` if it is none.
  public var date: MessageDate? { MessageDate(parsing: EncodedWord.decodeUnstructured(rawValue)) }
}

/// The header fields of a message or a part, in their order and with their duplicates.
public struct Headers: Sendable {
  /// The fields from top to bottom.
  public let fields: [HeaderField]

  /// A bit for the key of each name, so that most names that do not occur are known at once.
  private let nameBits: UInt64

  init(fields: [HeaderField]) {
    self.fields = fields
    nameBits = fields.reduce(0) { $0 | Headers.bit(of: $1.nameKey) }
  }

  private static func bit(of key: UInt32) -> UInt64 { 1 << UInt64((key ^ key >> 16) & 63) }

  /// The decoded text of the first field with a name; case does not matter.
  public subscript(name: String) -> String? { first(name)?.text }

  /// The first field with a name; case does not matter.
  public func first(_ name: String) -> HeaderField? { position(of: name).map { fields[$0] } }

  /// Every field with a name, from top to bottom; case does not matter.
  public func all(_ name: String) -> [HeaderField] {
    guard let first = position(of: name) else { return [] }
    let key = fields[first].nameKey
    return fields[first...].filter { $0.nameKey == key && $0.isNamed(name) }
  }

  /// Whether there is a field with a name; case does not matter.
  public func contains(_ name: String) -> Bool { position(of: name) != nil }

  private func position(of name: String) -> Int? {
    let key = HeaderField.key(of: name.utf8)
    guard nameBits & Headers.bit(of: key) != 0 else { return nil }
    for index in fields.indices where fields[index].nameKey == key && fields[index].isNamed(name) { return index }
    return nil
  }
}

extension Headers: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { fields.startIndex }
  /// The number of fields.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> HeaderField { fields[position] }
}

/// The header fields of a message or a part, in their order and with their duplicates.
public struct Headers: Sendable {
  /// The fields from top to bottom.
  public let fields: [HeaderField]

  init(fields: [HeaderField]) { self.fields = fields }

  /// The decoded text of the first field with a name; case does not matter.
  public subscript(name: String) -> String? { first(name)?.text }

  /// The first field with a name; case does not matter.
  public func first(_ name: String) -> HeaderField? {
    for index in fields.indices where fields[index].isNamed(name) { return fields[index] }
    return nil
  }

  /// Every field with a name, from top to bottom; case does not matter.
  public func all(_ name: String) -> [HeaderField] {
    fields.filter { $0.isNamed(name) }
  }

  /// Whether there is a field with a name; case does not matter.
  public func contains(_ name: String) -> Bool { fields.indices.contains { fields[$0].isNamed(name) } }
}

extension Headers: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { fields.startIndex }
  /// The number of fields.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> HeaderField { fields[position] }
}

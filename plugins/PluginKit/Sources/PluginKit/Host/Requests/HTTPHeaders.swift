/// Header fields in their order; names compare without regard to case, RFC 9110 section 5.
///
/// ```swift
/// var headers: HTTPHeaders = ["accept": "application/json"]
/// headers["Authorization"] = "Bearer \(key)"
/// ```
public struct HTTPHeaders: Sendable {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as it was given.
    public var name: String
    /// The value, without surrounding white space.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in order.
  public private(set) var fields: [Field]

  /// Creates headers without fields.
  public init() { fields = [] }

  /// Creates headers with the fields given, in that order.
  public init(_ fields: [Field]) { self.fields = fields }

  /// The first value of a name; setting it replaces every field of that name, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.isSame($0.name, name) }?.value }
    set {
      let place = fields.firstIndex { HTTPHeaders.isSame($0.name, name) }
      fields.removeAll { HTTPHeaders.isSame($0.name, name) }
      guard let newValue else { return }
      fields.insert(Field(name: name, value: newValue), at: min(place ?? fields.count, fields.count))
    }
  }

  /// Every value of a name, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { HTTPHeaders.isSame($0.name, name) }.map(\.value)
  }

  /// Adds a field behind the others, whether or not one of that name is there.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { lowered($0) == lowered($1) }
  }

  fileprivate static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension HTTPHeaders: Hashable {
  /// Two are equal when they hold the same fields in the same order; case of names does not matter.
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.fields.elementsEqual(right.fields) { isSame($0.name, $1.name) && $0.value == $1.value }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    for field in fields { hasher.combine(field.value) }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// Creates headers with the fields given, in that order.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0, value: $1) }
  }

  /// The names without the values, which may be secret.
  public var description: String { fields.map(\.name).joined(separator: ", ") }
}

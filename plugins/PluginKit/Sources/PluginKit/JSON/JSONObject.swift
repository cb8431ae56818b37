/// The members of a JSON object, in their order.
///
/// Works as a dictionary does. The order is the one in which the members were read or set: services and models are shown
/// schemas and examples as their author wrote them. Two objects with the same members are equal, whatever their order.
public struct JSONObject: Sendable {
  private(set) var members = OrderedMembers<JSONValue>()

  /// Creates an empty object.
  public init() {}

  init(_ members: OrderedMembers<JSONValue>) { self.members = members }

  /// Creates an object from members; of equal names the last counts, in the place of the first.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    for (name, value) in members { self[name] = value }
  }

  /// Makes room for members, so that adding them moves none.
  public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// The value with a name. A new one is put at the end; `nil` takes it out.
  public subscript(name: String) -> JSONValue? {
    get { members[name] }
    set { members[name] = newValue }
  }

  /// The value with a name, or another one if the object lacks it.
  public subscript(name: String, default other: @autoclosure () -> JSONValue) -> JSONValue {
    get { members[name] ?? other() }
    set { self[name] = newValue }
  }

  /// The names, in their order.
  public var keys: [String] { members.members.map(\.name) }
  /// How many members there are.
  public var count: Int { members.members.count }
  /// Whether the object is empty.
  public var isEmpty: Bool { members.members.isEmpty }
  /// The values, in the order of their names.
  public var values: [JSONValue] { members.members.map(\.value) }

  /// The object with other values below the same names.
  public func mapValues<Failure: Error>(_ transform: (JSONValue) throws(Failure) -> JSONValue) throws(Failure)
    -> JSONObject
  {
    var result = self
    for (name, value) in self { result[name] = try transform(value) }
    return result
  }

  /// Takes the members of another object; for names that both have, `combine` gets the value of this one and the other.
  public mutating func merge(_ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) -> JSONValue) {
    for (name, value) in other { self[name] = self[name].map { combine($0, value) } ?? value }
  }

  /// This object with the members of another.
  public func merging(
    _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) -> JSONValue
  ) -> JSONObject {
    var result = self
    result.merge(other, uniquingKeysWith: combine)
    return result
  }

  /// Takes a member out.
  @discardableResult
  public mutating func removeValue(forKey name: String) -> JSONValue? {
    let value = members[name]
    self[name] = nil
    return value
  }
}

extension JSONObject: Hashable {
  /// Whether the members are the same; their order does not matter.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }

  /// Hashes the members without their order.
  public func hash(into hasher: inout Hasher) {
    var combined = 0
    for (name, value) in self {
      var single = Hasher()
      single.combine(name)
      single.combine(value)
      combined ^= single.finalize()
    }
    hasher.combine(combined)
  }
}

extension JSONObject: Sequence {
  /// A name and its value.
  public typealias Element = (key: String, value: JSONValue)

  /// Goes through the members in their order.
  public struct Iterator: IteratorProtocol {
    fileprivate var base: IndexingIterator<[OrderedMembers<JSONValue>.Member]>

    /// The next member.
    public mutating func next() -> Element? { base.next().map { ($0.name, $0.value) } }
  }

  /// Begins with the first member.
  public func makeIterator() -> Iterator { Iterator(base: members.members.makeIterator()) }

  /// The number of members.
  public var underestimatedCount: Int { count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object; of equal names the last counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

extension JSONObject: Codable {
  /// Decodes an object of any members.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    for key in container.allKeys { self[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
  }

  /// Encodes the members in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    for (name, value) in self { try container.encode(value, forKey: JSONKey(stringValue: name)) }
  }
}

extension JSONObject: CustomStringConvertible {
  /// The object as JSON text.
  public var description: String { JSONValue.object(self).json }
}

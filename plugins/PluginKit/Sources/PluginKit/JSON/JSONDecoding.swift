#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes a JSON value into a Codable type, names in snake_case.
struct JSONDecoding: Decoder {
  let value: JSONValue
  let path: JSONPath
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<Result: Decodable>(_ type: Result.Type, from value: JSONValue) throws -> Result {
    try JSONDecoding(value: value, path: .root).decode(type)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch(Key.self, "object") }
    return KeyedDecodingContainer(Keyed(members: members, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self, "array") }
    return Unkeyed(elements: elements, path: path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let cause = TypeMismatch(expected: expected, found: value.typeName)
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(expected), found \(value.typeName)", underlyingError: cause)
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: description))
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    switch value {
    case .integer(let number):
      guard let result = Number(exactly: number) else { throw corrupted("\(number) is out of range") }
      return result
    case .number(let number):
      guard let result = Number(exactly: number) else { throw mismatch(type, "integer") }
      return result
    default:
      throw mismatch(type, "integer")
    }
  }

  private func floating() throws -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    default: throw mismatch(Double.self, "number")
    }
  }
}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let result) = value else { throw mismatch(type, "boolean") }
    return result
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let result) = value else { throw mismatch(type, "string") }
    return result
  }

  func decode(_ type: Double.Type) throws -> Double { try floating() }
  func decode(_ type: Float.Type) throws -> Float { Float(try floating()) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
    // The type is compared first, as a cast costs more.
    if type == String.self, case .string(let text) = value, let result = text as? Result { return result }
    if type == JSONValue.self, let result = value as? Result { return result }
    if type == JSONObject.self {
      guard case .object(let members) = value, let result = members as? Result else { throw mismatch(type, "object") }
      return result
    }
    if type == Date.self {
      let text = try decode(String.self)
      let parsed =
        (try? Date(text, strategy: Date.ISO8601FormatStyle()))
        ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      guard let result = parsed as? Result else { throw corrupted("expected a time as in RFC 3339") }
      return result
    }
    if type == Data.self {
      guard let result = Data(base64Encoded: try decode(String.self)) as? Result else {
        throw corrupted("expected Base64")
      }
      return result
    }
    if type == URL.self {
      guard let result = URL(string: try decode(String.self)) as? Result else { throw corrupted("expected a URL") }
      return result
    }
    return try Result(from: self)
  }
}

/// The expected and the actual type of a value.
struct TypeMismatch: Error {
  let expected: String
  let found: String
}

// The commonest types have functions of their own; the others decode themselves.
private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: JSONObject
  let path: JSONPath
  // Names of dictionaries are data and not converted; for types the name as it is declared comes second.
  let isVerbatim = JSONName.isVerbatim(Key.self)

  var codingPath: [any CodingKey] { path.keys }
  var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

  private func value(_ key: Key) -> JSONValue? {
    let name = key.stringValue
    if isVerbatim { return members[name] }
    return members[JSONName.snakeCase(name)] ?? members[name]
  }

  /// The name in JSON: the declared one only where that alone is there.
  private func name(_ key: Key) -> String {
    let (declared, snake) = (key.stringValue, JSONName.snakeCase(key.stringValue))
    return isVerbatim || (members[snake] == nil && members[declared] != nil) ? declared : snake
  }

  private func decoding(_ key: Key) throws -> JSONDecoding {
    guard let value = value(key) else {
      throw DecodingError.keyNotFound(
        JSONKey(stringValue: name(key)), DecodingError.Context(codingPath: codingPath, debugDescription: "missing"))
    }
    return JSONDecoding(value: value, path: .member(of: path, name: name(key)))
  }

  /// The value of a key that may be missing or null.
  private func decodingIfPresent(_ key: Key) throws -> JSONDecoding? {
    guard let value = value(key), !value.isNull else { return nil }
    return JSONDecoding(value: value, path: .member(of: path, name: name(key)))
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoding(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if case .bool(let result)? = value(key) { return result }
    return try decoding(key).decode(type)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if case .string(let result)? = value(key) { return result }
    return try decoding(key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if case .integer(let number)? = value(key), let result = Int(exactly: number) { return result }
    return try decoding(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if case .number(let result)? = value(key) { return result }
    return try decoding(key).decode(type)
  }
  func decode<Result: Decodable>(_ type: Result.Type, forKey key: Key) throws -> Result {
    try decoding(key).decode(type)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    if case .string(let result)? = value(key) { return result }
    return try decodingIfPresent(key)?.decode(type)
  }
  func decodeIfPresent<Result: Decodable>(_ type: Result.Type, forKey key: Key) throws -> Result? {
    try decodingIfPresent(key)?.decode(type)
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoding(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoding(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder {
    JSONDecoding(value: members["super"] ?? .null, path: path)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoding(key) }
}

private struct Unkeyed: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let path: JSONPath
  var currentIndex = 0

  var codingPath: [any CodingKey] { path.keys }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func current() throws -> JSONDecoding {
    let path = JSONPath.element(of: path, index: currentIndex)
    guard currentIndex < elements.count else {
      throw DecodingError.valueNotFound(
        Any.self, DecodingError.Context(codingPath: path.keys, debugDescription: "the list ends before"))
    }
    return JSONDecoding(value: elements[currentIndex], path: path)
  }

  private mutating func next<Result>(_ body: (JSONDecoding) throws -> Result) throws -> Result {
    let result = try body(try current())
    currentIndex += 1
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard try current().decodeNil() else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Result: Decodable>(_ type: Result.Type) throws -> Result { try next { try $0.decode(type) } }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A decoder without data: it notes what a type asks for, and answers with the emptiest value.
struct SchemaProbe: Decoder {
  let node: SchemaNode
  /// The types that this is a part of; one that holds itself would never end.
  let path: [ObjectIdentifier]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The type cannot be probed: it is recursive, or wants more than an empty value.
  struct Failure: Error {}

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if JSONName.isVerbatim(type) {
      let value = SchemaNode()
      node.shape = .map(value)
      return KeyedDecodingContainer(MapProbe(value: value, path: path))
    }
    node.shape = .object
    return KeyedDecodingContainer(ObjectProbe(node: node, path: path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let element = SchemaNode()
    node.shape = .list(element)
    return ListProbe(element: element, path: path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  private func note<Value>(_ type: String, _ value: Value) -> Value {
    node.shape = .scalar(type)
    return value
  }

  private func given<Value, Result>(_ json: String, _ value: Value, _ type: Result.Type) throws -> Result {
    node.shape = .given(JSONSchema(trusted: json))
    guard let result = value as? Result else { throw Failure() }
    return result
  }
}

extension SchemaProbe: SingleValueDecodingContainer {
  func decodeNil() -> Bool { false }
  func decode(_ type: Bool.Type) throws -> Bool { note("boolean", false) }
  func decode(_ type: String.Type) throws -> String { note("string", "") }
  func decode(_ type: Double.Type) throws -> Double { note("number", 0) }
  func decode(_ type: Float.Type) throws -> Float { note("number", 0) }
  func decode(_ type: Int.Type) throws -> Int { note("integer", 0) }
  func decode(_ type: Int8.Type) throws -> Int8 { note("integer", 0) }
  func decode(_ type: Int16.Type) throws -> Int16 { note("integer", 0) }
  func decode(_ type: Int32.Type) throws -> Int32 { note("integer", 0) }
  func decode(_ type: Int64.Type) throws -> Int64 { note("integer", 0) }
  func decode(_ type: UInt.Type) throws -> UInt { note("integer", 0) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { note("integer", 0) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { note("integer", 0) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { note("integer", 0) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { note("integer", 0) }

  func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
    guard !path.contains(ObjectIdentifier(type)) else { throw Failure() }
    // The generic form is what containers call, also for the types above.
    switch type {
    case is JSONValue.Type: return try given("{}", JSONValue.null, type)
    case is JSONObject.Type: return try given(JSONObject.jsonSchema.json, JSONObject(), type)
    case is Date.Type:
      return try given(#"{"type":"string","format":"date-time"}"#, Date(timeIntervalSince1970: 0), type)
    case is Data.Type: return try given(#"{"type":"string","contentEncoding":"base64"}"#, Data(), type)
    case is URL.Type:
      return try given(#"{"type":"string","format":"uri"}"#, URL(filePath: "/"), type)
    case is Blob.Type: return try given(Blob.jsonSchema.json, Blob(name: ""), type)
    default: break
    }
    if let values = type as? any CaseIterable.Type, let (json, first) = SchemaProbe.values(of: values) {
      return try given(json, first, type)
    }
    let result = try Result(from: SchemaProbe(node: node, path: path + [ObjectIdentifier(type)]))
    // A type without properties asks for nothing.
    if case .unknown = node.shape { node.shape = .object }
    if let provider = type as? any SchemaProviding.Type { node.shape = .given(provider.jsonSchema) }
    return result
  }

  /// An enumeration with raw values: its schema, and its first case.
  private static func values<Values: CaseIterable>(of type: Values.Type) -> (json: String, first: Any)? {
    guard let first = type.allCases.first, first is any RawRepresentable else { return nil }
    let raw = type.allCases.compactMap { ($0 as? any RawRepresentable).map { $0.rawValue as Any } }
    if let strings = raw as? [String] {
      return (#"{"type":"string","enum":"# + JSONText.array(strings.map(JSONText.string)) + "}", first)
    }
    if let numbers = raw as? [Int] {
      return (#"{"type":"integer","enum":"# + JSONText.array(numbers.map(String.init)) + "}", first)
    }
    return nil
  }
}

private struct ObjectProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: SchemaNode
  let path: [ObjectIdentifier]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  private func property(_ key: Key, required isRequired: Bool = true) -> SchemaProbe {
    SchemaProbe(
      node: node.property(JSONName.snakeCase(key.stringValue), required: isRequired), path: path)
  }

  func contains(_ key: Key) -> Bool { true }

  // `decodeNil` comes before the value of an optional property in hand-written decoders.
  func decodeNil(forKey key: Key) throws -> Bool {
    _ = property(key, required: false)
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try property(key).decode(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let probe = property(key, required: false)
    // A value that cannot be made up is absent.
    do { _ = try probe.decode(type) } catch { probe.node.settle() }
    return nil
  }

  // The standard library has a form for each of its own types, which would otherwise not come here.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { scalar("boolean", key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { scalar("string", key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { scalar("number", key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { scalar("number", key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { scalar("integer", key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { scalar("integer", key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { scalar("integer", key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { scalar("integer", key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { scalar("integer", key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { scalar("integer", key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { scalar("integer", key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { scalar("integer", key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { scalar("integer", key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { scalar("integer", key) }

  private func scalar<Value>(_ type: String, _ key: Key) -> Value? {
    property(key, required: false).node.shape = .scalar(type)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try property(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try property(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { throw SchemaProbe.Failure() }
  func superDecoder(forKey key: Key) throws -> any Decoder { property(key) }
}

extension SchemaNode {
  /// Closes what was left half done: its shape is any of its sort.
  fileprivate func settle() {
    switch shape {
    case .object: shape = .open
    case .scalar, .given, .open, .unknown: break
    case .list(let element), .map(let element): element.shape = .unknown
    }
  }
}

/// A dictionary with one entry.
private struct MapProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let value: SchemaNode
  let path: [ObjectIdentifier]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { Key(stringValue: "0").map { [$0] } ?? [] }

  private var probe: SchemaProbe { SchemaProbe(node: value, path: path) }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try probe.decode(type) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try probe.container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try probe.unkeyedContainer() }
  func superDecoder() throws -> any Decoder { probe }
  func superDecoder(forKey key: Key) throws -> any Decoder { probe }
}

/// A list with one element.
private struct ListProbe: UnkeyedDecodingContainer {
  let element: SchemaNode
  let path: [ObjectIdentifier]
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(element: SchemaNode, path: [ObjectIdentifier]) {
    self.element = element
    self.path = path
  }

  private mutating func next() -> SchemaProbe {
    currentIndex += 1
    return SchemaProbe(node: element, path: path)
  }

  mutating func decodeNil() throws -> Bool { false }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { next() }
}

internal import JSONSyntax

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes a Codable value as JSON text: names in snake_case, in the order in which the type encodes them.
struct JSONEncoding: Encoder {
  fileprivate let node: Node
  fileprivate let path: JSONPath
  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The encoded form of a value: containers are nodes, all else is kept as it is until it is written.
  fileprivate enum Part {
    case value(JSONValue)
    /// More than a `JSONValue` holds.
    case unsigned(UInt64)
    case node(Node)

    func write(to buffer: inout JSONBuffer) throws {
      switch self {
      case .value(let value): try value.write(to: &buffer)
      case .unsigned(let number): buffer.append(number: number)
      case .node(let node): try node.write(to: &buffer)
      }
    }
  }

  /// A value under construction; containers of one value share it.
  fileprivate final class Node {
    enum Content {
      case undecided
      case single(Part)
      case array([Part])
      case object(OrderedMembers<Part>)
    }
    var content = Content.undecided
    let names: JSONNames

    init(names: JSONNames) { self.names = names }

    func write(to buffer: inout JSONBuffer) throws {
      switch content {
      case .undecided:
        buffer.append(UInt8(ascii: "{"))
        buffer.append(UInt8(ascii: "}"))
      case .single(let part): try part.write(to: &buffer)
      case .array(let elements):
        buffer.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
          if !isFirst { buffer.append(UInt8(ascii: ",")) }
          isFirst = false
          try element.write(to: &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
      case .object(let object):
        buffer.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
          if !isFirst { buffer.append(UInt8(ascii: ",")) }
          isFirst = false
          buffer.append(string: member.name)
          buffer.append(UInt8(ascii: ":"))
          try member.value.write(to: &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
      }
    }

    func set(_ name: String, to part: Part) {
      guard case .object(var members) = content else {
        content = .object(OrderedMembers([.init(name: name, value: part)]))
        return
      }
      // The members must have one owner while they change, or they are copied.
      content = .undecided
      members[name] = part
      content = .object(members)
    }

    func append(_ part: Part) {
      guard case .array(var elements) = content else {
        content = .array([part])
        return
      }
      content = .undecided
      elements.append(part)
      content = .array(elements)
    }
  }

  init(names: JSONNames = .snakeCase) {
    self.init(node: Node(names: names), path: .root)
  }

  fileprivate init(node: Node, path: JSONPath) {
    self.node = node
    self.path = path
  }

  static func encode(_ value: some Encodable, names: JSONNames) throws -> [UInt8] {
    var buffer = JSONBuffer()
    try part(of: value, names: names, at: .root).write(to: &buffer)
    return buffer.bytes
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .undecided = node.content { node.content = .object(OrderedMembers()) }
    return KeyedEncodingContainer(KeyedEncoding<Key>(node: node, path: path))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .undecided = node.content { node.content = .array([]) }
    return UnkeyedEncoding(node: node, path: path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The encoded form of a value.
  fileprivate static func part<Value: Encodable>(
    of value: Value, names: JSONNames, at path: @autoclosure () -> JSONPath
  ) throws -> Part {
    // The type is compared first, as a cast costs more.
    if Value.self == String.self, let value = value as? String { return .value(.string(value)) }
    if Value.self == JSONValue.self, let value = value as? JSONValue { return .value(value) }
    if Value.self == JSONObject.self, let value = value as? JSONObject { return .value(.object(value)) }
    if Value.self == Date.self, let value = value as? Date {
      let isWhole = value.timeIntervalSince1970 == value.timeIntervalSince1970.rounded(.down)
      return .value(.string(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole).format(value)))
    }
    if Value.self == Data.self, let value = value as? Data { return .value(.string(value.base64EncodedString())) }
    if Value.self == URL.self, let value = value as? URL { return .value(.string(value.absoluteString)) }
    let encoding = JSONEncoding(node: Node(names: names), path: path())
    try value.encode(to: encoding)
    return .node(encoding.node)
  }

  fileprivate static func part(of number: Double, at path: @autoclosure () -> JSONPath) throws -> Part {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, EncodingError.Context(codingPath: path().keys, debugDescription: "JSON has no \(number)"))
    }
    return .value(.number(number))
  }

  fileprivate static func part(of number: some FixedWidthInteger) -> Part {
    if let number = Int64(exactly: number) { return .value(.integer(number)) }
    return .unsigned(UInt64(clamping: number))
  }
}

extension JSONEncoding: SingleValueEncodingContainer {
  func encodeNil() throws { node.content = .single(.value(.null)) }
  func encode(_ value: Bool) throws { node.content = .single(.value(.bool(value))) }
  func encode(_ value: String) throws { node.content = .single(.value(.string(value))) }
  func encode(_ value: Double) throws { node.content = .single(try Self.part(of: value, at: path)) }
  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: Int8) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: Int16) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: Int32) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: Int64) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: UInt) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: UInt8) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: UInt16) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: UInt32) throws { node.content = .single(Self.part(of: value)) }
  func encode(_ value: UInt64) throws { node.content = .single(Self.part(of: value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.content = .single(try Self.part(of: value, names: node.names, at: path))
  }
}

// The commonest types have functions of their own; the others encode themselves.
private struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONEncoding.Node
  let path: JSONPath
  let isVerbatim: Bool

  var codingPath: [any CodingKey] { path.keys }

  init(node: JSONEncoding.Node, path: JSONPath) {
    self.node = node
    self.path = path
    isVerbatim = node.names == .asDeclared || JSONName.isVerbatim(Key.self)
  }

  private func set(_ key: Key, to part: JSONEncoding.Part) {
    let name = key.stringValue
    node.set(isVerbatim ? name : JSONName.snakeCase(name), to: part)
  }

  private func place(_ key: Key) -> JSONPath { .member(of: path, name: key.stringValue) }

  private func nested(_ key: Key) -> JSONEncoding {
    let encoding = JSONEncoding(node: JSONEncoding.Node(names: node.names), path: place(key))
    set(key, to: .node(encoding.node))
    return encoding
  }

  mutating func encodeNil(forKey key: Key) throws { set(key, to: .value(.null)) }
  mutating func encode(_ value: Bool, forKey key: Key) throws { set(key, to: .value(.bool(value))) }
  mutating func encode(_ value: String, forKey key: Key) throws { set(key, to: .value(.string(value))) }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    set(key, to: try JSONEncoding.part(of: value, at: place(key)))
  }
  mutating func encode(_ value: Int, forKey key: Key) throws { set(key, to: JSONEncoding.part(of: value)) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    set(key, to: try JSONEncoding.part(of: value, names: node.names, at: place(key)))
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder {
    let encoding = JSONEncoding(node: JSONEncoding.Node(names: node.names), path: path)
    node.set("super", to: .node(encoding.node))
    return encoding
  }
  mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

private struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let node: JSONEncoding.Node
  let path: JSONPath

  var codingPath: [any CodingKey] { path.keys }
  var count: Int { if case .array(let elements) = node.content { elements.count } else { 0 } }

  private var place: JSONPath { .element(of: path, index: count) }

  private func nested() -> JSONEncoding {
    let encoding = JSONEncoding(node: JSONEncoding.Node(names: node.names), path: place)
    node.append(.node(encoding.node))
    return encoding
  }

  mutating func encodeNil() throws { node.append(.value(.null)) }
  mutating func encode(_ value: Bool) throws { node.append(.value(.bool(value))) }
  mutating func encode(_ value: String) throws { node.append(.value(.string(value))) }
  mutating func encode(_ value: Double) throws { node.append(try JSONEncoding.part(of: value, at: place)) }
  mutating func encode(_ value: Int) throws { node.append(JSONEncoding.part(of: value)) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    node.append(try JSONEncoding.part(of: value, names: node.names, at: place))
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    nested().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { nested() }
}

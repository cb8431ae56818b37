#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Encodes a Codable value as JSON text: names in snake_case, in the order in which the type encodes them.
struct JSONEncoding: Encoder {
  fileprivate let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// A value under construction; containers of one value share it.
  fileprivate final class Node {
    enum Content {
      case undecided
      case finished(String)
      case array([Node])
      case object([(name: String, node: Node)])
    }
    var content = Content.undecided
    let names: JSONNames

    init(names: JSONNames) { self.names = names }

    func write(to text: inout String) {
      switch content {
      case .undecided: text += "{}"
      case .finished(let json): text += json
      case .array(let elements):
        text += "["
        for (index, element) in elements.enumerated() {
          if index > 0 { text += "," }
          element.write(to: &text)
        }
        text += "]"
      case .object(let members):
        text += "{"
        for (index, member) in members.enumerated() {
          if index > 0 { text += "," }
          text += JSONText.string(member.name)
          text += ":"
          member.node.write(to: &text)
        }
        text += "}"
      }
    }

    func member(_ name: String) -> Node {
      let node = Node(names: names)
      if case .object(var members) = content {
        content = .undecided
        members.removeAll { $0.name == name }
        members.append((name, node))
        content = .object(members)
      } else {
        content = .object([(name, node)])
      }
      return node
    }

    func element() -> Node {
      let node = Node(names: names)
      if case .array(var elements) = content {
        content = .undecided
        elements.append(node)
        content = .array(elements)
      } else {
        content = .array([node])
      }
      return node
    }
  }

  init(names: JSONNames = .snakeCase) {
    self.init(node: Node(names: names), codingPath: [])
  }

  fileprivate init(node: Node, codingPath: [any CodingKey]) {
    self.node = node
    self.codingPath = codingPath
  }

  static func encode(_ value: some Encodable, names: JSONNames) throws -> String {
    let encoding = JSONEncoding(names: names)
    try encoding.encode(value)
    var text = ""
    encoding.node.write(to: &text)
    return text
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .undecided = node.content { node.content = .object([]) }
    return KeyedEncodingContainer(KeyedEncoding<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .undecided = node.content { node.content = .array([]) }
    return UnkeyedEncoding(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONEncoding: SingleValueEncodingContainer {
  func encodeNil() throws { node.content = .finished("null") }
  func encode(_ value: Bool) throws { node.content = .finished(value ? "true" : "false") }
  func encode(_ value: String) throws { node.content = .finished(JSONText.string(value)) }
  func encode(_ value: Double) throws {
    guard let text = JSONText.number(value) else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no \(value)"))
    }
    node.content = .finished(text)
  }
  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: Int) throws { node.content = .finished(String(value)) }
  func encode(_ value: Int8) throws { node.content = .finished(String(value)) }
  func encode(_ value: Int16) throws { node.content = .finished(String(value)) }
  func encode(_ value: Int32) throws { node.content = .finished(String(value)) }
  func encode(_ value: Int64) throws { node.content = .finished(String(value)) }
  func encode(_ value: UInt) throws { node.content = .finished(String(value)) }
  func encode(_ value: UInt8) throws { node.content = .finished(String(value)) }
  func encode(_ value: UInt16) throws { node.content = .finished(String(value)) }
  func encode(_ value: UInt32) throws { node.content = .finished(String(value)) }
  func encode(_ value: UInt64) throws { node.content = .finished(String(value)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if Value.self == JSONValue.self, let value = value as? JSONValue {
      node.content = .finished(try value.text)
    } else if Value.self == JSONObject.self, let value = value as? JSONObject {
      node.content = .finished(try JSONValue.object(value).text)
    } else if Value.self == Date.self, let value = value as? Date {
      let isWhole = value.timeIntervalSince1970 == value.timeIntervalSince1970.rounded(.down)
      try encode(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole).format(value))
    } else if Value.self == Data.self, let value = value as? Data {
      try encode(value.base64EncodedString())
    } else if Value.self == URL.self, let value = value as? URL {
      try encode(value.absoluteString)
    } else {
      try value.encode(to: self)
    }
  }
}

private struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONEncoding.Node
  let codingPath: [any CodingKey]

  private func encoding(_ key: Key) -> JSONEncoding {
    let isVerbatim = node.names == .asDeclared || JSONName.isVerbatim(Key.self)
    let name = isVerbatim ? key.stringValue : JSONName.snakeCase(key.stringValue)
    return JSONEncoding(node: node.member(name), codingPath: codingPath + [key])
  }

  mutating func encodeNil(forKey key: Key) throws { try encoding(key).encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoding(key).encode(value) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoding(key).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoding(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder {
    JSONEncoding(node: node.member("super"), codingPath: codingPath)
  }
  mutating func superEncoder(forKey key: Key) -> any Encoder { encoding(key) }
}

private struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let node: JSONEncoding.Node
  let codingPath: [any CodingKey]

  var count: Int { if case .array(let elements) = node.content { elements.count } else { 0 } }

  private func next() -> JSONEncoding {
    JSONEncoding(node: node.element(), codingPath: codingPath + [JSONKey(intValue: count)])
  }

  mutating func encodeNil() throws { try next().encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

extension JSONValue {
  /// The value as JSON text.
  fileprivate var text: String {
    get throws {
      switch self {
      case .null: "null"
      case .bool(let value): value ? "true" : "false"
      case .integer(let value): String(value)
      case .number(let value):
        if let text = JSONText.number(value) {
          text
        } else {
          throw EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: [], debugDescription: "JSON has no \(value)"))
        }
      case .string(let value): JSONText.string(value)
      case .array(let elements): JSONText.array(try elements.map { try $0.text })
      case .object(let members):
        JSONText.object(try members.map { ($0.key, try $0.value.text) })
      }
    }
  }
}

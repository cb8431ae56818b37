internal import Localization

extension Value {
  /// Reads a value in the protobuf JSON form of `cel.expr.Value`: `{"int64_value": "1"}`, bytes in base64.
  ///
  /// Timestamps and durations come as `object_value` with an `@type`. Field names in camel case are taken as well.
  ///
  /// - Throws: ``ExpressionError`` with the code `json` where the form is not kept.
  public init(protobufJSON json: Value) throws(ExpressionError) {
    self = try Self.decoded(json, depth: 0)
  }

  private static func decoded(_ json: Value, depth: Int) throws(ExpressionError) -> Value {
    guard depth < 200, case .map(let map) = json, map.count == 1, let entry = map.storage.first else {
      throw malformed(json)
    }
    let content = entry.value
    switch entry.key.text {
    case "null_value", "nullValue":
      return .null
    case "bool_value", "boolValue":
      if case .bool = content { return content }
    case "int64_value", "int64Value":
      if let number = content.intValue ?? content.stringValue.flatMap({ Int64($0) }) { return .int(number) }
    case "uint64_value", "uint64Value":
      if let number = content.stringValue.flatMap({ UInt64($0) }) ?? content.unsigned { return .uint(number) }
    case "double_value", "doubleValue":
      if let number = content.doubleValue { return .double(number) }
      if let number = content.stringValue.flatMap({ Double($0) }) { return .double(number) }
    case "string_value", "stringValue":
      if case .string = content { return content }
    case "bytes_value", "bytesValue":
      if let bytes = content.stringValue.flatMap({ Base64.decode($0) }) { return .bytes(bytes) }
    case "enum_value", "enumValue":
      if let number = content["value"]?.intValue { return .int(number) }
    case "list_value", "listValue":
      var elements: [Value] = []
      for element in content["values"]?.listValue ?? [] { elements.append(try decoded(element, depth: depth + 1)) }
      return .list(elements)
    case "map_value", "mapValue":
      return .map(try decodedMap(content, depth: depth))
    case "type_value", "typeValue":
      if let name = content.stringValue { return .type(ValueType(named: name) ?? .abstract(name, [])) }
    case "object_value", "objectValue":
      if let value = message(content) { return value }
    default:
      break
    }
    throw malformed(json)
  }

  private static func decodedMap(_ content: Value, depth: Int) throws(ExpressionError) -> ValueMap {
    var map = ValueMap()
    for entry in content["entries"]?.listValue ?? [] {
      guard let keyJSON = entry["key"], let valueJSON = entry["value"],
        let key = MapKey(try decoded(keyJSON, depth: depth + 1))
      else { throw malformed(entry) }
      map[key] = try decoded(valueJSON, depth: depth + 1)
    }
    return map
  }

  /// A well-known message in the JSON form of `google.protobuf.Any`.
  private static func message(_ content: Value) -> Value? {
    guard let type = content["@type"]?.stringValue else { return nil }
    let text = content["value"]?.stringValue
    switch type.split(separator: "/").last {
    case "google.protobuf.Timestamp":
      return text.flatMap { Timestamp(rfc3339: $0) }.map { .timestamp($0) }
    case "google.protobuf.Duration":
      return text.flatMap { TimeSpan($0) }.map { .duration($0) }
    default:
      return nil
    }
  }

  private var unsigned: UInt64? {
    switch self {
    case .int(let number): UInt64(exactly: number)
    case .uint(let number): number
    case .double(let number): UInt64(exactly: number)
    default: nil
    }
  }

  private static func malformed(_ json: Value) -> ExpressionError {
    let shown = String(json.jsonString.prefix(60))
    return ExpressionError(
      .json,
      LocalizedText(
        "not a value in protobuf JSON form: \(shown)", de: "kein Wert in der Protobuf-JSON-Form: \(shown)"))
  }

  /// The value in the protobuf JSON form of `cel.expr.Value`; see ``init(protobufJSON:)``.
  public var protobufJSON: Value {
    switch self {
    case .null: ["null_value": .null]
    case .bool: ["bool_value": self]
    case .int(let number): ["int64_value": .string(String(number))]
    case .uint(let number): ["uint64_value": .string(String(number))]
    case .double(let number): ["double_value": number.isFinite ? self : .string(number.text)]
    case .string: ["string_value": self]
    case .bytes(let bytes): ["bytes_value": .string(Base64.encode(bytes))]
    case .list(let elements):
      ["list_value": elements.isEmpty ? [:] : ["values": .list(elements.map(\.protobufJSON))]]
    case .map(let map):
      [
        "map_value": map.isEmpty
          ? [:]
          : [
            "entries": .list(
              map.storage.map { ["key": $0.key.value.protobufJSON, "value": $0.value.protobufJSON] })
          ]
      ]
    case .timestamp(let time):
      ["object_value": ["@type": "type.googleapis.com/google.protobuf.Timestamp", "value": .string(time.rfc3339)]]
    case .duration(let span):
      ["object_value": ["@type": "type.googleapis.com/google.protobuf.Duration", "value": .string(span.text)]]
    case .type(let type): ["type_value": .string(type.name)]
    case .optional(let wrapped): wrapped.map(\.protobufJSON) ?? ["null_value": .null]
    }
  }
}

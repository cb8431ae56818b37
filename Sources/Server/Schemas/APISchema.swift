import Engine
import Expressions
import Localization

/// Parts of JSON Schemas (2020-12) of the API.
enum APISchema {
  static let text: Value = ["type": "string"]
  static let flag: Value = ["type": "boolean"]
  static let count: Value = ["type": "integer", "minimum": 0]
  static let integer: Value = ["type": "integer"]
  static let number: Value = ["type": "number"]
  static let anything: Value = [:]
  static let map: Value = ["type": "object"]
  /// RFC 3339 in UTC.
  static let time: Value = ["type": "string", "format": "date-time"]

  /// A name of an object in a body.
  static let name: Value = ["type": "string", "minLength": 1, "maxLength": 300]

  /// A value or null.
  static func orNull(_ schema: Value) -> Value {
    if case .string(let type)? = schema["type"], case .map(var map) = schema {
      map["type"] = [.string(type), "null"]
      if case .list(let words)? = map["enum"] { map["enum"] = .list(words + [.null]) }
      return .map(map)
    }
    return ["anyOf": [schema, ["type": "null"]]]
  }

  /// One of some words.
  static func words(_ words: some Sequence<String>) -> Value {
    ["type": "string", "enum": .list(words.map { .string($0) })]
  }

  /// A list.
  static func list(_ items: Value) -> Value { ["type": "array", "items": items] }

  /// A schema of the document's components.
  static func named(_ name: String) -> Value { ["$ref": .string("#/components/schemas/" + name)] }

  /// A page of a list.
  static func page(_ items: Value) -> Value {
    object([("items", list(items)), ("next", orNull(text))])
  }

  /// An object that an operation answers: all fields are always there.
  static func object(_ fields: [(String, Value)]) -> Value {
    [
      "type": "object", "properties": .object(fields), "required": .list(fields.map { .string($0.0) }),
    ]
  }

  /// An object that an operation takes: unknown fields are refused.
  static func input(_ fields: [(String, Value)], required: [String] = []) -> Value {
    [
      "type": "object", "properties": .object(fields), "required": .list(required.map { .string($0) }),
      "additionalProperties": false,
    ]
  }
}

public import Expressions
package import Localization

/// The types of JSON Schema.
public enum SchemaType: String, Sendable, CaseIterable {
  /// A text.
  case string
  /// A number without a fraction.
  case integer
  /// Any number.
  case number
  /// True or false.
  case boolean
  /// A list.
  case array
  /// A map.
  case object
  /// The null value.
  case null

  /// What people call it, with its article.
  package var name: LocalizedText {
    switch self {
    case .string: LocalizedText("a string", de: "ein Text")
    case .integer: LocalizedText("an integer", de: "eine ganze Zahl")
    case .number: LocalizedText("a number", de: "eine Zahl")
    case .boolean: LocalizedText("true or false", de: "true oder false")
    case .array: LocalizedText("a list", de: "eine Liste")
    case .object: LocalizedText("a map", de: "eine Map")
    case .null: LocalizedText(verbatim: "null")
    }
  }

  /// Names joined with "or".
  package static func names(_ types: [SchemaType]) -> LocalizedText {
    LocalizedText(
      types.map(\.name.english).joined(separator: " or "), de: types.map(\.name.german).joined(separator: " oder "))
  }

  /// The type of a value; points in time, spans and bytes are written as texts.
  public init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .int, .uint: self = .integer
    case .double: self = .number
    case .string, .bytes, .timestamp, .duration, .type: self = .string
    case .list: self = .array
    case .map: self = .object
    case .optional(let wrapped): self = wrapped.map { SchemaType(of: $0) } ?? .null
    }
  }

  /// Whether a value belongs to the type; `1.0` is an integer, as JSON Schema has it.
  package func contains(_ value: Value) -> Bool {
    let type = SchemaType(of: value)
    if type == self { return true }
    switch (self, value) {
    case (.number, .int), (.number, .uint): return true
    case (.integer, .double(let number)): return number.isFinite && number == number.rounded()
    default: return false
    }
  }

  /// Whether a value of which only the type is known can belong to the type.
  func canContain(_ type: ValueType) -> Bool {
    switch type {
    case .dynamic, .parameter, .optional, .abstract: true
    case .null: self == .null
    case .bool: self == .boolean
    case .int, .uint: self == .integer || self == .number
    case .double: self == .number || self == .integer
    case .string, .bytes, .timestamp, .duration, .type: self == .string
    case .list: self == .array
    case .map, .object: self == .object
    }
  }
}

import PluginKit

/// The part of a JSON Schema for one value that filling it in needs.
struct ExpectedValue {
  /// A type of JSON Schema other than null.
  enum Kind: String {
    case string, boolean, integer, number, array, object
  }

  /// The schema itself, or the branch of it that is used.
  let schema: JSONValue
  /// The type, or nil where any will do.
  let type: Kind?
  /// Whether null is allowed.
  let isNullable: Bool

  /// Reads a schema; of `anyOf` and `oneOf` the first branch that is not null counts.
  init(_ schema: JSONValue) {
    var schema = schema
    var nullable = false
    if let branches = schema["anyOf"]?.array ?? schema["oneOf"]?.array {
      let others = branches.filter { $0["type"]?.string != "null" }
      nullable = others.count < branches.count
      if let first = others.first { schema = first }
    }
    let names = schema["type"]?.array?.compactMap(\.string) ?? schema["type"]?.string.map { [$0] } ?? []
    isNullable = nullable || names.contains("null") || schema["enum"]?.array?.contains(.null) == true
    if let named = names.lazy.compactMap(Kind.init).first {
      type = named
    } else if schema["properties"] != nil {
      type = .object
    } else {
      type = schema["items"] != nil ? .array : nil
    }
    self.schema = schema
  }

  /// The only value allowed.
  var constant: JSONValue? { schema["const"] }

  /// The values allowed, null left out; nil where any may be.
  var choices: [JSONValue]? { schema["enum"]?.array?.filter { $0 != .null } }

  /// The schema's own default.
  var fallback: JSONValue? { schema["default"] }

  /// Whether an object has properties of its own to fill.
  var hasProperties: Bool { schema["properties"] != nil }

  /// Whether the elements of a list may be strings.
  var elementsAreStrings: Bool {
    guard let items = schema["items"] else { return true }
    let element = ExpectedValue.shallow(items)
    return element == nil || element == "string"
  }

  /// The most elements a list may have.
  var maximumCount: Int? { schema["maxItems"]?.integer.map { Int(clamping: max(0, $0)) } }

  /// A text cut to the schema's `maxLength`.
  func fitted(_ text: String) -> String {
    guard let longest = schema["maxLength"]?.integer else { return text }
    return text.shortened(to: Int(clamping: max(1, longest)))
  }

  /// The value that says nothing.
  var emptyValue: JSONValue {
    switch type {
    case .string: .string("")
    case .boolean: .bool(false)
    case .integer, .number: schema["minimum"].flatMap { $0 > 0 ? $0 : nil } ?? .integer(0)
    case .array: .array([])
    case .object: .object([:])
    case nil: .null
    }
  }

  private static func shallow(_ schema: JSONValue) -> String? {
    schema["type"]?.string ?? schema["type"]?.array?.lazy.compactMap(\.string).first { $0 != "null" }
  }
}

extension JSONValue {
  /// Whether this is a number above an integer.
  fileprivate static func > (value: JSONValue, bound: Int) -> Bool {
    switch value {
    case .integer(let number): number > Int64(bound)
    case .number(let number): number > Double(bound)
    default: false
    }
  }
}

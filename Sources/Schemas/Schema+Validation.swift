public import Expressions

extension Schema {
  /// Compares a value with the schema.
  ///
  /// Supported are `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `const`, the bounds of
  /// numbers, lengths and lists, `pattern`, `uniqueItems`, `format` (those of ``SchemaFormat``),
  /// `anyOf`, `oneOf`, `allOf` and `$ref` into the schema's own document. Other keywords are ignored.
  ///
  /// - Returns: Every point at which they differ, at most 100; empty where the value satisfies the schema.
  public func validate(_ value: Value) -> [SchemaViolation] {
    var validator = SchemaValidator()
    validator.validate(value, against: view)
    return validator.violations
  }

  /// Compares a tree in which ``Value/type(_:)`` stands for what an expression will make.
  package func validate(shape: Value) -> [SchemaViolation] {
    var validator = SchemaValidator(knowsTypes: true)
    validator.validate(shape, against: view)
    return validator.violations
  }

  /// Adds what is missing in a value and has a `default`, at every level.
  ///
  /// - Returns: The value with defaults filled in; a default itself is taken as it stands.
  public func fillingDefaults(_ value: Value) -> Value {
    Self.filling(value, view, depth: 0)
  }

  private static func filling(_ value: Value, _ schema: SchemaView, depth: Int) -> Value {
    guard depth < SchemaValidator.depth else { return value }
    var result = value
    if let reference = schema.reference { result = filling(result, reference, depth: depth + 1) }
    for part in schema.subschemas("allOf") ?? [] { result = filling(result, part, depth: depth + 1) }
    switch result {
    case .map(var map):
      for (name, property) in schema.properties {
        if let present = map[name] {
          map[name] = filling(present, property, depth: depth + 1)
        } else if let missing = property["default"] ?? property.reference?["default"] {
          map[name] = missing
        }
      }
      return .map(map)
    case .list(let elements):
      guard let items = schema.subschema("items") else { return result }
      return .list(elements.map { filling($0, items, depth: depth + 1) })
    default: return result
    }
  }
}

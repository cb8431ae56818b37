public import Expressions

extension ValueType {
  /// A JSON Schema that each value of the type satisfies, null among them: an absent output is null. It names the type alone, not
  /// the parts of lists and maps, and is empty for types that are not known before evaluation.
  public var outerSchema: Value {
    let type: Value? =
      switch self {
      case .bool: "boolean"
      case .int, .uint: "integer"
      case .double: "number"
      case .string: "string"
      case .list: "array"
      case .map, .object: "object"
      default: nil
      }
    return type.map { ["type": [$0, "null"]] } ?? [:]
  }
}

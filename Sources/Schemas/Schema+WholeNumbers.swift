public import Expressions

extension Schema {
  /// A value of the schema in which `42.0` is an integer wherever the schema asks for one.
  ///
  /// JSON Schema takes both for integers; in expressions only the second can be counted with.
  public func withWholeNumbers(_ value: Value) -> Value { Self.whole(value, document, depth: 0) }

  /// Schemas that are nested deeper leave what is below as it is.
  private static let maximumDepth = 64

  private static func whole(_ value: Value, _ schema: Value, depth: Int) -> Value {
    guard depth < maximumDepth, case .map = schema else { return value }
    var value = value
    for keyword in ["allOf", "anyOf", "oneOf"] {
      for inner in schema[keyword]?.listValue ?? [] { value = whole(value, inner, depth: depth + 1) }
    }
    switch value {
    case .double(let number):
      let types = schema["type"].map { $0.listValue ?? [$0] } ?? []
      guard types.contains("integer"), !types.contains("number"), let integer = Int64(exactly: number) else {
        return value
      }
      return .int(integer)
    case .list(let elements):
      guard let items = schema["items"] else { return value }
      return .list(elements.map { whole($0, items, depth: depth + 1) })
    case .map(var map):
      for entry in map.entries {
        guard case .string(let name) = entry.key,
          let inner = schema["properties"]?[name] ?? schema["additionalProperties"]
        else { continue }
        map[name] = whole(entry.value, inner, depth: depth + 1)
      }
      return .map(map)
    default: return value
    }
  }
}

public import PluginKit

/// The schema of an answer, as services take it.
public struct AnswerSchema: Sendable {
  let schema: JSONValue

  /// Takes a JSON Schema of an object.
  public init(schema: JSONValue) { self.schema = schema }

  /// The schema as instructions, for services that have no field for it. They name JSON, as `json_object` demands.
  public var words: String {
    "Answer with one JSON object and nothing else: no Markdown, no explanation. It has to suit this JSON Schema:\n"
      + schema.json
  }

  /// The schema as strict structured output takes it, and whether it is strict.
  ///
  /// Strict means that every object names all its properties as required and allows no others. Objects that leave open
  /// whether they allow others are closed, which only narrows what the model may answer; a schema with optional
  /// properties cannot be strict and is passed on as it is.
  public var strict: (schema: JSONValue, isStrict: Bool) {
    var isStrict = true
    let closed = Self.closed(schema, depth: 0, &isStrict)
    return isStrict ? (closed, true) : (schema, false)
  }

  /// Keywords that strict output does not know, besides those that ``closed(_:depth:_:)`` judges.
  private static let loose: Set<String> = [
    "allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
    "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties", "contains", "prefixItems",
    "uniqueItems",
    "minLength", "maxLength", "default",
  ]

  private static func closed(_ schema: JSONValue, depth: Int, _ isStrict: inout Bool) -> JSONValue {
    guard case .object(var members) = schema, depth < 10 else {
      isStrict = false
      return schema
    }
    if members.keys.contains(where: loose.contains) { isStrict = false }
    let isObject = members["type"] == "object" || members["properties"] != nil
    if depth == 0, !isObject || members["anyOf"] != nil { isStrict = false }
    if isObject {
      guard case .object(let properties) = members["properties"] ?? [:] else {
        isStrict = false
        return schema
      }
      let required = Set((members["required"]?.array ?? []).compactMap(\.string))
      if required != Set(properties.keys) { isStrict = false }
      if let others = members["additionalProperties"], others != false { isStrict = false }
      members["type"] = members["type"] ?? "object"
      members["additionalProperties"] = false
      members["properties"] = .object(properties.mapValues { closed($0, depth: depth + 1, &isStrict) })
    }
    if let items = members["items"] { members["items"] = closed(items, depth: depth + 1, &isStrict) }
    if case .array(let choices)? = members["anyOf"] {
      members["anyOf"] = .array(choices.map { closed($0, depth: depth + 1, &isStrict) })
    }
    if case .object(let definitions)? = members["$defs"] {
      members["$defs"] = .object(definitions.mapValues { closed($0, depth: depth + 1, &isStrict) })
    }
    return .object(members)
  }
}

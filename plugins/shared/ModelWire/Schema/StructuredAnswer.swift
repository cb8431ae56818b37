public import PluginKit

/// An answer that is to be JSON of a given shape: reads it and checks it on this side, since not every model keeps to it.
public struct StructuredAnswer: Sendable {
  let schema: JSONValue

  /// Creates a reader.
  ///
  /// - Parameter schema: JSON Schema of an object.
  public init(schema: JSONValue) { self.schema = schema }

  /// The properties of the answer.
  ///
  /// - Throws: `server` with what is wrong where the answer is no JSON or does not suit the schema, since the next answer
  ///   may; `parse` where a repetition cannot help: the model refused, the answer was cut, or the schema is not that of an
  ///   object.
  func read(_ text: String, finishReason: String, refusal: String) throws(ActionError) -> JSONObject {
    guard refusal.isEmpty else {
      throw ActionError(
        .parse, "The model would not answer: \(ServiceFailure.shortened(refusal))",
        german: "Das Modell wollte nicht antworten: \(ServiceFailure.shortened(refusal))")
    }
    let value: JSONValue
    do throws(ActionError) {
      value = try JSONValue(json: Array(Self.withoutFence(text).utf8))
    } catch {
      if finishReason == "length" {
        throw ActionError(
          .parse, "The answer was cut before it was complete, so it is no JSON.",
          german: "Die Antwort wurde abgeschnitten, bevor sie vollständig war, und ist so kein JSON.",
          advice: "Allow more with 'max_tokens', or ask for less.",
          adviceGerman: "Mit „max_tokens“ mehr erlauben oder weniger verlangen.")
      }
      throw Self.unfit(
        "The answer is no JSON, but 'schema' asks for it: \(error.message)",
        "Die Antwort ist kein JSON, aber „schema“ verlangt es: \(error.messageGerman ?? error.message)")
    }
    let problems = SchemaCheck(schema).problems(of: value)
    guard problems.isEmpty else {
      throw Self.unfit(
        "The answer does not suit 'schema': " + problems.map(\.english).joined(separator: "; "),
        "Die Antwort passt nicht zu „schema“: " + problems.map(\.german).joined(separator: "; "))
    }
    guard case .object(let members) = value else {
      throw ActionError(
        .parse, "The answer is no JSON object, so it has no properties to become outputs.",
        german: "Die Antwort ist kein JSON-Objekt und hat deshalb keine Eigenschaften, die Ausgaben werden könnten.",
        advice: "Give 'schema' the type object.", adviceGerman: "„schema“ den Typ object geben.")
    }
    return members
  }

  private static func unfit(_ english: String, _ german: String) -> ActionError {
    ActionError(
      .unsuitable, english, german: german,
      advice: "Say in the prompt what is wanted, or use a model that keeps to schemas.",
      adviceGerman: "Im Prompt sagen, was gewünscht ist, oder ein Modell nehmen, das Schemas "
        + "einhält.")
  }

  /// What stands in a Markdown fence, where the answer is one: models like to write ```` ```json ````. Thoughts in front
  /// of it, `<think>…</think>`, are passed over.
  static func withoutFence(_ text: String) -> String {
    var text = text[...]
    let start = text.drop(while: \.isWhitespace)
    if start.hasPrefix("<think>"), let end = start.firstRange(of: "</think>") { text = start[end.upperBound...] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
    guard let first = lines.firstIndex(where: { !isBlank($0) }), let last = lines.lastIndex(where: { !isBlank($0) }),
      first < last, lines[first].hasPrefix("```"), lines[last].hasPrefix("```")
    else { return String(text) }
    return lines[(first + 1)..<last].joined(separator: "\n")
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

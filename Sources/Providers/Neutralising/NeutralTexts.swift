import Expressions
import Neutralisation

/// The texts of an input, taken out in order and put back in the same.
struct NeutralTexts {
  /// Keys whose texts name things of the protocol and no people: models, roles, tools, types.
  private static let names: Set<String> = [
    "model", "task", "tool_choice", "role", "tool_call_id", "id", "name", "type",
  ]
  /// The keys of a JSON Schema with texts that a model reads.
  private static let schemaTexts: Set<String> = [
    "description", "title", "default", "const", "enum", "examples", "$comment",
  ]
  /// From so many on a number may be one that names a person or an account.
  private static let largeNumber: Int64 = 1_000_000

  private let input: Value
  /// The texts, in order.
  private(set) var collected: [String] = []
  private var replacements: [String]?
  private var next = 0

  init(_ input: Value) {
    self.input = input
    var walk = self
    _ = walk.visit(input, .text)
    collected = walk.collected
  }

  /// The input with other texts.
  mutating func replaced(by texts: [String]) -> Value {
    replacements = texts
    next = 0
    return visit(input, .text)
  }

  private enum Place {
    case text
    /// Within a JSON Schema, where keys are names of properties or of the language.
    case schema
    case properties
    /// Within arguments of a tool, where every text may be somebody's.
    case arguments
  }

  private mutating func visit(_ value: Value, _ place: Place) -> Value {
    switch value {
    case .string(let text): .string(exchange(text))
    case .int(let number) where number.magnitude >= UInt64(Self.largeNumber): exchange(number: value)
    case .uint(let number) where number >= UInt64(Self.largeNumber): exchange(number: value)
    case .list(let elements): .list(visit(elements, place))
    case .map(let map): .map(visit(map, place))
    default: value
    }
  }

  private mutating func visit(_ elements: [Value], _ place: Place) -> [Value] {
    var output: [Value] = []
    for element in elements { output.append(visit(element, place)) }
    return output
  }

  private mutating func visit(_ map: ValueMap, _ place: Place) -> ValueMap {
    var output = ValueMap()
    for (key, value) in map.entries {
      let name = key.text
      switch place {
      case .arguments: output[key] = visit(value, .arguments)
      case .text where name == "arguments": output[key] = visit(value, .arguments)
      case .text where Self.names.contains(name) && value.stringValue != nil: output[key] = value
      case .text where name == "schema" || name == "parameters": output[key] = visit(value, .schema)
      case .text: output[key] = visit(value, .text)
      case .properties: output[key] = visit(value, .schema)
      case .schema where Self.schemaTexts.contains(name): output[key] = visit(value, .text)
      case .schema where name == "properties" || name == "$defs": output[key] = visit(value, .properties)
      case .schema:
        if case .map = value {
          output[key] = visit(value, .schema)
        } else if case .list(let list) = value {
          output[key] = .list(
            list.map { element in
              if case .map = element { return visit(element, .schema) }
              return element
            })
        } else {
          output[key] = value
        }
      }
    }
    return output
  }

  private mutating func exchange(_ text: String) -> String {
    defer { next += 1 }
    guard let replacements else {
      collected.append(text)
      return text
    }
    return replacements.indices.contains(next) ? replacements[next] : text
  }

  /// A number stays one unless it names somebody.
  private mutating func exchange(number: Value) -> Value {
    let text = number.jsonString
    let exchanged = exchange(text)
    return exchanged == text ? number : .string(exchanged)
  }

  /// An output with its originals, and the placeholders that no original is known for, each once.
  static func resolved(_ value: Value, _ mapping: PlaceholderMapping) -> (value: Value, unknown: [String]) {
    var unknown: [String] = []
    return (resolved(value, mapping, &unknown), unknown)
  }

  private static func resolved(_ value: Value, _ mapping: PlaceholderMapping, _ unknown: inout [String]) -> Value {
    switch value {
    case .string(let text):
      let resolved = mapping.resolve(text)
      for placeholder in resolved.unknown where !unknown.contains(placeholder) { unknown.append(placeholder) }
      return .string(resolved.text)
    case .list(let elements): return .list(elements.map { resolved($0, mapping, &unknown) })
    case .map(let map):
      return .map(ValueMap(map.entries.map { (key: $0.key, value: resolved($0.value, mapping, &unknown)) }))
    default: return value
    }
  }
}

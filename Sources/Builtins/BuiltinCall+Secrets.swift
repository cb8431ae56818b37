import Engine
import Expressions
import Localization
import OperatingSystem
import Plans

extension BuiltinCall {
  /// The schema of a text that may be a secret.
  static let secretText: Value = [
    "anyOf": [
      ["type": "string"],
      [
        "type": "object", "required": ["secret"], "additionalProperties": false,
        "properties": ["secret": ["description": "The name of the secret."]],
      ],
    ]
  ]

  /// The input with its secrets, and their values, which must not come back.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `auth` if a secret is not available, and `invalid_input` for a `secret` that
  ///   comes from data and not from the recipe.
  func withSecrets() async throws(ActionFailure) -> (call: BuiltinCall, secrets: [String]) {
    var names: [String] = []
    Self.collect(input, &names)
    guard !names.isEmpty else { return (self, []) }
    var values: [String: String] = [:]
    for name in Set(names) {
      let read = surroundings.secret
      values[name] = try await BlockingPool.shared.run { () throws(ActionFailure) in try read(name) }
    }
    var call = self
    call.request.input = Self.filled(input, values)
    return (call, Array(values.values))
  }

  private static func collect(_ value: Value, _ names: inout [String]) {
    switch value {
    case .list(let elements): for element in elements { collect(element, &names) }
    case .map(let map): for element in map.values { collect(element, &names) }
    default: if let name = value.markedSecret { names.append(name) }
    }
  }

  private static func filled(_ value: Value, _ secrets: [String: String]) -> Value {
    switch value {
    case .list(let elements): return .list(elements.map { filled($0, secrets) })
    case .map(let map):
      if map.count == 1, let only = map["secret"] {
        if let name = only.markedSecret { return .string(secrets[name] ?? "") }
        if let parts = only.listValue, parts.contains(where: { $0.markedSecret != nil }) {
          return .string(
            parts.map { part in
              if let name = part.markedSecret { secrets[name] ?? "" } else { part.stringValue ?? part.jsonString }
            }.joined())
        }
      }
      return .map(ValueMap(map.entries.map { (key: $0.key, value: filled($0.value, secrets)) }))
    default: return value
    }
  }

  /// Makes sure that all values of a map of the input are texts: a `secret` in data is not one.
  func requireTexts(_ field: String) throws(ActionFailure) {
    for entry in input[field]?.mapValue?.entries ?? [] where entry.value.mapValue != nil {
      throw Self.notNamedInRecipe(field + "." + entry.key.text)
    }
  }

  /// Makes sure that a value of the input is a text.
  func requireText(_ field: String) throws(ActionFailure) {
    if input[field]?.mapValue != nil { throw Self.notNamedInRecipe(field) }
  }

  private static func notNamedInRecipe(_ place: String) -> ActionFailure {
    ActionFailure(
      .invalidInput,
      LocalizedText(
        "'\(place)' names a secret by an expression; only the recipe itself can name one",
        de: "'\(place)' nennt ein Geheimnis durch einen Ausdruck; nur das Rezept selbst kann eines nennen"),
      advice: LocalizedText("write { secret: NAME } in this step", de: "{ secret: NAME } in diesem Schritt schreiben"))
  }
}

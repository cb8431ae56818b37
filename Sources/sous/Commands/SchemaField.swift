import Expressions

/// One property of an object's schema, as people want to read it.
struct SchemaField {
  /// Its name.
  let name: String
  /// `string`, `array of string`, and the like.
  let type: String
  /// Properties: required, secret, default, what is allowed.
  let notes: [String]
  /// The description.
  let meaning: String

  /// The properties of a schema, in their order.
  static func all(of schema: Value, secrets: Set<String> = []) -> [SchemaField] {
    guard case .map(let properties)? = schema["properties"] else { return [] }
    let required = Set(requiredNames(of: schema))
    return properties.entries.compactMap { entry in
      guard case .string(let name) = entry.key else { return nil }
      var notes: [String] = []
      if required.contains(name) { notes.append(say("required", de: "nötig")) }
      if secrets.contains(name) { notes.append(say("secret", de: "geheim")) }
      notes += bounds(of: entry.value)
      if let preset = entry.value["default"] {
        notes.append(say("default \(preset.jsonString)", de: "Vorgabe \(preset.jsonString)"))
      }
      return SchemaField(
        name: name, type: type(of: entry.value), notes: notes, meaning: entry.value["description"]?.stringValue ?? "")
    }
  }

  /// The names of the properties that must be there.
  static func requiredNames(of schema: Value) -> [String] {
    schema["required"]?.listValue?.compactMap(\.stringValue) ?? []
  }

  private static func type(of schema: Value) -> String {
    let name = schema["type"]?.stringValue ?? ""
    if name == "array", let items = schema["items"]?["type"]?.stringValue {
      return say("array of \(items)", de: "Liste von \(items)")
    }
    return name
  }

  /// The allowed values of its type.
  private static func bounds(of schema: Value) -> [String] {
    var notes: [String] = []
    if let choices = schema["enum"]?.listValue {
      notes.append(choices.map { $0.stringValue ?? $0.jsonString }.joined(separator: " | "))
    }
    if let format = schema["format"]?.stringValue { notes.append(format) }
    if let pattern = schema["pattern"]?.stringValue { notes.append("/\(pattern)/") }
    notes += range(schema["minimum"], schema["maximum"], "")
    if let least = schema["exclusiveMinimum"] { notes.append("> \(least.jsonString)") }
    if let most = schema["exclusiveMaximum"] { notes.append("< \(most.jsonString)") }
    notes += range(schema["minLength"], schema["maxLength"], say(" characters", de: " Zeichen"))
    notes += range(schema["minItems"], schema["maxItems"], say(" elements", de: " Elemente"))
    return notes
  }

  private static func range(_ least: Value?, _ most: Value?, _ unit: String) -> [String] {
    switch (least, most) {
    case (let least?, let most?): ["\(least.jsonString)–\(most.jsonString)\(unit)"]
    case (let least?, nil): ["≥ \(least.jsonString)\(unit)"]
    case (nil, let most?): ["≤ \(most.jsonString)\(unit)"]
    case (nil, nil): []
    }
  }
}

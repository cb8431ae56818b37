import Expressions
public import Localization
import Plans
public import Schemas

/// Writes definitions as JSON Schemas (2020-12).
struct SchemaWriter {
  /// The names to offer for names of something; others are allowed too.
  var names: [ValueShape.NameRole: [String]] = [:]
  /// The prefix of references to maps; `nil` where maps are only said to be objects.
  var reference: String?
  var language = Language.english

  /// The schema of a shape.
  func value(of shape: ValueShape) -> Value {
    switch shape {
    case .text: return ["type": "string"]
    case .name(let role):
      guard let names = names[role], !names.isEmpty else { return ["type": "string", "minLength": 1] }
      return ["anyOf": [["enum": .list(names.map { .string($0) })], ["type": "string", "minLength": 1]]]
    case .word(let words):
      if words.count == 1, let word = words.first { return ["const": .string(word)] }
      return ["enum": .list(words.map { .string($0) })]
    case .boolean: return ["type": "boolean"]
    case .integer(let bounds):
      var map: ValueMap = ["type": "integer", "minimum": .int(Int64(bounds.lowerBound))]
      if bounds.upperBound < Int.max { map["maximum"] = .int(Int64(bounds.upperBound)) }
      return .map(map)
    case .number(let bounds):
      guard bounds.upperBound < 1e300 else { return ["type": "number"] }
      return ["type": "number", "minimum": .double(bounds.lowerBound), "maximum": .double(bounds.upperBound)]
    case .duration:
      return [
        "anyOf": [
          ["type": "number", "minimum": 0],
          ["type": "string", "pattern": #"^([0-9.]+d)?([0-9.]+h)?([0-9.]+m)?([0-9.]+s)?([0-9.]+ms)?$|^[0-9.]+$"#],
        ]
      ]
    case .expression: return ["type": ["string", "boolean"]]
    case .anything: return [:]
    case .null: return ["type": "null"]
    case .list(let element): return ["type": "array", "items": value(of: element)]
    case .map(let element): return ["type": "object", "additionalProperties": value(of: element)]
    case .mapping(let name):
      return reference.map { ["$ref": .string($0 + name.rawValue)] } ?? ["type": "object"]
    case .any(let shapes): return ["anyOf": .list(shapes.map { value(of: $0) })]
    }
  }

  /// The schema of a map with keys of its own.
  func value(of definition: MappingDefinition) -> Value {
    var properties = ValueMap()
    for key in definition.keys {
      guard case .map(var schema) = value(of: key.shape) else { continue }
      let text = key.summary.string(in: language)
      schema["description"] = .string(text.replacing("`", with: ""))
      schema["markdownDescription"] = .string(text)
      properties[key.name] = .map(schema)
    }
    var map: ValueMap = [
      "type": "object", "description": .string(definition.summary.string(in: language).replacing("`", with: "")),
    ]
    map["properties"] = .map(properties)
    let required = definition.keys.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { map["required"] = .list(required) }
    if !definition.isOpen { map["additionalProperties"] = false }
    return .map(map)
  }
}

extension RecipeDefinitions {
  /// The JSON Schema (2020-12) of a file, for editors.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - language: The language of the descriptions.
  ///   - names: Names to offer where something is named, such as the actions of a catalog; others stay allowed.
  public static func schema(
    of file: File, language: Language = .english, names: [ValueShape.NameRole: [String]] = [:]
  ) -> Schema {
    let writer = SchemaWriter(names: names, reference: "#/$defs/", language: language)
    let roots = file == .recipe ? kinds.map(\.name) : [root(of: file).name]
    var document: ValueMap = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("urn:sous:schema:\(file.rawValue)"),
      "title": .string(title(of: file).string(in: language)),
      "type": "object",
    ]
    if file == .recipe {
      document["properties"] = ["kind": ["enum": .list(kinds.map { .string($0.kind.rawValue) })]]
      document["allOf"] = .list(kinds.map { choice($0.kind, $0.name) })
    } else if let name = roots.first {
      document["$ref"] = .string("#/$defs/\(name.rawValue)")
    }
    var definitions = ValueMap()
    for name in reachable(from: roots) { definitions[name.rawValue] = writer.value(of: definition(name)) }
    document["$defs"] = .map(definitions)
    return Schema(document: .map(document))
  }

  private static func title(of file: File) -> LocalizedText {
    switch file {
    case .recipe: LocalizedText("Recipe of Sous", de: "Rezept von Sous")
    case .configuration: LocalizedText("Configuration of Sous (sous.yaml)", de: "Konfiguration von Sous (sous.yaml)")
    case .preset: LocalizedText("Prompt of Sous's catalog", de: "Prompt des Katalogs von Sous")
    case .test: LocalizedText("Tests of a recipe of Sous", de: "Tests eines Rezepts von Sous")
    }
  }

  private static func choice(_ kind: RecipeKind, _ name: MappingDefinition.Name) -> Value {
    let isKind: Value = ["required": ["kind"], "properties": ["kind": ["const": .string(kind.rawValue)]]]
    let condition: Value =
      kind == .general ? ["anyOf": [["not": ["required": ["kind"]]], isKind]] : isKind
    return ["if": condition, "then": ["$ref": .string("#/$defs/\(name.rawValue)")]]
  }

  /// The maps that some maps lead to, themselves first.
  private static func reachable(from roots: [MappingDefinition.Name]) -> [MappingDefinition.Name] {
    var found = roots
    var next = 0
    while next < found.count {
      for key in definition(found[next]).keys {
        for name in key.shape.allMappings where !found.contains(name) { found.append(name) }
      }
      next += 1
    }
    return found
  }
}

extension ValueShape {
  /// The maps with keys of their own that stand anywhere in a value.
  fileprivate var allMappings: [MappingDefinition.Name] {
    switch self {
    case .mapping(let name): [name]
    case .any(let shapes): shapes.flatMap(\.allMappings)
    case .list(let shape), .map(let shape): shape.allMappings
    default: []
    }
  }
}

import Expressions
import Localization
import Schemas

/// A JSON Schema as an editor shows it: what may occur at a place, and what it means.
struct SchemaFields {
  /// A property of an object.
  struct Field {
    var name: String
    var schema: SchemaFields
    var isRequired: Bool
  }

  let value: Value
  private let root: Value

  init(_ schema: Schema) {
    self.init(schema.document, root: schema.document)
  }

  private init(_ value: Value, root: Value, depth: Int = 0) {
    self.root = root
    var value = value
    // References may lead in a circle.
    for _ in 0..<16 {
      guard let pointer = value["$ref"]?.stringValue, pointer.hasPrefix("#/") else { break }
      var target = root
      for part in pointer.dropFirst(2).split(separator: "/") { target = target[String(part)] ?? .null }
      value = target
    }
    self.value = value
  }

  /// The properties in the order of the schema.
  var fields: [Field] {
    let required = Set((value["required"]?.listValue ?? []).compactMap(\.stringValue))
    var fields: [Field] = []
    for part in value["allOf"]?.listValue ?? [] { fields += SchemaFields(part, root: root).fields }
    for entry in value["properties"]?.mapValue?.entries ?? [] {
      let name = entry.key.text
      fields.append(
        Field(name: name, schema: SchemaFields(entry.value, root: root), isRequired: required.contains(name)))
    }
    return fields
  }

  /// The schema at a path; `nil` for a place that it says nothing about.
  func at(_ path: ArraySlice<SchemaViolation.PathElement>) -> SchemaFields? {
    guard let first = path.first else { return self }
    switch first {
    case .key(let name):
      if let field = fields.last(where: { $0.name == name }) { return field.schema.at(path.dropFirst()) }
      guard let more = value["additionalProperties"], more.mapValue != nil else { return nil }
      return SchemaFields(more, root: root).at(path.dropFirst())
    case .index:
      guard let items = value["items"] else { return nil }
      return SchemaFields(items, root: root).at(path.dropFirst())
    }
  }

  /// The purpose.
  var summary: String { value["description"]?.stringValue ?? "" }

  /// The type in a word: `string`, `integer or null`.
  var type: String {
    switch value["type"] {
    case .string(let name)?:
      guard name == "array", let items = value["items"] else { return name }
      let element = SchemaFields(items, root: root).type
      return element.isEmpty ? "array" : "array of \(element)"
    case .list(let names)?: return names.compactMap(\.stringValue).joined(separator: " | ")
    default: return choices.isEmpty ? "" : "enum"
    }
  }

  /// The values of `enum`.
  var choices: [Value] { value["enum"]?.listValue ?? [] }

  /// The properties as a Markdown list.
  var markdown: String {
    fields.map { field in
      var line = "- `\(field.name)`"
      if !field.schema.type.isEmpty { line += ": \(field.schema.type)" }
      if field.isRequired { line += " (\\*)" }
      if !field.schema.summary.isEmpty { line += " — \(field.schema.summary)" }
      return line
    }.joined(separator: "\n")
  }
}

package import Expressions

/// One schema or subschema, with the document that its references lead into.
///
/// What its keywords say is read once, as the elements of a list have the same one. For one thread.
package final class SchemaView {
  /// The schema: a map, or `true` or `false`.
  package let value: Value
  /// The document `$ref` starts from.
  package let root: Value

  init(_ value: Value, root: Value) {
    self.value = value
    self.root = root
  }

  /// The keywords; empty for `true` and `false`.
  package var map: ValueMap? {
    if case .map(let map) = value { map } else { nil }
  }

  /// Whether nothing satisfies it.
  var isFalse: Bool { value == .bool(false) }

  package subscript(keyword: String) -> Value? { map?[keyword] }

  private func has(_ keywords: String...) -> Bool { keywords.contains { self[$0] != nil } }

  private(set) lazy var hasChoices = has("const", "enum")
  private(set) lazy var limitsTexts = has("minLength", "maxLength", "pattern", "format")
  private(set) lazy var limitsNumbers = has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
  package private(set) lazy var allOf = subschemas("allOf") ?? []
  package private(set) lazy var anyOf = subschemas("anyOf")
  package private(set) lazy var oneOf = subschemas("oneOf")

  /// The types it names; `nil` where it names none.
  package private(set) lazy var types: [SchemaType]? =
    switch self["type"] {
    case .string(let name)?: SchemaType(rawValue: name).map { [$0] }
    case .list(let names)?:
      names.compactMap { if case .string(let name) = $0 { SchemaType(rawValue: name) } else { nil } }
    default: nil
    }

  /// The properties in source order.
  package var properties: [(name: String, schema: SchemaView)] {
    guard case .map(let map)? = self["properties"] else { return [] }
    return map.entries.compactMap { entry in
      if case .string(let name) = entry.key { (name, SchemaView(entry.value, root: root)) } else { nil }
    }
  }

  private lazy var propertiesByName = Dictionary(properties.map { ($0.name, $0.schema) }) { first, _ in first }

  /// The schema of a property; `nil` where it is not named.
  package func property(_ name: String) -> SchemaView? { propertiesByName[name] }

  /// The schemas of all other properties, and of elements; `nil` where the keyword is absent.
  package private(set) lazy var additionalProperties = subschema("additionalProperties")
  package private(set) lazy var items = subschema("items")

  /// The names that must be there.
  package private(set) lazy var required: [String] =
    if case .list(let names)? = self["required"] {
      names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    } else {
      []
    }

  /// The schema of a keyword that holds one.
  func subschema(_ keyword: String) -> SchemaView? {
    switch self[keyword] {
    case .map?, .bool?: self[keyword].map { SchemaView($0, root: root) }
    default: nil
    }
  }

  /// The schemas of a keyword that holds a list of them.
  func subschemas(_ keyword: String) -> [SchemaView]? {
    guard case .list(let schemas)? = self[keyword] else { return nil }
    return schemas.map { SchemaView($0, root: root) }
  }

  /// The schema that `$ref` names; `nil` where there is no such keyword or no such schema.
  package private(set) lazy var reference = resolved()

  private func resolved() -> SchemaView? {
    guard case .string(let pointer)? = self["$ref"] else { return nil }
    if pointer == "#" { return SchemaView(root, root: root) }
    guard pointer.hasPrefix("#/") else { return nil }
    var current = root
    for part in pointer.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      guard case .map(let map) = current, let next = map[Self.unescaped(part)] else { return nil }
      current = next
    }
    return SchemaView(current, root: root)
  }

  /// `~1` is `/` and `~0` is `~`: RFC 6901.
  private static func unescaped(_ part: Substring) -> String {
    guard part.contains("~") else { return String(part) }
    var result = ""
    var rest = part[...]
    while let character = rest.popFirst() {
      if character == "~", let code = rest.first, code == "0" || code == "1" {
        rest.removeFirst()
        result.append(code == "0" ? "~" : "/")
      } else {
        result.append(character)
      }
    }
    return result
  }

  package func integer(_ keyword: String) -> Int? {
    if case .int(let number)? = self[keyword] { Int(exactly: number) } else { nil }
  }

  package func number(_ keyword: String) -> Double? {
    switch self[keyword] {
    case .int(let number)?: Double(number)
    case .uint(let number)?: Double(number)
    case .double(let number)?: number
    default: nil
    }
  }
}

extension Schema {
  package var view: SchemaView { SchemaView(document, root: document) }
}

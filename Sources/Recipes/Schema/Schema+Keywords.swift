import Expressions

/// One schema or subschema, with the document that its references lead into.
struct SchemaView {
  /// The schema: a map, or `true` or `false`.
  let value: Value
  /// The document `$ref` starts from.
  let root: Value

  init(_ value: Value, root: Value) {
    self.value = value
    self.root = root
  }

  /// The keywords; empty for `true` and `false`.
  var map: ValueMap? {
    if case .map(let map) = value { map } else { nil }
  }

  /// Whether nothing satisfies it.
  var isFalse: Bool { value == .bool(false) }

  subscript(keyword: String) -> Value? { map?[keyword] }

  /// The types it names; `nil` where it names none.
  var types: [SchemaType]? {
    switch self["type"] {
    case .string(let name)?: return SchemaType(rawValue: name).map { [$0] }
    case .list(let names)?:
      return names.compactMap { if case .string(let name) = $0 { SchemaType(rawValue: name) } else { nil } }
    default: return nil
    }
  }

  /// The properties in source order.
  var properties: [(name: String, schema: SchemaView)] {
    guard case .map(let map)? = self["properties"] else { return [] }
    return map.entries.compactMap { entry in
      if case .string(let name) = entry.key { (name, SchemaView(entry.value, root: root)) } else { nil }
    }
  }

  /// The schema of a property; `nil` where it is not named.
  func property(_ name: String) -> SchemaView? {
    guard case .map(let map)? = self["properties"] else { return nil }
    return map[name].map { SchemaView($0, root: root) }
  }

  /// The names that must be there.
  var required: [String] {
    guard case .list(let names)? = self["required"] else { return [] }
    return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
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
  var reference: SchemaView? {
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

  func integer(_ keyword: String) -> Int? {
    if case .int(let number)? = self[keyword] { Int(exactly: number) } else { nil }
  }

  func number(_ keyword: String) -> Double? {
    switch self[keyword] {
    case .int(let number)?: Double(number)
    case .uint(let number)?: Double(number)
    case .double(let number)?: number
    default: nil
    }
  }
}

extension Schema {
  var view: SchemaView { SchemaView(document, root: document) }
}

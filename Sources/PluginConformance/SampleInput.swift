import Expressions
import Plans
import RecipeModel
import Schemas

/// Inputs made from a schema: one that suits it, and many that do not.
struct SampleInput {
  let schema: Schema

  /// A small value that satisfies the schema; `nil` where none was found: a `pattern` can ask for anything.
  var valid: Value? {
    let value = Self.value(for: schema.document, root: schema.document, depth: 0)
    return schema.validate(value).isEmpty ? value : nil
  }

  /// Values that a careless caller could send. Those that the schema forbids come first.
  ///
  /// - Parameter onlyForbidden: Leaves out what the schema allows, for actions that must not be carried out.
  func hostile(onlyForbidden: Bool) -> [Value] {
    var values = shapes + mutations(of: valid ?? .map([:]))
    values += Self.extremes.map { .map(["unexpected": $0]) }
    var seen: Set<Value> = []
    values = values.filter { seen.insert($0).inserted }
    let forbidden = values.filter { !schema.validate($0).isEmpty }
    return onlyForbidden ? forbidden : forbidden + values.filter { schema.validate($0).isEmpty }
  }

  private var shapes: [Value] { [.map([:]), .map(["": .null]), .map(["a": .map(["b": .list([])])])] }

  /// The valid value with one thing wrong.
  private func mutations(of value: Value) -> [Value] {
    guard case .map(let map) = value else { return [] }
    var names = map.entries.compactMap { entry -> String? in
      if case .string(let name) = entry.key { name } else { nil }
    }
    if case .map(let properties)? = schema.document["properties"] {
      for entry in properties.entries {
        if case .string(let name) = entry.key, !names.contains(name) { names.append(name) }
      }
    }
    var results: [Value] = []
    for name in names {
      var shorter = map
      shorter[name] = nil
      results.append(.map(shorter))
      for extreme in Self.extremes {
        var changed = map
        changed[name] = extreme
        results.append(.map(changed))
      }
    }
    return results
  }

  private static let extremes: [Value] = [
    .null, .bool(true), .int(-1), .int(.max), .int(.min), .double(1e308), .double(-0.5), .string(""),
    .string("\u{0}"), .string("../../etc/passwd"), .string("{{ secrets }}"), .string("\u{202e}\u{1f525}\r\n.\r\n"),
    .string(String(repeating: "a", count: 1 << 20)), .list([]), .list([.null]), .map([:]),
    (0..<60).reduce(Value.list([])) { inner, _ in .list([inner]) },
  ]

  // MARK: A valid value

  private static func value(for schema: Value, root: Value, depth: Int) -> Value {
    guard depth < 20 else { return .null }
    if let reference = schema["$ref"]?.stringValue, let target = resolve(reference, root) {
      return value(for: target, root: root, depth: depth + 1)
    }
    if let constant = schema["const"] { return constant }
    if case .list(let choices)? = schema["enum"], let first = choices.first { return first }
    if let preset = schema["default"] { return preset }
    if case .list(let examples)? = schema["examples"], let first = examples.first { return first }
    var schema = schema
    for word in ["anyOf", "oneOf"] {
      if case .list(let alternatives)? = schema[word], let first = alternatives.first {
        schema = merged(schema, first)
      }
    }
    switch typeName(of: schema) {
    case "string": return text(for: schema)
    case "integer": return .int(bounded(schema, root))
    case "number": return .double(Double(bounded(schema, root)))
    case "boolean": return .bool(false)
    case "array":
      var count = 0
      if case .int(let least)? = schema["minItems"] { count = Int(clamping: least) }
      let item = value(for: schema["items"] ?? .map([:]), root: root, depth: depth + 1)
      return .list(Array(repeating: item, count: min(max(0, count), 100)))
    case "null": return .null
    default:
      var map: ValueMap = [:]
      guard case .list(let required)? = schema["required"] else { return .map(map) }
      for name in required.compactMap(\.stringValue) {
        map[name] = value(for: schema["properties"]?[name] ?? .string("a"), root: root, depth: depth + 1)
      }
      return .map(map)
    }
  }

  private static func typeName(of schema: Value) -> String? {
    if let name = schema["type"]?.stringValue { return name }
    if case .list(let names)? = schema["type"] { return names.first?.stringValue }
    return nil
  }

  private static func resolve(_ reference: String, _ root: Value) -> Value? {
    guard reference.hasPrefix("#/") else { return nil }
    var value: Value? = root
    for part in reference.dropFirst(2).split(separator: "/") { value = value?[String(part)] }
    return value
  }

  /// A schema with the properties and the required names of one of its alternatives.
  private static func merged(_ schema: Value, _ alternative: Value) -> Value {
    guard case .map(var map) = schema, case .map(let other) = alternative else { return schema }
    for entry in other.entries {
      guard case .string(let name) = entry.key else { continue }
      if name == "required", case .list(let more) = entry.value, case .list(let there)? = map["required"] {
        map[name] = .list(there + more)
      } else if name == "properties", case .map(let more) = entry.value, case .map(var there)? = map["properties"] {
        for property in more.entries { if case .string(let key) = property.key { there[key] = property.value } }
        map[name] = .map(there)
      } else {
        map[name] = entry.value
      }
    }
    return .map(map)
  }

  private static func bounded(_ schema: Value, _ root: Value) -> Int64 {
    if case .int(let least)? = schema["minimum"] { return least }
    if case .int(let least)? = schema["exclusiveMinimum"] { return least &+ 1 }
    if case .int(let most)? = schema["maximum"] { return min(1, most) }
    return 1
  }

  private static func text(for schema: Value) -> Value {
    let byFormat: [String: String] = [
      "email": "ada@example.com", "address": "ada@example.com", "uri": "https://example.com/",
      "date-time": "2026-01-02T03:04:05Z",
      "date": "2026-01-02", "duration": "1m", "path": "example.txt",
    ]
    var candidates = [
      "example", "a", "1", "en", "example.com", "blob:sha256:" + String(repeating: "0", count: 64),
    ]
    if let format = schema["format"]?.stringValue, let text = byFormat[format] { candidates.insert(text, at: 0) }
    if case .int(let least)? = schema["minLength"] {
      candidates.append(String(repeating: "a", count: min(4096, max(0, Int(clamping: least)))))
    }
    let single = Schema(document: schema)
    return .string(candidates.first { single.validate(.string($0)).isEmpty } ?? "example")
  }
}

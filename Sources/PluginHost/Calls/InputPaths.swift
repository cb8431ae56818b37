import Expressions

/// Finds the paths of files in the input of an action: strings whose schema has `"format": "path"`.
struct InputPaths: Sendable {
  /// The schemas with such strings.
  private let documents: [Value]

  /// The deepest nesting that is followed; a schema may refer to itself.
  private static let deepest = 32

  /// Takes the schemas of one input: the plugin's own, and those of its contracts.
  init(schemas: [Value]) {
    documents = schemas.filter(Self.mentionsPaths)
  }

  /// Whether no input can contain a path.
  var isEmpty: Bool { documents.isEmpty }

  /// The input with each path replaced.
  ///
  /// - Throws: Errors of the replacement.
  func replacing<Failure: Error>(
    in input: Value, _ replacement: (String) throws(Failure) -> String
  ) throws(Failure) -> Value {
    var input = input
    var replaced: Set<String> = []
    for document in documents {
      // Two schemas, or two choices of one, may find the same path: it is replaced only once.
      input = try Self.replacing(in: input, document, of: document, 0) { path throws(Failure) in
        guard !replaced.contains(path) else { return path }
        let new = try replacement(path)
        replaced.insert(new)
        return new
      }
    }
    return input
  }

  private static func replacing<Failure: Error>(
    in value: Value, _ schema: Value, of document: Value, _ depth: Int,
    _ replacement: (String) throws(Failure) -> String
  ) throws(Failure) -> Value {
    guard depth < deepest, case .map(let schema) = schema else { return value }
    var value = value
    if case .string(let reference)? = schema["$ref"], let target = target(of: reference, in: document) {
      value = try replacing(in: value, target, of: document, depth + 1, replacement)
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
      for choice in schema[keyword]?.listValue ?? [] {
        value = try replacing(in: value, choice, of: document, depth + 1, replacement)
      }
    }
    switch value {
    case .string(let path) where schema["format"] == .string("path"): return .string(try replacement(path))
    case .map(var map):
      let properties = schema["properties"]?.mapValue ?? [:]
      // Names are not compared with the patterns: a member that could be a path is treated as one.
      let others =
        (schema["patternProperties"]?.mapValue?.entries.map(\.value) ?? [])
        + [schema["additionalProperties"]].compactMap(\.self)
      for entry in map.entries {
        guard case .string(let name) = entry.key else { continue }
        var member = entry.value
        for schema in properties[name].map({ [$0] }) ?? others {
          member = try replacing(in: member, schema, of: document, depth + 1, replacement)
        }
        map[name] = member
      }
      return .map(map)
    case .list(let elements):
      guard let items = schema["items"] else { return value }
      var list: [Value] = []
      for element in elements { list.append(try replacing(in: element, items, of: document, depth + 1, replacement)) }
      return .list(list)
    default: return value
    }
  }

  /// The part of a schema that a reference such as `#/$defs/name` names; `nil` if it does not exist.
  private static func target(of reference: String, in document: Value) -> Value? {
    if reference == "#" { return document }
    guard reference.hasPrefix("#/") else { return nil }
    var value = document
    for part in reference.dropFirst(2).split(separator: "/") {
      guard case .map(let map) = value, let member = map[String(part)] else { return nil }
      value = member
    }
    return value
  }

  private static func mentionsPaths(_ value: Value) -> Bool {
    switch value {
    case .map(let map): map["format"] == .string("path") || map.entries.contains { mentionsPaths($0.value) }
    case .list(let elements): elements.contains(where: mentionsPaths)
    default: false
    }
  }
}

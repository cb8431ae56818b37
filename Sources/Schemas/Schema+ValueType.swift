public import Expressions
public import Localization

extension Schema {
  /// The type that values of the schema have in expressions.
  ///
  /// An object with known properties becomes ``ValueType/object(_:)``, open unless `additionalProperties` is false or a
  /// schema. What can be of several types, `null` among them, is ``ValueType/dynamic``; so is a number, since numbers
  /// without a fraction arrive as integers.
  ///
  /// - Parameters:
  ///   - name: What people call the object: `output of step 'unread'`. What is inside it is called by its path:
  ///     `'messages[].from' of output of step 'unread'`.
  ///   - isComplete: Whether the properties that a schema lists are all there are, unless it says otherwise with
  ///     `additionalProperties` or `patternProperties`: what is asked for in an answer is what is meant to be used.
  public func valueType(named name: LocalizedText, isComplete: Bool = false) -> ValueType {
    TypeReading(isComplete: isComplete).type(view, at: Place(root: name), depth: 0)
  }
}

extension SchemaView {
  /// The only texts that values have, by `enum` or `const`; `nil` if the schema does not list them.
  fileprivate var words: [String]? {
    var choices: [Value] = []
    if case .list(let listed)? = self["enum"] { choices = listed }
    if let constant = self["const"] { choices = [constant] }
    let words = choices.compactMap { if case .string(let word) = $0 { word } else { nil } }
    // An absent value may be null and is compared with null, not with a text.
    return words.isEmpty || choices.contains { $0 != .null && $0.stringValue == nil } ? nil : words
  }
}

extension Schema {
  /// The only texts that values have, by `enum` or `const`; `nil` if the schema does not list them.
  public var words: [String]? { view.words }
}

/// A part of a value, for people.
private struct Place {
  var root: LocalizedText
  var path = ""

  func element(_ suffix: String) -> Place { Place(root: root, path: path + suffix) }

  func field(_ name: String) -> Place { Place(root: root, path: path.isEmpty ? name : "\(path).\(name)") }

  var name: LocalizedText {
    switch path {
    case "": root
    case "[]": LocalizedText("element of \(root.english)", de: "Element (\(root.german))")
    default: LocalizedText("'\(path)' of \(root.english)", de: "'\(path)' (\(root.german))")
    }
  }
}

/// Reads the type of values out of a schema.
private struct TypeReading {
  let isComplete: Bool

  func type(_ schema: SchemaView, at place: Place, depth: Int) -> ValueType {
    guard depth < 32, schema.map != nil else { return .dynamic }
    if let reference = schema.reference { return type(reference, at: place, depth: depth + 1) }
    if let parts = schema.subschemas("anyOf") ?? schema.subschemas("oneOf"), schema.types == nil {
      let types = Set(parts.map { type($0, at: place, depth: depth + 1) })
      return types.count == 1 ? types.first ?? .dynamic : .dynamic
    }
    guard let types = schema.types else {
      return schema["properties"] == nil ? Self.choiceType(schema) : object(schema, at: place, depth: depth)
    }
    guard types.count == 1, let only = types.first else { return .dynamic }
    switch only {
    case .string: return .string
    case .integer: return .int
    case .number: return .dynamic
    case .boolean: return .bool
    case .null: return .null
    case .array:
      guard let items = schema.subschema("items") else { return .list(.dynamic) }
      return .list(type(items, at: place.element("[]"), depth: depth + 1))
    case .object: return object(schema, at: place, depth: depth)
    }
  }

  private func object(_ schema: SchemaView, at place: Place, depth: Int) -> ValueType {
    var fields: [String: ValueType] = [:]
    var words: [String: [String]] = [:]
    for part in schema.subschemas("allOf") ?? [] {
      if case .object(let base) = type(part, at: place, depth: depth + 1) {
        fields.merge(base.fields) { $1 }
        words.merge(base.words) { $1 }
      }
    }
    for (field, property) in schema.properties {
      words[field] = property.words
      fields[field] = type(property, at: place.field(field), depth: depth + 1)
    }
    let additional = schema.subschema("additionalProperties")
    if fields.isEmpty {
      if let additional, additional.map != nil {
        return .map(.string, type(additional, at: place.element(place.path.isEmpty ? "*" : ".*"), depth: depth + 1))
      }
      if additional?.isFalse != true { return .map(.string, .dynamic) }
    }
    let isClosed =
      additional.map(\.isFalse)
      ?? (isComplete && schema["patternProperties"] == nil && schema["anyOf"] == nil && schema["oneOf"] == nil)
    return .object(ObjectType(name: place.name, fields: fields, isOpen: !isClosed, words: words))
  }

  /// The type that all choices of an `enum`, or a `const`, have.
  private static func choiceType(_ schema: SchemaView) -> ValueType {
    var values: [Value] = []
    if case .list(let choices)? = schema["enum"] { values = choices }
    if let constant = schema["const"] { values = [constant] }
    let types = Set(values.map { SchemaType(of: $0) })
    guard types.count == 1, let type = types.first else { return .dynamic }
    switch type {
    case .string: return .string
    case .integer: return .int
    case .boolean: return .bool
    default: return .dynamic
    }
  }
}

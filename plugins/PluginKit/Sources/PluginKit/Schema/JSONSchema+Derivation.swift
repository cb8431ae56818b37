extension JSONSchema {
  /// Details of one property that a derived schema cannot know.
  public struct Detail: Sendable, ExpressibleByStringLiteral {
    let description: String?
    let schema: JSONSchema?

    /// Says what the property means.
    public init(stringLiteral description: String) {
      self.description = description
      schema = nil
    }

    private init(schema: JSONSchema) {
      description = nil
      self.schema = schema
    }

    /// Takes the place of the schema derived from the property's type, with bounds and a default for instance.
    public static func schema(_ schema: JSONSchema) -> Detail { Detail(schema: schema) }
  }

  /// The schema of a type, from how it decodes itself.
  ///
  /// A property that is not optional is required; names are those of ``JSONValue``; an enumeration of strings that is
  /// `CaseIterable` lists its values; lists, dictionaries and other types go into the depth. Unknown properties are
  /// refused.
  ///
  /// ```swift
  /// struct Place: Decodable { var city: String; var days: Int? }
  /// JSONSchema.of(Place.self, ["city": "The city", "days": .schema(.integer("How many", minimum: 1, default: 3))])
  /// ```
  ///
  /// A type that decodes to something other than its parts needs ``SchemaProviding``, and an enumeration that is a
  /// required property `CaseIterable`; otherwise the schema is any object.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - details: Details of properties by name; `place.city` for one further down, or in a list.
  public static func of<Value: Decodable>(
    _ type: Value.Type, _ details: KeyValuePairs<String, Detail> = [:]
  ) -> JSONSchema {
    let node = SchemaNode()
    do {
      _ = try SchemaProbe(node: node, path: []).decode(type)
    } catch {
      node.shape = .open
    }
    let byName = Dictionary(details.map { ($0, $1) }) { _, last in last }
    return JSONSchema(trusted: node.json(path: "", details: byName))
  }
}

/// A shape under construction.
final class SchemaNode {
  enum Shape {
    case unknown
    case scalar(String)
    case given(JSONSchema)
    case list(SchemaNode)
    case map(SchemaNode)
    case object
    case open
  }

  var shape = Shape.unknown
  private(set) var properties: [(name: String, node: SchemaNode, isRequired: Bool)] = []

  func property(_ name: String, required isRequired: Bool) -> SchemaNode {
    if let index = properties.firstIndex(where: { $0.name == name }) { return properties[index].node }
    let node = SchemaNode()
    properties.append((name, node, isRequired))
    return node
  }

  func json(path: String, details: [String: JSONSchema.Detail]) -> String {
    let detail = details[path]
    if let schema = detail?.schema { return schema.json }
    let description = detail?.description.map(JSONText.string)
    func build(_ fields: [(String, String?)]) -> String {
      let described = fields.prefix(1) + [("description", description)] + fields.dropFirst()
      return JSONText.object(described.compactMap { name, value in value.map { (name, $0) } })
    }
    func inside(_ name: String) -> String { path.isEmpty ? name : path + "." + name }
    switch shape {
    case .unknown: return build([])
    case .scalar(let type): return build([("type", JSONText.string(type))])
    case .given(let schema):
      guard let description else { return schema.json }
      return "{\"description\":\(description)," + schema.json.dropFirst()
    case .list(let element):
      return build([
        ("type", "\"array\""), ("items", element.json(path: path, details: details.filter { $0.key != path })),
      ])
    case .map(let value):
      return build([
        ("type", "\"object\""),
        ("additionalProperties", value.json(path: path, details: details.filter { $0.key != path })),
      ])
    case .object:
      let required = properties.filter(\.isRequired).map { JSONText.string($0.name) }
      return build([
        ("type", "\"object\""),
        (
          "properties",
          JSONText.object(properties.map { ($0.name, $0.node.json(path: inside($0.name), details: details)) })
        ),
        ("required", required.isEmpty ? nil : JSONText.array(required)), ("additionalProperties", "false"),
      ])
    case .open: return build([("type", "\"object\"")])
    }
  }
}

/// The shape of a JSON value, as JSON Schema 2020-12.
///
/// Built from the small set of functions here, or given as text where they do not suffice. Names of properties are JSON
/// names: `page_size`, not `pageSize`.
public struct JSONSchema: Sendable, Hashable {
  /// The schema as JSON text, properties in the order in which they were given.
  public let json: String

  /// Takes a schema as JSON text.
  ///
  /// - Throws: ``ActionError`` of kind `parse` if the text is not a JSON object.
  public init(json: String) throws {
    guard case .object = try JSONValue(json: Array(json.utf8)) else {
      throw ActionError(.parse, "A JSON Schema is a JSON object.", german: "Ein JSON-Schema ist ein JSON-Objekt.")
    }
    self.json = json
  }

  init(trusted json: String) {
    self.json = json
  }

  /// One property of an object.
  public struct Property: Sendable {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool

    /// A property that must be there.
    public static func required(_ name: String, _ schema: JSONSchema) -> Property {
      Property(name: name, schema: schema, isRequired: true)
    }

    /// A property that may be missing.
    public static func optional(_ name: String, _ schema: JSONSchema) -> Property {
      Property(name: name, schema: schema, isRequired: false)
    }
  }

  /// Any value.
  public static func any(_ description: String? = nil) -> JSONSchema { build(nil, description, []) }

  /// `true` or `false`.
  public static func boolean(_ description: String? = nil, default value: Bool? = nil) -> JSONSchema {
    build("boolean", description, [("default", value.map(String.init))])
  }

  /// A whole number.
  public static func integer(
    _ description: String? = nil, minimum: Int? = nil, maximum: Int? = nil, default value: Int? = nil
  ) -> JSONSchema {
    build(
      "integer", description,
      [
        ("minimum", minimum.map(String.init)), ("maximum", maximum.map(String.init)),
        ("default", value.map(String.init)),
      ])
  }

  /// A number. Bounds that are not finite are left out.
  public static func number(
    _ description: String? = nil, minimum: Double? = nil, maximum: Double? = nil, default value: Double? = nil
  ) -> JSONSchema {
    func text(_ number: Double?) -> String? { number.flatMap { $0.isFinite ? String($0) : nil } }
    return build(
      "number", description, [("minimum", text(minimum)), ("maximum", text(maximum)), ("default", text(value))])
  }

  /// A string.
  ///
  /// - Parameters:
  ///   - description: Its meaning.
  ///   - values: The only values allowed.
  ///   - minimumLength: The smallest number of Unicode scalars.
  ///   - format: A format of JSON Schema: `date-time`, `email`, `uri`.
  ///   - value: The value if the property is missing.
  public static func string(
    _ description: String? = nil, values: [String]? = nil, minimumLength: Int? = nil, format: String? = nil,
    default value: String? = nil
  ) -> JSONSchema {
    build(
      "string", description,
      [
        ("enum", values.map { JSONText.array($0.map(JSONText.string)) }),
        ("minLength", minimumLength.map(String.init)),
        ("format", format.map(JSONText.string)),
        ("default", value.map(JSONText.string)),
      ])
  }

  /// A list whose elements have one shape.
  public static func array(
    of element: JSONSchema, _ description: String? = nil, minimumCount: Int? = nil, maximumCount: Int? = nil
  ) -> JSONSchema {
    build(
      "array", description,
      [
        ("items", element.json), ("minItems", minimumCount.map(String.init)),
        ("maxItems", maximumCount.map(String.init)),
      ])
  }

  /// An object with arbitrary names whose values have one shape.
  public static func map(of value: JSONSchema, _ description: String? = nil) -> JSONSchema {
    build("object", description, [("additionalProperties", value.json)])
  }

  /// An object with the given properties.
  ///
  /// - Parameters:
  ///   - properties: The properties, in the order in which people should read them.
  ///   - description: Its meaning.
  ///   - isOpen: Whether other properties may occur.
  public static func object(
    _ properties: Property..., description: String? = nil, open isOpen: Bool = false
  ) -> JSONSchema {
    object(properties, description: description, open: isOpen)
  }

  /// An object with the given properties, as an array.
  public static func object(
    _ properties: [Property], description: String? = nil, open isOpen: Bool = false
  ) -> JSONSchema {
    let required = properties.filter(\.isRequired).map { JSONText.string($0.name) }
    return build(
      "object", description,
      [
        ("properties", JSONText.object(properties.map { ($0.name, $0.schema.json) })),
        ("required", required.isEmpty ? nil : JSONText.array(required)),
        ("additionalProperties", isOpen ? nil : "false"),
      ])
  }

  /// A value of one of several shapes.
  public static func oneOf(_ schemas: JSONSchema..., description: String? = nil) -> JSONSchema {
    build(nil, description, [("oneOf", JSONText.array(schemas.map(\.json)))])
  }

  private static func build(
    _ type: String?, _ description: String?, _ keywords: [(name: String, value: String?)]
  ) -> JSONSchema {
    let all = [("type", type.map(JSONText.string)), ("description", description.map(JSONText.string))] + keywords
    return JSONSchema(trusted: JSONText.object(all.compactMap { name, value in value.map { (name, $0) } }))
  }
}

/// Any JSON value, for inputs and outputs whose shape is not fixed.
///
/// Codable types cross the boundary with names in snake_case: the property `pageSize` is `page_size` in JSON, both ways;
/// `attachmentURL` is `attachment_url`; keys of dictionaries stay as they are. `Date` is an RFC 3339 string, `Data` is
/// Base64, `URL` a string.
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object, its members in their order.
  case object(JSONObject)

  /// Reads JSON text.
  ///
  /// - Throws: ``ActionError`` of kind `parse`.
  public init(json: [UInt8]) throws(ActionError) {
    do {
      self = try JSONReader.read(json)
    } catch {
      let failure = DecodingFailure(error)
      throw ActionError(.parse, failure.english, german: failure.german)
    }
  }

  /// The element with a name, if this is an object that has it.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The string, if this is one.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, if this is one.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The members, if this is an object.
  public var object: JSONObject? { if case .object(let members) = self { members } else { nil } }

  var isNull: Bool { if case .null = self { true } else { false } }

  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The elements, if this is a list.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}

extension JSONValue: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode(JSONObject.self))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of equal names the last counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

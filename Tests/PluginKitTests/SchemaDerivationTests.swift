import Foundation
import PluginKit
import Testing

/// How the schema of a type follows from how it decodes itself.
struct SchemaDerivationTests {
  enum Unit: String, Codable, CaseIterable, Sendable { case celsius, fahrenheit }
  enum Level: Int, Codable, CaseIterable, Sendable { case low = 1, high = 3 }
  enum Loose: String, Codable, Sendable { case one }
  struct Place: Codable, Sendable {
    var cityName: String
    var latitude: Double?
  }
  struct Everything: Codable, Sendable {
    var place: Place
    var places: [Place]?
    var byName: [String: Int]
    var unit: Unit
    var unitAgain: Unit?
    var level: Level
    var loose: Loose?
    var isSet: Bool
    var when: Date
    var raw: Data?
    var homeURL: URL
    var file: Blob?
    var anything: JSONValue
    var small: Int8?
    var matrix: [[Double]]
  }
  struct Tree: Codable, Sendable { var children: [Tree] }
  struct Hedge: Codable, Sendable {
    var left: [Hedge]?
    var right: [Hedge]?
  }
  struct Shy: Codable, Sendable { var loose: Loose }
  struct Range: Codable, Sendable, SchemaProviding {
    static var jsonSchema: JSONSchema { .string("from-to") }
    init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(String.self) }
  }
  struct WithDefault: Decodable, Sendable {
    enum CodingKeys: CodingKey { case pageSize, range }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _ = try container.decodeIfPresent(Int.self, forKey: .pageSize) ?? 10
      _ = try container.decode(Range.self, forKey: .range)
    }
  }

  func value(_ schema: JSONSchema) throws -> JSONValue { try JSONValue(json: Array(schema.json.utf8)) }

  @Test func everyTypeHasItsShape() throws {
    let place: JSONValue = [
      "type": "object", "properties": ["city_name": ["type": "string"], "latitude": ["type": "number"]],
      "required": ["city_name"], "additionalProperties": false,
    ]
    let schema = try value(.of(Everything.self))
    let properties: JSONValue = [
      "place": place, "places": ["type": "array", "items": place],
      "by_name": ["type": "object", "additionalProperties": ["type": "integer"]],
      "unit": ["type": "string", "enum": ["celsius", "fahrenheit"]],
      "unit_again": ["type": "string", "enum": ["celsius", "fahrenheit"]],
      "level": ["type": "integer", "enum": [1, 3]], "loose": ["type": "string"], "is_set": ["type": "boolean"],
      "when": ["type": "string", "format": "date-time"],
      "raw": ["type": "string", "contentEncoding": "base64"], "home_url": ["type": "string", "format": "uri"],
      "file": ["type": "string", "pattern": "^blob:sha256:[0-9a-f]{64}$"], "anything": [:],
      "small": ["type": "integer"],
      "matrix": ["type": "array", "items": ["type": "array", "items": ["type": "number"]]],
    ]
    #expect(schema["properties"] == properties)
    #expect(
      schema["required"] == ["place", "by_name", "unit", "level", "is_set", "when", "home_url", "anything", "matrix"])
    #expect(schema["additionalProperties"] == false)
  }

  @Test func detailsAreAddedWhereTheyBelong() throws {
    let schema = try value(
      .of(
        Everything.self,
        [
          "place": "Where", "places.city_name": "The name", "unit": "The unit",
          "small": .schema(.integer("Small", minimum: 1)), "": "All",
        ]))
    #expect(schema["description"] == "All")
    #expect(schema["properties"]?["place"]?["description"] == "Where")
    #expect(schema["properties"]?["place"]?["properties"]?["city_name"]?["description"] == nil)
    #expect(schema["properties"]?["places"]?["items"]?["properties"]?["city_name"]?["description"] == "The name")
    #expect(
      schema["properties"]?["unit"] == [
        "description": "The unit", "type": "string", "enum": ["celsius", "fahrenheit"],
      ])
    #expect(schema["properties"]?["small"] == ["type": "integer", "description": "Small", "minimum": 1])
  }

  @Test func defaultsAndOwnSchemasAreSeen() throws {
    #expect(
      try value(.of(WithDefault.self)) == [
        "type": "object",
        "properties": ["page_size": ["type": "integer"], "range": ["type": "string", "description": "from-to"]],
        "required": ["range"], "additionalProperties": false,
      ])
  }

  @Test func whatCannotBeProbedIsAnyObject() throws {
    #expect(try value(.of(Tree.self)) == ["type": "object"])
    #expect(
      try value(.of(Hedge.self))["properties"] == [
        "left": ["type": "array", "items": [:]], "right": ["type": "array", "items": [:]],
      ])
    #expect(try value(.of(Shy.self)) == ["type": "object"])
    #expect(try value(.of(NoConfiguration.self))["additionalProperties"] == false)
  }

  @Test func ownActionsSaySoInTheManifestAndThoseOfContractsDoNot() throws {
    let manifest = try JSONValue(json: Array(Manifest.json(of: Mailman.self).utf8))
    let action = manifest["actions"]?.array?.first { $0["name"] == "mailman.count" }
    #expect(action?["output"]?["properties"] == ["number": ["type": "integer"]])
    #expect(manifest["config"]?["properties"] == ["password": ["type": "string"]])
    let courier = try JSONValue(json: Array(Manifest.json(of: Courier.self).utf8))
    #expect(courier["actions"]?.array?.first?["input"] == nil)
    let trigger = manifest["triggers"]?.array?.first
    #expect(trigger?["settings"]?["required"] == ["first"])
    #expect(trigger?["event"]?["required"] == ["number"])
  }
}

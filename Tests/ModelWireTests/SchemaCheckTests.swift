import PluginKit
import Testing

@testable import ModelWire

struct SchemaCheckTests {
  static let table: [(schema: JSONValue, value: JSONValue, count: Int)] = [
    (["type": "string"], "x", 0), (["type": "string"], 1, 1), (["type": "integer"], 1.0, 0),
    (["type": "integer"], 1.5, 1),
    (["type": "number"], 1, 0), (["type": ["string", "null"]], nil, 0), (["enum": ["a", 1]], 1.0, 0),
    (["enum": ["a"]], "b", 1), (["const": 3], 3, 0), (["const": 3], 4, 1),
    (["type": "object", "required": ["a"]], [:], 1),
    (["properties": ["a": ["type": "string"]], "additionalProperties": false], ["a": "x"], 0),
    (["properties": ["a": ["type": "string"]], "additionalProperties": false], ["a": 1, "b": 1], 2),
    (["items": ["type": "integer"]], [1, "x", 2, "y"], 2), (["maxItems": 1], [1, 2], 1), (["minItems": 1], [], 1),
    (["minLength": 2], "é", 1), (["maxLength": 2], "👋👋👋", 1), (["minimum": 1, "maximum": 2], 3, 1),
    (["exclusiveMinimum": 1], 1, 1), (["anyOf": [["type": "string"], ["type": "null"]]], 1, 1),
    (["oneOf": [["type": "number"], ["type": "integer"]]], 1, 1),
    (["allOf": [["type": "string"], ["minLength": 3]]], "x", 1),
    (["$ref": "#/$defs/a", "$defs": ["a": ["type": "string"]]], 1, 1), (["$ref": "#/$defs/none"], 1, 0), (true, 1, 0),
    (false, 1, 1), (["type": 3], 1, 0),
  ]

  @Test(arguments: table)
  func findsWhatIsWrong(_ schema: JSONValue, _ value: JSONValue, _ count: Int) {
    #expect(SchemaCheck(schema).problems(of: value).count == count)
  }

  @Test func namesThePlace() {
    let schema: JSONValue = ["properties": ["items": ["items": ["properties": ["price": ["type": "number"]]]]]]
    let problem = SchemaCheck(schema).problems(of: ["items": [[:], ["price": "much"]]]).first
    #expect(problem?.english.hasPrefix("items[1].price: ") == true)
    #expect(problem?.german.hasPrefix("items[1].price: ") == true)
  }

  @Test func survivesSchemasThatLeadToThemselves() {
    let schema: JSONValue = ["anyOf": [["$ref": "#"], ["$ref": "#"], ["$ref": "#"]]]
    #expect(!SchemaCheck(schema).problems(of: 1).isEmpty)
  }

  static let strictness: [(JSONValue, Bool)] = [
    (["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]], true),
    (["type": "object", "properties": ["a": ["type": "string"]]], false),
    (["properties": ["a": ["maxLength": 3]], "required": ["a"]], false), (["type": "array"], false),
    (["type": "object", "properties": ["a": [:]], "required": ["a"], "additionalProperties": true], false),
  ]

  @Test(arguments: strictness)
  func tellsWhetherASchemaCanBeStrict(_ schema: JSONValue, _ isStrict: Bool) {
    #expect(StructuredAnswer(schema: schema).strict.isStrict == isStrict)
  }
}

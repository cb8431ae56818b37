import PluginKit
import Testing

@testable import ModelWire

struct AnswerSchemaTests {
  static let strictness: [(JSONValue, Bool)] = [
    (["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]], true),
    (["type": "object", "properties": ["a": ["type": "string"]]], false),
    (["properties": ["a": ["maxLength": 3]], "required": ["a"]], false), (["type": "array"], false),
    (["type": "object", "properties": ["a": [:]], "required": ["a"], "additionalProperties": true], false),
  ]

  @Test(arguments: strictness)
  func tellsWhetherASchemaCanBeStrict(_ schema: JSONValue, _ isStrict: Bool) {
    #expect(AnswerSchema(schema: schema).strict.isStrict == isStrict)
  }
}

import Expressions
import Localization
import Testing

@testable import Plans
@testable import Schemas

@Suite struct ContractReaderTests {
  static let sound = """
    {
      "contract": "a", "version": 3, "summary": { "en": "Letters", "de": "Buchstaben" },
      "$defs": { "word": { "type": "string" } },
      "actions": {
        "a.do": {
          "summary": { "en": "Does it", "de": "Tut es" }, "effect": "read", "costly": true,
          "input": { "$ref": "#/$defs/word" }, "output": { "type": "object" }
        }
      }
    }
    """

  private func read(replacing old: String = "", by new: String = "") throws(ContractProblem) -> ContractContent {
    let text = old.isEmpty ? Self.sound : Self.sound.replacing(old, with: new)
    return try ContractReader.read(Array(text.utf8), of: "a")
  }

  @Test func aDocumentIsRead() throws {
    let content = try read()
    #expect(content.version == 3)
    #expect(content.summary.german == "Buchstaben")
    let action = try #require(content.signatures.first)
    #expect(action.name == "a.do")
    #expect(action.effect == .read)
    #expect(action.isCostly)
    #expect(!action.isOptional)
    #expect(action.input.validate("text").isEmpty)
    #expect(!action.input.validate(1).isEmpty)
    #expect(content.triggers.isEmpty)
  }

  @Test(arguments: [
    ("}", ""), (#""contract": "a""#, #""contract": "b""#), (#""version": 3"#, #""version": "3""#),
    (#""version": 3, "#, ""), (#""version": 3"#, #""version": 3, "versoin": 3"#), (#""costly""#, #""costli""#),
    (#", "de": "Tut es""#, ""), (#""read""#, #""reads""#), (#""costly": true"#, #""costly": 1"#),
    (#"{ "type": "object" }"#, #""object""#), (#""actions""#, #""triggers""#),
  ])
  func aMistakeIsAnErrorWithTheNameOfTheContract(_ old: String, _ new: String) throws {
    let error = #expect(throws: ContractProblem.self) { try read(replacing: old, by: new) }
    #expect(error?.contract == "a")
    #expect(error?.message.isEmpty == false)
  }
}

import Expressions
import Localization
import RecipeModel
import Schemas
import Testing

@Suite struct RecipeDefinitionsTests {
  @Test func aPathLeadsToTheKeysOfItsMap() {
    let retry = RecipeDefinitions.mapping(at: [.key("steps"), .index(3), .key("retry")])
    #expect(retry?.name == .retry)
    #expect(retry?.keyNames.contains("backoff") == true)
    #expect(RecipeDefinitions.mapping(at: [])?.name == .general)
    #expect(RecipeDefinitions.mapping(at: [], kind: "chain")?.name == .chain)
    #expect(RecipeDefinitions.mapping(at: [.key("inputs"), .key("limit")])?.name == .input)
    #expect(RecipeDefinitions.mapping(at: [.key("on"), .index(0), .key("schedule")])?.name == .schedule)
    #expect(RecipeDefinitions.mapping(at: [.key("on"), .key("mail")])?.name == .mailEvent)
    #expect(RecipeDefinitions.mapping(at: [.key("providers"), .key("home")], of: .configuration)?.name == .provider)
    #expect(RecipeDefinitions.mapping(at: [.key("steps"), .index(0), .key("with")]) == nil)
    #expect(RecipeDefinitions.mapping(at: [.key("nowhere")]) == nil)
  }

  @Test func aKeyHasItsMeaningAndShape() throws {
    let key = try #require(RecipeDefinitions.key(at: [.key("steps"), .index(0), .key("on_error")]))
    #expect(key.schema.document == ["enum": ["fail", "continue"]])
    #expect(!key.isRequired)
    #expect(RecipeDefinitions.key(at: [.key("steps")])?.isRequired == true)
  }

  @Test(arguments: MappingDefinition.Name.allCases)
  func everyMapIsDefinedUnderItsName(_ name: MappingDefinition.Name) {
    let definition = RecipeDefinitions.definition(name)
    #expect(definition.name == name)
    #expect(Set(definition.keyNames).count == definition.keys.count)
    for key in definition.keys { #expect(!key.summary.english.isEmpty && !key.summary.german.isEmpty) }
  }
}

import Expressions
import Testing

@testable import Providers

/// What of an input goes through the neutraliser.
struct NeutralTextsTests {
  @Test func argumentsOfToolsAreTextsWhateverTheirKeys() {
    let call: Value = [
      "id": "call_1", "name": "lookup", "arguments": ["name": "Anna Zwirbel", "id": "K-123456", "of": ["type": "Ott"]],
    ]
    var texts = NeutralTexts(["messages": [["role": "assistant", "content": "One moment.", "tool_calls": [call]]]])
    #expect(texts.collected == ["One moment.", "Anna Zwirbel", "K-123456", "Ott"])
    let neutral = texts.replaced(by: ["One moment.", "[PERSON_1]", "[PRIVATE_1]", "[PERSON_2]"])
    let made = neutral["messages"]?[0]?["tool_calls"]?[0]
    #expect(made?["name"] == "lookup" && made?["id"] == "call_1")
    #expect(made?["arguments"] == ["name": "[PERSON_1]", "id": "[PRIVATE_1]", "of": ["type": "[PERSON_2]"]])
  }
}

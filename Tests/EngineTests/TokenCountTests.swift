import Engine
import Expressions
import Testing

struct TokenCountTests {
  @Test func countsOfAnAnswerAreRead() throws {
    let count = try #require(TokenCount(["prompt_tokens": 12, "completion_tokens": 3.0, "cached_tokens": .null]))
    #expect(count == TokenCount(prompt: 12, completion: 3))
  }

  @Test(arguments: ["prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens"])
  func anImplausibleCountIsNone(_ name: String) {
    for number in [Value.int(.max), .uint(.max), .double(1e300), .int(1_000_000_001)] {
      var usage: ValueMap = ["prompt_tokens": 1, "completion_tokens": 1]
      usage[name] = number
      #expect(TokenCount(.map(usage)) == nil)
    }
  }
}

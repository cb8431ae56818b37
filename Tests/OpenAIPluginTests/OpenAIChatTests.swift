import PluginKit
import PluginKitTesting
import Testing

@testable import OpenAIPlugin

@Suite(.timeLimit(.minutes(5)))
struct OpenAIChatTests {
  private let host = InMemoryHost(provider: "gpt")

  private func complete(
    _ input: JSONValue, settings: JSONValue = ["api_key": "sk-test-0123456789"]
  ) async throws -> JSONValue {
    try await host.open(OpenAIPlugin.self, configuration: settings).call("chat.complete", input)
  }

  private static let hello = [
    #"{"id":"c","object":"chat.completion.chunk","model":"gpt-4o-mini-2024","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}"#,
    #"{"model":"gpt-4o-mini-2024","choices":[{"index":0,"delta":{"content":"Grüezi"},"finish_reason":null}],"usage":null}"#,
    #"{"model":"gpt-4o-mini-2024","choices":[{"index":0,"delta":{"content":" 👋"},"finish_reason":null}],"usage":null}"#,
    #"{"model":"gpt-4o-mini-2024","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}"#,
    #"{"model":"gpt-4o-mini-2024","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}"#,
    "[DONE]",
  ]

  @Test func streamsAnAnswerPieceByPiece() async throws {
    host.respond(with: .events(Self.hello))
    let output = try await complete(["prompt": "Say hello."])
    #expect(output["text"] == "Grüezi 👋")
    #expect(output["model"] == "gpt-4o-mini-2024")
    #expect(output["finish_reason"] == "stop")
    #expect(output["extractive"] == false)
    #expect(
      output["usage"]
        == ["prompt_tokens": 9, "completion_tokens": 3, "cached_tokens": 4, "reasoning_tokens": 1])
    #expect(host.deltas == [["text": "Grüezi"], ["text": " 👋"]])
  }

  @Test func asksAsTheInterfaceWantsIt() async throws {
    host.respond(with: .events(Self.hello))
    _ = try await complete([
      "system": "Be short.", "prompt": "Say", "input": "hello", "temperature": 0.5, "max_tokens": 10, "seed": 7,
      "stop": ["END"], "options": ["reasoning_effort": "low", "stream_options": nil],
    ])
    let request = try #require(host.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "https://api.openai.com/v1/chat/completions")
    #expect(request.headers["authorization"] == "Bearer sk-test-0123456789")
    let body = try JSONValue(json: request.body)
    #expect(
      body == [
        "model": "gpt-4o-mini", "stream": true, "temperature": 0.5, "max_completion_tokens": 10, "seed": 7,
        "stop": ["END"], "reasoning_effort": "low",
        "messages": [
          ["role": "system", "content": "Be short."], ["role": "user", "content": "Say\n\nhello"],
        ],
      ])
  }

  @Test func asksOpenAINothingWithoutAKey() async throws {
    await #expect(throws: ActionError(.auth, "")) { try await complete(["prompt": "Hi"], settings: [:]) }
    #expect(host.requests.isEmpty)
  }
}

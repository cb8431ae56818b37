import PluginKit
import PluginKitTesting
import Testing

@testable import OllamaPlugin

@Suite(.timeLimit(.minutes(5)))
struct OllamaPluginTests {
  private let host = InMemoryHost(provider: "local")

  private func complete(
    _ response: ScriptedResponse, _ input: JSONValue = ["prompt": "Hi"], settings: JSONValue = [:]
  ) async throws -> JSONValue {
    host.respond(with: response)
    return try await host.open(OllamaPlugin.self, configuration: settings).call("chat.complete", input)
  }

  private static func lines(_ lines: String...) -> ScriptedResponse {
    ScriptedResponse(
      headers: ["content-type": "application/x-ndjson"], lines.map { $0 + "\n" }.joined())
  }

  private static let done =
    #"{"model":"llama3:8b","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":2}"#

  private var body: JSONValue {
    get throws { try JSONValue(json: try #require(host.requests.last).body) }
  }

  @Test(arguments: [1, 3, 4096])
  func streamsAnAnswer(_ size: Int) async throws {
    let response = Self.lines(
      #"{"message":{"role":"assistant","content":"","thinking":"Hm."},"done":false}"#,
      #"{"message":{"role":"assistant","content":"Grüe"},"done":false}"#,
      #"{"message":{"role":"assistant","content":"zi 👋"},"done":false}"#, Self.done)
    let output = try await complete(response.cut(every: size))
    #expect(output["text"] == "Grüezi 👋")
    #expect(output["reasoning"] == "Hm.")
    #expect(output["model"] == "llama3:8b")
    #expect(output["usage"] == ["prompt_tokens": 5, "completion_tokens": 2])
    #expect(host.deltas == [["reasoning": "Hm."], ["text": "Grüe"], ["text": "zi 👋"]])
  }

  @Test func alwaysSaysHowLongThePromptMayBe() async throws {
    _ = try await complete(
      Self.lines(Self.done),
      [
        "prompt": "Hi", "max_tokens": 9, "seed": 1, "temperature": 0.5, "images": ["data:image/png;base64,AAAA"],
        "options": ["top_k": 3, "think": true],
      ], settings: ["keep_alive": -1, "base_url": "http://localhost:11434/api/"])
    #expect(
      try body == [
        "model": "llama3:8b", "stream": true, "truncate": false, "keep_alive": -1, "think": true,
        "messages": [["role": "user", "content": "Hi", "images": ["AAAA"]]],
        "options": ["num_ctx": 8192, "num_predict": 9, "seed": 1, "temperature": 0.5, "top_k": 3],
      ])
    #expect(host.requests.last?.url == "http://localhost:11434/api/chat")
  }

  @Test func fallsBackWhereTheServerKnowsNoChat() async throws {
    host.respond(
      with: ScriptedResponse(status: 404, headers: ["content-type": "text/plain"], "404 page not found"),
      Self.lines(#"{"response":"Yes","done":false}"#, #"{"response":"","done":true}"#))
    let output = try await host.open(OllamaPlugin.self).call(
      "chat.complete", ["system": "Short.", "prompt": "Really?"])
    #expect(output["text"] == "Yes")
    #expect(host.requests.last?.url.hasSuffix("/api/generate") == true)
    #expect(try body["system"] == "Short.")
    #expect(try body["prompt"] == "Really?")
    #expect(try body["options"]?["num_ctx"] == 8192)
  }

  @Test func saysHowToFetchAModelThatIsMissing() async {
    do {
      _ = try await complete(
        .json(["error": "model 'nope' not found"], status: 404), ["prompt": "Hi", "model": "nope"])
      Issue.record("answered")
    } catch {
      let error = error as? ActionError
      #expect(error?.kind == .notFound)
      #expect(error?.advice?.contains("ollama pull nope") == true)
      #expect(error?.adviceGerman?.contains("ollama pull nope") == true)
    }
    #expect(host.requests.count == 1)
  }

  @Test(arguments: [
    (lines(#"{"message":{"content":"half"},"done":false}"#), ActionError.Kind.io),
    (lines(), .io),
    (lines(#"{"message":{"content":"half"}}"#, #"{"error":"CUDA out of memory"}"#), .server),
    (lines("<html>"), .protocol),
    (.json(["error": "server busy"], status: 503), .server),
    (.json(["error": "too many requests"], status: 429), .rateLimited),
    // Of a proxy in front of it.
    (.json(["error": ["message": "no money", "code": "insufficient_quota"]], status: 429), .quota),
    (.json(["error": "\"llama3\" does not support tools"], status: 400), .unsupported),
    (.json(["error": "the input length exceeds the context length"], status: 400), .invalidInput),
    (.failure(ActionError(.refused, "refused")), .refused),
  ])
  func namesWhatGoesWrong(_ response: ScriptedResponse, _ kind: ActionError.Kind) async {
    do {
      _ = try await complete(response)
      Issue.record("answered")
    } catch {
      let error = error as? ActionError
      #expect(error?.kind == kind)
      if [.refused, .invalidInput].contains(kind) { #expect(error?.advice != nil) }
    }
  }

  @Test func asksForTheSchemaAndLeavesTheAnswerToTheHost() async throws {
    let schema: JSONValue = ["type": "object", "required": ["city"], "properties": ["city": ["type": "string"]]]
    let output = try await complete(
      Self.lines(#"{"message":{"content":"Zug"},"done":false}"#, Self.done), ["prompt": "Where?", "schema": schema])
    #expect(output["text"] == "Zug")
    #expect(try body["format"] == schema)
  }

  @Test func takesALineOfFiveMegabytes() async throws {
    let long = String(repeating: "x", count: 5 << 20)
    let output = try await complete(Self.lines(#"{"message":{"content":"\#(long)"},"done":false}"#, Self.done))
    #expect(output["text"]?.string?.utf8.count == 5 << 20)
  }

  @Test func joinsToolCallsOfSeveralLines() async throws {
    func line(_ city: String) -> String {
      #"{"message":{"content":"","tool_calls":[{"function":{"name":"rain","arguments":{"city":"\#(city)"}}}]},"done":false}"#
    }
    let output = try await complete(
      Self.lines(line("Zug"), line("Bern"), Self.done).cut(every: 7), ["prompt": "?", "tools": [["name": "rain"]]])
    #expect(output["tool_calls"]?.array?.map { $0["arguments"]?["city"] } == ["Zug", "Bern"])
  }

  @Test func streamsAChatInTheFormOfGenerate() async throws {
    let end = #"{"response":"","done":true,"done_reason":"stop"}"#
    let output = try await complete(
      Self.lines(#"{"response":"Grüe","done":false}"#, #"{"response":"zi","done":false}"#, end, end))
    #expect(output["text"] == "Grüezi")
    #expect(host.deltas == [["text": "Grüe"], ["text": "zi"]])
  }

  @Test func takesToolCallsBesideTheMessage() async throws {
    let output = try await complete(
      Self.lines(
        #"{"response":"","tool_calls":[{"id":"a","function":{"name":"rain","arguments":"{\"city\":"}}],"done":false}"#,
        #"{"response":"","tool_calls":[{"id":"","function":{"name":"","arguments":"\"Zug\"}"}}],"done":false}"#,
        #"{"response":"","done":true,"done_reason":"tool_calls"}"#))
    #expect(output["tool_calls"]?.array?.map { $0["arguments"] } == [["city": "Zug"]])
  }

  @Test func anAnswerWithoutAMessageIsEmpty() async throws {
    #expect(try await complete(Self.lines(#"{"model":"m","done":true}"#))["text"] == "")
  }

  @Test func takesSeveralWholeToolCalls() async throws {
    let calls =
      #"{"message":{"content":"","tool_calls":[{"function":{"name":"rain","arguments":{"city":"Zug"}}},{"function":{"name":"rain","arguments":{"city":"Bern"}}}]},"done":false}"#
    let output = try await complete(Self.lines(calls, Self.done), ["prompt": "?", "tools": [["name": "rain"]]])
    #expect(output["finish_reason"] == "tool_calls")
    #expect(output["tool_calls"]?.array?.map { $0["arguments"]?["city"] } == ["Zug", "Bern"])
    #expect(output["tool_calls"]?.array?.map { $0["id"] } == ["call_1", "call_2"])
  }

  @Test func listsModelsAndMakesVectors() async throws {
    host.respond(
      with: .json([
        "models": [
          [
            "name": "llama3:8b", "size": 4_700_000_000, "details": ["family": "llama", "parameter_size": "8B"],
            "capabilities": ["completion"],
          ]
        ]
      ]), .json(["model": "e", "embeddings": [[1, 2], [3, 4]], "prompt_eval_count": 6]))
    let plugin = try host.open(OllamaPlugin.self)
    let models = try await plugin.call("chat.models")
    #expect(models["models"]?.array?.first?["id"] == "llama3:8b")
    #expect(models["models"]?.array?.first?["size"] == 4_700_000_000)
    let vectors = try await plugin.call("embed.texts", ["texts": ["a", "b"]])
    #expect(vectors == ["vectors": [[1, 2], [3, 4]], "model": "e", "usage": ["prompt_tokens": 6]])
  }
}

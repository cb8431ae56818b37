import PluginKit
import PluginKitTesting
import Testing

@testable import MistralPlugin

@Suite(.timeLimit(.minutes(5)))
struct MistralPluginTests {
  private let host = InMemoryHost(provider: "mistral")

  private func complete(_ response: ScriptedResponse, _ input: JSONValue = ["prompt": "Hi"]) async throws -> JSONValue {
    host.respond(with: response)
    return try await host.open(MistralPlugin.self, configuration: ["api_key": "key-0123456789"])
      .call("chat.complete", input)
  }

  @Test func asksInItsOwnWords() async throws {
    let answer =
      #"{"choices":[{"index":0,"delta":{"content":"Salut"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#
    let output = try await complete(
      .events([answer, "[DONE]"]),
      [
        "prompt": "Hi", "max_tokens": 5, "seed": 3, "tools": [["name": "rain"]], "tool_choice": "required",
        "options": ["safe_prompt": true],
      ])
    #expect(output["text"] == "Salut")
    #expect(output["usage"] == ["prompt_tokens": 1, "completion_tokens": 1])
    let body = try JSONValue(json: try #require(host.requests.first).body)
    #expect(body["max_tokens"] == 5)
    #expect(body["random_seed"] == 3)
    #expect(body["tool_choice"] == "any")
    #expect(body["safe_prompt"] == true)
    #expect(body["stream_options"] == nil)
    #expect(host.requests.first?.url == "https://api.mistral.ai/v1/chat/completions")
  }

  @Test func goesOnWithAnAnswerThatHasBegun() async throws {
    let answer = #"{"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}"#
    _ = try await complete(
      .events([answer, "[DONE]"]),
      ["messages": [["role": "user", "content": "Spell"], ["role": "assistant", "content": "a"]]])
    let body = try JSONValue(json: try #require(host.requests.first).body)
    #expect(body["messages"]?.array?.last?["prefix"] == true)
  }

  @Test func readsThoughtsAndWordsInChunks() async throws {
    let thinking =
      #"{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]}}]}"#
    let words =
      #"{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Yes"},{"type":"reference","reference_ids":[1]}]},"finish_reason":"model_length"}]}"#
    let output = try await complete(.events([thinking, words, "[DONE]"]))
    #expect(output["text"] == "Yes")
    #expect(output["reasoning"] == "Hm.")
    #expect(output["finish_reason"] == "length")
    #expect(host.deltas == [["reasoning": "Hm."], ["text": "Yes"]])
  }

  @Test(arguments: [#"{\"city\":\"Zug\"}"#, nil])
  func takesArgumentsAsTextAndAsObject(_ text: String?) async throws {
    let arguments = text.map { "\"\($0)\"" } ?? #"{"city":"Zug"}"#
    let call =
      #"{"choices":[{"index":0,"delta":{"content":"","tool_calls":[{"id":"a","index":0,"function":{"name":"rain","arguments":\#(arguments)}}]},"finish_reason":"tool_calls"}]}"#
    let output = try await complete(.events([call, "[DONE]"]))
    #expect(output["tool_calls"] == [["id": "a", "name": "rain", "arguments": ["city": "Zug"]]])
  }

  @Test func callsAnAnswerThatWasGivenUpAFailure() async {
    let answer = #"{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"error"}]}"#
    await #expect(throws: ActionError(.server, "")) { try await complete(.events([answer, "[DONE]"])) }
  }

  // MARK: What servers do that they should not

  private static func stream(_ text: String) -> ScriptedResponse {
    ScriptedResponse(headers: ["content-type": "text/event-stream"], text)
  }

  private static func chunk(_ delta: String, finish: String = "null") -> String {
    #"data: {"choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"# + "\n\n"
  }

  private static let half = chunk(#"{"content":"half"}"#)
  private static let ending = chunk("{}", finish: #""stop""#) + "data: [DONE]\n\n"

  private static func event(_ json: String) -> String { "data: " + json + "\n\n" }

  static let brokenStreams: [(text: String, kind: ActionError.Kind)] = [
    (half + event(#"{"object":"error","message":"boom","type":"internal_server_error","code":"3000"}"#), .server),
    (half + event(#"{"object":"error","message":"slow","type":"rate_limited","code":"1300"}"#), .rateLimited),
    (half + event(#"{"error":{"message":"no money","code":"insufficient_quota"}}"#), .quota),
    (half, .io),
    (event(#"{"choices":[]}"#) + event("[DONE]"), .protocol),
  ]

  @Test(arguments: brokenStreams)
  func aStreamThatGoesWrongEndsInAnError(_ text: String, _ kind: ActionError.Kind) async {
    await #expect(throws: ActionError(kind, "")) { try await complete(Self.stream(text)) }
  }

  @Test(arguments: [1, 2, 3, 5])
  func findsTheSameTextWhereverPiecesAreCut(_ size: Int) async throws {
    let text = Self.chunk(#"{"content":"Zürich – 日本 👩‍👩‍👧"}"#) + Self.ending
    #expect(try await complete(Self.stream(text).cut(every: size))["text"] == "Zürich – 日本 👩‍👩‍👧")
  }

  @Test func takesALineOfFiveMegabytes() async throws {
    let long = String(repeating: "x", count: 5 << 20)
    let output = try await complete(Self.stream(Self.chunk(#"{"content":"\#(long)"}"#) + Self.ending))
    #expect(output["text"]?.string?.utf8.count == 5 << 20)
  }

  @Test func acceptsAFinishedAnswerWithoutEndMark() async throws {
    let text = Self.chunk(#"{"content":"whole"}"#) + Self.chunk("{}", finish: #""length""#)
    #expect(try await complete(Self.stream(text))["text"] == "whole")
  }

  @Test func joinsFragmentsOfToolCalls() async throws {
    let text =
      Self.chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"rain","arguments":"{\"city\":"}}]}"#)
      + Self.chunk(#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"snow","arguments":"{}"}}]}"#)
      + Self.chunk(#"{"tool_calls":[{"index":0,"function":{"arguments":"\"Zug\"}"}}]}"#)
      + Self.chunk("{}", finish: #""tool_calls""#) + "data: [DONE]\n\n"
    let output = try await complete(Self.stream(text), ["prompt": "?", "tools": [["name": "rain"], ["name": "snow"]]])
    #expect(
      output["tool_calls"] == [
        ["id": "a", "name": "rain", "arguments": ["city": "Zug"]], ["id": "b", "name": "snow", "arguments": [:]],
      ])
  }

  static let failures: [(Int, JSONValue, ActionError.Kind, String)] = [
    (
      429, ["object": "error", "message": "Rate limit exceeded", "type": "rate_limited", "param": nil, "code": "1300"],
      .rateLimited, "Rate limit exceeded"
    ),
    (429, ["message": "Requests rate limit exceeded"], .rateLimited, "Requests rate limit exceeded"),
    (
      422, ["detail": [["loc": ["body", "temperature"], "msg": "Input should be less than 2", "type": "less_than"]]],
      .invalidInput, "body.temperature: Input should be less than 2"
    ),
    (
      422,
      [
        "object": "error", "message": ["detail": [["loc": ["body"], "msg": "Field required"]]],
        "type": "invalid_request",
      ],
      .invalidInput, "body: Field required"
    ),
    (429, ["message": "You exceeded your quota", "code": "insufficient_quota"], .quota, "exceeded"),
    (401, ["detail": "Unauthorized"], .auth, "Unauthorized"),
    (404, ["message": "no Route matched with those values"], .notFound, "no Route"),
    (503, ["object": "error", "message": "Service unavailable"], .server, "Service unavailable"),
  ]

  @Test(arguments: failures)
  func readsEveryShapeOfFailure(_ status: Int, _ body: JSONValue, _ kind: ActionError.Kind, _ words: String) async {
    do {
      _ = try await complete(.json(body, status: status, headers: ["Retry-After": "3"]))
      Issue.record("answered")
    } catch {
      let error = error as? ActionError
      #expect(error?.kind == kind)
      #expect(error?.message.contains(words) == true)
      #expect(error?.retryAfter == ([.rateLimited, .server].contains(kind) ? 3 : nil))
    }
  }

  @Test func makesVectors() async throws {
    host.respond(with: .json(["data": [["index": 0, "embedding": [0.5]]], "usage": ["prompt_tokens": 2]]))
    let output = try await host.open(MistralPlugin.self, configuration: ["api_key": "key-0123456789"])
      .call("embed.texts", ["texts": ["one"]])
    #expect(output == ["vectors": [[0.5]], "model": "mistral-embed", "usage": ["prompt_tokens": 2]])
  }
}

import PluginKit
import PluginKitTesting
import Testing

@testable import OpenAIPlugin

/// What servers do that they should not, or seldom do.
@Suite(.timeLimit(.minutes(5)))
struct OpenAIEdgeCasesTests {
  private let host = InMemoryHost(provider: "gpt")

  private func complete(_ response: ScriptedResponse, _ input: JSONValue = ["prompt": "Hi"]) async throws -> JSONValue {
    host.respond(with: response)
    return try await host.open(OpenAIPlugin.self, configuration: ["api_key": "sk-test-0123456789"])
      .call("chat.complete", input)
  }

  private func failure(_ response: ScriptedResponse, _ input: JSONValue = ["prompt": "Hi"]) async -> ActionError? {
    do {
      let output = try await complete(response, input)
      Issue.record("answered: \(output)")
      return nil
    } catch {
      return error as? ActionError
    }
  }

  private static func stream(_ text: String) -> ScriptedResponse {
    ScriptedResponse(headers: ["content-type": "text/event-stream; charset=utf-8"], text)
  }

  private static func chunk(_ delta: String, finish: String = "null") -> String {
    #"data: {"model":"m","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"# + "\n\n"
  }

  private static let ending = chunk("{}", finish: #""stop""#) + "data: [DONE]\n\n"

  @Test(arguments: [1, 2, 3, 7])
  func findsTheSameTextWhereverPiecesAreCut(_ size: Int) async throws {
    let text = Self.chunk(#"{"content":"Zürich – 日本 👩‍👩‍👧"}"#) + Self.ending
    #expect(try await complete(Self.stream(text).cut(every: size))["text"] == "Zürich – 日本 👩‍👩‍👧")
  }

  @Test(arguments: ["text/plain", "application/octet-stream", "application/json"], [1, 5, 4096])
  func knowsAStreamByHowItBegins(_ type: String, _ size: Int) async throws {
    for (lead, text) in [("", "a"), ("\n: hello\n\n", "b")] {
      let body = lead + Self.chunk(#"{"content":"\#(text)"}"#) + Self.ending
      let response = ScriptedResponse(headers: ["content-type": type], body).cut(every: size)
      #expect(try await complete(response)["text"] == .string(text))
    }
    let whole = #"{"model":"m","choices":[{"index":0,"message":{"content":"w"},"finish_reason":"stop"}]}"#
    let response = ScriptedResponse(headers: ["content-type": type], whole).cut(every: size)
    #expect(try await complete(response)["text"] == "w")
  }

  @Test(arguments: ["\r\n", "\r", "\n"])
  func takesEveryLineEnd(_ end: String) async throws {
    let text =
      ": keep-alive\n\n" + Self.chunk(#"{"content":"a"}"#) + ": ping\n\nevent: x\n" + Self.chunk(#"{"content":"b"}"#)
    #expect(try await complete(Self.stream((text + Self.ending).replacing("\n", with: end)))["text"] == "ab")
  }

  @Test func takesALineOfFiveMegabytes() async throws {
    let long = String(repeating: "x", count: 5 << 20)
    let output = try await complete(Self.stream(Self.chunk(#"{"content":"\#(long)"}"#) + Self.ending))
    #expect(output["text"]?.string?.utf8.count == 5 << 20)
  }

  @Test func refusesALineWithoutEnd() async {
    let endless = "data: " + String(repeating: "x", count: 17 << 20)
    #expect(await failure(Self.stream(endless))?.kind == .protocol)
  }

  @Test(arguments: [
    (#"data: {"error":{"message":"boom","type":"server_error"}}"#, ActionError.Kind.server),
    (#"data: {"error":{"message":"slow","code":"rate_limit_exceeded"}}"#, .rateLimited),
    (#"data: {"error":{"message":"no money","code":"insufficient_quota"}}"#, .quota),
    (#"data: {"error":{"message":"gone","code":503}}"#, .server),
    (#"data: {"error":"words alone"}"#, .server),
    ("data: not json", .protocol),
  ])
  func endsWithAnErrorInTheMiddle(_ line: String, _ kind: ActionError.Kind) async {
    let error = await failure(Self.stream(Self.chunk(#"{"content":"half"}"#) + line + "\n\n"))
    #expect(error?.kind == kind)
    #expect(host.deltas == [["text": "half"]])
  }

  @Test func failsWhereTheStreamEndsTooEarly() async {
    #expect(await failure(Self.stream(Self.chunk(#"{"content":"half"}"#)))?.kind == .io)
    var broken = Self.stream(Self.chunk(#"{"content":"half"}"#))
    broken.ending = .failure(ActionError(.io, "connection reset"))
    #expect(await failure(broken)?.kind == .io)
  }

  @Test func acceptsAFinishedAnswerWithoutEndMark() async throws {
    let text = Self.chunk(#"{"content":"whole"}"#) + Self.chunk("{}", finish: #""length""#)
    let output = try await complete(Self.stream(text))
    #expect(output["text"] == "whole")
    #expect(output["finish_reason"] == "length")
  }

  @Test func failsWithoutAnyChoice() async {
    #expect(await failure(Self.stream(#"data: {"choices":[]}"# + "\n\ndata: [DONE]\n\n"))?.kind == .protocol)
    #expect(await failure(.json(["choices": []]))?.kind == .protocol)
  }

  @Test(arguments: [
    (ScriptedResponse(headers: ["content-type": "application/json"]), ActionError.Kind.protocol),
    (ScriptedResponse(headers: ["content-type": "text/html"], "<html><title>Sign in</title></html>"), .protocol),
    (ScriptedResponse(headers: ["content-type": "application/json"], "{"), .parse),
    (
      ScriptedResponse(status: 502, headers: ["content-type": "text/html"], "<html><title>Bad Gateway</title>"), .server
    ),
    (.json(["error": ["message": "late", "code": 500]]), .server),
  ])
  func namesWhatIsNoAnswer(_ response: ScriptedResponse, _ kind: ActionError.Kind) async {
    let error = await failure(response)
    #expect(error?.kind == kind)
    #expect(error?.messageGerman != nil)
  }

  @Test func readsAnAnswerThatIsNotStreamed() async throws {
    let output = try await complete(
      .json([
        "model": "m", "usage": ["prompt_tokens": 1, "completion_tokens": 2],
        "choices": [["index": 0, "finish_reason": "stop", "message": ["role": "assistant", "content": "whole"]]],
      ]))
    #expect(output["text"] == "whole")
    #expect(output["usage"] == ["prompt_tokens": 1, "completion_tokens": 2])
    #expect(host.deltas == [["text": "whole"]])
  }

  @Test func joinsFragmentsOfToolCalls() async throws {
    let text =
      Self.chunk(#"{"content":null,"tool_calls":[{"index":0,"id":"a","function":{"name":"rain","arguments":""}}]}"#)
      + Self.chunk(#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"snow","arguments":"{\"x\":"}}]}"#)
      + Self.chunk(#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":\"Z"}}]}"#)
      + Self.chunk(
        #"{"tool_calls":[{"index":1,"function":{"arguments":"1}"}},{"index":0,"function":{"arguments":"ug\"}"}}]}"#)
      + Self.chunk("{}", finish: #""tool_calls""#) + "data: [DONE]\n\n"
    let output = try await complete(
      Self.stream(text),
      ["prompt": "Weather?", "tools": [["name": "rain"], ["name": "snow"]], "tool_choice": "rain"])
    #expect(output["finish_reason"] == "tool_calls")
    #expect(
      output["tool_calls"] == [
        ["id": "a", "name": "rain", "arguments": ["city": "Zug"]], ["id": "b", "name": "snow", "arguments": ["x": 1]],
      ])
    let body = try JSONValue(json: try #require(host.requests.first).body)
    #expect(body["tool_choice"] == ["type": "function", "function": ["name": "rain"]])
    #expect(body["tools"]?.array?.count == 2)
  }

  /// The host salvages such arguments, or asks the model again.
  @Test func passesArgumentsThatAreNoObjectOnAsText() async throws {
    let text =
      Self.chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"rain","arguments":"{'city': 'Zug'}"}}]}"#)
      + Self.ending
    #expect(try await complete(Self.stream(text))["tool_calls"]?.array?.first?["arguments"] == "{'city': 'Zug'}")
    let nameless = Self.chunk(#"{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}"#) + Self.ending
    // The next answer may be better, unless it is cut as this one was.
    #expect(await failure(Self.stream(nameless))?.kind == .unsuitable)
    let cut = nameless.replacing(#""stop""#, with: #""length""#)
    #expect(await failure(Self.stream(cut))?.kind == .parse)
    let counted = #"data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"# + "\n\n"
    #expect(
      await failure(Self.stream(counted + nameless))?.usage == ["prompt_tokens": 7, "completion_tokens": 2])
  }

  /// What a service has refused is not sent again, also after a restart.
  @Test func remembersWhatAServiceRefuses() async throws {
    host.respond { request in
      let body = try JSONValue(json: request.body)
      if body["max_tokens"] != nil {
        return ScriptedResponse.json(
          ["error": ["message": "Use 'max_completion_tokens' instead.", "param": "max_tokens"]], status: 400)
      }
      return Self.stream(Self.chunk(#"{"content":"Hi"}"#) + Self.ending)
    }
    let settings: JSONValue = ["base_url": "https://llm.example.com/v1"]
    for asked in [2, 3, 4] {
      let plugin = try host.open(OpenAIPlugin.self, configuration: settings)
      #expect(try await plugin.call("chat.complete", ["prompt": "Hi", "max_tokens": 5])["text"] == "Hi")
      #expect(host.requests.count == asked)
    }
  }

  // MARK: Structured output

  private static let schema: JSONValue = [
    "type": "object", "required": ["city", "warm"],
    "properties": ["city": ["type": "string"], "warm": ["type": "boolean"]],
  ]

  @Test func asksForTheSchemaAndLeavesTheAnswerToTheHost() async throws {
    let text =
      Self.chunk(#"{"content":"{\"city\":\"Zug\","}"#) + Self.chunk(#"{"content":"\"warm\":true}"}"#) + Self.ending
    let output = try await complete(Self.stream(text), ["prompt": "Where?", "schema": Self.schema])
    #expect(output["city"] == nil)
    #expect(output["text"] == #"{"city":"Zug","warm":true}"#)
    let format = try JSONValue(json: try #require(host.requests.first).body)["response_format"]
    #expect(format?["type"] == "json_schema")
    #expect(format?["json_schema"]?["strict"] == true)
    #expect(format?["json_schema"]?["schema"]?["additionalProperties"] == false)
  }

  @Test func aSchemaGoesToTheModelInItsAuthorsOrder() async throws {
    let schema =
      #"{"type":"object","required":["zeal","age"],"properties":{"zeal":{"type":"string"},"age":{"type":"integer"}}}"#
    _ = try await complete(
      Self.stream(Self.chunk(#"{"content":"{\"zeal\":\"much\",\"age\":3}"}"#) + Self.ending),
      ["prompt": "Who?", "schema": try JSONValue(json: Array(schema.utf8))])
    let body = String(decoding: try #require(host.requests.first).body, as: UTF8.self)
    #expect(body.contains(#""properties":{"zeal":{"type":"string"},"age":{"type":"integer"}}"#), "\(body)")
    #expect(body.hasPrefix(#"{"model":"gpt-4o-mini","messages":["#))
  }

  // MARK: Failures

  @Test func saysWhatTheServerSaysAndNoSecret() async {
    let error = await failure(
      .json(
        ["error": ["message": "Incorrect API key provided: sk-test-0123456789", "code": "invalid_api_key"]], status: 401
      ))
    #expect(error?.kind == .auth)
    #expect(error?.message.contains("sk-test") == false)
    #expect(error?.message.contains("Incorrect API key") == true)
    #expect(error?.advice?.contains("'gpt'") == true)
  }

  @Test func tellsAnEmptyPurseFromARush() async {
    let quota = await failure(
      .json(["error": ["message": "You exceeded your current quota", "code": "insufficient_quota"]], status: 429))
    #expect(quota?.kind == .quota)
    #expect(quota?.retryAfter == nil)
    let rush = await failure(
      .json(
        ["error": ["message": "Rate limit reached", "code": "rate_limit_exceeded"]], status: 429,
        headers: ["retry-after-ms": "1500"]))
    #expect(rush?.kind == .rateLimited)
    #expect(rush?.retryAfter == 1.5)
  }

  @Test func callsTheRequestOffWithTheCall() async throws {
    host.respond(with: .silence)
    let plugin = try host.open(OpenAIPlugin.self, configuration: ["api_key": "sk-test-0123456789"])
    let call = Task { try await plugin.call("chat.complete", ["prompt": "Hi"]) }
    while host.requests.isEmpty { await Task.yield() }
    call.cancel()
    await #expect(throws: ActionError(.cancelled, "")) { try await call.value }
  }
}

import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import OpenAIPlugin

@Suite(.timeLimit(.minutes(5)))
struct OpenAIOtherActionsTests {
  private let host = InMemoryHost(provider: "gpt")
  private let settings: JSONValue = ["base_url": "http://127.0.0.1:9/v1/", "organization": "org-1"]

  @Test func listsModelsByName() async throws {
    host.respond(
      with: .json([
        "object": "list",
        "data": [
          ["id": "b", "object": "model", "created": 0, "owned_by": "me"],
          ["id": "a", "created": 1_700_000_000], ["id": "a"], ["object": "model"],
        ],
      ]))
    let output = try await host.open(OpenAIPlugin.self, configuration: settings).call("chat.models")
    #expect(
      output["models"] == [["id": "a", "created": "2023-11-14T22:13:20Z"], ["id": "b", "owner": "me"]])
    let request = try #require(host.requests.first)
    #expect(request.url == "http://127.0.0.1:9/v1/models")
    #expect(request.headers["openai-organization"] == "org-1")
    #expect(request.headers["authorization"] == nil)
  }

  @Test func putsVectorsInTheOrderOfTheTexts() async throws {
    host.respond(
      with: .json([
        "model": "e", "usage": ["prompt_tokens": 4],
        "data": [["index": 1, "embedding": [2, 2.5]], ["index": 0, "embedding": [1, 1.5]]],
      ]))
    let output = try await host.open(OpenAIPlugin.self, configuration: settings)
      .call("embed.texts", ["texts": ["one", "two"], "dimensions": 2])
    #expect(output == ["vectors": [[1, 1.5], [2, 2.5]], "model": "e", "usage": ["prompt_tokens": 4]])
  }

  @Test(
    arguments: [
      [["index": 0, "embedding": [1]]], [["index": 0, "embedding": [1]], ["index": 0, "embedding": [1]]],
      [["index": 0, "embedding": [1]], ["index": 7, "embedding": [1]]],
      [["index": 0, "embedding": [1]], ["index": 1, "embedding": "AAAA"]],
    ] as [JSONValue])
  func refusesVectorsThatAreNotOneForEachText(_ data: JSONValue) async throws {
    host.respond(with: .json(["data": data]))
    let plugin = try host.open(OpenAIPlugin.self, configuration: settings)
    await #expect(throws: ActionError(.protocol, "")) {
      try await plugin.call("embed.texts", ["texts": ["one", "two"]])
    }
  }

  @Test func asksForManyTextsInParts() async throws {
    host.respond { request in
      let count = (try JSONValue(json: request.body))["input"]?.array?.count ?? 0
      let data = (0..<count).map { JSONValue.object(["index": .integer(Int64($0)), "embedding": [1]]) }
      return .json(["data": .array(data), "usage": ["prompt_tokens": .integer(Int64(count))]])
    }
    let texts = [JSONValue](repeating: "x", count: 5000)
    let output = try await host.open(OpenAIPlugin.self, configuration: settings)
      .call("embed.texts", ["texts": .array(texts)])
    #expect(output["vectors"]?.array?.count == 5000)
    #expect(output["usage"] == ["prompt_tokens": 5000])
    #expect(host.requests.count == 3)
  }

  @Test func sendsARecordingAsAForm() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "sous-\(UUID()).wav").path()
    try Data("RIFFdata".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    host.respond(
      with: .json([
        "text": "Hello.", "language": "english", "duration": 1.5,
        "segments": [["id": 0, "start": 0, "end": 1.5, "text": "Hello."]],
      ]))
    let output = try await host.open(OpenAIPlugin.self, configuration: settings)
      .call("transcribe.audio", ["path": .string(path), "language": "en", "segments": true])
    #expect(
      output == [
        "text": "Hello.", "model": "whisper-1", "language": "english", "duration": 1.5,
        "segments": [["start": 0.0, "end": 1.5, "text": "Hello."]],
      ])
    let request = try #require(host.requests.first)
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(request.headers["content-type"]?.hasPrefix("multipart/form-data") == true)
    #expect(body.contains("RIFFdata") && body.contains("verbose_json") && body.contains("audio/wav"))
  }

  @Test func namesARecordingThatIsNotThere() async throws {
    let plugin = try host.open(OpenAIPlugin.self, configuration: settings)
    await #expect(throws: ActionError(.notFound, "")) {
      try await plugin.call("transcribe.audio", ["path": "/nowhere/speech.mp3"])
    }
  }

  @Test(arguments: ["ftp://x", "example.com", "", "https://", "https://x/v1?key=1"])
  func refusesAnAddressThatIsNone(_ url: String) {
    #expect(throws: ActionError(.invalidInput, "")) {
      try host.open(OpenAIPlugin.self, configuration: ["base_url": .string(url)])
    }
  }
}

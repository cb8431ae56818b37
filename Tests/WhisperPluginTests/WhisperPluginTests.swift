import Foundation
import PluginKit
import PluginKitTesting
import Testing

@testable import WhisperPlugin

@Suite(.timeLimit(.minutes(5))) struct WhisperPluginTests {
  private let host = InMemoryHost(provider: "local")

  private func recording() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "sous-\(UUID()).wav").path()
    try Data("RIFFdata".utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func sendsTheFormThatTheServerTakes() async throws {
    let path = try recording()
    defer { try? FileManager.default.removeItem(atPath: path) }
    host.respond(with: .json(["text": "\n And so my fellow Americans.\n [BLANK_AUDIO]\n ask not\n"]))
    let output = try await host.open(
      WhisperPlugin.self, configuration: ["base_url": "http://127.0.0.1:9", "language": "en"]
    )
    .call("transcribe.audio", ["path": .string(path), "prompt": "Kennedy"])
    #expect(output == ["text": "And so my fellow Americans.\nask not", "model": "whisper"])
    let request = try #require(host.requests.first)
    #expect(request.url == "http://127.0.0.1:9/inference")
    let body = String(decoding: request.body, as: UTF8.self)
    for part in [
      "RIFFdata", "name=\"file\"", "name=\"response_format\"\r\n\r\njson", "name=\"language\"\r\n\r\nen", "Kennedy",
    ] {
      #expect(body.contains(part), "\(part)")
    }
  }

  @Test func givesTimesWhereTheyAreWanted() async throws {
    let path = try recording()
    defer { try? FileManager.default.removeItem(atPath: path) }
    host.respond(
      with: .json([
        "text": " Hallo.", "language": "german", "duration": 1.5,
        "segments": [["id": 0, "start": 0, "end": 1.5, "text": " Hallo.", "avg_logprob": -0.2]],
      ]))
    let output = try await host.open(WhisperPlugin.self).call(
      "transcribe.audio", ["path": .string(path), "segments": true])
    #expect(output["segments"] == [["start": 0.0, "end": 1.5, "text": " Hallo."]])
    #expect(output["duration"] == 1.5)
    #expect(host.requests.first?.url == "http://localhost:8080/inference")
  }

  @Test func silenceIsAnEmptyText() async throws {
    let path = try recording()
    defer { try? FileManager.default.removeItem(atPath: path) }
    host.respond(with: .json(["text": " [BLANK_AUDIO]\n"]))
    let output = try await host.open(WhisperPlugin.self).call("transcribe.audio", ["path": .string(path)])
    #expect(output["text"] == "")
  }
}

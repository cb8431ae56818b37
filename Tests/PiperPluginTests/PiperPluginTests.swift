import PluginKit
import PluginKitTesting
import Testing

@testable import PiperPlugin

@Suite(.timeLimit(.minutes(5))) struct PiperPluginTests {
  private let host = InMemoryHost(provider: "voice")

  @Test func keepsTheRecordingAsABlob() async throws {
    host.respond { request in
      let body = try JSONValue(json: request.body)
      #expect(body == ["text": "Hallo", "voice": "de_DE-thorsten-medium", "length_scale": 0.5])
      return ScriptedResponse(status: 200, headers: ["content-type": "audio/wav"], "RIFF1234")
    }
    let output = try await host.open(PiperPlugin.self, configuration: ["voice": "de_DE-thorsten-medium"])
      .call("speak.text", ["text": "Hallo", "speed": 2])
    #expect(output["type"] == "audio/wav")
    #expect(output["audio"]?.string?.hasPrefix("blob:sha256:") == true)
    #expect(host.requests.first?.url == "http://localhost:5000/")
  }

  @Test func whatIsNoRecordingIsRefused() async throws {
    host.respond(with: .json(["hello": "world"]))
    let plugin = try host.open(PiperPlugin.self)
    await #expect(throws: ActionError(.protocol, "")) { try await plugin.call("speak.text", ["text": "x"]) }
  }
}

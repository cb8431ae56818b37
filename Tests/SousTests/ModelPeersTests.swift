import Expressions
import Foundation
import Testing

/// `sous chat`, `sous models` and `sous run` against servers and libraries of others.
@Suite(
  .enabled(if: ModelPeer.isInstalled, "Scripts/install-peers.sh installs what this talks to"), .timeLimit(.minutes(15)),
  .serialized)
struct ModelPeersTests {
  func project() throws -> SousProcess {
    var sous = try SousProcess()
    let (litellm, ollama) = (try ModelPeer.litellm.get().address, try ModelPeer.ollama.get().address)
    let proxy = try ModelPeer.proxy.get().address
    sous.environment["LOOPBACK_KEY"] = "sk-loopback-master"
    try sous.write(
      "sous.yaml",
      """
      providers:
        gpt: { plugin: openai, base_url: "\(litellm)/v1", model: mock-chat, api_key: { secret: LOOPBACK_KEY } }
        mistral: { plugin: mistral, base_url: "\(litellm)/v1", model: mock-chat, api_key: { secret: LOOPBACK_KEY } }
        local: { plugin: ollama, base_url: "\(ollama)", model: "judge:1b" }
        proxy: { plugin: ollama, base_url: "\(proxy)", model: mock-chat, embedding_model: mock-embed }
        down: { plugin: ollama, base_url: "http://127.0.0.1:9" }
      defaults: { chat: [down, gpt] }
      """)
    return sous
  }

  @Test(arguments: ["gpt", "mistral", "local", "proxy"])
  func chats(_ provider: String) throws {
    let sous = try project()
    defer { sous.remove() }
    let outcome = try sous("chat", "-p", provider, "-v", "-t", "0.5", "Say hello")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("Grüezi from the "))
    #expect(outcome.errors.contains("stop"))
    #expect(try sous("usage", "--by", "provider", "--json").json["rows"]?.listValue?.first?["key"] == .string(provider))
  }

  @Test func goesOnWithTheNextProvider() throws {
    let sous = try project()
    defer { sous.remove() }
    let outcome = try sous("chat", "Say hello")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Grüezi from the mock"))
    #expect(outcome.errors.contains("down: "))
  }

  @Test(arguments: [
    ("gpt", "mock-limit", "rate_limited"), ("mistral", "mock-limit", "rate_limited"),
    ("local", "judge:limit", "rate_limited"), ("gpt", "mock-down", "server"), ("mistral", "mock-down", "server"),
    ("local", "judge:busy", "server"), ("local", "judge:broken", "server"), ("gpt", "nope", "invalid_input"),
    ("mistral", "nope", "invalid_input"), ("local", "nope", "not_found"),
    // The proxy has sent status 200 before it asks; what is refused is an answer without an end.
    ("proxy", "mock-limit", "io"), ("proxy", "nope", "io"),
  ])
  func reportsFailures(_ provider: String, _ model: String, _ code: String) throws {
    let sous = try project()
    defer { sous.remove() }
    let outcome = try sous("chat", "-p", provider, "-m", model, "--json", "Hi")
    #expect(outcome.status == 1)
    #expect(try Value(json: Array(outcome.errors.utf8))["error"]?["code"] == .string(code))
    #expect(!outcome.errors.contains("sk-loopback-master"))
  }

  @Test func listsModelsOfThoseThatAreUp() throws {
    let sous = try project()
    defer { sous.remove() }
    let outcome = try sous("models", "--json")
    #expect(outcome.status == 1)
    let listings = try outcome.json.listValue ?? []
    #expect(listings.map { $0["provider"]?.stringValue } == ["gpt", "mistral", "local", "proxy", "down"])
    #expect(listings.first?["models"]?.listValue?.contains { $0["id"] == "mock-chat" } == true)
    #expect(listings[1]["models"]?.listValue?.contains { $0["id"] == "mock-json" } == true)
    #expect(listings[2]["models"]?.listValue?.first?["id"] == "judge:1b")
    #expect(listings[3]["models"]?.listValue?.contains { $0["id"] == "mock-limit" } == true)
    #expect(listings.last?["error"]?["code"] == "refused")
    #expect(try sous("models", "-p", "local").status == 0)
  }

  @Test(arguments: [("gpt", "mock-json"), ("mistral", "mock-json"), ("local", "judge:1b")])
  func runsARecipeWithASchema(_ provider: String, _ model: String) throws {
    let sous = try project()
    defer { sous.remove() }
    try sous.write(
      "where.yaml",
      """
      name: where
      steps:
        - id: answer
          uses: chat.complete
          provider: \(provider)
          with:
            prompt: Where is it warm?
            model: \(model)
            schema:
              type: object
              required: [city, warm]
              properties: { city: { type: string }, warm: { type: boolean } }
        - id: text
          uses: template
          with: { text: "{{ steps.answer.output.city }}" }
      """)
    let outcome = try sous("run", "where.yaml")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
  }
}

import Testing

@testable import UseCases

/// The default provider, set in the text of a configuration.
@Suite struct DefaultProviderEditTests {
  private static let providers = "providers: { a: { plugin: ollama }, b: { plugin: ollama } } # mine\n"

  private func edited(_ defaults: String, _ routes: [String] = ["b", "a"]) throws -> String {
    let text = try DefaultProviderEdit(path: "sous.yaml", text: Self.providers + defaults).setting("chat", to: routes)
    #expect(text.hasPrefix(Self.providers))
    return String(text.dropFirst(Self.providers.count))
  }

  @Test func everythingElseStaysAsItIs() throws {
    #expect(
      try edited("defaults: { mail.store: a, chat: [a, b] } # who\nengine: { parallel: 2 }\n")
        == "defaults: { mail.store: a, chat: [b, a] } # who\nengine: { parallel: 2 }\n")
    #expect(
      try edited("defaults:\n  # models\n  chat: a   # the first\n  embed: b\n")
        == "defaults:\n  # models\n  chat: [b, a]   # the first\n  embed: b\n")
    #expect(
      try edited("defaults:\n  chat:\n    - a\n    - b\n  embed: b\n")
        == "defaults:\n  chat:\n    [b, a]\n  embed: b\n")
  }

  @Test func aContractThatIsMissingIsAdded() throws {
    #expect(try edited("defaults: { embed: b }\n") == "defaults: { chat: [b, a], embed: b }\n")
    #expect(try edited("defaults: {}\n", ["b"]) == "defaults: { chat: b }\n")
    #expect(
      try edited("defaults:\n  embed: b # e\n", ["b"]) == "defaults:\n  chat: b\n  embed: b # e\n")
    #expect(
      try edited("defaults: # none yet\nengine: {}\n", ["b"]) == "defaults: # none yet\n  chat: b\nengine: {}\n")
    #expect(try edited("", ["b"]) == "\ndefaults:\n  chat: b\n")
  }

  @Test func modelsAreNamedAsTheyAre() throws {
    #expect(try edited("defaults: { chat: a }\n", ["a/llama3:8b"]) == "defaults: { chat: \"a/llama3:8b\" }\n")
    #expect(
      try edited("defaults: { chat: [a, { provider: b, model: m }] }\n", ["b/m", "a"])
        == "defaults: { chat: [b/m, a] }\n")
  }
}

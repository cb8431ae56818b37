import Expressions
import FixturePlugins
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ProviderSettingsTests {
  let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      """
      providers:
        plain: { plugin: \(try FixtureLibrary.flaky()) }
        locked: { plugin: maildir, path: box, from: { secret: LOCKED_SENDER } }
        newer: { plugin: \(try FixtureLibrary.misbehaving("CLAIMS_NEWER_CONTRACT")) }
      """)
  }

  private func run(_ step: String) throws -> SousProcess.Outcome {
    defer { sous.remove() }
    let recipe = try sous.write("recipe.yaml", "steps:\n  - \(step)\n")
    return try sous("run", recipe, "--json")
  }

  @Test func missingSecretIsTroubleWithTheConfiguration() throws {
    let outcome = try run("{ id: a, uses: mail.search, provider: locked }")
    #expect(outcome.status == 3)
    for word in ["LOCKED_SENDER", "locked", "from"] { #expect(outcome.errors.contains(word)) }
  }

  @Test func missingSecretOfAnotherProviderDoesNotMatter() throws {
    #expect(try run("{ id: a, uses: flaky.echo, provider: plain, with: { a: 1 } }").status == 0)
  }

  @Test func unknownVersionOfAContractIsRefused() throws {
    let outcome = try run("{ id: a, uses: mail.search, provider: newer }")
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("mail.store/99"))
  }

  @Test func anImportFillsAnEmptyMapOfProviders() throws {
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: { } # none yet\ndefaults: {}\n")
    try sous.write("list.json", #"[{"name": "Haus", "type": "ollama", "model": "m", "temperature": 0.5}]"#)
    let outcome = try sous("providers", "import", "list.json", "--write")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try String(contentsOfFile: sous.folder + "/sous.yaml", encoding: .utf8)
        == "providers: # none yet\n  haus: { plugin: ollama, model: \"m\", temperature: 0.5 }\ndefaults: {}\n")
    #expect(try sous("validate", "sous.yaml").status == 0)
  }

  private func configure(_ providers: String) throws {
    try sous.write("sous.yaml", "providers:\n" + providers)
    try sous.write("r.yaml", "steps: [{ id: a, uses: chat.complete, provider: w, with: { prompt: x } }]\n")
  }

  @Test(arguments: [
    (#"base_url: "127.0.0.1:9/v1""#, "http://"), (#"hosts: ["http://x y"]"#, "x y"), ("modle: m", "'model'"),
    ("api_key: { env: KEY }", "{ secret: NAME }"),
  ])
  func unsuitableSettingsAreToldAlikeAtTheirPlace(_ setting: String, _ word: String) throws {
    defer { sous.remove() }
    try configure("  w: { plugin: openai, \(setting) }\n")
    for outcome in [try sous("validate", "sous.yaml"), try sous("run", "r.yaml"), try sous("chat", "-p", "w", "hi")] {
      #expect(outcome.status == 3)
      #expect(outcome.errors.hasPrefix("sous.yaml:2:"))
      #expect(outcome.errors.contains("    2 |   w: {"))
      #expect(outcome.errors.contains(word))
    }
    let code = try Value(json: Array(try sous("run", "r.yaml", "--json").errors.utf8))["error"]?["code"]
    #expect(code == "provider_settings_invalid")
  }

  @Test func aSecretInTheConfigurationIsWarnedOfAndNotShown() throws {
    defer { sous.remove() }
    try configure("  w: { plugin: openai, api_key: sk-literal }\n")
    for outcome in [try sous("validate", "sous.yaml"), try sous("secrets")] {
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("sous.yaml:2:33: "))
      #expect(!outcome.errors.contains("sk-literal"))
    }
  }

  @Test func aQuietRunThatFailsSaysWhy() throws {
    defer { sous.remove() }
    try configure("  w: { plugin: openai, base_url: \"http://127.0.0.1:9/v1\" }\n")
    try sous.write(
      "r.yaml",
      "steps: [{ id: a, uses: chat.complete, provider: w, with: { prompt: x }, retry: { attempts: 1 } }]\n")
    let outcome = try sous("run", "-q", "r.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("✗ refused: "))
    #expect(outcome.errors.contains("sous show "))
  }

  @Test func anUnknownProviderIsToldWithThoseThereAre() throws {
    defer { sous.remove() }
    try configure("  w: { plugin: openai }\n")
    #expect(try sous("chat", "-p", "none", "hi").errors.contains("(there are: w)"))
  }
}

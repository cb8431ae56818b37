import FixturePlugins
import Testing

@Suite(.timeLimit(.minutes(5)))
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
}

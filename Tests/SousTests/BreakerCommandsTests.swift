import Expressions
import Foundation
import Testing

/// What commands do and show where the circuit breaker of a provider is open.
@Suite(.timeLimit(.minutes(15))) struct BreakerCommandsTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("ask.yaml", Self.recipe("ask", provider: "down"))
    try sous.write("both.yaml", Self.recipe("both", provider: "[down, extractive]"))
    try configure(open: "60s")
  }

  private static func recipe(_ name: String, provider: String) -> String {
    """
    name: \(name)
    steps:
      - id: ask
        uses: chat.complete
        provider: \(provider)
        with: { prompt: Summarise, task: summarise, input: One sentence. And another one. }
        retry: { attempts: 2, backoff: 10ms }
    """
  }

  /// Nobody listens on the first port.
  private func configure(open: String) throws {
    let path = try sous.write(
      "sous.yaml",
      """
      providers:
        down: { plugin: ollama, model: m, base_url: "http://127.0.0.1:1" }
      engine: { breaker: { failures: 1, open: \(open) } }
      """)
    try setChange(of: path, secondsAgo: 3600)
  }

  private func setChange(of path: String, secondsAgo: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: path)
  }

  /// A run that waits because its only provider has failed once.
  private func waitingRun() throws {
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status == "waiting")
  }

  private var status: String? { get throws { try sous("show", "last", "--json").json["status"]?.stringValue } }

  private var attempts: Int {
    get throws {
      guard case .list(let steps)? = try sous("show", "last", "--json").json["steps"] else { return 0 }
      return steps.first?["attempts"]?.listValue?.count ?? 0
    }
  }

  @Test func aRunThatWaitsForAProviderSaysSo() throws {
    defer { sous.remove() }
    try configure(open: "2s")
    let run = try sous("run", "ask.yaml")
    #expect(run.status == 1)
    #expect(
      run.output.contains("… ask: provider 'down' failed (refused); its circuit breaker is open until "),
      "\(run.output)")
  }

  @Test func showTellsOfProvidersARunWaitsFor() throws {
    defer { sous.remove() }
    try waitingRun()
    let shown = try sous("show", "last").output
    #expect(shown.contains("! provider 'down' failed (refused); its circuit breaker is open until "), "\(shown)")
    let breakers = try sous("stats", "--json").json["breakers"]
    #expect(breakers?.listValue?.first?["state"]?.stringValue == "open")
  }

  @Test func showTellsOfProvidersThatWerePassedOver() throws {
    defer { sous.remove() }
    try waitingRun()
    #expect(try sous("run", "--queue", "both.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status == "succeeded")
    #expect(try attempts == 1)
    let shown = try sous("show", "last").output
    #expect(shown.contains("! ask: provider 'down' failed (refused); its circuit breaker is open until "), "\(shown)")
    #expect(try sous("logs", "last").output.contains("provider 'down' failed"))
  }

  @Test(arguments: ["sous.yaml", "secrets.env"])
  func aChangeOfTheConfigurationEndsTheWait(changed: String) throws {
    defer { sous.remove() }
    let secrets = try sous.write("secrets.env", "KEY=x\n")
    chmod(secrets, 0o600)
    try setChange(of: secrets, secondsAgo: 3600)
    let path = sous.folder + "/sous.yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8) + "\nsecrets: [ { file: secrets.env } ]\n"
    try sous.write("sous.yaml", text)
    try setChange(of: path, secondsAgo: 3600)
    try waitingRun()
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status == "waiting")
    try setChange(of: sous.folder + "/" + changed, secondsAgo: 0)
    // The second and last attempt is made at once.
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try status == "failed")
    #expect(try attempts == 2)
  }

  @Test(arguments: ["run", "retry"]) func whatAPersonBeginsTriesAProviderThatIsLeftAlone(command: String) throws {
    defer { sous.remove() }
    try sous.write("ask.yaml", Self.recipe("ask", provider: "down").replacing("attempts: 2", with: "attempts: 1"))
    #expect(try sous("run", "ask.yaml").status == 1)
    let began = Date()
    #expect(try sous(command, command == "run" ? "ask.yaml" : "last").status == 1)
    #expect(Date().timeIntervalSince(began) < 30)
    #expect(try attempts == 1)
  }
}

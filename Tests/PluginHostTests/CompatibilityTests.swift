import Engine
import Expressions
import FixturePlugins
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// Plugins that were compiled against other headers than this host.
@Suite(.timeLimit(.minutes(5)))
struct CompatibilityTests {
  @Test func pluginOfTheFirstHeaderWorks() async throws {
    try await answers(try FixtureLibrary.echoOfTheFirstHeader())
  }

  @Test func pluginWithALargerTableWorks() async throws {
    try await answers(try FixtureLibrary.echoOfALaterHeader())
  }

  private func answers(_ library: String) async throws {
    let host = PluginHost.forTests(.path(library))
    let output = try await host.provider(named: "home")
      .perform(.forTests("echo.echo", ["text": "Hello"]), reporter: RecordingReporter())
    #expect(output == .map(["text": "Hello"]))
    #expect(await host.shutdown() == [])
  }
}

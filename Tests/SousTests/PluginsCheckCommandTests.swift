import Expressions
import FixturePlugins
import Foundation
import Testing

/// `sous plugins check` and `sous plugins doc` on libraries a C compiler has made.
@Suite(.timeLimit(.minutes(2))) struct PluginsCheckCommandTests {
  @Test func pluginInCPasses() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "check", try FixtureLibrary.flaky(), "--calls", "500", "--json")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try outcome.json["passed"] == .bool(true))
  }

  @Test(arguments: ["INVALID_UTF8", "NULL_PAYLOAD"])
  func misbehavingPluginFailsAndTheCheckGoesOn(_ misdeed: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "check", try FixtureLibrary.misbehaving(misdeed), "--calls", "10", "--json")
    #expect(outcome.status == 1, "\(outcome.output) \(outcome.errors)")
    let checks = try outcome.json["checks"]?.listValue ?? []
    #expect(checks.contains { $0["outcome"] == "failed" && $0["findings"]?.listValue?.isEmpty == false })
  }

  @Test func referencePageNamesSettingsAndActions() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous("plugins", "doc", "extractive")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("# extractive\n"))
    #expect(outcome.output.contains("### chat.complete") && outcome.output.contains("| `prompt` |"))
  }

  @Test func settingsThatAreNoObjectAreRefused() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    #expect(try sous("plugins", "check", try FixtureLibrary.flaky(), "--settings", "[1]").status == 2)
    #expect(try sous("plugins", "check", "nowhere").status == 3)
  }
}

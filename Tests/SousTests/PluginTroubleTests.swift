import Expressions
import FixturePlugins
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct PluginTroubleTests {
  private func run(plugin: String) throws -> SousProcess.Outcome {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  odd: { plugin: \"\(plugin)\" }\n")
    try sous.write(
      "odd.yaml",
      """
      name: odd
      steps:
        - id: step
          uses: mail.search
          provider: odd
      """)
    return try sous("run", "odd.yaml")
  }

  @Test func aProblemHasALineOfItsOwnBelowItsRow() throws {
    var sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let headers = try #require(try sous("plugins", "list").output.split(separator: "\n").first)
    try sous.write("more/libodd.so", "not a library")
    sous.environment["SOUS_PLUGIN_PATH"] = sous.folder + "/more"
    let outcome = try sous("plugins", "list")
    #expect(outcome.status == 3)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let row = try #require(lines.firstIndex { $0.hasPrefix("✗ odd") }, "\(lines)")
    #expect(!lines[row].contains("more/libodd.so"), "\(lines)")
    #expect(lines[row + 1].hasPrefix("    ") && lines[row + 1].contains("libodd.so"), "\(lines)")
    // The columns have the width that the other cells need; 'environment, not locked' is one of them.
    #expect((lines.first?.count ?? 0) - headers.count < 20, "\(lines)")
  }

  @Test func eachKindOfTroubleHasAMessageOfItsOwnAndExitStatusThree() throws {
    let plugins = [
      "nowhere": "nowhere", "wrong version": try FixtureLibrary.misbehaving("NEWER_VERSION"),
      "wrong magic": try FixtureLibrary.misbehaving("WRONG_MAGIC"),
      "crash on load": try FixtureLibrary.misbehaving("CRASHES_ON_LOAD"),
      "no entry": try FixtureLibrary.withoutEntry(),
    ]
    var messages: Set<String> = []
    for (kind, plugin) in plugins {
      let outcome = try run(plugin: plugin)
      #expect(outcome.status == 3, "\(kind): \(outcome.errors)")
      #expect(outcome.errors.contains("odd"), "\(kind): \(outcome.errors)")
      // What is left without the names must still differ.
      messages.insert(outcome.errors.replacingOccurrences(of: plugin, with: ""))
    }
    #expect(messages.count == plugins.count)
  }

  @Test func aPluginThatCrashesWithEachAttemptIsWarnedOfOnce() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  odd: { plugin: \"\(try FixtureLibrary.misbehaving("CRASHES"))\" }\n")
    try sous.write(
      "odd.yaml",
      """
      name: odd
      steps:
        - { id: step, uses: misbehaving.act, provider: odd, with: {}, retry: { attempts: 3, backoff: 10ms } }
      """)
    let outcome = try sous("run", "odd.yaml")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").filter { $0.contains("warning") }.count == 1, "\(outcome.errors)")
    #expect(try sous("show", "last", "--json").json["steps"]?.listValue?.first?["attempts"]?.listValue?.count == 3)
  }

  /// Not with success: the run is left as a crash would leave it.
  @Test(arguments: ["EXITS", "EXITS_SILENTLY"])
  func anExitOfAPluginInsideSousIsAFailureAndTheRunCanBeResumed(misdeed: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let exiting = try FixtureLibrary.misbehaving(misdeed)
    try sous.write("sous.yaml", "providers:\n  odd: { plugin: \"\(exiting)\", isolation: in-process }\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: misbehaving.act, provider: odd, with: {} }\n")
    let outcome = try sous("run", "x.yaml")
    #expect(outcome.status == 3, "\(outcome.output) \(outcome.errors)")
    #expect(outcome.errors.contains("isolation: process"))
    let sound = try FixtureLibrary.misbehaving()
    try sous.write("sous.yaml", "providers:\n  odd: { plugin: \"\(sound)\", isolation: in-process }\n")
    let resumed = try sous("resume", "last")
    #expect(resumed.status == 0, "\(resumed.output) \(resumed.errors)")
  }

  @Test func aBadConfigurationEndsWithExitStatusThree() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  home: { path: mailbox }\ndefault: {}\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n")
    let outcome = try sous("run", "x.yaml")
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("sous.yaml:2:3: error:"))
    #expect(outcome.errors.contains("sous.yaml:3:1: error:"))
  }
}

@Suite(.timeLimit(.minutes(15))) struct ProviderCheckTests {
  @Test func settingsThatDoNotSuitThePluginAreToldWithTheirPlaces() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  home: { plugin: maildir, pfad: x, path: 5 }\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: mail.search, provider: home }\n")
    for command in ["validate", "run"] {
      let outcome = try sous(command, "x.yaml")
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("sous.yaml:2:28: error: provider 'home': unknown key 'pfad'"))
      #expect(outcome.errors.contains("sous.yaml:2:43: error: provider 'home': 'path'"))
    }
  }

  @Test func anActionOfAPluginGivenByItsFileNeedsNoProviderInTheStep() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers:\n  odd: { plugin: \"\(try FixtureLibrary.flaky())\" }\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: flaky.echo, with: { a: 1 } }\n")
    let outcome = try sous("run", "x.yaml")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: ["process", "in-process"])
  func pluginRunsWhereTheConfigurationSays(isolation: String) throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write(
      "sous.yaml", "providers:\n  odd: { plugin: \"\(try FixtureLibrary.flaky())\", isolation: \(isolation) }\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: flaky.echo, with: { a: 1 } }\n")
    let outcome = try sous("run", "x.yaml")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let plugins = try sous("plugins", "show", try FixtureLibrary.flaky())
    #expect(plugins.output.contains("process"))
  }
}

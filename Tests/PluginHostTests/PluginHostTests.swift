import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Plans
import Schemas
import Testing

@testable import PluginBoundary
@testable import PluginHost

@Suite(.timeLimit(.minutes(5)))
struct PluginHostTests {
  @Test func concurrentFirstUsesOpenOnce() async throws {
    let probe = CountingProbe()
    let host = PluginHost.forTests(.path(try FixtureLibrary.flaky()), probe: probe, limits: PluginLimits())
    let providers = try await withThrowingTaskGroup(of: PluginProvider.self) { group in
      for _ in 0..<50 { group.addTask { try await host.pluginProvider(named: "home") } }
      return try await group.reduce(into: [PluginProvider]()) { $0.append($1) }
    }
    #expect(probe.count == 1)
    #expect(providers.allSatisfy { $0 === providers[0] })
  }

  @Test func nothingIsTouchedBeforeFirstUse() async throws {
    let probe = CountingProbe()
    let host = PluginHost.forTests(.path("/nonexistent/libx.so"), probe: probe)
    #expect(probe.count == 0)
    await #expect(throws: PluginError(.missing)) { try await host.describe("home") }
  }

  @Test func describingTellsWhatTheManifestSays() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving()))
    let manifest = try await host.describe("home")
    #expect(manifest.version == "1.0.0")
    #expect(manifest.summary.german == "Bricht die Regeln")
    #expect(manifest.hosts == ["example.com"])
    #expect(manifest.secrets == ["token"])
    let action = try #require(manifest.action(named: "misbehaving.behave"))
    #expect(action.effect == .read)
    #expect(action.isCostly)
    #expect(!action.verifies)
    #expect(action.signature().input.document == .map(["type": .string("object")]))
  }

  @Test func firstFolderWinsAndTheRestIsReported() async throws {
    let library = try FixtureLibrary.flaky()
    let (first, second, user, executables) = (
      try FixtureLibrary.makeFolder(), try FixtureLibrary.makeFolder(), try FixtureLibrary.makeFolder(),
      try FixtureLibrary.makeFolder()
    )
    for folder in [first, second, user] {
      try FileManager.default.copyItem(atPath: library, toPath: folder + "/libflaky.so")
    }
    try FileManager.default.createSymbolicLink(
      atPath: user + "/libalias.so", withDestinationPath: first + "/libflaky.so")
    try Data("text".utf8).write(to: URL(fileURLWithPath: user + "/libbroken.so"))
    try Data("text".utf8).write(to: URL(fileURLWithPath: user + "/README.so"))
    try FileManager.default.copyItem(
      atPath: try FixtureLibrary.withoutEntry(), toPath: executables + "/libsomething.so")

    let host = PluginHost(
      providers: [],
      searchPath: PluginSearchPath(folders: [
        .init("/nonexistent", origin: .project), .init(first, origin: .project), .init(second, origin: .project),
        .init(user, origin: .user), .init(executables, origin: .bundled, shared: true),
      ]),
      cache: ManifestCache(folder: nil), probe: CountingProbe(), builtins: NoBuiltins(), time: SystemTime())
    let listing = await host.installedPlugins().map { plugin in
      switch plugin.status {
      case .active(let manifest): "\(plugin.id) active \(manifest.version)"
      case .shadowed(let path): "\(plugin.id) shadowed by \(path)"
      case .duplicate(let path): "\(plugin.id) duplicate of \(path)"
      case .broken(let error): "\(plugin.id) broken \(error.code.rawValue)"
      }
    }
    #expect(
      listing == [
        "flaky active 1.0.0", "flaky duplicate of \(first)/libflaky.so", "broken broken plugin_not_loadable",
        "flaky shadowed by \(first)/libflaky.so",
      ])
  }

  @Test func missingPluginListsWhereItWasLookedFor() async throws {
    let folder = try FixtureLibrary.makeFolder()
    let host = PluginHost.forTests(.id("absent"), folders: [folder, "/nonexistent"])
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.code == .missing)
    #expect(error?.message.english.contains(folder + "/libabsent.so") == true)
    #expect(error?.message.german.contains("/nonexistent/libabsent.so") == true)
  }

  @Test func misspeltPluginIsSuggested() async throws {
    let folder = try FixtureLibrary.makeFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/libflaky.so", withDestinationPath: try FixtureLibrary.flaky())
    let host = PluginHost.forTests(.id("falky"), folders: [folder])
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.message.english.contains("did you mean 'flaky'?") == true)
    #expect(error?.message.german.contains("meinten Sie 'flaky'?") == true)
  }

  @Test(arguments: ["../flaky", "a/b", "", "Flaky", ".hidden", "a b", String(repeating: "a", count: 65)])
  func oddNamesAreNoIDs(name: String) {
    #expect(!PluginID.isValid(name))
  }

  @Test func standardSearchPathFollowsTheEnvironment() {
    let path = PluginSearchPath.standard(
      project: ["plugins"], environment: ["SOUS_PLUGIN_PATH": "/a:/b", "XDG_DATA_HOME": "/data", "HOME": "/home/ada"],
      executable: "/opt/bin/sous")
    #expect(
      path.folders.map(\.path) == [
        "plugins", "/a", "/b", "/data/sous/plugins", "/opt/bin/../lib/sous/plugins", "/opt/bin",
      ])
    let plain = PluginSearchPath.standard(environment: ["HOME": "/home/ada"], executable: "sous")
    #expect(plain.folders.map(\.path) == ["/home/ada/.local/share/sous/plugins"])
  }

  @Test func shutdownWaitsForCallsAndLetsNoneIn() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.flaky()))
    let provider = try await host.pluginProvider(named: "home")
    async let running = provider.perform(
      .forTests("flaky.sleep", ["ms": .int(50)]), reporter: RecordingReporter())
    #expect(try await running == .map(["slept_ms": .int(50)]))
    #expect(await host.shutdown() == [])
    #expect(provider.destroyed.isOpen)
    await #expect(throws: ActionFailure.self) {
      try await provider.perform(.forTests("flaky.echo"), reporter: RecordingReporter())
    }
    await #expect(throws: PluginError(.closed)) { try await host.pluginProvider(named: "home") }
  }

  @Test func shutdownNamesProvidersThatDoNotEnd() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("NEVER_COMPLETES")))
    let provider = try await host.pluginProvider(named: "home")
    await #expect(throws: ActionFailure(.timeout)) {
      try await provider.perform(.forTests("misbehaving.act", timeout: 0.02), reporter: RecordingReporter())
    }
    #expect(await host.shutdown(grace: 0.05) == ["home"])
    #expect(!provider.destroyed.isOpen)
  }
}

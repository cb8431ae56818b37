import Engine
import Expressions
import FixturePlugins
import Foundation
import Localization
import Schemas
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// Plugins that cannot be used, tried out in a real child process.
@Suite(.timeLimit(.minutes(5)))
struct LoadingTests {
  let probe = PluginProbe(executable: FixtureLibrary.executable, limit: 10)

  @Test(
    arguments: [
      ("WRONG_MAGIC", .badMagic),
      ("OLDER_VERSION", .abiMismatch),
      ("NEWER_VERSION", .abiMismatch),
      ("SIZE_TOO_SMALL", .invalidStruct),
      ("NULL_FUNCTIONS", .invalidStruct),
      ("NULL_ENTRY", .refused),
      ("CRASHES_ON_LOAD", .crashedLoading),
      ("ABORTS_ON_LOAD", .crashedLoading),
      ("EXITS_ON_LOAD", .crashedLoading),
      ("CRASHES_IN_DESCRIBE", .crashedLoading),
      ("EMPTY_MANIFEST", .manifestInvalid),
      ("MANIFEST_NO_JSON", .manifestInvalid),
      ("MANIFEST_NO_OBJECT", .manifestInvalid),
      ("MANIFEST_WITHOUT_VERSION", .manifestInvalid),
      ("MANIFEST_UNKNOWN_EFFECT", .manifestInvalid),
      ("MANIFEST_DUPLICATE_ACTION", .manifestInvalid),
      ("OTHER_ID", .idMismatch),
    ] as [(String, PluginError.Code)])
  func misdeedsOnLoadAreToldApart(misdeed: String, code: PluginError.Code) async throws {
    let path = try FixtureLibrary.misbehaving(misdeed)
    let host = PluginHost.forTests(.path(path), probe: probe)
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.code == code)
    #expect(error?.message.english.contains(path) == true)
    #expect(error?.message.german.contains(path) == true)
  }

  @Test func hangOnLoadIsCutOff() async throws {
    let probe = PluginProbe(executable: FixtureLibrary.executable, limit: 0.3)
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("HANGS_ON_LOAD")), probe: probe)
    await #expect(throws: PluginError(.probeTimeout)) { try await host.describe("home") }
  }

  /// Sockets, processes, the environment of others and of the host, signals.
  @Test func constructorCanDoNoMoreThanACall() async throws {
    setenv("SOUS_TEST_SECRET", "hunter22!", 1)
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("INTRUDES_ON_LOAD")), probe: probe)
    #expect(try await host.describe("home").id == "misbehaving")
  }

  @Test func inheritedIgnoranceOfChildrenDoesNotHideTheirEnd() async throws {
    // The program ignores SIGCHLD from its start, and tries a plugin out in a child of its own.
    let folder = try FixtureLibrary.makeFolder()
    try FileManager.default.copyItem(atPath: try FixtureLibrary.flaky(), toPath: folder + "/libflaky.so")
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "cd '\(folder)' && exec env --ignore-signal=CHLD '\(FixtureLibrary.executable)' plugins",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": folder, "XDG_CACHE_HOME": folder + "/cache", "SOUS_PLUGIN_PATH": folder,
    ]) { $1 }
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains("flaky"))
  }

  @Test func whatAPluginPrintsDoesNotMixWithTheReport() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("PRINTS_ON_LOAD")), probe: probe)
    #expect(try await host.describe("home").id == "misbehaving")
  }

  @Test func libraryWithoutEntryIsNoPlugin() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.withoutEntry()), probe: probe)
    await #expect(throws: PluginError(.noEntry)) { try await host.describe("home") }
  }

  @Test func missingSymbolIsNamed() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.withMissingSymbol()), probe: probe)
    let error = await #expect(throws: PluginError.self) { try await host.describe("home") }
    #expect(error?.code == .notLoadable)
    #expect(error?.message.english.contains("sous_fixture_missing_symbol") == true)
  }

  @Test(arguments: [[], Array("#!/bin/sh\n".utf8), [0x7f, 0x45, 0x4c, 0x46, 0, 0]] as [[UInt8]])
  func fileThatIsNoLibraryIsNotLoadable(contents: [UInt8]) async throws {
    let path = try FixtureLibrary.makeFolder() + "/libtext.so"
    try Data(contents).write(to: URL(fileURLWithPath: path))
    let host = PluginHost.forTests(.path(path), probe: probe)
    await #expect(throws: PluginError(.notLoadable)) { try await host.describe("home") }
  }

  @Test func probeThatCannotRunSaysSo() async throws {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.flaky()), probe: PluginProbe(executable: "/nonexistent/sous"))
    await #expect(throws: PluginError(.probeFailed)) { try await host.describe("home") }
  }

  @Test(
    arguments: [
      ("CREATE_FAILS", .createFailed, .auth),
      ("CREATE_FAILS_SILENTLY", .createFailed, .unsupported),
      ("CREATE_REFUSES_SETTINGS", .configInvalid, .invalidInput),
      ("CREATE_HANGS", .createFailed, .unsupported),
    ] as [(String, PluginError.Code, ActionFailure.Kind)])
  func trouble(misdeed: String, code: PluginError.Code, kind: ActionFailure.Kind) async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving(misdeed)))
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.code == code)
    #expect(error?.failure.kind == kind)
  }

  @Test func secretsStayOutOfFailuresToGetReady() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("CREATE_FAILS"))) {
      $0.secrets = ["password"]
    }
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.message.english.contains("wrong ***") == true)
    #expect(error?.cause?.message.english == "wrong ***")
  }

  private struct FakeSecrets: SecretReading {
    let outcome: Result<FilledSettings, PluginError>
    var settings: Set<String> { [] }

    func filledSettings() throws(PluginError) -> FilledSettings { try outcome.get() }
    func read(_ setting: String) throws(PluginError) -> String? { nil }
  }

  @Test func secretsAreAskedForWhenTheProviderIsOpened() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.misbehaving("CREATE_FAILS"))) {
      $0.secretSource = FakeSecrets(
        outcome: .success(FilledSettings(settings: .map(["token": .string("password")]), secrets: ["password"])))
    }
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.cause?.message.english == "wrong ***")
  }

  @Test func providerWithoutItsSecretIsNotOpened() async throws {
    let host = PluginHost.forTests(.path(try FixtureLibrary.flaky())) {
      $0.secretSource = FakeSecrets(outcome: .failure(PluginError(.secretMissing, .init(verbatim: "HOME_TOKEN"))))
    }
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.code == .secretMissing)
    #expect(error?.failure.kind == .auth)
  }

  @Test func onlyPathsAreSeenFromTheConfigurationsFolder() {
    var configuration = ProviderConfiguration(
      name: "home", plugin: .id("x"),
      settings: .map([
        "path": .string("Mail"), "key_path": .string("key"), "store": .string("box"), "level": .int(1),
      ]))
    configuration.resolvePath = { "/project/" + $0 }
    let schema = Value.map([
      "properties": .map(["store": .map(["type": .string("string"), "format": .string("path")])])
    ])
    #expect(
      configuration.settingsWithResolvedPaths(schema: schema)
        == .map([
          "path": .string("/project/Mail"), "key_path": .string("key"), "store": .string("/project/box"),
          "level": .int(1),
        ]))
  }

  @Test func pluginThatHangsWhileItIsLoadedHoldsUpNoOther() async throws {
    let hanging = PluginHost.forTests(
      .path(try FixtureLibrary.misbehaving("HANGS_IN_ENTRY")), probe: HarmlessProbe())
    await #expect(throws: PluginError(.probeTimeout)) { try await hanging.pluginProvider(named: "home") }
    // A copy, so that no other test has loaded it before.
    let copy = try FixtureLibrary.makeFolder() + "/libflaky.so"
    try FileManager.default.copyItem(atPath: try FixtureLibrary.flaky(), toPath: copy)
    #expect(
      try await PluginHost.forTests(.path(copy), limits: PluginLimits()).pluginProvider(named: "home").name == "home")
  }

  @Test func cancelledCallerDoesNotWaitForTheOpening() async throws {
    var limits = PluginLimits.forTests
    limits.createSeconds = 3600
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.misbehaving("HANGS_IN_ENTRY")), probe: HarmlessProbe(), limits: limits)
    let task = Task { () throws(PluginError) in try await host.pluginProvider(named: "home") }
    task.cancel()
    await #expect(throws: PluginError(.cancelled)) { try await task.value }
  }

  @Test func settingsAgainstTheSchemaAreRefusedWithTheirPlaces() async throws {
    let host = PluginHost.forTests(
      .path(try FixtureLibrary.misbehaving()), settings: .map(["level": .int(0), "other": .bool(true)]))
    let error = await #expect(throws: PluginError.self) { try await host.pluginProvider(named: "home") }
    #expect(error?.code == .configInvalid)
    #expect(error?.violations.map(\.pathText) == ["level"])
    #expect(error?.failure.kind == .invalidInput)
  }

  @Test func unknownProviderIsNotFound() async throws {
    let host = PluginHost.forTests(.id("flaky"))
    let failure = await #expect(throws: ActionFailure.self) { try await host.provider(named: "nobody") }
    #expect(failure?.kind == .notFound)
  }

  @Test func anotherPluginStillWorksAfterACrash() async throws {
    let broken = try FixtureLibrary.misbehaving("CRASHES_ON_LOAD")
    let host = PluginHost(
      providers: [
        ProviderConfiguration(name: "broken", plugin: .path(broken)),
        ProviderConfiguration(name: "fine", plugin: .path(try FixtureLibrary.flaky())),
      ],
      searchPath: PluginSearchPath(folders: []), cache: ManifestCache(folder: nil), probe: probe,
      workerExecutable: FixtureLibrary.executable, builtins: NoBuiltins(), time: SystemTime())
    await #expect(throws: PluginError(.crashedLoading)) { try await host.pluginProvider(named: "broken") }
    let output = try await host.provider(named: "fine")
      .perform(.forTests("flaky.echo", ["a": .int(1)]), reporter: RecordingReporter())
    #expect(output == .map(["a": .int(1)]))
  }
}

/// Takes every library for a harmless one, without opening it.
private struct HarmlessProbe: PluginProbing {
  func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8] {
    Array(#"{"id": "misbehaving", "version": "1", "summary": "x"}"#.utf8)
  }
}

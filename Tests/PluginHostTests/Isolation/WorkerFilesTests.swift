import Engine
import Expressions
import FixturePlugins
import Foundation
import OperatingSystem
import Plans
import RecipeModel
import Schemas
import Testing

@testable import PluginBoundary
@testable import PluginHost

/// The files that a worker may use, and those that no setting opens.
struct WorkerFilesTests {
  private static let head = #"{"id": "home", "version": "1", "summary": "x""#

  private func files(
    _ manifest: String, _ settings: ValueMap, protected: [String] = []
  ) throws -> WorkerFiles {
    var configuration = ProviderConfiguration(name: "home", plugin: .id("home"))
    configuration.settings = .map(settings)
    return try WorkerFiles(
      configuration, manifest: try PluginManifest(json: Array(manifest.utf8), path: "/lib/libhome.so"),
      protected: protected)
  }

  @Test func theManifestNamesSettingsThatHoldPaths() throws {
    let folder = try FixtureLibrary.makeFolder()
    let manifest =
      Self.head + #", "files": [{"path": "{in}", "access": "read"}, {"path": "{out}", "access": "read-write"}]}"#
    let found = try files(manifest, ["in": "/usr/share", "out": .string(folder), "path": "/usr/lib"])
    #expect(
      found.places == [
        WorkerPlace(path: "/usr/share", isWritable: false),
        WorkerPlace(path: WorkerFiles.resolved(folder), isWritable: true),
      ])
  }

  @Test func withoutFilesInTheManifestPathSettingsCount() throws {
    let folder = try FixtureLibrary.makeFolder()
    let manifest = Self.head + #", "config": {"properties": {"store": {"type": "string", "format": "path"}}}}"#
    let found = try files(manifest, ["store": .string(folder), "path": "/usr/share", "host": "/etc"])
    #expect(Set(found.places.map(\.path)) == [WorkerFiles.resolved(folder), "/usr/share"])
    #expect(found.places.allSatisfy { $0.isWritable })
    #expect(try files(Self.head + #", "files": []}"#, ["path": .string(folder)]).places.isEmpty)
  }

  @Test func aMissingFolderIsMadeIfTheSettingsWantThat() throws {
    let folder = try FixtureLibrary.makeFolder() + "/new"
    let manifest =
      Self.head + #", "files": [{"path": "{path}", "access": "read-write", "create": "{create}"}]}"#
    #expect(try files(manifest, ["path": .string(folder)]).missing == [folder])
    #expect(try files(manifest, ["path": .string(folder), "create": .bool(true)]).places.count == 1)
  }

  @Test(arguments: ["", "/state", "/state/deep", "/link", "/state/../state/vault"])
  func aFolderOfSousIsRefused(place: String) throws {
    let folder = try FixtureLibrary.makeFolder()
    try FileManager.default.createDirectory(atPath: folder + "/state/deep", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "state")
    #expect(throws: PluginError(.configInvalid)) {
      try files(Self.head + "}", ["path": .string(folder + place)], protected: [folder + "/state"])
    }
    #expect(try files(Self.head + "}", ["path": "/usr/share"], protected: [folder + "/state"]).places.count == 1)
  }

  @Test(arguments: [
    #"{"path": "~/.ssh", "access": "read"}"#, #"{"path": "{a}", "access": "all"}"#, #"{"path": "{a}"}"#,
  ])
  func aManifestNamesSettingsAndNoPaths(entry: String) {
    #expect(throws: PluginError(.manifestInvalid)) {
      try files(Self.head + #", "files": ["# + entry + "]}", [:])
    }
  }

  @Test func pathsOfInputsAreFoundWhereTheSchemaSaysSo() throws {
    let schema = try Value(
      json: Array(
        #"""
        {"type": "object", "properties": {
          "audio": {"type": "string", "format": "path"}, "name": {"type": "string"},
          "attachments": {"items": {"anyOf": [{"required": ["path"]}], "$ref": "#/$defs/file"}}},
         "$defs": {"file": {"properties": {"path": {"type": "string", "format": "path"}}}}}
        """#.utf8))
    let input: Value = .map([
      "audio": "a", "name": "b", "attachments": .list([.map(["path": "c"]), .map(["content": "d"])]),
    ])
    let replaced = InputPaths(schemas: [schema]).replacing(in: input) { "<" + $0 + ">" }
    #expect(
      replaced
        == .map(["audio": "<a>", "name": "b", "attachments": .list([.map(["path": "<c>"]), .map(["content": "d"])])]))
    #expect(InputPaths(schemas: [.map(["type": "object"])]).isEmpty)
  }

  @Test(arguments: [
    #"{"additionalProperties": {"type": "string", "format": "path"}}"#,
    #"{"patternProperties": {"^f": {"type": "string", "format": "path"}}}"#,
    ##"{"properties": {"child": {"$ref": "#"}, "file": {"type": "string", "format": "path"}}}"##,
  ])
  func pathsUnderNamesThatTheSchemaDoesNotListAreFound(schema: String) throws {
    let paths = InputPaths(schemas: [try Value(json: Array(schema.utf8))])
    let input: Value = .map(["file": "a"])
    #expect(paths.replacing(in: input) { "<" + $0 + ">" } == .map(["file": "<a>"]))
    guard schema.contains("child") else { return }
    let nested: Value = .map(["child": .map(["file": "a"])])
    #expect(paths.replacing(in: nested) { "<" + $0 + ">" } == .map(["child": .map(["file": "<a>"])]))
  }

  @Test func attachmentsOfMailArePathsOfTheInput() throws {
    let send = try #require(BundledContract.claimed("mail.transport/2")?.signatures.first { $0.name == "mail.send" })
    let input: Value = .map(["attachments": .list([.map(["path": "/a"])])])
    var found: [String] = []
    _ = InputPaths(schemas: [send.input.document]).replacing(in: input) { path in
      found.append(path)
      return path
    }
    #expect(found == ["/a"])
  }

  @Test func aDaemonRunsMailPluginsInWorkersUnlessConfigurationOrFolderForbidIt() throws {
    let bundled = try #require(SystemPath.resolved(try FixtureLibrary.makeFolder()))
    let folder = try FixtureLibrary.makeFolder()
    func isolation(
      _ contract: String = "mail.store/2", separated: Set<String> = ["mail.store"], configured: Isolation? = nil,
      protected: [String] = []
    ) throws -> Isolation {
      let host = PluginHost(
        providers: [], searchPath: PluginSearchPath(folders: [.init(bundled, origin: .bundled)]),
        cache: ManifestCache(folder: nil), builtins: NoBuiltins(), time: SystemTime(), protected: protected,
        separated: separated)
      let manifest = Self.head + #", "contracts": ["\#(contract)"]}"#
      var configuration = ProviderConfiguration(name: "home", plugin: .id("home"))
      configuration.settings = .map(["path": .string(folder)])
      configuration.isolation = configured
      let library = bundled + "/libhome.so"
      return host.isolation(of: configuration, try PluginManifest(json: Array(manifest.utf8), path: library), library)
    }
    #expect(try isolation() == .process)
    #expect(try isolation(configured: .inProcess) == .inProcess)
    #expect(try isolation("document/1") == .inProcess)
    #expect(try isolation(separated: []) == .inProcess)
    #expect(try isolation(protected: [folder + "/.sous"]) == .inProcess)
  }

  @Test func fencesThatAKernelLacksAreNamed() {
    #expect(IsolationSupport.missing(filtersSystemCalls: true, domainVersion: 5).isEmpty)
    #expect(IsolationSupport.missing(filtersSystemCalls: true, domainVersion: 1) == [.files])
    #expect(IsolationSupport.missing(filtersSystemCalls: false, domainVersion: 0) == [.systemCalls, .files, .scopes])
  }

  @Test func idleUseCountsProcessorTimeWithoutACall() {
    var use = IdleUse()
    let second: UInt64 = 1_000_000_000
    #expect(use.seconds(isIdle: true, used: 0, at: 0) == 0)
    #expect(use.seconds(isIdle: false, used: 9 * second, at: 10) == 0)
    #expect(use.seconds(isIdle: true, used: 10 * second, at: 11) == 0)
    #expect(use.seconds(isIdle: true, used: 12 * second, at: 13) > 1.5)
    #expect(use.seconds(isIdle: true, used: 12 * second, at: 100) == 0)
  }
}

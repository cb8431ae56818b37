import Expressions
import FixturePlugins
import Foundation
import Localization
import PluginBoundary
import PluginHost
import TestSupport
import Testing

@testable import PluginStore

struct PluginLockTests {
  private let permissions = PluginPermissions(
    capabilities: ["chat/1"], effects: ["a.order"], hosts: ["b.example", "a.example", "b.example"],
    files: [.init(setting: "folder", isWritable: true), .init(setting: "template", isWritable: false)],
    secrets: ["token"])

  private func entry(_ digest: String, replacing: String? = nil) -> PluginLock.Entry {
    .init(
      version: "1.0.0", source: "https://a.example/x.tar.gz", index: "https://a.example/index.json", sha256: digest,
      replacing: replacing, key: "RWQ", permissions: permissions)
  }

  @Test func lockIsReadAsItWasWritten() throws {
    var lock = PluginLock()
    lock.plugins["weather"] = entry(String(repeating: "a", count: 64))
    lock.plugins["another"] = entry(String(repeating: "b", count: 64), replacing: String(repeating: "c", count: 64))
    #expect(try PluginLock(json: lock.json.json(pretty: true), path: "x") == lock)
    #expect(permissions.hosts == ["a.example", "b.example"])
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"format": 2, "plugins": {}}"#, #"{"format": 1}"#, #"{"format": 1, "plugins": {"a": {}}}"#,
    #"{"format": 1, "plugins": {"a": {"version": "1", "source": "x", "sha256": "zz"}}}"#,
    #"{"format": 1, "plugins": {"../a": {"version": "1", "source": "x", "sha256": "\#(String(repeating: "a", count: 64))"}}}"#,
    #"{"format": 1, "plugins": {"a": {"version": "1", "source": "x", "sha256": "\#(String(repeating: "a", count: 64))", "hosts": 1}}}"#,
  ])
  func damagedLockIsRefused(text: String) {
    #expect(throws: PluginStoreError(.badLock, .init(verbatim: ""))) {
      try PluginLock(json: Array(text.utf8), path: "x")
    }
  }

  @Test func permissionsAreCompared() {
    let less = PluginPermissions(
      hosts: ["a.example"], files: [.init(setting: "folder", isWritable: false)], secrets: ["token"])
    #expect(less.exceeding(permissions).isEmpty)
    let more = permissions.exceeding(less)
    #expect(more.hosts == ["b.example"] && more.effects == ["a.order"] && more.secrets.isEmpty)
    #expect(more.files == [.init(setting: "folder", isWritable: true), .init(setting: "template", isWritable: false)])
  }

  /// A library in a plugin folder of the user, and the locks of a project beside it.
  private func place() throws -> (folder: TemporaryFolder, library: String, digest: String, locks: PluginLocks) {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("plugins"), withIntermediateDirectories: true)
    try folder.write("sous.yaml", "")
    let library = folder("plugins/libecho.so")
    try FileManager.default.copyItem(atPath: try FixtureLibrary.echo(), toPath: library)
    let digest = try #require(PluginSearchPath.digest(ofLibraryAt: library))
    let locks = PluginLocks(
      configuration: folder("sous.yaml"), environment: ["XDG_CONFIG_HOME": folder("config"), "HOME": folder("home")])
    return (folder, library, digest, locks)
  }

  @Test func theProjectsLockDecidesBeforeTheUsers() throws {
    let (folder, library, digest, locks) = try place()
    defer { withExtendedLifetime(folder) {} }
    let other = String(repeating: "0", count: 64)
    try locks.check(library: library, origin: .user)
    try locks.user?.change { $0.plugins["echo"] = entry(other) }
    #expect(throws: PluginError(.changed, .init(verbatim: ""))) { try locks.check(library: library, origin: .user) }
    // The user's lock is about the user's folder only.
    try locks.check(library: library, origin: .environment)
    try locks.project?.change { $0.plugins["echo"] = entry(digest) }
    try locks.check(library: library, origin: .user)
    try locks.project?.change { $0.plugins["echo"] = entry(other) }
    #expect(throws: PluginError(.changed, .init(verbatim: ""))) { try locks.check(library: library, origin: .bundled) }
    // A library that is named by its path is the trust's business.
    try locks.check(library: library, origin: nil)
  }

  @Test func eitherFileCountsAfterAnInterruptedInstallation() throws {
    let (folder, library, digest, locks) = try place()
    defer { withExtendedLifetime(folder) {} }
    try locks.project?.change { $0.plugins["echo"] = entry(String(repeating: "0", count: 64), replacing: digest) }
    try locks.check(library: library, origin: .user)
    #expect(try locks.state(ofLibraryAt: library, id: "echo", origin: .user).state == .interrupted)
  }

  @Test func aLinkInThePluginFolderIsCheckedUnderItsName() throws {
    let (folder, library, digest, locks) = try place()
    defer { withExtendedLifetime(folder) {} }
    let elsewhere = folder("elsewhere.so")
    try FileManager.default.moveItem(atPath: library, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: elsewhere)
    let searchPath = PluginSearchPath(folders: [.init(folder("plugins"), origin: .user)])
    let path = try searchPath.locate(.id("echo"))
    #expect(searchPath.origin(ofPlugin: "echo") == .user)
    try locks.user?.change { $0.plugins["echo"] = entry(digest) }
    try locks.check(library: path, on: searchPath)
    try locks.user?.change { $0.plugins["echo"] = entry(String(repeating: "0", count: 64)) }
    #expect(throws: PluginError(.changed, .init(verbatim: ""))) { try locks.check(library: path, on: searchPath) }
  }

  @Test func aLibraryThatCannotBeComparedIsRefused() throws {
    let (folder, library, digest, locks) = try place()
    defer { withExtendedLifetime(folder) {} }
    try locks.user?.change { $0.plugins["echo"] = entry(digest) }
    try FileManager.default.removeItem(atPath: library)
    #expect(throws: PluginError(.changed, .init(verbatim: ""))) { try locks.check(library: library, origin: .user) }
  }

  @Test func aLockThatCannotBeReadOpensNothing() throws {
    let (folder, library, _, locks) = try place()
    try folder.write("sous.lock", "{")
    #expect(throws: PluginError(.changed, .init(verbatim: ""))) { try locks.check(library: library, origin: .user) }
  }
}

import Foundation
import Localization
import Networking
import PluginBoundary
import PluginHost
import TestSupport
import Testing

@testable import PluginStore

/// Installations of a file that minisign 0.11 has signed with two keys.
struct PluginInstallerTests {
  private static let key = "RWRgL4smTtZZhqmjZVO6UV5uKuG7UY/CRH86QE8vYkxyYS43SklO7cod"
  private static let otherKey = "RWSW820RrCy3IL+HUsabndt8XXWpmgt7aspUoYvh7gJKfBXl/jialg7K"
  private static let signature = """
    untrusted comment: signature
    RURgL4smTtZZhsH+JKvwaXAJZxJWCyNkoOh77zZiA40gJXK9elx02BSwAMQuamQ3p8lCqM94cJX2mfwdfS/42QzHCrXhZvyNJgQ=
    trusted comment: file:libsigned.so
    DVUNDsg9Qz/lQjllHl8/jG1kHRxIniq+QZK8L9a+j/vv5RHlaA4m0xa3gpLn6xIgCtFcTxpxRe+sEpQRbIS2Ag==
    """
  private static let otherSignature = """
    untrusted comment: signature
    RUSW820RrCy3IHJH7pep0sMB/XKps3QpzcLasRVIwklduawj620SjMpA59ThNgrMT6AM60D4PCexxuEi7xVPGXjxn/caalR94ww=
    trusted comment: file:libsigned.so
    Cw8zWw77jmD1bDglrpdmjfsGtYcQgi0RWFiNSZSAk/qpVnGXAUCKQmk1JaCYedKkW2lDeKThqkjRfLtn/EQsAA==
    """

  /// Gives a manifest without opening the file.
  private struct Probe: PluginProbing {
    func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8] {
      Array(#"{"id": "signed", "version": "1.0.0", "summary": "Signed", "contracts": [], "actions": []}"#.utf8)
    }
  }

  /// A signed library, and a user without plugins.
  private func place() throws -> (folder: TemporaryFolder, source: String, installer: PluginInstaller) {
    let folder = try TemporaryFolder()
    let source = try folder.write("libsigned.so", "\u{7F}ELF a library of a plugin\n")
    try folder.write("libsigned.so.minisig", Self.signature)
    let environment = ["XDG_CONFIG_HOME": folder("config"), "XDG_DATA_HOME": folder("data"), "HOME": folder("home")]
    let searchPath = PluginSearchPath.standard(environment: environment)
    let installer = PluginInstaller(
      folder: try PluginFolder(searchPath),
      locks: PluginLocks(configuration: folder("sous.yaml"), environment: environment), indexes: [],
      environment: environment, network: NetworkService(), probe: Probe())
    return (folder, source, installer)
  }

  private func manifest() throws -> PluginManifest {
    try PluginManifest(json: try Probe().manifest(ofLibraryAt: ""), path: "")
  }

  private func stage(_ source: String, _ installer: PluginInstaller, key: String?) async throws -> StagedPlugin {
    try await installer.stage(.file(source), .init(key: key.map { try SignatureKey($0) }))
  }

  @Test func aSignedPluginKeepsItsKey() async throws {
    let (folder, source, installer) = try place()
    let library = installer.folder.library("signed")
    // Both are fetched before one of them is installed.
    let unsigned = try await stage(source, installer, key: nil)
    let staged = try await stage(source, installer, key: Self.key)
    try installer.install(staged, try installer.inspect(staged), allowsOlder: false)
    #expect(try installer.locks.project?.read().plugins["signed"]?.key == Self.key)
    #expect(FileManager.default.fileExists(atPath: library))
    let refusal = PluginStoreError(.wrongSignature, .init(verbatim: ""))
    #expect(throws: refusal) { try installer.install(unsigned, try manifest(), allowsOlder: true) }
    await #expect(throws: refusal) { try await stage(source, installer, key: nil) }
    try folder.write("libsigned.so.minisig", Self.otherSignature)
    await #expect(throws: refusal) { try await stage(source, installer, key: Self.otherKey) }
    #expect(try installer.locks.user?.read().plugins["signed"]?.key == Self.key)
    // The removal takes the key away too.
    #expect(try installer.remove("signed"))
    let other = try await stage(source, installer, key: Self.otherKey)
    try installer.install(other, try installer.inspect(other), allowsOlder: false)
    #expect(try installer.locks.project?.read().plugins["signed"]?.key == Self.otherKey)
  }

  @Test func aLockThatCannotBeWrittenLeavesTheOtherAsItWas() async throws {
    let (folder, source, installer) = try place()
    let staged = try await stage(source, installer, key: nil)
    // The user's lock would be in a folder that is a file.
    try folder.write("config", "")
    #expect(throws: PluginStoreError.self) { try installer.install(staged, try manifest(), allowsOlder: false) }
    #expect(try installer.locks.project?.read().plugins.isEmpty == true)
    #expect(!FileManager.default.fileExists(atPath: installer.folder.library("signed")))
  }

  @Test func aLockNamesTheIDThatItsSourceHas() async throws {
    let (folder, source, installer) = try place()
    defer { withExtendedLifetime(folder) {} }
    let staged = try await stage(source, installer, key: nil)
    let entry = PluginLock.Entry(
      version: "1.0.0", source: source, sha256: staged.sha256, permissions: PluginPermissions(try manifest()))
    #expect(try await installer.stage("signed", lockedAs: entry).id == "signed")
    await #expect(throws: PluginStoreError(.differs, .init(verbatim: ""))) {
      try await installer.stage("other", lockedAs: entry)
    }
  }

  @Test(arguments: ["../../x", "", "a/b", "."])
  func onlyIDsAreRemoved(id: String) throws {
    let (folder, _, installer) = try place()
    defer { withExtendedLifetime(folder) {} }
    #expect(throws: PluginStoreError(.wrongSource, .init(verbatim: ""))) { try installer.remove(id) }
  }

  @Test func aSourceThatCannotBeFetchedAgainIsNotUpdated() async throws {
    let (folder, _, installer) = try place()
    for source in [folder(""), folder("gone.tar.gz"), "https://a.example/x.tar.gz?"] {
      let entry = PluginLock.Entry(
        version: "1.0.0", source: source, sha256: String(repeating: "a", count: 64),
        permissions: PluginPermissions(try manifest()))
      await #expect(throws: PluginStoreError(.notUpdatable, .init(verbatim: "")), "\(source)") {
        try await installer.stageUpdate(of: "signed", entry, isIntact: true, key: nil)
      }
    }
  }

  @Test func aURLWithSecretsIsTakenApart() {
    let url = SourceURL("https://me:word@a.example/x/libecho.so?token=secret#part")
    #expect(url.shown == "https://a.example/x/libecho.so?" && SourceURL.lacksQuery(url.shown))
    #expect(url.signature == "https://me:word@a.example/x/libecho.so.minisig?token=secret")
    #expect(url.name == "libecho.so" && url.namesUser)
    let plain = SourceURL("https://a.example/x@1.0/libecho.so")
    #expect(plain.shown == plain.text && !plain.namesUser && !SourceURL.lacksQuery(plain.shown))
    #expect(plain.signature == plain.text + ".minisig")
  }

  @Test func aProgramMayWriteErrorsAfterItsOutput() throws {
    let script = "echo out; exec 1>&-; sleep 0.3; echo late >&2; exit 3"
    let tool = ToolProcess(
      arguments: ["sh", "-c", script], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/bin"])
    var output: [UInt8] = []
    let ending = try tool.run { output += $0 }
    #expect(ending.status == 3 && ending.words == "late\n" && output == Array("out\n".utf8))
  }
}

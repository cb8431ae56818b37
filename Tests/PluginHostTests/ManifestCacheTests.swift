import Engine
import FixturePlugins
import Foundation
import Testing

@testable import PluginBoundary
@testable import PluginHost

@Suite(.timeLimit(.minutes(5)))
struct ManifestCacheTests {
  let probe = CountingProbe()
  let library: String
  let cache: String

  init() throws {
    library = try FixtureLibrary.makeFolder() + "/libflaky.so"
    try FileManager.default.copyItem(atPath: try FixtureLibrary.flaky(), toPath: library)
    cache = try FixtureLibrary.makeFolder() + "/new/folder"
  }

  func describe(cache: String? = nil) async throws -> String {
    // A new host every time, as a new process would make.
    try await PluginHost.forTests(.path(library), cache: cache ?? self.cache, probe: probe).describe("home").id
  }

  func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache).map { cache + "/" + $0 }
  }

  @Test func knownPluginIsNotTriedOutAgain() async throws {
    for _ in 0..<3 { #expect(try await describe() == "flaky") }
    #expect(probe.count == 1)
    #expect(try entries().count == 1)
  }

  @Test func contentsThatKeepSizeAndTimeAreTriedOutAgain() async throws {
    _ = try await describe()
    // In the same file, of the same size, with the same time.
    var before = stat()
    #expect(stat(library, &before) == 0)
    let handle = try #require(FileHandle(forWritingAtPath: library))
    try handle.write(contentsOf: Data("not an ELF file".utf8))
    try handle.close()
    var times = [timespec(tv_sec: 0, tv_nsec: 0), before.st_mtim]
    #expect(utimensat(AT_FDCWD, library, &times, 0) == 0)
    await #expect(throws: PluginError(.notLoadable)) { _ = try await describe() }
    #expect(probe.count == 2)
  }

  @Test func aDirectoryRemembersWhatItReadUntilTheLibraryChanges() throws {
    let directory = ManifestDirectory(
      searchPath: PluginSearchPath(folders: []), cache: ManifestCache(folder: nil), probe: probe)
    for _ in 0..<3 { #expect(try directory.manifest(of: .path(library)).id == "flaky") }
    #expect(probe.count == 1)
    let handle = try #require(FileHandle(forWritingAtPath: library))
    try handle.write(contentsOf: Data("not an ELF file".utf8))
    try handle.close()
    #expect(throws: PluginError(.notLoadable)) { _ = try directory.manifest(of: .path(library)) }
    #expect(probe.count == 2)
  }

  @Test func libraryThatWasInstalledAgainIsKnown() async throws {
    _ = try await describe()
    try FileManager.default.removeItem(atPath: library)
    try FileManager.default.copyItem(atPath: try FixtureLibrary.flaky(), toPath: library)
    #expect(try await describe() == "flaky")
    #expect(probe.count == 1)
    #expect(try entries().count == 1)
  }

  @Test(arguments: ["", "{", "[]", #"{"library": {}, "manifest": {}}"#, "\u{FFFD}"])
  func damagedEntryIsIgnoredAndReplaced(contents: String) async throws {
    _ = try await describe()
    let entry = try #require(try entries().first)
    try Data(contents.utf8).write(to: URL(fileURLWithPath: entry))
    #expect(try await describe() == "flaky")
    #expect(try await describe() == "flaky")
    #expect(probe.count == 2)
  }

  @Test func entryWithAUselessManifestIsReplaced() async throws {
    _ = try await describe()
    let entry = try #require(try entries().first)
    let text = String(decoding: try #require(FileManager.default.contents(atPath: entry)), as: UTF8.self)
    try Data(text.replacingOccurrences(of: "\"flaky\"", with: "\"FLAKY\"").utf8)
      .write(to: URL(fileURLWithPath: entry))
    #expect(try await describe() == "flaky")
    #expect(probe.count == 2)
  }

  @Test func unwritableFolderIsDoneWithout() async throws {
    for _ in 0..<2 { #expect(try await describe(cache: "/proc/nonexistent/cache") == "flaky") }
    #expect(probe.count == 2)
  }

  @Test func brokenPluginIsNotKept() async throws {
    let path = try FixtureLibrary.misbehaving("WRONG_MAGIC")
    for _ in 0..<2 {
      await #expect(throws: PluginError(.badMagic)) {
        try await PluginHost.forTests(.path(path), cache: cache, probe: probe).describe("home")
      }
    }
    #expect(probe.count == 2)
  }

  @Test func usualFolderFollowsTheEnvironment() {
    #expect(ManifestCache.standard(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]).folder == "/c/sous/plugins")
    #expect(ManifestCache.standard(environment: ["HOME": "/h"]).folder == "/h/.cache/sous/plugins")
    #expect(ManifestCache.standard(environment: [:]).folder == nil)
  }
}

import Foundation
import TestSupport
import Testing

@testable import UseCases

@Suite(.timeLimit(.minutes(5))) struct FolderWatcherTests {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.path)
    withExtendedLifetime(folder) {}
  }

  private func write(_ name: String, in folder: String) throws {
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  @Test func eventsAreToldAgainAfterTheyWereRead() async throws {
    try await withFolder { folder in
      let watcher = try FolderWatcher(folder)
      var wakes = watcher.wakes.makeAsyncIterator()
      for name in ["a", "b", "c"] {
        try write(name, in: folder)
        // Told by the source: nothing else wakes.
        _ = await wakes.next(isolation: nil)
        var seen: [FolderWatcher.Change] = []
        while !seen.contains(.closed(name)) { seen += watcher.changes() }
      }
    }
  }

  @Test func oneThatNobodyReadsCanBeLetGo() async throws {
    try await withFolder { folder in
      for name in ["a", "b"] {
        let watcher = try FolderWatcher(folder)
        var wakes = watcher.wakes.makeAsyncIterator()
        try write(name, in: folder)
        _ = await wakes.next(isolation: nil)
      }
    }
  }
}

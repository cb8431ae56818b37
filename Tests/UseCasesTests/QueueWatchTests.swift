import Engine
import Expressions
import Foundation
import RunStore
import TestSupport
import Testing

@testable import UseCases

@Suite(.timeLimit(.minutes(5))) struct QueueWatchTests {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.path)
    withExtendedLifetime(folder) {}
  }

  /// The longest pause, in seconds: far more than a wake-up takes on a busy machine.
  private static let long = 600.0
  /// A pause that lasts as long as this was not ended by a wake-up.
  private static let patience = Duration.seconds(120)

  @Test func aCommitOfThisProcessWakesTheWorkerOnceItIsVisible() async throws {
    try await withFolder { folder in
      let store = try RunStore(path: folder + "/sous.db", time: SystemTime())
      let watch = QueueWatch(store)
      let began = ContinuousClock.now
      for number in 0..<20 {
        let start = RunStart(
          run: RunID(rawValue: "R\(number)"), recipe: "test", path: "", fingerprint: "0", trigger: "manual",
          inputs: .map([:]), steps: [], at: SystemTime().now)
        let writing = Task { try await store.record([.runStarted(start)], durability: .synced) }
        var isSeen = false
        while !isSeen {
          await watch.rest(Self.long)
          isSeen = (try? await store.snapshot(of: start.run)) != nil
        }
        try await writing.value
      }
      #expect(ContinuousClock.now - began < Self.patience)
      try await store.close()
    }
  }

  @Test func aWriteOfAnotherProcessWakesTheWorkerSeveralTimes() async throws {
    try await withFolder { folder in
      let watch = QueueWatch(folder + "/sous.db")
      let began = ContinuousClock.now
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/sous.db-wal"))
      await watch.rest(Self.long)
      // The commit may be visible only after a while: further wake-ups follow.
      for _ in 0..<3 { await watch.rest(Self.long) }
      #expect(ContinuousClock.now - began < Self.patience)
    }
  }
}

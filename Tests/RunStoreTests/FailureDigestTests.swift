import Engine
import Expressions
import GRDB
import Localization
import TestSupport
import Testing

@testable import RunStore

/// Messages that gather what has happened.
@Suite(.timeLimit(.minutes(5))) struct FailureDigestTests {
  /// A clock that was set back leaves a part between others that is due later than these.
  @Test func aPartThatIsDueLaterHoldsNothingUp() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    let now = SampleRun.start
    try await store.change(isDurable: true) { writing in
      for (title, wait) in [("a", 0.0), ("b", 60), ("c", 0)] {
        try writing.database.execute(
          sql: "INSERT INTO failure_digests (target, title, text, at, due_at) VALUES ('{}', ?, '', ?, ?)",
          arguments: [title, now.rfc3339Milliseconds, now.adding(seconds: wait).rfc3339Milliseconds])
      }
    }
    let digest = try #require(try await store.dueFailureDigests(at: now).first)
    #expect(digest.parts.map(\.title) == ["a", "c"])
    let telling = FailureTelling.now(
      NotificationRecord(call: "digest", recipe: "r", run: "01A", text: "a, c", at: now), nil)
    #expect(try await store.settle(digest, telling: telling))
    // Whoever comes second with the same parts tells nothing.
    #expect(try await !store.settle(digest, telling: telling))
    #expect(try await store.dueFailureDigests(at: now).isEmpty)
    let rest = try await store.dueFailureDigests(at: now.adding(seconds: 60))
    #expect(rest.flatMap(\.parts).map(\.title) == ["b"])
    try await store.close()
  }
}

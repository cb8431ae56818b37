import Engine
import Expressions
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(1)))
struct RunStoreCheckTests {
  @Test func damageIsFoundAndFreePagesAreGivenBack() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    let large = Value.string(String(repeating: "x", count: 1_000_000))
    try await store.record([SampleRun.started("01AAA", inputs: large)], durability: .committed)
    #expect(try await store.check(isThorough: true) == [])
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("UPDATE blobs SET bytes = 1; PRAGMA foreign_keys = OFF; UPDATE logs SET run = run")
    #expect(try await store.check().count == 1)
    try await probe.execute("DELETE FROM blobs")
    #expect(try await store.check().count == 1)
    #expect(try await store.vacuum() > 900_000)
    try await store.close()
  }
}

import Engine
import Expressions
import TestSupport
import Testing

@testable import RunLogSchema
@testable import RunStore

/// The users of the server who start runs.
@Suite(.timeLimit(.minutes(2)))
struct StarterTests {
  private func start(_ id: String, by user: String?, parent: String? = nil) throws -> RunStart {
    guard case .runStarted(var start) = SampleRun.started(id) else { throw CancellationError() }
    start.startedBy = user
    start.parent = parent.map(RunID.init(rawValue:))
    return start
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunKeepsWhoHasStartedIt(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    try await store.record(
      [
        .runStarted(try start("01A", by: "anna")), .runStarted(try start("01B", by: "otto")),
        .runStarted(try start("01C", by: nil)), .runStarted(try start("01D", by: "anna", parent: "01A")),
      ], durability: .committed)
    #expect(try await store.snapshot(of: RunID(rawValue: "01A")).start.startedBy == "anna")
    #expect(try await store.run("01C").json["started_by"] == .null)
    var filter = RunFilter()
    filter.startedBy = ["anna"]
    #expect(Set(try await store.runs(filter).map(\.id.rawValue)) == ["01A", "01D"])
    filter.startedBy = ["anna", "otto"]
    #expect(try await store.runs(filter).count == 3)
    filter.startedBy = []
    #expect(try await store.runs(filter).isEmpty)
    #expect(try await store.runs(startedBy: "anna").map(\.run.rawValue) == ["01A"])
    #expect(try await store.removeStarter("anna") == 2)
    #expect(try await store.runs(startedBy: "anna").isEmpty)
    #expect(try await store.runs().count == 4)
  }

  @Test func anErasedUserIsInNoPageOfTheFile() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    try await store.record([.runStarted(try start("01A", by: "a-name-for-once"))], durability: .committed)
    func hasName() -> Bool {
      ["sous.db", "sous.db-wal"].contains {
        String(decoding: (try? folder.bytes($0)) ?? [], as: UTF8.self).contains("a-name-for-once")
      }
    }
    try await store.foldWAL(beyond: 0)
    #expect(hasName())
    try await store.removeStarter("a-name-for-once")
    #expect(!hasName())
    try await store.close()
  }

  @Test func runsOfAnEarlierVersionHaveNoOwner() async throws {
    let folder = try TemporaryFolder()
    var configuration = RunStore.Configuration()
    configuration.migrations.removeAll { $0.version > 24 }
    try await RunStore(path: folder("sous.db"), time: ManualTime(), configuration: configuration).close()
    try await DatabaseProbe(folder("sous.db")).execute(
      """
      INSERT INTO runs (id, recipe, path, fingerprint, trigger, status, started_at)
      VALUES ('01AAA', 'a', '/a.yaml', 'f', 'api', 'succeeded', '2026-11-01T00:00:00.000Z')
      """)
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    #expect(try await store.run("01AAA").summary.startedBy == nil)
    try await store.close()
  }
}

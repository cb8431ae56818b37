import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct RunStoreCheckTests {
  let folder: TemporaryFolder
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  @Test func damageIsFoundAndFreePagesAreGivenBack() async throws {
    let large = Value.string(String(repeating: "x", count: 1_000_000))
    try await store.record([SampleRun.started("01AAA", inputs: large)], durability: .committed)
    #expect(try await store.check(isThorough: true) == [])
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("UPDATE blobs SET bytes = 1; PRAGMA foreign_keys = OFF; UPDATE logs SET run = run")
    #expect(try await store.check().map(\.kind) == [.blob])
    try await probe.execute("DELETE FROM blobs")
    #expect(try await store.check().map(\.kind) == [.dangling])
    #expect(try await store.vacuum() > 900_000)
    try await store.close()
  }

  /// What somebody could do to the file of a complete run, and what a check says to it.
  static let faults: [(sql: String, kinds: Set<CheckFinding.Kind>)] = [
    ("SELECT 1", []),
    ("UPDATE steps SET status = 'running' WHERE position = 2", [.unfinished]),
    ("UPDATE runs SET ended_at = NULL", [.unfinished]),
    ("UPDATE runs SET owner = 4711", [.owner]),
    ("UPDATE runs SET status = 'interrupted', ended_at = NULL, owner = 4711", [.owner]),
    // Somebody stands by until it is its turn.
    ("UPDATE runs SET status = 'queued', ended_at = NULL, owner = (SELECT max(id) FROM processes)", []),
    ("UPDATE runs SET status = 'running', ended_at = NULL", [.owner]),
    ("UPDATE runs SET status = 'waiting', ended_at = NULL", [.stuck]),
    ("UPDATE runs SET parent = '01ZZZ'", [.parent]),
    ("DELETE FROM attempts WHERE number = 1 AND item = 2", [.attempts]),
    ("UPDATE blobs SET content = CAST('\"yyy' || substr(content, 5) AS BLOB)", [.blob]),
    ("PRAGMA foreign_keys = OFF; UPDATE attempts SET run = '01ZZZ' WHERE item = 0", [.dangling]),
    ("UPDATE runs SET recipe_set = 'x'", [.dangling]),
    ("INSERT INTO log_search (log_search) VALUES ('delete-all')", []),
    ("UPDATE run_search_data SET block = x'00' WHERE id > 10", [.search]),
  ]

  @Test(arguments: faults) func whatCannotBeIsFound(_ fault: (sql: String, kinds: Set<CheckFinding.Kind>)) async throws
  {
    let large = Value.string(String(repeating: "x", count: 10_000))
    try await store.record(
      SampleRun.complete("01AAA") + [SampleRun.started("01B", inputs: large), SampleRun.finished("01B")],
      durability: .committed)
    try await store.updateSearch()
    let probe = try DatabaseProbe(store.path)
    try await probe.execute(fault.sql)
    let findings = try await store.check(isThorough: true)
    #expect(Set(findings.map(\.kind)) == fault.kinds)
    #expect(findings.allSatisfy { !$0.message.german.isEmpty && !$0.remedy.english.isEmpty })
    try await store.close()
  }

  @Test func theIndexOfSearchesIsMadeAnew() async throws {
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    try await store.updateSearch()
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("INSERT INTO log_search (log_search) VALUES ('delete-all')")
    let filter = RunFilter(words: SearchWords("14 messages"))
    #expect(try await store.runs(filter).isEmpty)
    try await store.rebuildSearch()
    #expect(try await store.runs(filter).count == 1)
    try await store.close()
  }
}

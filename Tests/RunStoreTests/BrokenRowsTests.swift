import Engine
import Expressions
import TestSupport
import Testing

@testable import RunStore

/// Files that somebody has edited by hand, with columns of another type than Sous writes.
@Suite(.timeLimit(.minutes(5)))
struct BrokenRowsTests {
  let folder: TemporaryFolder
  let time = ManualTime()
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: time)
  }

  /// Gives a table the same columns without types, and breaks one in every row.
  private func breakRows(of table: String, _ change: String) async throws {
    let probe = try DatabaseProbe(store.path)
    let columns = try await probe.texts("SELECT group_concat(name, ', ') FROM pragma_table_info('\(table)')")
    let indexes = try await probe.texts(
      "SELECT sql FROM sqlite_master WHERE tbl_name = '\(table)' AND type = 'index' AND sql NOT NULL")
    try await probe.execute(
      """
      PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;
      ALTER TABLE \(table) RENAME TO old; CREATE TABLE \(table) (\(columns[0])); INSERT INTO \(table) SELECT \(columns[0]) FROM old;
      DROP TABLE old; UPDATE \(table) SET \(change); \(indexes.joined(separator: "; "))
      """)
  }

  private func prepare() async throws {
    let run = RunID(rawValue: "01A")
    let other = try RunStore(path: store.path, time: time)
    try await other.record(
      [
        SampleRun.started("01A"), SampleRun.attemptStarted("01A", step: 0), SampleRun.attemptFinished("01A", step: 0),
        .output(run: run, step: 0, item: nil, value: .int(1)),
        .waitStarted(
          WaitStart(run: run, step: 1, item: nil, kind: .approval, until: nil, key: "", message: "send?", at: time.now)),
        .waitStarted(
          WaitStart(run: run, step: 2, item: nil, kind: .event, until: nil, event: "paid", key: "", at: time.now)),
      ], durability: .committed)
    try await other.close()
    guard case .runStarted(var queued) = SampleRun.started("01B") else {
      Issue.record("something else came")
      return
    }
    queued.isQueued = true
    queued.group = "mail"
    try await store.record([.runStarted(queued)], durability: .committed)
  }

  /// What has to work on broken rows without a trap: it fails, with an error of the module, or it goes well.
  private func use() async throws -> Set<RunStoreError.Code> {
    let run = RunID(rawValue: "01A")
    let (store, time) = (store, time)
    let uses: [@Sendable () async throws -> Void] = [
      { _ = try await store.claim(run, at: time.now) }, { _ = try await store.claim(limit: 10, at: time.now) },
      { _ = try await store.snapshot(of: run) }, { _ = try await store.result(of: run) },
      { _ = try await store.nextDue() }, { _ = try await store.cancelRequests() },
      { _ = try await store.openWaits() }, { _ = try await store.openWaits(of: run) },
      { try await store.decide(run: run, approved: true, by: "ann") },
      { try await store.decide(run: run, step: "send", approved: true, by: "ann") },
      { _ = try await store.deliver(event: "paid") },
      { _ = try await store.answer(run: run, step: 2, item: nil) },
      { _ = try await store.breakers() }, { _ = try await store.check() },
      { _ = try await store.run("01A") }, { _ = try await store.runs() },
      { try await store.record([.runParked(run: run, until: nil, at: time.now)], durability: .committed) },
      { try await store.requestCancel(of: run) },
    ]
    var codes: Set<RunStoreError.Code> = []
    for use in uses {
      do {
        try await use()
      } catch {
        let known = try #require(error as? RunStoreError)
        codes.insert(known.code)
      }
    }
    return codes
  }

  @Test(arguments: [
    ("processes", "pid"), ("processes", "host"), ("processes", "start_ticks"), ("processes", "token"),
    ("processes", "namespace"), ("processes", "beat"), ("processes", "lost"), ("runs", "priority"),
    ("runs", "status"), ("runs", "owner"), ("runs", "concurrency_group"), ("runs", "due_at"),
    ("runs", "cancel_requested"), ("runs", "started_at"), ("steps", "id"), ("steps", "position"),
    ("steps", "status"), ("steps", "effect"), ("attempts", "step"), ("attempts", "item"), ("attempts", "number"),
    ("attempts", "kind"), ("attempts", "provider"), ("attempts", "idempotency_key"), ("attempts", "uncertain"),
    ("outputs", "step"),
    ("outputs", "value"), ("waits", "step"), ("waits", "item"), ("waits", "kind"), ("waits", "until"),
    ("waits", "at"), ("blobs", "hash"),
  ]) func brokenColumnsEndInErrors(_ table: String, _ column: String) async throws {
    try await prepare()
    for broken in ["x'ff00'", "NULL", "'9e999'", "1.5"] {
      try await breakRows(of: table, "\(column) = \(broken)")
      let codes = try await use()
      let expected: Set<RunStoreError.Code> = [
        .damaged, .entryRefused, .waitNotFound, .waitAmbiguous, .runNotFound, .ambiguousRun, .stepNotFound, .other,
        .processLost,
      ]
      #expect(codes.isSubset(of: expected), "\(table).\(column) = \(broken): \(codes)")
    }
  }
}

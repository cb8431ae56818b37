import Expressions
import Foundation
import Glibc
import RunStore
import TestSupport
import Testing

/// Run logs of earlier versions (Tests/Fixtures/run-logs, see the script `make` there), met by the program.
@Suite(.timeLimit(.minutes(10)))
struct UpgradeTests {
  private let sous: SousProcess
  private var log: String { sous.folder + "/.sous/sous.db" }

  init() throws {
    sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try FileManager.default.createDirectory(atPath: sous.folder + "/.sous", withIntermediateDirectories: true)
  }

  private func place(_ version: Int) throws {
    try FileManager.default.copyItem(
      atPath: "\(SousProcess.repository)/Tests/Fixtures/run-logs/schema-\(version).db", toPath: log)
  }

  private func copy(_ version: Int) -> String { sous.folder + "/.sous/sous-schema-\(version).db" }

  @discardableResult private func sqlite(_ path: String, _ sql: String) throws -> [String] {
    let outcome = try sous.run("/usr/bin/env", ["sqlite3", path, sql])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [11, 12, 14, 16, 19])
  func aRunLogOfAnEarlierVersionGoesOn(_ version: Int) throws {
    defer { sous.remove() }
    try place(version)
    // The first command of the new version.
    let first = try sous("runs", "--json")
    #expect(first.status == 0, "\(first.errors)")
    let runs = try first.json.listValue ?? []
    var names: [String: String] = [:]
    var states: [String: String] = [:]
    for run in runs {
      let recipe = run["recipe"]?.stringValue ?? ""
      names[recipe] = run["id"]?.stringValue
      states[recipe] = run["status"]?.stringValue
    }
    #expect(states == ["works": "succeeded", "fails": "failed", "asks": "waiting", "waits": "cancelled"])
    #expect(try sqlite(copy(version), "PRAGMA user_version; PRAGMA integrity_check") == ["\(version)", "ok"])
    // Each run is shown with its steps and outputs.
    for (recipe, run) in names {
      let shown = try sous("show", run, "--json")
      #expect(shown.status == 0, "\(recipe): \(shown.errors)")
    }
    #expect(try sous("show", try #require(names["works"])).output.contains("Hello Anna"))
    // The waiting run gets its answer and ends.
    #expect(try sous("approve", try #require(names["asks"])).status == 0)
    let resumed = try sous("resume", try #require(names["asks"]))
    #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
    // The failed run is retried with the result of its first step.
    try sous.write("is-there", "")
    let retried = try sous("retry", try #require(names["fails"]))
    #expect(retried.status == 0, "\(retried.output)\(retried.errors)")
    #expect(try sous("db", "check").status == 0)
    #expect(try sqlite(log, "SELECT count(*) FROM runs") == ["5"])
  }

  @Test func upgradingIsACommandToo() throws {
    defer { sous.remove() }
    try place(19)
    let moved = sous.folder + "/before.db"
    let report = try sous("db", "migrate", "--copy", moved, "--json")
    #expect(report.status == 0, "\(report.errors)")
    #expect(try report.json["from"] == 19 && report.json["to"] == .int(Int64(RunStore.schemaVersion)))
    #expect(try report.json["copy"] == .string(moved))
    #expect(try sqlite(moved, "PRAGMA user_version") == ["19"])
    let again = try sous("db", "migrate", "--json")
    #expect(try again.status == 0 && again.json["from"] == again.json["to"] && again.json["copy"]?.isNull == true)
    #expect(try sous("db", "migrate", "--copy", moved, "--no-copy").status == 2)
    #expect(try sous("db", "migrate", "--wait", "soon").status == 2)
  }

  /// The test holds the lock as a daemon of the old version does: each process that writes shares it.
  @Test func aRunLogThatIsInUseIsRefusedWithTheRemedy() throws {
    defer { sous.remove() }
    try place(19)
    let lock = open(sous.folder + "/.sous/.sous.db.lock", O_RDONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(lock) }
    try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
    let refused = try sous("db", "migrate", "--wait", "100ms", "--json")
    #expect(refused.status == 3 && refused.errors.contains("schema_in_use"), "\(refused.errors)")
    #expect(refused.errors.contains("--stop"))
    #expect(try sqlite(log, "PRAGMA user_version") == ["19"])
    #expect(!FileManager.default.fileExists(atPath: copy(19)))
  }

  /// Killed at any moment, an upgrade leaves the old run log whole or the new one, and the next command goes on.
  @Test func aKilledUpgradeLeavesTheOldRunLogOrTheNew() throws {
    defer { sous.remove() }
    try place(19)
    let rows = 20_000
    try sqlite(
      log,
      """
      PRAGMA page_size = 4096; VACUUM;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO runs (id, recipe, path, fingerprint, trigger, status, started_at, ended_at, inputs)
        SELECT printf('01A%023d', i), 'works', 'works.yaml', 'f', 'manual', 'succeeded', '2026-11-01T00:00:00.000Z',
          '2026-11-01T00:00:01.000Z', '{"name":"' || hex(randomblob(100)) || '"}' FROM n
      """)
    let original = sous.folder + "/original.db"
    try FileManager.default.copyItem(atPath: log, toPath: original)
    let errors = sous.folder + "/errors.txt"
    func reports(_ text: String) -> Bool {
      String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self).contains(text)
    }
    let events: [() -> Bool] = [
      { FileManager.default.fileExists(atPath: copy(19) + ".partial") },
      { FileManager.default.fileExists(atPath: copy(19)) },
      { reports("→") }, { reports("copy of the old run log") },
    ]
    var kills = 0
    for hasHappened in events {
      for name in [log, log + "-wal", log + "-shm", copy(19), copy(19) + ".partial"] { unlink(name) }
      try FileManager.default.copyItem(atPath: original, toPath: log)
      _ = FileManager.default.createFile(atPath: errors, contents: Data())
      let process = Process()
      process.executableURL = URL(fileURLWithPath: SousProcess.executable)
      process.arguments = ["db", "migrate"]
      process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
      process.environment = sous.environment
      process.standardError = FileHandle(forWritingAtPath: errors)
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      try eventuallyBlocking(every: .microseconds(200)) { hasHappened() || !process.isRunning }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      kills += process.terminationReason == .uncaughtSignal ? 1 : 0
      let found = try sqlite(log, "PRAGMA user_version; PRAGMA quick_check; SELECT count(*) FROM runs")
      #expect(found == ["19", "ok", "\(rows + 4)"] || found == ["\(RunStore.schemaVersion)", "ok", "\(rows + 4)"])
      // A copy is under its name when it is complete.
      if FileManager.default.fileExists(atPath: copy(19)) {
        #expect(try sqlite(copy(19), "PRAGMA user_version; SELECT count(*) FROM runs") == ["19", "\(rows + 4)"])
      }
      // The next command goes on.
      #expect(try sous("db", "migrate").status == 0)
      #expect(
        try sqlite(log, "PRAGMA user_version; SELECT count(*) FROM runs") == [
          "\(RunStore.schemaVersion)", "\(rows + 4)",
        ])
    }
    #expect(kills > 0)
    #expect(try sous("db", "check").status == 0)
  }
}

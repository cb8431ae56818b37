import Engine
import Expressions
import Foundation
import GRDB
import Glibc
import Localization
import OperatingSystem
import RunLogSchema
import Synchronization
import TestSupport
import Testing

@testable import RunStore

// One after another: the observer of steps belongs to the whole process.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SchemaUpgradeTests {
  private static let older = 19
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder("sous.db") }
  private var copy: String { folder("sous-schema-19.db") }

  private func open(
    _ name: String = "sous.db", _ change: (inout RunStore.Configuration) -> Void = { _ in }
  ) throws(RunStoreError) -> RunStore {
    var configuration = RunStore.Configuration()
    configuration.busyTimeout = 0.2
    change(&configuration)
    return try RunStore(path: folder(name), time: ManualTime(), configuration: configuration)
  }

  /// The run log as a program of an older version opens it.
  private func openOlder(_ name: String = "sous.db") throws(RunStoreError) -> RunStore {
    try open(name) { $0.migrations.removeAll { $0.version > Self.older } }
  }

  private func addRun(_ id: String = "01AAA") async throws {
    try await DatabaseProbe(path).execute(
      """
      INSERT INTO runs (id, recipe, path, fingerprint, trigger, status, started_at, queued_at, inputs)
      VALUES ('\(id)', 'a', '/r/a.yaml', 'f00d', 'manual', 'succeeded', '2026-11-01T00:00:00.000Z',
        '2026-11-01T00:00:00.000Z', '{}')
      """)
  }

  @Test func aCopyOfTheOldSchemaIsMadeBeforeTheChange() async throws {
    try await openOlder().close()
    try await addRun()
    let store = try open()
    #expect(try await store.runs().count == 1)
    try await store.close()
    #expect(folder.permissions("sous-schema-19.db") == 0o600)
    let probe = try DatabaseProbe(copy)
    #expect(try await probe.number("PRAGMA user_version") == Self.older)
    #expect(try await probe.text("PRAGMA integrity_check") == "ok")
    #expect(try await probe.number("SELECT count(*) FROM runs") == 1)
    // The way back: the program of before opens it.
    try await openOlder("sous-schema-19.db").close()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("partial") }
    #expect(files == [])
  }

  @Test func anOlderProgramIsToldOfTheCopy() async throws {
    try await openOlder().close()
    try await open().close()
    let error = #expect(throws: RunStoreError.self) { try openOlder() }
    #expect(error?.code == .newerSchema)
    #expect(error?.message.english.contains(copy) == true && error?.message.german.contains(copy) == true)
    unlink(copy)
    let other = #expect(throws: RunStoreError.self) { try openOlder() }
    #expect(other?.code == .newerSchema && other?.message.english.contains(copy) == false)
    #expect(try await DatabaseProbe(path).number("PRAGMA user_version") == Migration.newest)
  }

  @Test func aRunLogThatAnOlderProcessWorksWithIsLeftAlone() async throws {
    let older = try openOlder()
    try await addRun()
    for reads in [false, true] {
      let error = #expect(throws: RunStoreError.self) { reads ? try reader() : try open() }
      #expect(error?.code == .schemaInUse)
      #expect(error?.message.english.contains(PresenceLock.path(of: path)) == true)
    }
    #expect(try await DatabaseProbe(path).number("PRAGMA user_version") == Self.older)
    #expect(access(copy, F_OK) != 0)
    #expect(try await older.servers().isEmpty)
    try await older.close()
    let store = try open()
    #expect(try await store.runs().count == 1)
    try await store.close()
  }

  private func openPatiently() async throws -> RunStore { try open { $0.upgrade.patience = 60 } }

  private func reader() throws(RunStoreError) -> RunStore {
    var configuration = RunStore.Configuration()
    configuration.busyTimeout = 0.2
    return try RunStore(readingFrom: path, configuration: configuration)
  }

  @Test func theUpgradeWaitsForTheEndOfAnOlderProcess() async throws {
    let older = try openOlder()
    let waits = Mutex(0)
    UpgradeStep.observe { step in
      if case .waiting = step { waits.withLock { $0 += 1 } }
    }
    defer { UpgradeStep.observe(nil) }
    async let opened = openPatiently()
    try await eventually { waits.withLock { $0 } > 0 }
    try await older.close()
    let store = try await opened
    #expect(try await DatabaseProbe(path).number("PRAGMA user_version") == Migration.newest)
    try await store.close()
  }

  @Test func theUpgradeOfAnotherProcessIsWaitedFor() async throws {
    try await open().close()
    let other = try PresenceLock(path)
    #expect(other.isAlone())
    let error = #expect(throws: RunStoreError.self) { try open { $0.upgrade.patienceWithUpgrade = 0.1 } }
    #expect(error?.code == .locked)
    // The other process ends once this one waits.
    let steps = Mutex<[UpgradeStep]>([])
    UpgradeStep.observe { step in
      steps.withLock { $0.append(step) }
      if step == .waitingForUpgrade { other.release() }
    }
    defer { UpgradeStep.observe(nil) }
    try await open().close()
    #expect(steps.withLock { $0 } == [.waitingForUpgrade, .ended])
  }

  /// A process gets no signal for the row that a daemon with its number has left.
  @Test func onlyTheProcessOfADaemonIsOne() async throws {
    try await openOlder().close()
    let sleeper = Process()
    sleeper.executableURL = URL(fileURLWithPath: "/bin/sleep")
    sleeper.arguments = ["600"]
    try sleeper.run()
    defer { sleeper.terminate() }
    let pid = Int(sleeper.processIdentifier)
    let own = ProcessIdentity.current
    let ticks = try #require(ProcessSight(of: pid).startTicks)
    let columns = "host, machine, boot, namespace, pid, start_ticks"
    let local = "'\(own.host)', '\(own.machine)', '\(own.boot)', '\(own.namespace)', \(pid)"
    let container = "'box', '', 'other boot', 'pid:[1]', \(pid), \(ticks)"
    let time = "'2026-11-01T00:00:00.000Z'"
    try await DatabaseProbe(path).execute(
      """
      INSERT INTO processes (\(columns), token, began_at, home) VALUES
        (\(local), \(ticks), 'a', '', ''), (\(container), 'b', '', '');
      INSERT INTO servers (id, began_at, beat_at, recipes, problems, \(columns)) VALUES
        ('s', \(time), \(time), 0, '[]', \(local), \(ticks - 1)), ('t', \(time), \(time), 0, '[]', \(container))
      """)
    let users = try await DatabaseQueue(path: path).read { try RunLogUser.all($0, path: path) }
    #expect(users.map(\.host) == [nil, "box"] && users.map(\.isServer) == [false, true])
    #expect(users.last?.remedy == nil)
    let error = RunStoreError.schemaInUse(
      path: path, file: 19, program: 22, users: Array(users.suffix(1)), lock: "x.lock")
    for text in [error.message.english, error.message.german] {
      #expect(text.contains("'box'") && !text.contains("kill") && text.contains("fuser x.lock"))
    }
  }

  /// The processes of the run log are named with the command that ends each.
  @Test func processesOfARunLogAreNamed() async throws {
    try await openOlder().close()
    let sleeper = Process()
    sleeper.executableURL = URL(fileURLWithPath: "/bin/sleep")
    sleeper.arguments = ["600"]
    try sleeper.run()
    defer { sleeper.terminate() }
    let pid = Int(sleeper.processIdentifier)
    let own = ProcessIdentity.current
    let ticks = try #require(ProcessSight(of: pid).startTicks)
    let probe = try DatabaseProbe(path)
    let columns = "host, machine, boot, namespace, pid, start_ticks"
    func values(_ pid: Int, _ ticks: Int64) -> String {
      "'\(own.host)', '\(own.machine)', '\(own.boot)', '\(own.namespace)', \(pid), \(ticks)"
    }
    try await probe.execute(
      """
      INSERT INTO processes (\(columns), token, began_at, home) VALUES
        (\(values(pid, ticks)), 'a', '', ''), (\(values(pid, ticks - 1)), 'b', '', ''), (\(values(4_000_000, 1)), 'c', '', '');
      INSERT INTO servers (id, began_at, beat_at, recipes, problems, \(columns)) VALUES
        ('s', '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 0, '[]', \(values(pid, ticks)))
      """)
    let users = try await DatabaseQueue(path: path).read { try RunLogUser.all($0, path: path) }
    #expect(users.map(\.pid) == [pid] && users.map(\.isServer) == [true] && users.map(\.host) == [nil])
    let error = RunStoreError.schemaInUse(path: path, file: 19, program: 22, users: users, lock: "x")
    for text in [error.message.english, error.message.german] {
      #expect(
        text.contains("\(pid)") && text.contains("sous serve")
          && text.contains("kill \(pid)") != text.contains("systemctl"))
    }
  }

  @Test(arguments: [
    ("0::/system.slice/sous.service\n", "sudo systemctl restart sous.service"),
    (
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/sous.service\n",
      "systemctl --user restart sous.service"
    ), ("0::/user.slice/user-1000.slice/session-2.scope\n", nil), ("0::/\n", nil), ("1:cpu:/x.service\n", nil),
    ("0::/system.slice/a$(b).service\n", nil), ("0::/user.slice/user@1000.service\n", nil),
  ])
  func theUnitOfAProcessIsKnownByItsControlGroup(_ text: String, _ command: String?) {
    #expect(RunLogUser.Unit(controlGroups: text)?.restart == command)
  }

  @Test func withoutRoomForTheCopyNothingIsChanged() async throws {
    try await openOlder().close()
    try await addRun()
    let error = #expect(throws: RunStoreError.self) { try open { $0.upgrade.freeBytes = { _ in 1 << 20 } } }
    #expect(error?.code == .noRoomForCopy)
    for text in ["--copy", "--no-copy", copy] { #expect(error?.message.english.contains(text) == true) }
    #expect(try await DatabaseProbe(path).number("PRAGMA user_version") == Self.older)
    // The two ways on.
    let elsewhere = folder("elsewhere.db")
    let store = try open {
      $0.upgrade.copy = .file(elsewhere)
      $0.upgrade.freeBytes = { _ in nil }
    }
    #expect(try await store.runs().count == 1)
    try await store.close()
    #expect(try await DatabaseProbe(elsewhere).number("PRAGMA user_version") == Self.older)
    #expect(access(copy, F_OK) != 0)
  }

  @Test func noCopyIsMadeIfNoneIsWanted() async throws {
    try await openOlder().close()
    let store = try open {
      $0.upgrade.copy = .none
      $0.upgrade.freeBytes = { _ in 0 }
    }
    try await store.close()
    #expect(access(copy, F_OK) != 0)
  }

  @Test func theRunLogItselfIsNoPlaceForTheCopy() async throws {
    try await openOlder().close()
    let error = #expect(throws: RunStoreError.self) { try open { $0.upgrade.copy = .file(path) } }
    #expect(error?.code == .destinationInUse)
    #expect(try await DatabaseProbe(path).number("PRAGMA user_version") == Self.older)
  }

  /// On a file system without locks a newer version can change the schema while a process works.
  @Test func aProcessEndsWhenTheSchemaHasChangedUnderIt() async throws {
    let store = try open()
    try await store.record(SampleRun.complete("01AAA"), durability: .committed)
    let probe = try DatabaseProbe(path)
    try await probe.execute("PRAGMA user_version = \(Migration.newest + 1)")
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record([SampleRun.started("01BBB")], durability: .committed)
    }
    #expect(error?.code == .newerSchema && error?.fault == .lasting)
    #expect(try await probe.number("SELECT count(*) FROM runs") == 1)
    try? await store.close()
  }
}

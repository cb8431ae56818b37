import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

/// What only the run log on disk promises of schedules.
@Suite(.timeLimit(.minutes(5))) struct FiringTests {
  private let source = "/recipes/digest.yaml#0"

  private func firing(_ record: ScheduleRecord, _ id: String) -> ScheduleFiring {
    var firing = ScheduleFiring(
      source: source, revision: record.revision, cursor: record.cursor.adding(seconds: 60), nextDue: nil)
    if case .runStarted(let start) = SampleRun.started(id) {
      firing.points = [.init(at: firing.cursor, start: start)]
    }
    firing.overlap = .allow(limit: nil)
    return firing
  }

  @Test func aTransactionThatFailsWritesNeitherPointNorRun() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    let record = try #require(
      try await store.begin([ScheduleRecord(source: source, recipe: "d", digest: "d", cursor: SampleRun.start)]).first)
    // Whatever of the transaction is refused: the schedule's row comes last, the run before it.
    for (table, name) in [("runs", "run"), ("occurrences", "point"), ("schedules", "state")] {
      let probe = try DatabaseProbe(folder("sous.db"))
      try await probe.execute(
        """
        CREATE TRIGGER refuse_\(name) BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
      await #expect(throws: RunStoreError.self) { try await store.fire(firing(record, "01A")) }
      try await probe.execute("DROP TRIGGER refuse_\(name)")
      #expect(try await store.schedules() == [record])
      #expect(try await store.occurrences(of: nil, limit: 1).isEmpty)
      #expect(try await store.claim(limit: 10, at: SampleRun.start).isEmpty)
    }
    guard case .written = try await store.fire(firing(record, "01A")) else {
      Issue.record("nothing was written")
      return
    }
    #expect(try await store.claim(limit: 10, at: SampleRun.start) == [RunID(rawValue: "01A")])
    try await store.close()
  }

  @Test func aPointIsOnTheDiskWithItsRunWhenTheProcessEnds() async throws {
    let folder = try TemporaryFolder()
    var record = ScheduleRecord(source: source, recipe: "d", digest: "d", cursor: SampleRun.start)
    for round in 0..<5 {
      let store = try RunStore(path: folder("sous.db"), time: ManualTime())
      record = try #require(try await store.begin([record]).first)
      #expect(record.counts.run == round)
      guard case .written = try await store.fire(firing(record, "01A\(round)")) else {
        Issue.record("nothing was written")
        return
      }
      store.abandon()
    }
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    #expect(try await store.schedules().map(\.counts.run) == [5])
    #expect(try await store.claim(limit: 10, at: SampleRun.start).count == 5)
    try await store.close()
  }

  @Test func anEventThatTheInboxHasKeptIsSettledWithItsRun() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    let event = TriggerEvent(id: "7", event: Array("{}".utf8), cursor: "c7")
    #expect(try store.accept(event, of: "home"))
    guard case .runStarted(let start) = SampleRun.started("01A") else { return }
    #expect(try await store.fire(event: "7", of: "home", start))
    #expect(try store.pendingEvents(of: "home", limit: 10).isEmpty)
    #expect(try !store.accept(event, of: "home"))
    #expect(try await !store.fire(event: "7", of: "home", start))
    #expect(try await store.claim(limit: 10, at: SampleRun.start) == [RunID(rawValue: "01A")])
    try await store.close()
  }

  @Test func whoServesAndWhatIsSwitchedOffIsKept() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    var server = ServerRecord(id: "a", host: "h", pid: 7, beganAt: SampleRun.start)
    server.problems = [.init(path: "x.yaml", message: .init("wrong", de: "falsch"))]
    try await store.keep(server)
    server.recipes = 3
    try await store.keep(server)
    #expect(try await store.servers() == [server])
    #expect(server.isAlive(at: SampleRun.start.adding(seconds: 20)))
    #expect(!server.isAlive(at: SampleRun.start.adding(seconds: 40)))
    // The clock was set an hour ahead since the last sign of life.
    server.clockShift = 3600
    #expect(server.isAlive(at: SampleRun.start.adding(seconds: 3610)))
    #expect(!server.isAlive(at: SampleRun.start.adding(seconds: 3700)))
    try await store.removeServer("a")
    #expect(try await store.servers().isEmpty)
    try await store.setDisabled("x.yaml", true)
    try await store.setDisabled("x.yaml", true)
    #expect(try await store.disabledRecipes() == ["x.yaml"])
    try await store.setDisabled("x.yaml", false)
    #expect(try await store.disabledRecipes().isEmpty)
    var health = TriggerHealth(subscription: "s", recipe: "r", path: "x.yaml", trigger: "mail.new", provider: "home")
    (health.aliveAt, health.events, health.lag) = (SampleRun.start, 2, 0.25)
    health.trouble = .init("down", de: "aus")
    try await store.keep(health)
    #expect(try await store.triggerHealth() == [health])
    // The run log counts an event once for each trigger, and what a process knows of the number does not replace that.
    #expect(try await store.fire(event: "1", [("s", nil), ("other", nil)]) == [true, true])
    #expect(try await store.fire(event: "1", of: "s", nil) == false)
    try await store.keep(health)
    #expect(try await store.triggerHealth().map(\.events) == [3])
    try await store.removeTriggerHealth(of: "s")
    #expect(try await store.triggerHealth().isEmpty)
    try await store.close()
  }
}

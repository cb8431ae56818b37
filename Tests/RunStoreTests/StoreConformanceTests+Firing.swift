import Engine
import Expressions
import TestSupport
import Testing

@testable import RunStore

extension StoreConformanceTests {
  private static let source = "/recipes/digest.yaml#0"

  private func begin(_ log: StoreUnderTest, digest: String = "d") async throws -> ScheduleRecord {
    let wanted = ScheduleRecord(source: Self.source, recipe: "digest", digest: digest, cursor: log.time.now)
    return try #require(try await log.store.begin([wanted]).first)
  }

  /// A decision that each of some runs begins, a minute apart.
  private func firing(
    _ log: StoreUnderTest, _ record: ScheduleRecord, _ runs: [String], _ overlap: ScheduleFiring.Overlap = .skip
  ) -> ScheduleFiring {
    var firing = ScheduleFiring(
      source: record.source, revision: record.revision, cursor: record.cursor, nextDue: nil)
    for id in runs {
      firing.cursor = firing.cursor.adding(seconds: 60)
      guard case .runStarted(let start) = log.start(id) else { continue }
      firing.points.append(.init(at: firing.cursor, start: start))
    }
    firing.nextDue = firing.cursor.adding(seconds: 60)
    firing.overlap = overlap
    return firing
  }

  private func fire(_ store: RunStore, _ firing: ScheduleFiring) async throws -> (
    ScheduleRecord, [OccurrenceRecord]
  ) {
    guard case .written(let record, let occurrences) = try await store.fire(firing) else {
      throw MissingResult()
    }
    return (record, occurrences)
  }

  private struct MissingResult: Error {}

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aPointAndItsRunAreWrittenTogetherAndOnce(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let first = try await begin(log)
    #expect(first.revision == 0 && first.counts.total == 0)
    let firing = firing(log, first, ["01A"])
    let (record, occurrences) = try await fire(log.store, firing)
    #expect(record.revision == 1 && record.counts.run == 1 && record.cursor == firing.cursor)
    #expect(record.nextDue == firing.nextDue)
    #expect(occurrences.map(\.outcome) == [.run] && occurrences.first?.run == RunID(rawValue: "01A"))
    #expect(try await log.store.status(of: RunID(rawValue: "01A")) == .queued)
    // Whoever has decided the same comes too late, in this process and in others.
    for store in [log.store, try log.another()] {
      guard case .outdated(let current?) = try await store.fire(firing) else {
        Issue.record("it was written twice")
        continue
      }
      #expect(current == record)
    }
    #expect(try await log.store.occurrences(of: Self.source, limit: 10) == occurrences)
    #expect(try await log.store.schedules() == [record])
    #expect(try await log.claim() == ["01A"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func twoThatDecideAtOnceBeginOneRun(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let other = try log.another()
    var record = try await begin(log)
    for round in 0..<20 {
      let firing = firing(log, record, ["01R\(round)"], .allow(limit: nil))
      async let left = log.store.fire(firing)
      async let right = other.fire(firing)
      var written = 0
      for result in [try await left, try await right] {
        if case .written(let now, _) = result { (written, record) = (written + 1, now) }
      }
      #expect(written == 1)
    }
    #expect(record.counts.run == 20)
    #expect(try await log.claim(100).count == 20)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatStillWorksSkipsThePoint(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    var (record, occurrences) = try await fire(log.store, firing(log, begin(log), ["01A"]))
    (record, occurrences) = try await fire(log.store, firing(log, record, ["01B"]))
    #expect(occurrences.map(\.outcome) == [.skipped] && occurrences.first?.run == nil)
    #expect(record.counts.skipped == 1)
    #expect(try await log.claim() == ["01A"])
    try await log.store.record([SampleRun.finished("01A", .failed)], durability: .committed)
    // The failure shows at once, and is counted once.
    #expect(try await log.store.schedules().map(\.failures) == [1])
    (record, occurrences) = try await fire(log.store, firing(log, record, ["01C"]))
    #expect(occurrences.map(\.outcome) == [.run])
    #expect(record.failures == 1)
    #expect(try await log.claim() == ["01C"])
    try await log.store.record([SampleRun.finished("01C")], durability: .committed)
    #expect(try await log.store.schedules().map(\.failures) == [0])
    (record, _) = try await fire(log.store, firing(log, record, ["01D"]))
    #expect(record.failures == 0 && record.counts.run == 3)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func queuedRunsTakeTurns(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let overlap = ScheduleFiring.Overlap.queue(limit: 1)
    let (record, occurrences) = try await fire(log.store, firing(log, begin(log), ["01A", "01B", "01C"], overlap))
    #expect(occurrences.map(\.outcome) == [.run, .run, .skipped])
    #expect(record.counts.run == 2 && record.counts.skipped == 1)
    #expect(try await log.claim() == ["01A"])
    #expect(try await log.claim() == [])
    try await log.store.record([SampleRun.finished("01A")], durability: .committed)
    #expect(try await log.claim() == ["01B"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [ScheduleFiring.Overlap.skip, .cancel])
  func pointsOfOneCatchUpDoNotOverlapEachOther(kind: StoreUnderTest.Kind, overlap: ScheduleFiring.Overlap) async throws
  {
    let log = try StoreUnderTest(kind)
    var firing = try await firing(log, begin(log), ["01A", "01B", "01C"], overlap)
    for index in firing.points.indices { firing.points[index].isCaughtUp = true }
    let (record, occurrences) = try await fire(log.store, firing)
    #expect(occurrences.map(\.outcome) == [.caughtUp, .caughtUp, .caughtUp])
    #expect(record.counts.skipped == 0)
    for id in ["01A", "01B", "01C"] {
      #expect(try await log.claim() == [id])
      #expect(try await log.store.cancelRequests() == [])
      try await log.store.record([SampleRun.finished(id)], durability: .committed)
    }
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aNewRunCancelsTheOthers(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (record, _) = try await fire(log.store, firing(log, begin(log), ["01A"], .cancel))
    #expect(try await log.claim() == ["01A"])
    let (_, occurrences) = try await fire(log.store, firing(log, record, ["01B"], .cancel))
    #expect(occurrences.map(\.outcome) == [.run])
    #expect(try await log.store.cancelRequests() == [RunID(rawValue: "01A")])
    #expect(try await log.claim() == [])
    try await log.store.record([SampleRun.finished("01A", .cancelled)], durability: .committed)
    #expect(try await log.claim() == ["01B"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func runsAtOnceAreCounted(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let overlap = ScheduleFiring.Overlap.allow(limit: 2)
    let (_, occurrences) = try await fire(log.store, firing(log, begin(log), ["01A", "01B", "01C"], overlap))
    #expect(occurrences.map(\.outcome) == [.run, .run, .skipped])
    #expect(try await log.claim() == ["01A", "01B"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func pausingMakesADecisionOutdated(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let record = try await begin(log)
    let paused = try #require(try await log.store.pause(Self.source, true))
    #expect(paused.isPaused)
    guard case .outdated(let current?) = try await log.store.fire(firing(log, record, ["01A"])) else {
      Issue.record("a paused schedule has fired")
      return
    }
    #expect(current == paused)
    #expect(try await log.claim() == [])
    #expect(try await log.store.pause("none", true) == nil)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aDefinitionThatChangesBeginsAnew(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let firing = firing(log, try await begin(log), ["01A"])
    let (record, _) = try await fire(log.store, firing)
    // What is known stays, whatever is said of its cursor.
    #expect(try await begin(log) == record)
    let changed = try await begin(log, digest: "e")
    #expect(changed.cursor == log.time.now && changed.revision == 2 && changed.counts == record.counts)
    // Its points come again, but no run of them.
    let (again, occurrences) = try await fire(log.store, self.firing(log, changed, ["01A"]))
    #expect(occurrences.isEmpty && again.counts == record.counts)
    #expect(try await log.claim() == ["01A"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func passedPointsAreCountedAndForgotten(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let first = try await begin(log)
    var firing = firing(log, first, ["01A"])
    let points = PassedPoints(
      .missed, first: first.cursor.adding(seconds: 1), last: first.cursor.adding(seconds: 30), count: 30)
    firing.passed = [points]
    let (record, _) = try await fire(log.store, firing)
    #expect(record.counts.missed == 30 && record.counts.total == 31)
    #expect(try await log.store.occurrences(of: nil, limit: 10).map(\.count) == [1, 30])
    #expect(try await log.store.occurrences(of: nil, limit: 1).map(\.outcome) == [.run])
    // The run has not ended: its point has to stay known.
    try await log.store.forgetOccurrences(before: log.time.now.adding(seconds: 100))
    #expect(try await log.store.occurrences(of: nil, limit: 10).map(\.outcome) == [.run])
    #expect(try await log.claim() == ["01A"])
    try await log.store.record([SampleRun.finished("01A")], durability: .committed)
    try await log.store.forgetOccurrences(before: log.time.now.adding(seconds: 100))
    #expect(try await log.store.occurrences(of: nil, limit: 10).isEmpty)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func anEventBeginsOneRun(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let other = try log.another()
    guard case .runStarted(let start) = log.start("01A"), case .runStarted(let second) = log.start("01B") else {
      return
    }
    #expect(try await log.store.fire(event: "7", of: "home/INBOX", start))
    #expect(try await !log.store.fire(event: "7", of: "home/INBOX", second))
    #expect(try await !other.fire(event: "7", of: "home/INBOX", second))
    #expect(try await other.fire(event: "7", of: "home/Archive", second))
    #expect(try await log.store.fire(event: "8", of: "home/INBOX", nil))
    #expect(try await log.claim() == ["01A", "01B"])
  }
}

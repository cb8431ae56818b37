import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

/// Waits and what ends them.
extension StoreConformanceTests {
  @Test(arguments: StoreUnderTest.Kind.allCases)
  func parkedRunsComeWhenTheyAreDue(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let due = time.now.adding(seconds: 60)
    try await store.record(
      [log.start("01A"), log.wait("01A", .time, until: due), log.park("01A", until: due)], durability: .committed)
    #expect(try await store.nextDue() == due)
    #expect(try await store.claim(RunID(rawValue: "01A"), at: time.now) == .waiting(until: due))
    #expect(try await log.claim() == [])
    time.advance(by: 60)
    #expect(try await log.claim() == ["01A"])
    let wait = try #require(try await store.snapshot(of: RunID(rawValue: "01A")).steps[0].units.first?.wait)
    #expect(wait.until == due)
    #expect(try await store.nextDue() == nil)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func eventWakesTheRunAndThoseThatWaitForIt(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    try await store.record(
      [
        log.start("01A"), log.start("01B") { $0.parent = RunID(rawValue: "01A") },
        log.wait("01B", .event, event: "paid", key: "7"), log.park("01B"), log.park("01A"),
      ], durability: .committed)
    #expect(try await store.deliver(event: "paid", key: "8", payload: .null) == nil)
    #expect(try await log.claim() == [])
    #expect(try await store.deliver(event: "paid", key: "7", payload: .int(3))?.rawValue == "01B")
    #expect(try await log.claim() == ["01A"])
    let answer = WaitAnswer.event(.int(3))
    #expect(try await store.answer(run: RunID(rawValue: "01B"), step: 0, item: nil) == answer)
    #expect(try await store.answer(run: RunID(rawValue: "01B"), step: 0, item: nil) == answer)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func eventThatCameFirstIsTakenOnce(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    try await store.deliver(event: "paid", key: "", payload: .int(0))
    time.advance(by: 1)
    try await store.record([log.start("01A"), log.start("01B")], durability: .committed)
    try await store.deliver(event: "paid", key: "", payload: .int(1))
    let entries = ["01A", "01B"].flatMap { [log.wait($0, .event, event: "paid"), log.park($0)] }
    try await store.record(entries, durability: .committed)
    #expect(try await log.claim() == ["01A"])
    #expect(try await store.answer(run: RunID(rawValue: "01A"), step: 0, item: nil) == .event(.int(1)))
    #expect(try await store.answer(run: RunID(rawValue: "01B"), step: 0, item: nil) == nil)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatIsCalledOffTakesNoEventFromOthers(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    try await store.record(
      [log.start("01A"), log.wait("01A", .event, event: "paid"), log.park("01A")], durability: .committed)
    time.advance(by: 1)
    try await store.record(
      [log.start("01B"), log.wait("01B", .event, event: "paid"), log.park("01B")], durability: .committed)
    try await store.requestCancel(of: first)
    #expect(try await store.deliver(event: "paid", key: "", payload: .int(1)) == second)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases, [true, false])
  func anEventThatWasOfNoUseGoesToTheNext(kind: StoreUnderTest.Kind, isUsed: Bool) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    try await store.record(
      [log.start("01A"), log.wait("01A", .event, event: "paid"), log.park("01A")], durability: .committed)
    time.advance(by: 1)
    try await store.record(
      [log.start("01B"), log.wait("01B", .event, event: "paid"), log.park("01B")], durability: .committed)
    #expect(try await store.deliver(event: "paid", key: "", payload: .int(1)) == first)
    try await store.requestCancel(of: first)
    time.advance(by: 1)
    #expect(try await log.claim() == ["01A"])
    try await store.record(
      [.waitEnded(run: first, step: 0, item: nil, at: time.now)]
        + (isUsed ? [.output(run: first, step: 0, item: nil, value: .null)] : [])
        + [SampleRun.finished("01A", .cancelled)], durability: .committed)
    #expect(try await log.claim() == (isUsed ? [] : ["01B"]))
    #expect(try await store.answer(run: second, step: 0, item: nil) == (isUsed ? nil : .event(.int(1))))
    #expect(try await store.keptEvents(limit: 10).isEmpty)
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func anEventThatWasOfNoUseCountsFromWhenItCame(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    let due = time.now.adding(seconds: 60)
    try await store.record(
      [log.start("01A"), log.wait("01A", .event, event: "paid"), log.park("01A")], durability: .committed)
    time.advance(by: 1)
    try await store.record(
      [log.start("01B"), log.wait("01B", .event, event: "paid", until: due), log.park("01B", until: due)],
      durability: .committed)
    #expect(try await store.deliver(event: "paid", key: "", payload: .int(1)) == first)
    time.advance(by: 60)
    #expect(try await store.claim(first, at: time.now) == .claimed)
    try await store.record([.waitEnded(run: first, step: 0, item: nil, at: time.now)], durability: .committed)
    for _ in 0..<2 { #expect(try await store.answer(run: second, step: 0, item: nil) == .event(.int(1))) }
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func anEventThatWasOfNoUseIsKeptForARunThatHadBegun(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let (first, second) = (RunID(rawValue: "01A"), RunID(rawValue: "01B"))
    try await store.record(
      [log.start("01A"), log.wait("01A", .event, event: "paid"), log.start("01B")], durability: .committed)
    #expect(try await store.deliver(event: "paid", key: "", payload: .null) == first)
    time.advance(by: 1)
    try await store.record(
      [
        log.start("01C"), log.wait("01C", .event, event: "paid"),
        .waitEnded(run: first, step: 0, item: nil, at: time.now),
      ],
      durability: .committed)
    #expect(try await store.keptEvents(limit: 10).map(\.name) == ["paid"])
    #expect(try await store.answer(run: RunID(rawValue: "01C"), step: 0, item: nil) == nil)
    try await store.record([log.wait("01B", .event, event: "paid")], durability: .committed)
    #expect(try await store.answer(run: second, step: 0, item: nil) == .event(.null))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aClockThatIsSetBackHidesNoEventFromARunThatHadBegun(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    try await store.record([log.start("01A") { $0.at = time.now.adding(seconds: 3600) }], durability: .committed)
    try await store.deliver(event: "paid", key: "", payload: .int(1))
    try await store.record([log.wait("01A", .event, event: "paid"), log.park("01A")], durability: .committed)
    #expect(try await log.claim() == ["01A"])
    #expect(try await store.answer(run: RunID(rawValue: "01A"), step: 0, item: nil) == .event(.int(1)))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func aRunThatIsCalledOffAndWaitsAtItsEndIsDueWhenItsWaitIs(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let due = time.now.adding(seconds: 60)
    let run = RunID(rawValue: "01A")
    try await store.record([log.start("01A"), log.wait("01A", .time, until: due)], durability: .committed)
    try await store.requestCancel(of: run)
    try await store.record([.runParked(run: run, until: due, isCalledOff: true, at: time.now)], durability: .committed)
    #expect(try await log.claim() == [])
    #expect(try await store.claim(run, at: time.now) == .waiting(until: due))
    time.advance(by: 60)
    #expect(try await log.claim() == ["01A"])
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func decisionsAreMadeOnce(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let store = log.store
    let run = RunID(rawValue: "01A")
    try await store.record([log.start("01A"), log.wait("01A", .approval), log.park("01A")], durability: .committed)
    #expect(try await store.openWaits(of: nil, includesParts: false).map(\.step) == ["unread"])
    #expect(try await store.openWaits(of: run, includesParts: false).first?.wait.message == "send?")
    try await store.decide(
      run: run, step: "unread", item: nil, approved: true, fields: ["to": .string("me")], reason: "", by: "ann")
    #expect(try await store.openWaits(of: nil, includesParts: false).isEmpty)
    await #expect(throws: (any Error).self) {
      try await store.decide(
        run: run, step: nil, item: nil, approved: false, fields: .map([:]), reason: "no", by: "bob")
    }
    #expect(try await log.claim() == ["01A"])
    let answer = try await store.answer(run: run, step: 0, item: nil)
    #expect(answer == .approved(fields: ["to": .string("me")], by: "ann"))
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func whatComesAfterTheTimeIsUpComesTooLateWhoeverLooksFirst(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let due = time.now.adding(seconds: 60)
    let asks = RunID(rawValue: "01A")
    let listens = RunID(rawValue: "01B")
    try await store.record(
      [log.start("01A"), log.wait("01A", .approval, until: due), .runParked(run: asks, until: due, at: time.now)],
      durability: .committed)
    try await store.record(
      [
        log.start("01B"), log.wait("01B", .event, event: "paid", until: due),
        .runParked(run: listens, until: due, at: time.now),
      ],
      durability: .committed)
    time.advance(by: 60)
    #expect(try await store.openWaits(of: nil, includesParts: false).isEmpty)
    await #expect(throws: (any Error).self) {
      try await store.decide(
        run: asks, step: nil, item: nil, approved: true, fields: .map([:]), reason: "", by: "ann")
    }
    #expect(try await store.deliver(event: "paid", key: "", payload: .null) == nil)
    for run in [asks, listens] { #expect(try await store.answer(run: run, step: 0, item: nil) == nil) }
  }

  @Test(arguments: StoreUnderTest.Kind.allCases)
  func whatCameInTimeCountsWheneverSomebodyLooks(kind: StoreUnderTest.Kind) async throws {
    let log = try StoreUnderTest(kind)
    let (store, time) = (log.store, log.time)
    let due = time.now.adding(seconds: 60)
    let asks = RunID(rawValue: "01A")
    try await store.record(
      [log.start("01A"), log.wait("01A", .approval, until: due), .runParked(run: asks, until: due, at: time.now)],
      durability: .committed)
    time.advance(by: 59)
    try await store.decide(
      run: asks, step: nil, item: nil, approved: true, fields: .map([:]), reason: "", by: "ann")
    time.advance(by: 3600)
    #expect(try await store.answer(run: asks, step: 0, item: nil) == .approved(fields: .map([:]), by: "ann"))
  }
}

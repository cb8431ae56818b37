import Engine
import Expressions
import Foundation
import Localization
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct RunStoreRecordingTests {
  let folder: TemporaryFolder
  let time = ManualTime()

  init() throws { folder = try TemporaryFolder() }

  private func open(_ change: (inout RunStore.Configuration) -> Void = { _ in }) throws -> RunStore {
    var configuration = RunStore.Configuration()
    change(&configuration)
    return try RunStore(path: folder("sous.db"), time: time, configuration: configuration)
  }

  // MARK: - Durability

  @Test func aStepCostsOneCommit() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .synced)
    let before = store.statistics
    for number in 1...5 {
      try await store.record([SampleRun.attemptStarted("01AAA", step: 2, number: number)], durability: .synced)
      try await store.record([SampleRun.attemptFinished("01AAA", step: 2, number: number)], durability: .soon)
    }
    // The clock stands still: what is to come soon waits for it.
    #expect(store.statistics.commits - before.commits == 5)
    #expect(store.statistics.synchronizedCommits - before.synchronizedCommits == 5)
    await time.waitForSleeper()
    time.advance(by: 0.002)
    try await store.flush(.committed)
    #expect(try await store.run("01AAA").steps[2].attempts.map(\.status) == Array(repeating: .succeeded, count: 5))
    try await store.close()
  }

  @Test func acceptedEntriesAreWrittenTogetherAfterTheDelay() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    for number in 0..<100 { try await store.record([SampleRun.log("01AAA", "\(number)")], durability: .accepted) }
    await time.waitForSleeper()
    #expect(store.statistics.commits == 0)
    #expect(try await store.runs().isEmpty)

    time.advance(by: 0.05)
    // Has nothing of its own to write: it only waits for what the delay has started.
    while store.statistics.commits == 0 { await Task.yield() }
    #expect(store.statistics.commits == 1)
    #expect(store.statistics.entries == 101)
    #expect(store.statistics.requests == 101)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).map(\.message) == (0..<100).map(String.init))
  }

  @Test func acceptedEntriesGoWithTheNextCommit() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    try await store.record([SampleRun.log("01AAA", "line")], durability: .committed)
    #expect(store.statistics.commits == 1)
    #expect(store.statistics.entries == 2)
  }

  @Test func flushAndCloseWriteWhatWasAccepted() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    try await store.flush()
    #expect(try await store.runs().count == 1)
    try await store.record([SampleRun.started("01BBB")], durability: .accepted)
    try await store.close()
    #expect(try await RunStore(readingFrom: store.path).runs().count == 2)
  }

  @Test func onlySyncedRequestsWaitForTheDisk() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    #expect(store.statistics.synchronizedCommits == 0)
    try await store.record([SampleRun.log("01AAA", "effect")], durability: .synced)
    #expect(store.statistics.synchronizedCommits == 1)
    try await store.record([SampleRun.log("01AAA", "after")], durability: .committed)
    #expect(store.statistics.synchronizedCommits == 1)
    #expect(store.statistics.commits == 3)
    try await store.flush(.synced)
    #expect(store.statistics.synchronizedCommits == 2)
    try await store.flush()
    #expect(store.statistics.commits == 4)
  }

  @Test func acceptedEntriesWaitWhenTooManyAreWaiting() async throws {
    let store = try open { $0.capacity = 10 }
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    for number in 0..<50 { try await store.record([SampleRun.log("01AAA", "\(number)")], durability: .accepted) }
    // Every eleventh finds the queue full and waits for a transaction.
    #expect(store.statistics.commits == 4)
    try await store.flush()
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).map(\.message) == (0..<50).map(String.init))
  }

  @Test func aClosedStoreRefusesEverything() async throws {
    let store = try open()
    try await store.close()
    try await store.close()
    var error = await #expect(throws: RunStoreError.self) {
      try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    }
    #expect(error?.code == .closed)
    error = await #expect(throws: RunStoreError.self) { try await store.runs() }
    #expect(error?.code == .closed)
  }

  // MARK: - Concurrency

  @Test(arguments: [Durability.committed, .synced])
  func concurrentWritersShareTransactions(durability: Durability) async throws {
    let store = try open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<64 {
        group.addTask {
          let id = "01W" + String(writer)
          try await store.record([SampleRun.started(id)], durability: durability)
          for number in 0..<20 {
            try await store.record(
              [SampleRun.log(id, "\(number)a"), SampleRun.log(id, "\(number)b")], durability: durability)
          }
        }
      }
      try await group.waitForAll()
    }
    let statistics = store.statistics
    #expect(statistics.requests == 64 * 21)
    #expect(statistics.entries == 64 * 41)
    #expect(statistics.commits < statistics.requests / 2)
    #expect(statistics.synchronizedCommits == (durability == .synced ? statistics.commits : 0))
    let expected = (0..<20).flatMap { ["\($0)a", "\($0)b"] }
    for writer in 0..<64 {
      #expect(try await store.logs(of: RunID(rawValue: "01W\(writer)")).map(\.message) == expected)
    }
  }

  @Test func twoStoresWriteOneFileAtTheSameTime() async throws {
    let path = folder("sous.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["A", "B"] {
        group.addTask {
          // Also made at the same time.
          let store = try RunStore(path: path, time: ManualTime())
          try await store.record([SampleRun.started("01\(name)")], durability: .committed)
          for number in 0..<1000 {
            try await store.record([SampleRun.log("01\(name)", "\(number)")], durability: .committed)
          }
          try await store.close()
        }
      }
      try await group.waitForAll()
    }
    let store = try RunStore(readingFrom: path)
    for name in ["A", "B"] {
      let lines = try await store.logs(of: RunID(rawValue: "01\(name)"))
      #expect(lines.map(\.message) == (0..<1000).map(String.init))
    }
  }

  // MARK: - Failures

  @Test func aRequestIsWrittenWholeOrNotAtAll() async throws {
    let store = try open()
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record(
        [SampleRun.log("01AAA", "first"), SampleRun.attemptFinished("01AAA", step: 7)], durability: .committed)
    }
    #expect(error?.code == .entryRefused)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).isEmpty)
    #expect(store.statistics.rollbacks == 1)
  }

  @Test func entriesThatContradictTheRecordCostOnlyTheirOwnCaller() async throws {
    let store = try open()
    let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
      for writer in 0..<40 {
        group.addTask {
          let id = "01W" + String(writer)
          let entries =
            writer.isMultiple(of: 4)
            ? [SampleRun.started(id), SampleRun.finished("01NOBODY")] : [SampleRun.started(id), SampleRun.finished(id)]
          do {
            try await store.record(entries, durability: .committed)
            return (writer, true)
          } catch {
            return (writer, false)
          }
        }
      }
      var outcomes: [Int: Bool] = [:]
      for await (writer, isWritten) in group { outcomes[writer] = isWritten }
      return outcomes
    }
    for (writer, isWritten) in outcomes { #expect(isWritten == !writer.isMultiple(of: 4)) }
    #expect(try await store.runs(RunFilter(limit: 100)).count == 30)
  }

  @Test func refusedAcceptedEntriesAreToldByFlushAndNobodyElse() async throws {
    let store = try open()
    try await store.record([SampleRun.finished("01NOBODY")], durability: .accepted)
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    try await store.record([SampleRun.log("01AAA", "line")], durability: .accepted)
    try await store.record([SampleRun.started("01BBB")], durability: .synced)
    let error = await #expect(throws: RunStoreError.self) { try await store.flush() }
    #expect(error?.code == .entryRefused)
    try await store.flush()
    #expect(try await store.runs().count == 2)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).count == 1)
  }

  @Test func acceptedEntriesSurviveAWriteThatFails() async throws {
    let store = try open { $0.busyTimeout = 0.02 }
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    let other = try DatabaseProbe(store.path)
    try await other.execute("BEGIN IMMEDIATE")
    try await store.record([SampleRun.log("01AAA", "first")], durability: .accepted)
    for _ in 0..<2 {
      let error = await #expect(throws: RunStoreError.self) {
        try await store.record([SampleRun.log("01AAA", "told")], durability: .committed)
      }
      #expect(error?.code == .locked)
    }
    // A later line neither takes the error away nor is refused for it.
    try await store.record([SampleRun.log("01AAA", "second")], durability: .accepted)
    await #expect(throws: RunStoreError(.locked)) { try await store.flush() }
    try await other.execute("ROLLBACK")
    try await store.record([SampleRun.log("01AAA", "third")], durability: .synced)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).map(\.message) == ["first", "second", "third"])
    try await store.close()
  }

  @Test func acceptedEntriesAreTriedAgainAfterAWhile() async throws {
    let store = try open { $0.busyTimeout = 0.02 }
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    let other = try DatabaseProbe(store.path)
    try await other.execute("BEGIN IMMEDIATE")
    await #expect(throws: RunStoreError(.locked)) {
      try await store.record([SampleRun.log("01AAA", "first")], durability: .accepted)
      try await store.flush()
    }
    try await other.execute("ROLLBACK")
    while store.statistics.commits == 1 {
      time.advance(by: 1)
      await Task.yield()
    }
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).map(\.message) == ["first"])
  }

  @Test func acceptedEntriesBeyondTheCapacityThrowWhileNothingCanBeWritten() async throws {
    let store = try open {
      $0.busyTimeout = 0.02
      $0.byteCapacity = 2000
    }
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    let other = try DatabaseProbe(store.path)
    try await other.execute("BEGIN IMMEDIATE")
    let long = String(repeating: "x", count: 1500)
    try await store.record([SampleRun.log("01AAA", long)], durability: .accepted)
    await #expect(throws: RunStoreError(.locked)) {
      try await store.record([SampleRun.log("01AAA", long)], durability: .accepted)
    }
    try await other.execute("ROLLBACK")
    try await store.flush()
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).count == 1)
  }

  @Test func closingTellsThatAcceptedEntriesCouldNotBeWritten() async throws {
    let store = try open { $0.busyTimeout = 0.02 }
    let other = try DatabaseProbe(store.path)
    try await other.execute("BEGIN IMMEDIATE")
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    await #expect(throws: RunStoreError(.locked)) { try await store.close() }
    try await other.execute("ROLLBACK")
    try await store.close()
  }

  @Test func closingWritesWhatItCanAndTellsOfLosses() async throws {
    let store = try open()
    try await store.record([SampleRun.finished("01NOBODY")], durability: .accepted)
    try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    let error = await #expect(throws: RunStoreError.self) { try await store.close() }
    #expect(error?.code == .entryRefused)
    try await store.close()
    #expect(try await RunStore(readingFrom: store.path).runs().count == 1)
  }

  @Test func aFullDiskFailsEveryCallerAndLeavesNothingHalfWritten() async throws {
    let first = try open()
    try await first.record([SampleRun.started("01AAA")], durability: .committed)
    try await first.close()
    // SQLite raises a limit below the present size to that size.
    let store = try open { $0.pageLimit = 1 }
    #expect(try await store.claim(RunID(rawValue: "01AAA"), at: SampleRun.start) == .claimed)
    let noise = (0..<60_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 97...122))) }
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record(
        [
          SampleRun.log("01AAA", "first"),
          .output(run: RunID(rawValue: "01AAA"), step: 0, item: nil, value: .string(String(noise))),
        ], durability: .synced)
    }
    #expect(error?.code == .diskFull)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).isEmpty)
    #expect(try await store.run("01AAA").steps[0].output == nil)
    // What fits is still written.
    try await store.record([SampleRun.log("01AAA", "small")], durability: .committed)
    #expect(try await store.logs(of: RunID(rawValue: "01AAA")).map(\.message) == ["small"])
  }

  @Test func aLockThatIsHeldForTooLongIsATypedError() async throws {
    let store = try open { $0.busyTimeout = 0.05 }
    let other = try DatabaseProbe(store.path)
    try await other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record([SampleRun.started("01AAA")], durability: .committed)
    }
    #expect(error?.code == .locked)
    try await other.execute("ROLLBACK")
    try await store.record([SampleRun.started("01AAA")], durability: .committed)
    #expect(try await store.runs().count == 1)
  }

  @Test func aStoreForReadingRefusesToRecord() async throws {
    try await open().close()
    let store = try RunStore(readingFrom: folder("sous.db"))
    let error = await #expect(throws: RunStoreError.self) {
      try await store.record([SampleRun.started("01AAA")], durability: .accepted)
    }
    #expect(error?.code == .readOnly)
  }
}

extension RunStoreError {
  /// An error to compare codes with.
  fileprivate init(_ code: Code) { self.init(code, LocalizedText(verbatim: "")) }
}

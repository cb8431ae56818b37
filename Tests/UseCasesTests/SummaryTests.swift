import Engine
import Expressions
import Foundation
import RunStore
import TestWorkspace
import Testing

@testable import UseCases

/// Summaries in advance: what waits, in which order, and how it is kept.
@Suite(.timeLimit(.minutes(5))) struct SummaryTests {
  private func record(_ name: String, rank: Int, day: Int) -> SummaryRecord {
    let at = Timestamp(seconds: Int64(day) * 86_400)
    return SummaryRecord(
      account: "home", message: name, folder: "INBOX", uid: name, rank: rank, date: at, queuedAt: at,
      body: ["subject": "s"])
  }

  @Test func unreadAndStarredComeFirstAndTheNewerBeforeTheOlder() async throws {
    try await Place().withSession { session in
      let store = session.store
      let records = [
        record("a", rank: 4, day: 9), record("b", rank: 0, day: 1), record("c", rank: 0, day: 2),
        record("d", rank: 3, day: 5),
      ]
      let added = try await store.queueSummaries(records)
      #expect(added == 4)
      #expect(try await store.queueSummaries([record("a", rank: 1, day: 9)]) == 0)
      #expect(try await store.waitingSummaries(limit: 10).map(\.message) == ["c", "b", "a", "d"])
      #expect(try await store.oldestSummary(of: "home") == Timestamp(seconds: 86_400))
    }
  }

  @Test func whatWasMadeIsKeptAndCountsForAnHour() async throws {
    try await Place(configuration: "summaries: { per_hour: 2 }\n").withSession { session in
      let now = SystemTime().now
      for (name, age) in [("old", 4000.0), ("first", 3000.0), ("second", 60.0)] {
        var done = record(name, rank: 0, day: 1)
        done.state = .done
        done.endedAt = now.adding(seconds: -age)
        done.body = ["text": .string("about \(name)")]
        try await session.store.keepSummary(done)
      }
      var asked = record("asked", rank: 0, day: 1)
      (asked.state, asked.endedAt, asked.isInAdvance) = (.done, now, false)
      try await session.store.keepSummary(asked)
      let status = try await session.summaryStatus()
      #expect(status.lastHour == 2 && status.held == "limit" && status.done == 4)
      #expect(status.nextAt.map { abs($0.seconds(since: now) - 600) < 1 } == true)
      #expect(try await session.store.summary(of: "first", in: "home")?.body["text"] == "about first")
      #expect(try await session.store.summary(of: "first", in: "work") == nil)
    }
  }

  @Test func aMachineThatRunsFromALowBatteryIsSeen() throws {
    let place = try Place()
    for (name, files) in [
      ("AC", ["type": "Mains", "online": "0"]),
      ("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "17"]),
    ] {
      try FileManager.default.createDirectory(
        atPath: place.folder + "/power/\(name)", withIntermediateDirectories: true)
      for (file, text) in files { try place.write("power/\(name)/\(file)", text + "\n") }
    }
    try place.write("loadavg", "3.00 1.00 0.50 1/100 4711\n")
    var machine = MachineLoad()
    (machine.powerFolder, machine.loadFile) = (place.folder + "/power", place.folder + "/loadavg")
    #expect(machine.chargeOnBattery() == 17)
    let load = try #require(machine.load())
    #expect(load * Double(ProcessInfo.processInfo.activeProcessorCount) == 3)
    try place.write("power/AC/online", "1\n")
    #expect(machine.chargeOnBattery() == nil)
  }
}

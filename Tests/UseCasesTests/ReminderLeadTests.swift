import Engine
import Expressions
import Foundation
import TestWorkspace
import Testing

@testable import UseCases

/// The lead times of a reminder whose schedule says when it comes.
@Suite struct ReminderLeadTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test func eachLeadTimeIsAScheduleOfItsOwn() throws {
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    try place.write(
      "recipes/rent.yaml",
      """
      kind: reminder
      name: rent
      text: Pay the rent
      on: { schedule: { cron: "0 9 1 * *", timezone: UTC } }
      lead: [2h, 1d]
      deliver: { command: [say] }
      """)
    let now = try #require(Timestamp(rfc3339: "2026-11-23T10:00:00Z"))
    let recipe = try #require(try Project(try place.workspace).reminderRecipes(now: now).first)
    #expect(recipe.schedules.map(\.lead) == [0, 86_400, 7200])
    #expect(Set(recipe.schedules.map(\.source)).count == 3)
    let points = recipe.schedules.map { served in
      let record = ScheduleRecord(source: served.source, recipe: "rent", digest: "", cursor: now)
      return served.machine.decide(record, at: now).nextDue?.rfc3339
    }
    #expect(points == ["2026-12-01T09:00:00Z", "2026-11-30T09:00:00Z", "2026-12-01T07:00:00Z"])
    // The list shows when it is due, not when it is told before.
    #expect(recipe.next(after: now)?.rfc3339 == "2026-12-01T09:00:00Z")
  }

  @Test func aLeadThatWasMissedIsMadeUpForUntilTheTimeItself() throws {
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    try place.write(
      "recipes/rent.yaml",
      """
      kind: reminder
      text: Pay the rent
      on: { schedule: { cron: "0 9 1 * *", timezone: UTC } }
      lead: 1d
      deliver: { command: [say] }
      """)
    let before = try #require(Timestamp(rfc3339: "2026-11-23T10:00:00Z"))
    let recipe = try #require(try Project(try place.workspace).reminderRecipes(now: before).first)
    let lead = try #require(recipe.schedules.first { $0.lead > 0 })
    let record = ScheduleRecord(source: lead.source, recipe: "rent", digest: "", cursor: before)
    for (time, count) in [("2026-11-30T20:00:00Z", 1), ("2026-12-01T10:00:00Z", 0)] {
      let now = try #require(Timestamp(rfc3339: time))
      #expect(lead.machine.decide(record, at: now).points.count == count, "\(time)")
    }
  }
}

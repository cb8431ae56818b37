import Foundation
import Plans
import Schedules
import Testing

@testable import RecipePlanning
@testable import RecipeSyntax

@Suite struct SchedulePointsTests {
  @Test(arguments: [
    ("cron: \"0 7 * * 1-5\"", "2026-11-24T07:00:00+01:00"), ("every: 15m", "2026-11-23T10:15:00+01:00"),
    ("every: 1d", "2026-11-24T00:00:00+01:00"), ("every: 7d", "2026-11-30T00:00:00+01:00"),
    ("every: 1d, start: 2026-01-01T05:00", "2026-11-24T05:00:00+01:00"),
    ("rrule: \"FREQ=WEEKLY\"", "2026-11-30T00:00:00+01:00"),
    ("rrule: \"FREQ=MONTHLY;BYDAY=-1FR\", at: \"09:00\"", "2026-11-27T09:00:00+01:00"),
    ("cron: \"30 2 28 3 *\", missing: skip", "2028-03-28T02:30:00+02:00"),
    ("cron: \"30 2 28 3 *\", start: 2027-03-01", "2027-03-28T03:30:00+02:00"),
    ("once: 2027-03-28T02:30", "2027-03-28T03:30:00+02:00"),
    ("rrule: FREQ=YEARLY, at: \"02:30\", start: 2027-03-28", "2027-03-28T03:30:00+02:00"),
    ("cron: \"30 2 28 3 *\", start: 2027-03-01, missing: shift", "2027-03-28T03:00:00+02:00"),
    ("cron: \"30 2 28 3 *\", start: 2027-03-01, missing: after", "2027-03-28T03:30:00+02:00"),
    ("cron: \"30 2 28 3 *\", start: 2027-03-01, missing: before", "2027-03-28T01:30:00+01:00"),
    ("cron: \"30 2 31 10 *\", repeated: last", "2027-10-31T02:30:00+01:00"),
  ])
  func aTriggerTellsWhatComesNext(keys: String, expected: String) throws {
    let planning = Planner.standard().plan(
      SourceText(
        path: "r.yaml",
        text: "on: { schedule: { \(keys), timezone: Europe/Zurich } }\nsteps: [{ uses: template, with: { text: x } }]\n"
      ))
    guard case .schedule(let schedule) = try #require(planning.plan?.triggers.first).kind else {
      Issue.record("no schedule")
      return
    }
    let now = try #require(Zone.moment(rfc3339: "2026-11-23T10:00:00+01:00"))
    let points = try schedule.points()
    #expect(points.next(after: now).map { points.zone.rfc3339($0) } == expected)
  }
}

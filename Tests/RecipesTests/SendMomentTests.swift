import Expressions
import Foundation
import Localization
import Schedules
import Testing

@testable import RecipeModel
@testable import RecipeSyntax

/// When messages go out: times as people write them, quiet hours, rates.
struct SendMomentTests {
  /// A Monday, ten o'clock in Zürich.
  private static let now = Timestamp(rfc3339: "2026-11-23T09:00:00Z") ?? Timestamp(seconds: 0)

  @Test(arguments: [
    ("2026-11-24T08:00+01:00", "2026-11-24T07:00:00Z"), ("2026-11-24T08:00:30Z", "2026-11-24T08:00:30Z"),
    ("2026-11-24T08:00 America/New_York", "2026-11-24T13:00:00Z"), ("2026-11-24T08:00", "2026-11-24T07:00:00Z"),
    ("2026-11-24 08:00", "2026-11-24T07:00:00Z"), ("morgen um 8", "2026-11-24T07:00:00Z"),
    ("tomorrow at 8 America/New_York", "2026-11-24T13:00:00Z"), ("in 2 hours", "2026-11-23T11:00:00Z"),
    ("now", "2026-11-23T09:00:00Z"), ("Jetzt", "2026-11-23T09:00:00Z"),
  ])
  func timesAreReadAsPeopleWriteThem(_ text: String, _ wanted: String) throws {
    let moment = try SendMoment(text, now: Self.now, zone: #require(Zone("Europe/Zurich")))
    #expect(moment.time == Timestamp(rfc3339: wanted))
    #expect(moment.isNow == ["now", "Jetzt"].contains(text))
  }

  @Test(arguments: ["", "at some time", "every Monday at 8", "nächsten Freitag", "call Bob tomorrow at 8"])
  func whatIsNoSingleTimeIsRefused(_ text: String) {
    #expect(throws: ScheduleError.self) { try SendMoment(text, now: Self.now, zone: .utc) }
  }

  @Test(arguments: [
    ("22:00-07:00 UTC", "2026-11-23T21:59:59Z", "2026-11-23T21:59:59Z"),
    ("22:00-07:00 UTC", "2026-11-23T22:00:00Z", "2026-11-24T07:00:00Z"),
    ("22:00-07:00 UTC", "2026-11-24T06:59:59Z", "2026-11-24T07:00:00Z"),
    ("22:00-07:00 UTC", "2026-11-24T07:00:00Z", "2026-11-24T07:00:00Z"),
    ("12:00-13:30 UTC", "2026-11-24T12:15:00Z", "2026-11-24T13:30:00Z"),
    ("12:00-13:30 UTC", "2026-11-24T11:15:00Z", "2026-11-24T11:15:00Z"),
    ("22:00-07:00 Europe/Zurich", "2026-11-24T05:30:00Z", "2026-11-24T06:00:00Z"),
    // The night in which the clock is put back has an hour more.
    ("22:00-07:00 Europe/Zurich", "2026-10-24T20:30:00Z", "2026-10-25T06:00:00Z"),
  ])
  func quietHoursDelayToTheirEnd(_ hours: String, _ time: String, _ wanted: String) throws {
    let quiet = try #require(QuietHours(hours))
    #expect(try quiet.delaying(#require(Timestamp(rfc3339: time))) == Timestamp(rfc3339: wanted))
  }

  @Test(arguments: ["22-7", "22:00", "22:00-22:00", "22:00-07:00 Nowhere/Town", "22:00-25:00", "a:b-c:d"])
  func whatAreNoQuietHoursIsRefused(_ text: String) { #expect(QuietHours(text) == nil) }

  @Test(arguments: [("20/min", 3), ("1/s", 1), ("100/h", 36), ("2 / 10s", 5)])
  func aRateIsAnInterval(_ text: String, _ seconds: Double) {
    #expect(OutboxSettings.Rate(text)?.interval == seconds)
  }

  @Test(arguments: ["20", "0/min", "-1/min", "x/min", "1/", "1/0s", "1/min/h"])
  func whatIsNoRateIsRefused(_ text: String) { #expect(OutboxSettings.Rate(text) == nil) }

  @Test func theConfigurationSaysHowMessagesGoOut() throws {
    let (configuration, diagnostics) = Configuration.parse(
      SourceText(
        path: "sous.yaml",
        text: """
          outbox:
            undo_for: 30s
            late: 2h
            quiet: "22:00-07:00"
            rate: 20/min
            accounts: { bulk: { rate: 100/h, quiet: "12:00-13:00 UTC" } }
          """))
    #expect(diagnostics.isEmpty)
    let outbox = configuration.outbox
    #expect(outbox.undoFor == 30 && outbox.late == 7200)
    #expect(outbox.rate(of: "work")?.interval == 3 && outbox.rate(of: "bulk")?.interval == 36)
    #expect(outbox.quiet(of: "bulk") == QuietHours("12:00-13:00 UTC"))
    #expect(outbox.quiet(of: "work") == QuietHours("22:00-07:00"))
  }

  @Test(arguments: ["rate: often", "quiet: at night", "undo_for: soon", "accounts: { a: { late: 1h } }"])
  func whatTheConfigurationCannotMeanIsReported(_ line: String) {
    let source = SourceText(path: "sous.yaml", text: "outbox:\n  \(line)\n")
    #expect(Configuration.parse(source).diagnostics.map(\.severity) == [.error])
  }

  @Test func aTimeThatAClockChangeLeavesOutIsTold() throws {
    let moment = try SendMoment("2027-03-28T02:30 Europe/Zurich", now: Timestamp(seconds: 1_795_000_000))
    #expect(moment.time.rfc3339 == "2027-03-28T01:30:00Z")
    #expect(moment.gap != nil)
    #expect(try SendMoment("2027-03-28T03:30 Europe/Zurich", now: moment.time).gap == nil)
  }
}

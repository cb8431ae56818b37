import Foundation
import Localization
import Testing

@testable import Schedules

@Suite struct ScheduleTests {
  static let zurich = Zone("Europe/Zurich") ?? .utc

  /// The first times of a schedule after one, both on Zurich's clock unless another zone is given.
  static func times(
    _ text: String, after: String, count: Int = 3, zone: Zone = zurich, change: (inout Schedule) -> Void = { _ in }
  ) throws -> [String] {
    let now = zone.moment(try #require(LocalTime(iso: after)))
    let place = Place(latitude: 47.37, longitude: 8.54)
    var schedule = try Schedule(text, in: .init(zone: zone, now: now, start: now, name: "backup", place: place))
    change(&schedule)
    return schedule.occurrences(after: now).prefix(count).map { String(zone.rfc3339($0)) }
  }

  @Test(
    arguments: [
      ("0 7 * * 1-5", ["2026-11-24T07:00:00+01:00", "2026-11-25T07:00:00+01:00"]),
      ("@daily", ["2026-11-24T00:00:00+01:00", "2026-11-25T00:00:00+01:00"]),
      ("0 0 12 ? * MON-FRI 2027", ["2027-01-01T12:00:00+01:00", "2027-01-04T12:00:00+01:00"]),
      ("0 9 15W * *", ["2026-12-15T09:00:00+01:00", "2027-01-15T09:00:00+01:00", "2027-02-15T09:00:00+01:00"]),
      ("0 9 1W 8 *", ["2027-08-02T09:00:00+02:00", "2028-08-01T09:00:00+02:00"]),
      ("0 9 31W 1 *", ["2027-01-29T09:00:00+01:00"]), ("0 9 LW * *", ["2026-11-30T09:00:00+01:00"]),
      ("0 9 L-1 * *", ["2026-11-29T09:00:00+01:00", "2026-12-30T09:00:00+01:00"]),
      ("0 9 * * 5L", ["2026-11-27T09:00:00+01:00", "2026-12-25T09:00:00+01:00"]),
      ("0 9 * * TUE#2", ["2026-12-08T09:00:00+01:00"]), ("0 9 * * fri-sun", ["2026-11-27T09:00:00+01:00"]),
      ("every 15m", ["2026-11-23T10:15:00+01:00", "2026-11-23T10:30:00+01:00"]),
      ("every 90m from 2026-11-23T09:05", ["2026-11-23T10:35:00+01:00", "2026-11-23T12:05:00+01:00"]),
      ("@every 1h", ["2026-11-23T11:00:00+01:00"]), ("every 15 minutes", ["2026-11-23T10:15:00+01:00"]),
      ("once 2026-12-24T18:00", ["2026-12-24T18:00:00+01:00"]),
      ("once 2026-12-24T18:00, 2026-12-01 08:00", ["2026-12-01T08:00:00+01:00", "2026-12-24T18:00:00+01:00"]),
      ("2026-12-24T18:00:00Z", []), ("once 2026-12-24T18:00:00Z", ["2026-12-24T19:00:00+01:00"]),
      ("once 2020-01-01", []), ("RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", ["2026-11-24T09:00:00+01:00"]),
      (
        "DTSTART;TZID=America/New_York:20261101T090000\\nRRULE:FREQ=WEEKLY;BYDAY=WE\\nEXDATE;TZID=America/New_York:20261125T090000",
        ["2026-12-02T15:00:00+01:00", "2026-12-09T15:00:00+01:00"]
      ),
      (
        "DTSTART:20261120T080000\nRRULE:FREQ=DAILY;COUNT=5\nRDATE:20261224T120000",
        ["2026-11-24T08:00:00+01:00", "2026-12-24T12:00:00+01:00"]
      ),
      ("24 December at 6 pm", ["2026-12-24T18:00:00+01:00"]), ("morgen um 9", ["2026-11-24T09:00:00+01:00"]),
      ("every Monday at 8", ["2026-11-30T08:00:00+01:00"]),
    ] as [(String, [String])])
  func everyFormIsRead(text: String, expected: [String]) throws {
    if expected.isEmpty, text.hasSuffix("Z"), !text.hasPrefix("once") { return }
    #expect(try Self.times(text, after: "2026-11-23T10:00", count: max(1, expected.count)) == expected)
  }

  @Test(
    arguments: [
      ("@reboot", .unsupported), ("0 0 30 2 *", .never), ("99 * * * *", .invalidCron), ("* * * *", .invalidCron),
      ("RRULE:FREQ=DAILY;RSCALE=CHINESE", .unsupported), ("FREQ=OFTEN", .invalidRule),
      ("RRULE:FREQ=DAILY;COUNT=1000000", .unsupported), ("once tomorrow", .invalidTime), ("every 15x", .notUnderstood),
      ("blah", .notUnderstood), ("DTSTART;TZID=Mars/Base:20261101T090000\nRRULE:FREQ=DAILY", .unknownZone),
      ("am Freitag nach dem Essen", .notUnderstood), ("nächsten Freitag", .ambiguous), ("sunrise+x", .invalidTime),
    ] as [(String, ScheduleError.Code)])
  func whatIsWrongIsToldByItsCode(text: String, code: ScheduleError.Code) {
    do throws(ScheduleError) {
      _ = try Schedule(
        text, in: .init(zone: Self.zurich, now: Date(timeIntervalSince1970: 1_795_424_400), place: Place("0,0")))
      Issue.record("'\(text)' is accepted")
    } catch {
      #expect(error.code == code, "\(error)")
      #expect(error.range.upperBound <= text.utf8.count && error.message.german != error.message.english)
    }
  }

  @Test func sunNeedsAPlace() {
    #expect(throws: ScheduleError.self) {
      _ = try Schedule("sunrise", in: .init(zone: Self.zurich, now: Date(timeIntervalSince1970: 0)))
    }
  }

  @Test func aNameDecidesWhatHStandsFor() throws {
    let one = try CronExpression("H H * * *", name: "backup")
    #expect(one == (try CronExpression("H H * * *", name: "backup")))
    let minutes = Set(try (0..<200).map { try CronExpression("H * * * *", name: "job \($0)").minutes })
    #expect(minutes.count > 40)
    for number in 0..<100 {
      let spread = try CronExpression("H/15 H(9-17) * * *", name: "job \(number)")
      #expect(spread.minutes.nonzeroBitCount == 4 && spread.hours.trailingZeroBitCount >= 9)
      #expect(spread.hours.nonzeroBitCount == 1 && spread.hours < 1 << 18)
    }
  }

  @Test func aClockChangeMovesDropsAndRepeatsAsChosen() throws {
    // 2026-03-29: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
    let gap = { (missing: MissingTime) in
      try Self.times("30 2 * * *", after: "2026-03-28T12:00", count: 1) { $0.missing = missing }
    }
    #expect(try gap(.shift) == ["2026-03-29T03:00:00+02:00"])
    #expect(try gap(.after) == ["2026-03-29T03:30:00+02:00"])
    #expect(try gap(.before) == ["2026-03-29T01:30:00+01:00"])
    #expect(try gap(.skip) == ["2026-03-30T02:30:00+02:00"])
    let overlap = { (repeated: RepeatedTime) in
      try Self.times("30 2 * * *", after: "2026-10-24T12:00", count: 2) { $0.repeated = repeated }
    }
    #expect(try overlap(.first) == ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"])
    #expect(try overlap(.last) == ["2026-10-25T02:30:00+01:00", "2026-10-26T02:30:00+01:00"])
    #expect(try overlap(.both) == ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"])
  }

  @Test func periodsRunOnThroughClockChanges() throws {
    let spring = try Self.times("30 * * * *", after: "2026-03-29T00:45", count: 3)
    #expect(spring == ["2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-29T04:30:00+02:00"])
    let autumn = try Self.times("30 * * * *", after: "2026-10-25T01:45", count: 3)
    #expect(autumn == ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", "2026-10-25T03:30:00+01:00"])
  }

  @Test func exceptionsStartAndEndHold() throws {
    let holidays = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      SUMMARY:Weihnachten
      DTSTART;VALUE=DATE:20201225
      DTEND;VALUE=DATE:20201227
      RRULE:FREQ=YEARLY
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      SUMMARY:Umbau
      DTSTART;TZID=Europe/Zurich:20261228T080000
      DTEND;TZID=Europe/Zurich:20261228T120000
      END:VEVENT
      END:VCALENDAR
      """
    let calendar = try ExceptionCalendar(icalendar: holidays, zone: Self.zurich)
    let times = try Self.times("0 9,14 * * *", after: "2026-12-24T12:00", count: 5) { $0.exceptions = calendar }
    #expect(
      times.map { $0.prefix(16) } == [
        "2026-12-24T14:00", "2026-12-27T09:00", "2026-12-27T14:00", "2026-12-28T14:00", "2026-12-29T09:00",
      ])
    let days = ExceptionCalendar(days: [try #require(LocalTime(iso: "2026-12-25"))])
    let bounded = try Self.times("0 9 * * *", after: "2026-12-01T00:00", count: 9) {
      $0.exceptions = days
      $0.start = Self.zurich.moment(LocalTime(iso: "2026-12-24T09:00") ?? LocalTime(seconds: 0))
      $0.end = Self.zurich.moment(LocalTime(iso: "2026-12-27T09:00") ?? LocalTime(seconds: 0))
    }
    #expect(bounded.map { $0.prefix(10) } == ["2026-12-24", "2026-12-26", "2026-12-27"])
  }

  @Test func whatIsCalledOffOrMovedIsNoException() throws {
    let events = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      DTSTART;VALUE=DATE:20261124
      STATUS:CANCELLED
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      DTSTART;VALUE=DATE:20261125
      RRULE:FREQ=DAILY;COUNT=4
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      RECURRENCE-ID;VALUE=DATE:20261126
      DTSTART;VALUE=DATE:20261126
      STATUS:CANCELLED
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      RECURRENCE-ID;VALUE=DATE:20261128
      DTSTART;VALUE=DATE:20261130
      END:VEVENT
      END:VCALENDAR
      """
    let calendar = try ExceptionCalendar(icalendar: events, zone: Self.zurich)
    let times = try Self.times("0 9 * * *", after: "2026-11-23T12:00", count: 5) { $0.exceptions = calendar }
    #expect(times.map { $0.prefix(10) } == ["2026-11-24", "2026-11-26", "2026-11-28", "2026-11-29", "2026-12-01"])
  }

  @Test func jitterIsTheSameEachTimeAndStaysWithinItsBound() throws {
    var schedule = Schedule(.cron(try CronExpression("0 * * * *")), zone: .utc)
    schedule.name = "digest"
    schedule.jitter = 300
    let points = Array(schedule.occurrences(after: Date(timeIntervalSince1970: 1_800_000_000)).prefix(200))
    let delays = points.map { schedule.due($0).timeIntervalSince($0) }
    #expect(delays == points.map { schedule.due($0).timeIntervalSince($0) })
    #expect(delays.allSatisfy { (0...300).contains($0) } && Set(delays).count > 80)
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      "FREQ=YEARLY;BYMONTHDAY=31",
      "FREQ=SECONDLY;INTERVAL=7;BYSECOND=3;BYMINUTE=3;BYHOUR=3;BYMONTHDAY=29;BYMONTH=2;BYDAY=MO",
      "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5", "FREQ=HOURLY;INTERVAL=24;BYHOUR=5",
      "FREQ=DAILY;INTERVAL=99999999999;BYMONTH=2", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29",
    ])
  func workIsBoundedWhereNothingComes(rule: String) throws {
    // From the odd year 2027 at 10:30: every second year has no 29th of February.
    let start = try #require(LocalTime(iso: "2027-02-10T10:30"))
    let recurrence = Recurrence(try RecurrenceRule(rule), start: start, zone: .utc)
    let schedule = Schedule(.recurrence(recurrence), zone: Self.zurich)
    let next = schedule.next(after: Date(timeIntervalSince1970: 1_803_000_000))
    #expect(next == nil || rule.hasPrefix("FREQ=SECONDLY") || rule.contains("99999999999"))
  }

  @Test func neverInTheseYearsIsNil() throws {
    let cron = Schedule(.cron(try CronExpression("0 0 0 1 1 ? 2020")), zone: Self.zurich)
    #expect(cron.next(after: Date(timeIntervalSince1970: 1_795_424_400)) == nil)
    let leap = Schedule(.cron(try CronExpression("0 0 29 2 */7")), zone: .utc)
    let next = leap.next(after: Date(timeIntervalSince1970: 1_795_424_400))
    #expect(next.map { Zone.utc.rfc3339($0) } == "2032-02-29T00:00:00+00:00")
  }

  @Test func theSunNeitherRisesNorSetsInThePolarNight() throws {
    let place = try #require(Place(latitude: 78.2, longitude: 15.6))
    let schedule = Schedule(.sun(.sunrise, place, offset: 0), zone: .utc)
    let next = try #require(schedule.next(after: Date(timeIntervalSince1970: 1_795_424_400)))
    // Longyearbyen sees the sun again in the middle of February.
    #expect(Zone.utc.local(next) > (LocalTime(iso: "2027-02-10") ?? LocalTime(seconds: 0)))
    let pole = Schedule(.sun(.sunrise, try #require(Place("90,0")), offset: 0), zone: .utc)
    #expect(pole.next(after: Date(timeIntervalSince1970: 1_795_424_400)) == nil)
  }
}

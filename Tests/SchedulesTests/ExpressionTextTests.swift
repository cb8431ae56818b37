import Foundation
import Testing

@testable import Schedules

/// What is a cron expression or a recurrence rule, and where in the text it is not.
@Suite struct ExpressionTextTests {
  private static let now = Zone.moment(rfc3339: "2026-06-15T12:00:00Z") ?? Date(timeIntervalSince1970: 0)

  @Test(arguments: [
    ("0 0 30 2 *", 4..<8), ("0 0 31 4,6,9,11 *", 4..<15), ("0 0 31 */2 *", nil), ("0 0 29 2 *", nil),
    ("0 0 30,31 FEB *", 4..<13), ("0 0 30-31 2,3 *", nil), ("0 0 31 4 1", nil), ("0 0 31 4 */2", 4..<8),
    ("0 0 */31 2 *", nil), ("0 0 31/2 6 *", 4..<10), ("5 0 0 31 jun *", 6..<12), ("0 0 * 2 *", nil),
    ("0 0 30 2 0-7", nil),
  ])
  func cronExpressionsThatNeverFireAreLocated(text: String, range: Range<Int>?) {
    #expect(CronExpression.problem(text) == range.map { .never($0) })
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=YEARLY;BYYEARDAY=366", "FREQ=YEARLY;BYYEARDAY=-366",
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;BYMONTH=1", "FREQ=MONTHLY;BYDAY=-5FR",
    "FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12", "FREQ=YEARLY;BYDAY=53MO", "FREQ=MONTHLY;BYMONTHDAY=-31",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=23", "FREQ=DAILY;BYHOUR=8,12;BYSETPOS=-2",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "FREQ=YEARLY;BYMONTH=1,2,3;BYSETPOS=3",
    "FREQ=WEEKLY;WKST=SU;BYDAY=MO,WE", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "freq=daily;until=20270101t000000z",
    "FREQ=YEARLY;BYYEARDAY=60;BYMONTHDAY=1", "FREQ=YEARLY;BYYEARDAY=60;BYMONTHDAY=29", "FREQ=HOURLY;BYMONTHDAY=+5",
    "FREQ=MINUTELY;BYSECOND=0,30;BYSETPOS=2",
  ])
  func rulesWithPointsAreAccepted(text: String) {
    #expect(RecurrenceRule.problem(text) == nil)
  }

  @Test(arguments: [
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 12..<35), ("FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31", 13..<43),
    ("FREQ=MONTHLY;BYDAY=6MO", 13..<22), ("FREQ=YEARLY;BYYEARDAY=1;BYMONTH=2", 12..<33),
    ("FREQ=YEARLY;BYMONTH=2;BYDAY=-6FR", 12..<32), ("FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=8", 13..<35),
    ("FREQ=YEARLY;BYWEEKNO=20;BYMONTH=7", 12..<33), ("FREQ=YEARLY;BYWEEKNO=53;BYMONTHDAY=15", 12..<37),
    ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", 13..<32), ("FREQ=DAILY;BYHOUR=8,12;BYSETPOS=3", 23..<33),
    ("FREQ=YEARLY;BYMONTH=1,2,3;BYSETPOS=4", 12..<36), ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-3", 12..<35),
    ("FREQ=YEARLY;BYYEARDAY=366;BYMONTHDAY=30", 12..<39), ("FREQ=HOURLY;BYMONTH=6;BYMONTHDAY=31", 12..<35),
  ])
  func rulesThatNeverFireAreLocated(text: String, range: Range<Int>) {
    #expect(RecurrenceRule.problem(text) == .never(range))
  }

  @Test(arguments: [
    ("FREQ=DAILY;BYHOUR=24", 11..<20), ("FREQ=DAILY;BYMONTH=0", 11..<20), ("FREQ=MONTHLY;BYMONTHDAY=32", 13..<26),
    ("FREQ=MONTHLY;BYMONTH=-1", 13..<23), ("FREQ=WEEKLY;BYDAY=1MO", 12..<21), ("FREQ=WEEKLY;BYMONTHDAY=1", 12..<24),
    ("FREQ=DAILY;BYYEARDAY=1", 11..<22), ("FREQ=MONTHLY;BYWEEKNO=1", 13..<23), ("FREQ=DAILY;BYSETPOS=1", 11..<21),
    ("FREQ=DAILY;COUNT=2;UNTIL=20300101", 19..<33), ("FREQ=DAILY;UNTIL=20300231", 11..<25),
    ("FREQ=DAILY;UNTIL=2030-01-01", 11..<27), ("FREQ=DAILY;WKST=XX", 11..<18), ("FREQ=MONTHLY;BYDAY=MOO", 13..<22),
    ("FREQ=MONTHLY;BYDAY=0MO", 13..<22), ("FREQ=DAILY;INTERVAL=+2", 11..<22),
  ])
  func wrongRulesAreLocated(text: String, range: Range<Int>) {
    #expect(RecurrenceRule.problem(text) == .shape(range))
  }

  @Test(arguments: [
    ("20260615T115959Z", true), ("20260615T120000Z", false), ("20260614", true), ("20260613", true),
    ("20260615", false), ("20260615T000000", false), ("20260614T235959", true),
  ])
  func aRuleWhoseEndHasPassedIsOver(end: String, isOver: Bool) throws {
    let text = "FREQ=DAILY;UNTIL=\(end)"
    let rule = try RecurrenceRule(text)
    #expect(rule.rangeOfEnd(before: Self.now) == (isOver ? 11..<text.utf8.count : nil))
  }

  @Test func everyDateOfTheYearIsJudgedExactly() {
    for month in 1...12 {
      for day in 1...31 {
        let exists = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] >= day
        #expect((CronExpression.problem("0 0 \(day) \(month) *") == nil) == exists)
        let rule = "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(day)"
        #expect((RecurrenceRule.problem(rule) == nil) == exists)
      }
    }
  }

  @Test(arguments: [
    "* * * * *", "0 7 * * 1-5", "*/5 0,12 1-15/2 jan-mar sun", "@daily", "0 0 1 1 7", "30 0 7 * * MON-FRI",
    " 1  2 3 4 5 ",
  ])
  func cronExpressionsAreAccepted(text: String) {
    #expect(CronExpression.problem(text) == nil)
  }

  @Test(arguments: [
    ("* * * *", 0..<7), ("60 * * * *", 0..<2), ("* 24 * * *", 2..<4), ("* * 0 * *", 4..<5), ("* * * 13 *", 6..<8),
    ("* * * * 8", 8..<9), ("*/0 * * * *", 0..<3), ("5-1 * * * *", 0..<3), ("1,,2 * * * *", 0..<4), ("x * * * *", 0..<1),
    ("@often", 0..<6), ("", 0..<0), ("1-2-3 * * * *", 0..<5), ("-1 * * * *", 0..<2),
  ])
  func wrongCronExpressionsAreLocated(text: String, range: Range<Int>) {
    #expect(CronExpression.problem(text) == .shape(range))
  }

  @Test(
    arguments: [
      ("FREQ=MONTHLY;BYDAY=-1FR", nil), ("FREQ=DAILY;COUNT=3;INTERVAL=2", nil), ("BYDAY=MO", 0..<8),
      ("FREQ=OFTEN", 0..<10), ("FREQ=DAILY;COUNT=0", 11..<18), ("FREQ=DAILY;FREQ=DAILY", 11..<21),
      ("FREQ=DAILY;X", 11..<12),
      ("", 0..<0), ("FREQ=DAILY;BYDAY=", 11..<17),
    ] as [(String, Range<Int>?)])
  func recurrenceRulesAreLocated(text: String, range: Range<Int>?) {
    #expect(RecurrenceRule.problem(text) == range.map { .shape($0) })
  }

  @Test func recurrenceRulesAreKeptParsed() throws {
    let rule = try RecurrenceRule("FREQ=MONTHLY;INTERVAL=2;COUNT=5;BYDAY=-1FR,MO;BYHOUR=8,20;WKST=SU")
    #expect(rule.frequency == .monthly && rule.interval == 2 && rule.count == 5 && rule.weekStart == 0)
    #expect(rule.days == [.init(ordinal: -1, day: 5), .init(ordinal: nil, day: 1)])
    #expect(rule.numbers == [.hour: [8, 20]] && rule.end == nil)
  }

  @Test(
    arguments: [
      ("20270102", .date(year: 2027, month: 1, day: 2)),
      ("20270102T030405", .local(year: 2027, month: 1, day: 2, second: 11_045)),
      ("20270102T030405Z", .moment(Date(timeIntervalSince1970: 1_798_859_045))),
    ] as [(String, RecurrenceRule.End)])
  func endsKeepTheirForm(text: String, end: RecurrenceRule.End) throws {
    #expect(try RecurrenceRule("FREQ=DAILY;UNTIL=\(text)").end == end)
  }
}

/// What is wrong with a text, and where.
enum Problem: Equatable {
  case shape(Range<Int>)
  case never(Range<Int>)

  init(_ error: ScheduleError) { self = error.code == .never ? .never(error.range) : .shape(error.range) }
}

extension CronExpression {
  static func problem(_ text: String) -> Problem? {
    do throws(ScheduleError) {
      _ = try CronExpression(text)
      return nil
    } catch {
      return Problem(error)
    }
  }
}

extension RecurrenceRule {
  static func problem(_ text: String) -> Problem? {
    do throws(ScheduleError) {
      _ = try RecurrenceRule(text)
      return nil
    } catch {
      return Problem(error)
    }
  }
}

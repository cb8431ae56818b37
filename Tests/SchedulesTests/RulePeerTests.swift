import Foundation
import SeededRandom
import Testing

@testable import Schedules

/// Occurrences of recurrence rules against python-dateutil.
@Suite(.enabled(if: Judge.isInstalled, Comment(rawValue: Judge.advice)), .timeLimit(.minutes(5)))
struct RulePeerTests {
  struct Case: Encodable {
    var kind = "rule"
    var rule: String
    var start: String
    var count = 20
    var until = 2060
  }

  @Test func randomRulesAgreeWithDateutil() throws {
    var random = SeededGenerator(seed: 5545)
    var cases: [Case] = []
    while cases.count < 300 {
      let rule = Self.rule(&random)
      guard (try? RecurrenceRule(rule)) != nil else { continue }
      let start = LocalTime(seconds: Int.random(in: 1_500_000_000..<1_900_000_000, using: &random))
      cases.append(Case(rule: rule, start: "\(start)"))
    }
    var compared = 0
    for (one, answer) in zip(cases, try Judge.answers(to: cases, [String].self)) {
      // dateutil refuses what never comes.
      let expected: [String]
      switch answer {
      case .success(let times): expected = times
      case .failure(let failure):
        guard failure.text.contains("generates an empty set") else { throw failure }
        expected = []
      }
      let start = try #require(LocalTime(iso: one.start))
      let recurrence = Recurrence(try RecurrenceRule(one.rule), start: start, zone: .utc)
      var found: [String] = []
      var time = start.seconds
      while found.count < one.count, let next = recurrence.first(atOrAfter: time),
        LocalTime(seconds: next).date.year <= one.until
      {
        found.append("\(LocalTime(seconds: next))")
        time = next + 1
      }
      compared += expected.isEmpty ? 0 : 1
      #expect(found == expected, "\(one.rule) from \(one.start)")
    }
    #expect(compared > 200)
  }

  @Test func anyPointOfASeriesCanBeEnteredAt() throws {
    var random = SeededGenerator(seed: 77)
    for _ in 0..<300 {
      let text = Self.rule(&random)
      guard let rule = try? RecurrenceRule(text) else { continue }
      let start = LocalTime(seconds: Int.random(in: 1_500_000_000..<1_900_000_000, using: &random))
      let recurrence = Recurrence(rule, start: start, zone: .utc)
      var times: [Int] = []
      var time = start.seconds
      while times.count < 30, let next = recurrence.first(atOrAfter: time) {
        times.append(next)
        time = next + 1
      }
      guard let first = times.first, let last = times.last else { continue }
      for _ in 0..<10 {
        let moment = Int.random(in: first...last, using: &random)
        #expect(recurrence.first(atOrAfter: moment) == times.first { $0 >= moment }, "\(text) at \(moment)")
      }
    }
  }

  /// A random rule. Left out is what dateutil and libical read differently (see ``RecurrenceSeries``), and weekdays
  /// with and without a number together, which dateutil joins by `and`.
  private static func rule(_ random: inout SeededGenerator) -> String {
    func some(_ bounds: ClosedRange<Int>, signed: Bool = false) -> String {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let number = Int.random(in: bounds, using: &random)
        return "\(signed && Int.random(in: 0..<3, using: &random) == 0 ? -number : number)"
      }.joined(separator: ",")
    }
    func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    let frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
    let frequency = frequencies.randomElement(using: &random) ?? "DAILY"
    let isShort = ["HOURLY", "MINUTELY", "SECONDLY"].contains(frequency)
    let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].shuffled(using: &random)
    var parts = ["FREQ=\(frequency)"]
    let byWeek = frequency == "YEARLY" && one(in: 4)
    if !byWeek, one(in: 2) { parts.append("INTERVAL=\(Int.random(in: 1...(isShort ? 100 : 6), using: &random))") }
    if one(in: 3) { parts.append("BYMONTH=\(some(1...12))") }
    var hasDays = false
    if byWeek {
      parts.append("BYWEEKNO=\(some(1...53, signed: true))")
    } else if frequency == "YEARLY", one(in: 4) {
      parts.append("BYYEARDAY=\(some(1...366, signed: true))")
      hasDays = true
    } else if frequency != "WEEKLY", one(in: 3), frequency != "YEARLY" || parts.last?.hasPrefix("BYMONTH") == true {
      parts.append("BYMONTHDAY=\(some(1...31, signed: true))")
      hasDays = true
    }
    if byWeek || one(in: 3) {
      let takesNumbers = ["YEARLY", "MONTHLY"].contains(frequency) && !byWeek && one(in: 2)
      let numbers = ["1", "2", "-1", "3", "-2", "4"]
      parts.append(
        "BYDAY="
          + weekdays.prefix(Int.random(in: 1...3, using: &random)).map { day in
            (takesNumbers ? numbers.randomElement(using: &random) ?? "" : "") + day
          }.joined(separator: ","))
      hasDays = true
    }
    if one(in: 4) { parts.append("BYHOUR=\(some(0...23))") }
    if one(in: 4) { parts.append("BYMINUTE=\(some(0...59))") }
    if one(in: 5) { parts.append("BYSECOND=\(some(0...59))") }
    if hasDays, !byWeek, one(in: 3) { parts.append("BYSETPOS=\(some(1...3, signed: true))") }
    if one(in: 3) { parts.append("WKST=\(weekdays[6])") }
    if one(in: 4) { parts.append("COUNT=\(Int.random(in: 1...15, using: &random))") }
    return parts.joined(separator: ";")
  }
}

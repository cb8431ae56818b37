import Foundation
import SeededRandom
import Testing

@testable import Schedules

/// Occurrences of cron expressions against croniter, with crontab(5)'s rule for days.
///
/// Left out is what croniter reads in a way of its own: a range of one number (`5-5` is all of them there), and `L` or
/// `#` of weekdays together with days of the month, which it joins by `and`.
@Suite(.enabled(if: Judge.isInstalled, Comment(rawValue: Judge.advice)), .timeLimit(.minutes(5)))
struct CronPeerTests {
  struct Case: Encodable {
    var kind = "cron"
    var expression: String
    var start: String
    var count: Int
  }

  @Test func randomExpressionsAgreeWithCroniter() throws {
    var random = SeededGenerator(seed: 20_261_123)
    var cases: [Case] = []
    while cases.count < 320 {
      let expression = Self.expression(&random)
      guard (try? CronExpression(expression)) != nil else { continue }
      let start = LocalTime(seconds: Int.random(in: 1_000_000_000..<2_500_000_000, using: &random))
      cases.append(Case(expression: expression, start: "\(start)", count: 12))
    }
    let answers = try Judge.answers(to: cases, [String].self)
    var compared = 0
    for (one, answer) in zip(cases, answers) {
      // croniter gives up on what comes within no 50 years.
      guard case .success(let expected) = answer else {
        if case .failure(let failure) = answer, failure.text.hasPrefix("CroniterBadDateError") { continue }
        Issue.record("\(one.expression): \(answer)")
        continue
      }
      let cron = try CronExpression(one.expression)
      var time = try #require(LocalTime(iso: one.start)).seconds
      var found: [String] = []
      while found.count < one.count, let next = cron.first(atOrAfter: time + 1) {
        found.append("\(LocalTime(seconds: next))")
        time = next
      }
      compared += 1
      #expect(found == expected, "\(one.expression) after \(one.start)")
    }
    #expect(compared > 300)
  }

  /// A random expression of 5, 6 or 7 fields.
  private static func expression(_ random: inout SeededGenerator) -> String {
    let isPlain = Bool.random(using: &random)
    let weekday = weekday(&random)
    let isNumbered = weekday.contains("L") || weekday.contains("#")
    var fields = [
      field(0...59, &random), field(0...23, &random), isNumbered ? "*" : dayOfMonth(&random), month(&random), weekday,
    ]
    if isPlain { return fields.joined(separator: " ") }
    fields.insert(field(0...59, &random), at: 0)
    if Int.random(in: 0..<3, using: &random) == 0 {
      let year = Int.random(in: 2050...2060, using: &random)
      fields.append(
        ["*", "\(year)", "\(year)-\(year + 8)", "\(year),\(year + 3)"].randomElement(using: &random) ?? "*")
    }
    return fields.joined(separator: " ")
  }

  private static func field(_ bounds: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
    func number() -> Int { Int.random(in: bounds, using: &random) }
    func range() -> String {
      let first = Int.random(in: bounds.lowerBound..<bounds.upperBound, using: &random)
      return "\(first)-\(Int.random(in: first + 1...bounds.upperBound, using: &random))"
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "*"
    case 1: return "*/\(Int.random(in: 2...max(2, bounds.count / 2), using: &random))"
    case 2: return range()
    case 3: return "\(range())/\(Int.random(in: 2...7, using: &random))"
    case 4: return "\(number()),\(number()),\(number())"
    default: return "\(number())"
    }
  }

  private static func dayOfMonth(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: "L"
    case 1...3: "*"
    default: field(1...31, &random)
    }
  }

  private static func month(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: "jan-mar,OCT"
    case 1...3: "*"
    default: field(1...12, &random)
    }
  }

  private static func weekday(_ random: inout SeededGenerator) -> String {
    let day = Int.random(in: 0...6, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "mon-fri"
    case 1: return "L\(day)"
    case 2: return "\(day)#\(Int.random(in: 1...4, using: &random))"
    case 3: return "7"
    case 4...6: return "*"
    default: return field(0...6, &random)
    }
  }
}

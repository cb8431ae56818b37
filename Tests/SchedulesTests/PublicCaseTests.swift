import Foundation
import Testing

@testable import Schedules

/// libical's cases for recurrence rules.
@Suite(.enabled(if: PublicCases.areThere, "../shared/data/rrule is not there: libical's cases"))
struct PublicCaseTests {
  @Test func libicalsCasesAgree() throws {
    let text = try String(contentsOfFile: PublicCases.path, encoding: .utf8)
    var count = 0
    for block in text.split(separator: "\n\n") {
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") where !line.hasPrefix("#") {
        let halves = line.split(separator: ":", maxSplits: 1)
        fields[String(halves[0])] = halves.count == 2 ? String(halves[1]) : ""
      }
      guard let rule = fields["RRULE"], let start = fields["DTSTART"], let instances = fields["INSTANCES"] else {
        continue
      }
      let schedule = try Schedule(
        "DTSTART:\(start)\nRRULE:\(rule)", in: .init(zone: .utc, now: Date(timeIntervalSince1970: 0)))
      let expected = instances.split(separator: ",").map { time in
        CalendarTimeText(String(time)).seconds
      }
      var found: [Int] = []
      for date in schedule.occurrences(after: Date(timeIntervalSince1970: -2_000_000_000)).prefix(expected.count + 1) {
        found.append(Int(date.timeIntervalSince1970))
      }
      // Rules without an end have more than the file lists.
      let isOpen = !rule.contains("COUNT") && !rule.contains("UNTIL")
      #expect((isOpen ? Array(found.prefix(expected.count)) : found) == expected, "\(rule) from \(start)")
      count += 1
    }
    #expect(count > 60)
  }
}

/// `19970902T090000`, with or without a `Z`, or `19970902`, as seconds on the clock.
struct CalendarTimeText {
  let seconds: Int

  init(_ text: String) {
    let digits = text.filter(\.isNumber)
    let padded = digits + String(repeating: "0", count: max(0, 14 - digits.count))
    func part(_ from: Int, _ length: Int) -> Int { Int(padded.dropFirst(from).prefix(length)) ?? 0 }
    let time = LocalTime(
      year: part(0, 4), month: part(4, 2), day: part(6, 2), hour: part(8, 2), minute: part(10, 2), second: part(12, 2))
    seconds = time?.seconds ?? -1
  }
}

enum PublicCases {
  static let path =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/shared/data/rrule/icalrecur.txt"
  static var areThere: Bool { FileManager.default.fileExists(atPath: path) }
}

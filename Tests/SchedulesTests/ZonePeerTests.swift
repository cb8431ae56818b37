import Foundation
import SeededRandom
import Testing

@testable import Schedules

/// Times of day through clock changes against python-dateutil over the system's zone database, and the sun against astral.
@Suite(.enabled(if: Judge.isInstalled, Comment(rawValue: Judge.advice)), .timeLimit(.minutes(5)))
struct ZonePeerTests {
  struct Case: Encodable {
    var kind = "zone"
    var zone: String
    var time: String
    var start = "2026-01-01"
    var count = 380
    var missing: String
    var repeated: String
  }

  static let zones = [
    "Europe/Zurich", "Europe/London", "America/New_York", "America/Santiago", "Australia/Sydney", "Australia/Lord_Howe",
    "Pacific/Auckland", "Pacific/Chatham", "Africa/Casablanca", "Asia/Kolkata", "America/St_Johns", "UTC",
  ]

  @Test func timesOfDayAgreeThroughClockChanges() throws {
    var cases: [Case] = []
    for zone in Self.zones {
      for (missing, repeated) in [("after", "first"), ("skip", "last"), ("after", "both")] {
        for time in ["00:15:00", "01:30:00", "02:00:00", "02:30:00"] {
          cases.append(Case(zone: zone, time: time, missing: missing, repeated: repeated))
        }
      }
    }
    for (one, answer) in zip(cases, try Judge.answers(to: cases, [Int].self)) {
      let expected = try answer.get()
      let zone = try #require(Zone(one.zone))
      let parts = one.time.split(separator: ":").compactMap { Int($0) }
      let cron = try CronExpression("\(parts[1]) \(parts[0]) * * *")
      let schedule = Schedule(
        .cron(cron), zone: zone, missing: try #require(MissingTime(rawValue: one.missing)),
        repeated: try #require(RepeatedTime(rawValue: one.repeated)))
      let begin = zone.moment(try #require(LocalTime(iso: one.start))).addingTimeInterval(-1)
      let found = schedule.occurrences(after: begin).prefix(expected.count).map { Int($0.timeIntervalSince1970) }
      #expect(found == expected.sorted(), "\(one.time) in \(one.zone), \(one.missing), \(one.repeated)")
    }
  }

  struct SunCase: Encodable {
    var kind = "sun"
    var latitude: Double
    var longitude: Double
    var day: String
    var event: String
  }

  @Test func theSunAgreesWithAstralWithinAMinute() throws {
    var random = SeededGenerator(seed: 12)
    let cases = (0..<400).map { index in
      SunCase(
        latitude: Double.random(in: -60...60, using: &random), longitude: Double.random(in: -170...170, using: &random),
        day: String(
          "\(LocalTime(seconds: Int.random(in: 1_577_836_800..<2_208_988_800, using: &random)))".prefix(10)),
        event: index.isMultiple(of: 2) ? "sunrise" : "sunset")
    }
    for (one, answer) in zip(cases, try Judge.answers(to: cases, Int.self)) {
      let expected = try answer.get()
      let place = try #require(Place(latitude: one.latitude, longitude: one.longitude))
      let event = try #require(SunEvent(rawValue: one.event))
      let schedule = Schedule(.sun(event, place, offset: 0), zone: .utc)
      let after = Date(timeIntervalSince1970: Double(expected) - 6 * 3600)
      let found = try #require(schedule.next(after: after))
      #expect(abs(Int(found.timeIntervalSince1970) - expected) <= 60, "\(one)")
    }
  }
}

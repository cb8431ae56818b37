import Foundation
import SeededRandom
import Testing

@testable import Schedules

/// Whatever is written, the answer is a schedule that can be asked or an error with its place.
@Suite(.timeLimit(.minutes(5))) struct RandomTextTests {
  private static let pieces: [String] =
    ("jeden alle am um in next every Montag Friday freitags 3. 31. 0 1 24 99999 5pm 25:00 9:30 halb viertel nach Tagen "
    + "weeks Jahre 999999w Mai Feb 29. 30. of the month letzter first Tag Ende morgen heute Abend noon 03/04 2027-02-30 "
    + "* */5 1-5 L W 5#5 LW H H/0 ? 60 @daily @every 1h RRULE:FREQ=YEARLY;INTERVAL=9999999999999 FREQ=SECONDLY;BYSETPOS=-366;BYSECOND=1 "
    + "DTSTART:99991231T235959 DTSTART:00010101\nRRULE:FREQ=DAILY once 9999-12-31 sunrise-1d sunset+23h from ä 🎂 %s \\n : ;")
    .split(separator: " ").map(String.init)

  @Test func anyTextIsAnsweredWithinItsBounds() {
    var random = SeededGenerator(seed: 4242)
    let zone = Zone("Australia/Lord_Howe") ?? .utc
    let context = Schedule.Context(
      zone: zone, now: Date(timeIntervalSince1970: 1_795_424_400), place: Place("69.6,18.9"))
    var accepted = 0
    for _ in 0..<4000 {
      let count = Int.random(in: 1...6, using: &random)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined(separator: " ")
      do throws(ScheduleError) {
        let schedule = try Schedule(text, in: context)
        accepted += 1
        let next = schedule.next(after: context.now)
        #expect(next.map { $0 > context.now } ?? true, "\(text)")
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count, "\(text): \(error)")
      }
    }
    #expect(accepted > 50)
  }

  @Test func damagedCalendarsAreAnsweredToo() throws {
    var item = CalendarItem(.event, uid: "1", summary: "Termin; mit, Zeichen")
    item.start = CalendarTime(try #require(LocalTime(iso: "2026-11-24T09:00")), zone: Zone("Europe/Zurich"))
    item.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=TU")
    item.alarms = [.init(.fromStart(-900))]
    let whole = Array(CalendarFile(items: [item]).text(stamp: Date(timeIntervalSince1970: 0)).utf8)
    var random = SeededGenerator(seed: 99)
    var refused = 0
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        if Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...30, using: &random)))
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(ScheduleError) {
        _ = try CalendarFile(text, zone: .utc)
      } catch {
        refused += 1
        #expect(error.range.upperBound <= text.utf8.count)
      }
    }
    #expect(refused > 50)
  }
}

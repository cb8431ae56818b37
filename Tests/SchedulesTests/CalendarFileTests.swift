import Foundation
import Testing

@testable import Schedules

@Suite struct CalendarFileTests {
  static let zurich = Zone("Europe/Zurich") ?? .utc

  @Test func tasksAndEventsAreRead() throws {
    let file = try CalendarFile(
      """
      BEGIN:VCALENDAR\r
      VERSION:2.0\r
      BEGIN:VTIMEZONE\r
      TZID:Mitteleuropa\r
      X-LIC-LOCATION:Europe/Berlin\r
      BEGIN:STANDARD\r
      DTSTART:19701025T030000\r
      TZOFFSETFROM:+0200\r
      TZOFFSETTO:+0100\r
      END:STANDARD\r
      END:VTIMEZONE\r
      BEGIN:VTODO\r
      UID:a@b\r
      SUMMARY:Milch\\, Brot\\nund \r
       Käse\r
      DUE;TZID=Mitteleuropa:20261124T180000\r
      RRULE:FREQ=WEEKLY;BYDAY=TU\r
      EXDATE;TZID=Mitteleuropa:20261201T180000\r
      BEGIN:VALARM\r
      ACTION:DISPLAY\r
      TRIGGER;RELATED=END:-PT1H30M\r
      REPEAT:2\r
      DURATION:PT10M\r
      END:VALARM\r
      END:VTODO\r
      BEGIN:VEVENT\r
      UID:c\r
      SUMMARY:Ausflug\r
      DTSTART;VALUE=DATE:20261224\r
      DURATION:P2D\r
      END:VEVENT\r
      END:VCALENDAR\r

      """, zone: Self.zurich)
    #expect(file.items.map(\.kind) == [.task, .event])
    let task = try #require(file.items.first)
    #expect(task.summary == "Milch, Brot\nund Käse" && task.uid == "a@b")
    #expect(task.alarms == [.init(.fromEnd(-5400), repetitions: 2, interval: 600)])
    let schedule = try #require(task.schedule(in: Self.zurich))
    let now = Self.zurich.moment(try #require(LocalTime(iso: "2026-11-20T00:00")))
    let times = schedule.occurrences(after: now).prefix(3).map { Self.zurich.rfc3339($0) }
    #expect(times == ["2026-11-24T18:00:00+01:00", "2026-12-08T18:00:00+01:00", "2026-12-15T18:00:00+01:00"])
    #expect(file.items.last?.start?.isDate == true && file.items.last?.length == 172_800)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    var item = CalendarItem(
      .task, uid: "1", summary: "Zahnarzt; ein sehr langer Titel mit Umlauten: äöü äöü äöü, und \\ mehr")
    item.details = "Zeile 1\nZeile 2"
    item.end = CalendarTime(try #require(LocalTime(iso: "2026-11-24T09:00")), zone: Self.zurich)
    item.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=TU;UNTIL=20270601T000000Z")
    item.excluded = [CalendarTime(try #require(LocalTime(iso: "2026-12-01T09:00")), zone: Self.zurich)]
    item.additional = [CalendarTime(try #require(LocalTime(iso: "2026-12-03T09:00")), zone: .utc)]
    item.alarms = [
      .init(.fromStart(-900)), .init(.at(Date(timeIntervalSince1970: 1_795_424_400)), repetitions: 1, interval: 60),
    ]
    item.status = "NEEDS-ACTION"
    var day = CalendarItem(.event, uid: "2", summary: "Feiertag")
    day.start = CalendarTime(try #require(LocalTime(iso: "2026-12-25")), isDate: true)
    let file = CalendarFile(items: [item, day])
    let text = file.text(stamp: Date(timeIntervalSince1970: 1_795_424_400))
    #expect(try CalendarFile(text, zone: .utc) == file)
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.contains("TZID:Europe/Zurich") && lines.last == "")
    #expect(!text.replacingOccurrences(of: "\r\n", with: "").contains("\n"))
  }

  @Test func microsoftsAndPrefixedNamesOfZonesAreKnown() throws {
    for name in ["W. Europe Standard Time", "/citadel.org/20250101_1/Europe/Berlin", "Europe/Berlin"] {
      let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=\(name):20260701T090000\nEND:VEVENT\nEND:VCALENDAR"
      let start = try #require(try CalendarFile(text, zone: .utc).items.first?.start)
      #expect(start.moment(in: .utc) == Zone.moment(rfc3339: "2026-07-01T07:00:00Z"))
    }
  }

  @Test(
    arguments: [
      ("", .invalidCalendar), ("BEGIN:VCALENDAR\nBEGIN:VEVENT", .invalidCalendar), ("hello", .invalidCalendar),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=Mond:20261124T090000\nEND:VEVENT\nEND:VCALENDAR", .unknownZone),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026\nEND:VEVENT\nEND:VCALENDAR", .invalidCalendar),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nRRULE:FREQ=X\nEND:VEVENT\nEND:VCALENDAR", .invalidRule),
      ("BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR", .invalidCalendar),
    ] as [(String, ScheduleError.Code)])
  func damagedDataIsRefusedWithItsPlace(text: String, code: ScheduleError.Code) {
    do throws(ScheduleError) {
      _ = try CalendarFile(text, zone: .utc)
      Issue.record("accepted")
    } catch {
      #expect(error.code == code && error.range.upperBound <= text.utf8.count)
    }
  }

  @Test func aBrokenEntrySpoilsNoOther() throws {
    let text =
      "BEGIN:VCALENDAR\r\n" + "BEGIN:VTODO\r\nSUMMARY:a\r\nDUE:20261301T090000\r\nEND:VTODO\r\n"
      + "BEGIN:VTODO\r\nSUMMARY:b\r\nDUE:20261201T090000\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    let entries = try CalendarFile.entries(text)
    #expect(entries.map(\.title) == ["a", "b"])
    #expect(throws: ScheduleError.self) { _ = try #require(entries.first).item.get() }
    #expect(try #require(entries.last).item.get().summary == "b")
    #expect(throws: ScheduleError.self) { _ = try CalendarFile(text, zone: .utc) }
  }
}

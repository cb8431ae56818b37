import Foundation
import Testing

@testable import Schedules

/// `VTIMEZONE` of a file is what its `TZID` means (RFC 5545, sections 3.2.19 and 3.6.5).
@Suite struct ZoneDefinitionTests {
  private static func calendar(_ zone: [String], _ event: [String]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + zone + ["BEGIN:VEVENT", "UID:1", "SUMMARY:Call"] + event
      + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: "\r\n") + "\r\n"
  }

  private static func zone(_ name: String, standard: [String], daylight: [String] = []) -> [String] {
    ["BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD"] + standard + ["END:STANDARD"]
      + (daylight.isEmpty ? [] : ["BEGIN:DAYLIGHT"] + daylight + ["END:DAYLIGHT"]) + ["END:VTIMEZONE"]
  }

  private static let london = zone(
    "BST",
    standard: [
      "DTSTART:19701025T020000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000",
    ],
    daylight: [
      "DTSTART:19700329T010000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
    ])
  private static let central = zone(
    "Customized Time Zone",
    standard: [
      "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
      "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10",
    ],
    daylight: [
      "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
      "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3",
    ])
  private static func fixed(_ name: String, _ offset: String) -> [String] {
    zone(name, standard: ["DTSTART:19700101T000000", "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)"])
  }

  /// The moment of `14:00` in UTC.
  @Test(arguments: [
    (london, "BST:20270712T140000", "13:00"), (london, "BST:20270112T140000", "14:00"),
    (central, "Customized Time Zone:20270112T140000", "13:00"),
    (central, "Customized Time Zone:20270712T140000", "12:00"),
    (fixed("Europe/London", "+0500"), "Europe/London:20270712T140000", "09:00"),
    (fixed("X", "-033000"), "X:20270712T140000", "17:30"), (fixed("Odd", "+0107"), "Odd:20270712T140000", "12:53"),
  ])
  func theFileDecides(zone: [String], start: String, expected: String) throws {
    let text = Self.calendar(zone, ["DTSTART;TZID=\(start)"])
    let item = try #require(CalendarFile(text, zone: .utc).items.first)
    let moment = try #require(item.start).moment(in: .utc)
    #expect(Zone.utc.local(moment).description.contains("T\(expected):"))
  }

  @Test func aDefinedZoneHasTheNameOfTheOneThatShowsTheSameTime() throws {
    let text = Self.calendar(Self.central, ["DTSTART;TZID=Customized Time Zone:20270112T140000"])
    #expect(try CalendarFile(text, zone: .utc).items.first?.start?.zone?.identifier == "Europe/Berlin")
  }

  /// The entry stays without its alarm; the reader reports what was left out.
  @Test(arguments: ["TRIGGER:garbage", "TRIGGER;VALUE=DATE-TIME:garbage", "REPEAT:x", "DURATION:P1Y"])
  func aBrokenAlarmCostsNoEntry(line: String) throws {
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", line, "TRIGGER:-PT5M", "END:VALARM"]
    let entry = try #require(
      CalendarFile.entries(Self.calendar([], ["DTSTART:20270112T140000Z"] + alarm)).first)
    let item = try entry.item.get()
    #expect(item.start != nil)
    #expect(item.unreadable.count == 1)
    #expect(item.alarms.isEmpty)
  }

  @Test func anExceptionThatCannotBeReadIsNamedAndTheRestCounts() throws {
    let odd = Self.calendar([], ["DTSTART;TZID=Nowhere:20270112T140000"])
    let text = odd.replacing(
      "BEGIN:VEVENT", with: "BEGIN:VEVENT\r\nUID:2\r\nDTSTART;VALUE=DATE:20270101\r\nEND:VEVENT\r\nBEGIN:VEVENT",
      maxReplacements: 1)
    let calendar = try ExceptionCalendar(icalendar: text, zone: .utc)
    #expect(!calendar.isEmpty)
    #expect(try ExceptionCalendar.leftOut(of: text).map(\.title) == ["Call"])
  }
}

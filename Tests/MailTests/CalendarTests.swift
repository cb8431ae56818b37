import Testing

@testable import Mail

struct CalendarTests {
  private static let zone = """
    BEGIN:VTIMEZONE
    TZID:W. Europe Standard Time
    BEGIN:STANDARD
    DTSTART:16010101T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010101T020000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
    END:DAYLIGHT
    END:VTIMEZONE
    """

  private func event(_ lines: String, zone: String = "") throws -> CalendarEvent {
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\n\(zone)\nEND:VCALENDAR"
    return try #require(CalendarData(text)?.events.first)
  }

  @Test func invitationIsReadFromItsMessage() throws {
    let source = """
      Content-Type: multipart/alternative; boundary=b

      --b

      text
      --b
      Content-Type: text/calendar; method=request; charset=utf-8
      Content-Transfer-Encoding: 8bit

      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1@example.org
      SEQUENCE:2
      DTSTART;TZID="W. Europe Standard Time":20261130T140000
      DTEND;TZID="W. Europe Standard Time":20261130T153000
      SUMMARY:Planung\\, Teil 1
       und 2
      LOCATION:Raum „Weiher“
      DESCRIPTION:Eins\\nZwei
      STATUS:CONFIRMED
      RRULE:FREQ=WEEKLY
      ORGANIZER;CN="Arnold, Selma":mailto:selma@example.org
      ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=Jana:MAILTO:jana@example.org
      ATTENDEE;PARTSTAT=ACCEPTED:urn:uuid:7
      BEGIN:VALARM
      DESCRIPTION:Alarm
      END:VALARM
      END:VEVENT
      \(CalendarTests.zone.replacing("\n", with: "\n      "))
      END:VCALENDAR
      --b--
      """
    let calendar = try #require(Message(parsing: Array(source.replacing("\n      ", with: "\n").utf8)).calendar)
    #expect(calendar.method == "REQUEST")
    let event = try #require(calendar.events.first)
    #expect(calendar.events.count == 1)
    #expect(event.uid == "1@example.org" && event.sequence == 2 && event.status == "CONFIRMED")
    #expect(
      event.summary == "Planung, Teil 1und 2" && event.location == "Raum „Weiher“" && event.details == "Eins\nZwei")
    #expect(event.organizer?.address == Address(name: "Arnold, Selma", address: "selma@example.org"))
    #expect(event.attendees.map(\.address.address) == ["jana@example.org", ""])
    #expect(event.attendees.map(\.status) == ["NEEDS-ACTION", "ACCEPTED"] && event.attendees[0].isAnswerWanted)
    #expect(event.start?.text == "2026-11-30T14:00:00+01:00" && event.end?.text == "2026-11-30T15:30:00+01:00")
    #expect(event.start?.zone == "W. Europe Standard Time" && event.recurrence == "FREQ=WEEKLY")
  }

  @Test(arguments: [
    ("DTSTART:20261130T130000Z", "2026-11-30T13:00:00Z", "UTC"),
    ("DTSTART;VALUE=DATE:20261130", "2026-11-30", nil),
    ("DTSTART:20261130T140000", "2026-11-30T14:00:00", nil),
    ("DTSTART;TZID=Mars/Base:20261130T140000", "2026-11-30T14:00:00", "Mars/Base"),
    ("DTSTART;TZID=W. Europe Standard Time:20260701T140000", "2026-07-01T14:00:00+02:00", "W. Europe Standard Time"),
    // The change of 2026 in the spring is on 29 March at 2, in the autumn on 25 October at 3.
    ("DTSTART;TZID=W. Europe Standard Time:20260329T015959", "2026-03-29T01:59:59+01:00", "W. Europe Standard Time"),
    ("DTSTART;TZID=W. Europe Standard Time:20260329T030000", "2026-03-29T03:00:00+02:00", "W. Europe Standard Time"),
    ("DTSTART;TZID=W. Europe Standard Time:20261025T025959", "2026-10-25T02:59:59+02:00", "W. Europe Standard Time"),
    ("DTSTART;TZID=W. Europe Standard Time:20261025T030000", "2026-10-25T03:00:00+01:00", "W. Europe Standard Time"),
  ])
  func timesKeepTheirZone(line: String, text: String, zone: String?) throws {
    let start = try #require(try event(line, zone: CalendarTests.zone).start)
    #expect(start.text == text && start.zone == zone)
  }

  @Test func durationGivesTheEnd() throws {
    #expect(try event("DTSTART:20261130T130000Z\nDURATION:PT1H30M").end?.text == "2026-11-30T14:30:00Z")
    #expect(try event("DTSTART;VALUE=DATE:20261130\nDURATION:P1W").end?.text == "2026-12-07")
  }

  @Test(arguments: ["", "BEGIN:VCARD\nEND:VCARD", "hello"])
  func otherTextIsNoCalendar(text: String) {
    #expect(CalendarData(text) == nil)
  }

  @Test(arguments: [
    "DTSTART:20269999T000000", "DTSTART:x", "DTSTART:", "DURATION:P", "SEQUENCE:99999999999999999999", "ORGANIZER:",
    ";:",
  ])
  func brokenPropertiesAreLeftOut(line: String) throws {
    let event = try event(line)
    #expect(event.start == nil && event.end == nil && event.sequence == 0)
  }
}

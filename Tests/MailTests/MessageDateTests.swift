import Testing

@testable import Mail

struct MessageDateTests {
  @Test(arguments: [
    ("Tue, 17 Nov 2026 09:30:00 +0100", "2026-11-17T09:30:00+01:00"),
    ("17 Nov 2026 09:30 +0100 (CET)", "2026-11-17T09:30:00+01:00"),
    ("Tue, 17 Nov 26 09:30:00 EST", "2026-11-17T09:30:00-05:00"),
    ("17 Nov 99 09:30:00 GMT", "1999-11-17T09:30:00Z"),
    ("5 Jul 2005 05:30 -0000", "2005-07-05T05:30:00Z"),
    ("Tue Nov 17 09:30:00 2026", "2026-11-17T09:30:00Z"),
    ("Tue Nov 17 09:30:00 CET 2026", "2026-11-17T09:30:00+01:00"),
    ("2026-11-17T09:30:00Z", "2026-11-17T09:30:00Z"),
    ("2026-11-17 09:30:00.123+01:30", "2026-11-17T09:30:00+01:30"),
    ("17-Nov-2026 09:30:00 GMT+0200", "2026-11-17T09:30:00+02:00"),
    ("Di, 17. Dez 2026 09:30:00 MEZ", "2026-12-17T09:30:00+01:00"),
    ("Tue, 17 Nov 2026 9:30:00 PM -0330", "2026-11-17T21:30:00-03:30"),
    ("Tue, 17 Nov 2026 12:05 AM", "2026-11-17T00:05:00Z"),
    ("29 Feb 2024 23:59:59 +0000", "2024-02-29T23:59:59Z"),
    ("11/25/2026 4:31:07 PM", "2026-11-25T16:31:07Z"),
    ("11/5/2026 4:31:07 PM", "2026-11-05T16:31:07Z"),
    ("5/11/2026 16:31:07", "2026-11-05T16:31:07Z"),
    ("25.11.2026 16:31:07", "2026-11-25T16:31:07Z"),
    ("Tue, 17 Nov 2026 10.05.09 +0100", "2026-11-17T10:05:09+01:00"),
    ("25.11.2026 16.31", "2026-11-25T16:31:00Z"),
    ("31 Dec 1969 23:59:60 +0000", "1970-01-01T00:00:00Z"),
    ("by mx.example.org with ESMTP id 42; 17 Nov 2026 09:30:00 +0100", "2026-11-17T09:30:00+01:00"),
    ("Tue, 17 Nov 2026 09:30:00 +9900", "2026-11-17T09:30:00Z"),
  ])
  func dateIsRead(text: String, expected: String) {
    #expect(MessageDate(parsing: text)?.rfc3339 == expected)
  }

  @Test(arguments: [
    "", "yesterday", "17 Nov 2026", "31 Nov 2026 09:30", "29 Feb 2026 09:30", "17 Nov 2026 25:00", "1 Foo 2026 00:00",
    "17 Nov 99999999999999999999 09:30:00", "::::", "((((((",
  ])
  func impossibleDateIsNone(text: String) {
    #expect(MessageDate(parsing: text) == nil)
  }

  @Test(arguments: [0, 1_794_904_200, -1, 951_782_400, 4_102_444_799, -62_135_596_800, 253_402_214_400])
  func writtenDateReadsAsTheSame(seconds: Int) {
    for offset in [0, 3600, -12_600] {
      let date = MessageDate(secondsSinceEpoch: seconds, zoneOffset: offset)
      let isInRange = seconds + offset >= -62_135_596_800
      if isInRange {
        #expect(MessageDate(parsing: date.rfc5322) == date)
        #expect(MessageDate(parsing: date.rfc3339) == date)
      }
    }
  }

  @Test func headerFormNamesTheWeekday() {
    #expect(MessageDate(secondsSinceEpoch: 1_057_049_557, zoneOffset: 7200).rfc5322 == "Tue, 1 Jul 2003 10:52:37 +0200")
    #expect(MessageDate(secondsSinceEpoch: .max).rfc3339 == "9999-12-31T23:59:59Z")
  }
}

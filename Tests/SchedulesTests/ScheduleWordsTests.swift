import Foundation
import Localization
import Schedules
import Testing

/// Rules in words.
struct ScheduleWordsTests {
  private func words(_ text: String) throws -> LocalizedText? {
    let zone = try #require(Zone("Europe/Zurich"))
    let context = Schedule.Context(
      zone: zone, now: Date(timeIntervalSince1970: 1_795_910_400), place: Place(latitude: 47, longitude: 8))
    return try Schedule(text, in: context).form.words
  }

  @Test(arguments: [
    ("0 8 * * 1", "every Monday at 08:00", "jeden Montag um 08:00"),
    ("0 7 * * 1-5", "Monday to Friday at 07:00", "Montag bis Freitag um 07:00"),
    ("30 6 * * 0,6", "every Saturday and Sunday at 06:30", "jeden Samstag und Sonntag um 06:30"),
    ("0 9,17 * * *", "every day at 09:00 and 17:00", "jeden Tag um 09:00 und 17:00"),
    ("@daily", "every day at 00:00", "jeden Tag um 00:00"),
    ("*/15 * * * *", "every 15 minutes", "alle 15 Minuten"), ("0 * * * *", "every hour", "jede Stunde"),
    ("5 * * * *", "every hour at minute 5", "jede Stunde in Minute 5"),
    ("0 */2 * * *", "every 2 hours", "alle 2 Stunden"),
    (
      "*/10 8-17 * * 1-5", "every 10 minutes from 08:00 to 17:50, Monday to Friday",
      "alle 10 Minuten von 08:00 bis 17:50, Montag bis Freitag"
    ), ("0 8 1 * *", "every month on day 1 at 08:00", "jeden Monat am 1. um 08:00"),
    ("0 8 1,15 * *", "every month on days 1 and 15 at 08:00", "jeden Monat am 1. und 15. um 08:00"),
    ("0 8 L * *", "on the last day of every month at 08:00", "am letzten Tag jedes Monats um 08:00"),
    ("0 18 24 12 *", "every year on 24 December at 18:00", "jedes Jahr am 24. Dezember um 18:00"),
    ("0 8 * * 5#2", "on the 2nd Friday of the month at 08:00", "am 2. Freitag des Monats um 08:00"),
    ("0 8 * * 5L", "on the last Friday of the month at 08:00", "am letzten Freitag des Monats um 08:00"),
    ("0 8 * 1,7 1", "every Monday at 08:00, only in January and July", "jeden Montag um 08:00, nur im Januar und Juli"),
    (
      "DTSTART:20261123T080000\nRRULE:FREQ=WEEKLY;BYDAY=MO,FR", "every Monday and Friday at 08:00",
      "jeden Montag und Freitag um 08:00"
    ), ("DTSTART:20261124T080000\nRRULE:FREQ=WEEKLY", "every Tuesday at 08:00", "jeden Dienstag um 08:00"),
    (
      "DTSTART:20261123T080000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=5",
      "every 2 weeks on Monday at 08:00, 5 times",
      "alle 2 Wochen am Montag um 08:00, 5-mal"
    ),
    (
      "DTSTART:20261101T090000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR", "on the last Friday of the month at 09:00",
      "am letzten Freitag des Monats um 09:00"
    ),
    (
      "DTSTART:20261101T090000\nRRULE:FREQ=DAILY;UNTIL=20261231", "every day at 09:00, until 31 December 2026",
      "jeden Tag um 09:00, bis 31. Dezember 2026"
    ), ("every 90m", "every 90 minutes", "alle 90 Minuten"),
    (
      "once 2026-12-24T18:00", "once on Thursday, 24 December 2026, 18:00",
      "einmal am Donnerstag, 24. Dezember 2026, 18:00"
    ), ("sunset-30m", "30 minutes before sunset", "30 Minuten vor Sonnenuntergang"),
  ])
  func aRuleIsSaidInWords(text: String, english: String, german: String) throws {
    let words = try #require(try words(text), "\(text)")
    #expect(words.english == english && words.german == german, "\(words)")
  }

  /// A sentence that leaves something out would be wrong: such rules have none.
  @Test(arguments: [
    "0 8 1 * 1", "0 8 15W * *", "0 0 8 * * 1 2027", "30 0 8 * * 1", "0 8 L-3 * *", "7,19,40 3-20 * * *",
    "DTSTART:20261101T090000\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1",
    "DTSTART:20261101T090000\nRRULE:FREQ=YEARLY;BYWEEKNO=20",
    "DTSTART:20261101T090000\nRRULE:FREQ=DAILY\nEXDATE:20261102T090000",
    "DTSTART:20261101T090000\nRRULE:FREQ=DAILY;UNTIL=20261231T120000",
    "DTSTART:20261101T090000\nRRULE:FREQ=HOURLY;BYHOUR=8,9",
  ])
  func aRuleThatNeedsMoreHasNoWords(text: String) throws {
    #expect(try words(text) == nil)
  }
}

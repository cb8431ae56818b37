import Foundation
import Testing

@testable import Schedules

/// `TZ` in all of its forms (tzset(3)), and names that are not zones.
@Suite struct SystemZoneTests {
  /// Seconds east of UTC on 15 January and 15 July 2027.
  @Test(arguments: [
    ("Europe/Zurich", 3600, 7200), (":Europe/Zurich", 3600, 7200), ("/usr/share/zoneinfo/Europe/Zurich", 3600, 7200),
    (":/usr/share/zoneinfo/America/New_York", -18_000, -14_400), ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200),
    ("<+03>-3", 10_800, 10_800), ("EST5EDT", -18_000, -14_400), ("", 0, 0), ("UTC", 0, 0), ("UTC0", 0, 0),
    ("<+0545>-5:45", 20_700, 20_700), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 39_600, 36_000),
  ])
  func theSystemsZoneIsRead(text: String, winter: Int, summer: Int) throws {
    let zone = try Zone.system(text)
    #expect(zone.offset(at: Civil.day(2027, 1, 15) * 86_400) == winter)
    #expect(zone.offset(at: Civil.day(2027, 7, 15) * 86_400) == summer)
  }

  @Test(arguments: ["Europe/Zuerich", ":Nowhere", "/etc/passwd", "/no/such/file", "Berlin", "+2", "GMT+2:99", " "])
  func anyOtherSystemZoneIsAnError(text: String) {
    #expect(throws: ScheduleError.self) { try Zone.system(text) }
  }

  /// A rule that a zone of the zone database has gets that zone's name, which a recipe can hold.
  @Test func aRuleGetsTheNameOfItsZone() throws {
    #expect(try Zone.system("CET-1CEST,M3.5.0,M10.5.0/3").identifier == "Europe/Berlin")
  }

  @Test(arguments: ["EST", "BST", "PST", "CET", "CEST", "MEZ", "IST", "HST", "AEST"])
  func anAbbreviationIsNotAZone(text: String) { #expect(Zone(text) == nil) }

  @Test func eachNameOfMicrosoftIsAZone() {
    for (name, zone) in WindowsZones.table { #expect(Zone(zone) != nil, "\(name): \(zone)") }
    #expect(WindowsZones.table.count > 135)
    #expect(ZoneNames.zone("SA Pacific Standard Time")?.identifier == "America/Bogota")
  }
}

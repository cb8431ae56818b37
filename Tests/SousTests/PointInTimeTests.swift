import Expressions
import Testing

@testable import sous

@Suite struct PointInTimeTests {
  private let now = Timestamp(seconds: 1_795_522_000)

  @Test(arguments: [
    ("90s", 90), ("3d", 259_200), ("3 days ago", 259_200), ("vor 3 Tagen", 259_200), ("vor einer Stunde", 3600),
    ("an hour ago", 3600), ("Vor zwei Wochen", 1_209_600), ("vor 90 Minuten", 5400), ("vor 1.5 Stunden", 5400),
  ])
  func wordsSayHowLongAgo(text: String, seconds: Int64) {
    #expect(PointInTime.read(text, now: now) == Timestamp(seconds: now.seconds - seconds))
  }

  @Test(arguments: [
    ("today", "heute"), ("yesterday", "gestern"), ("the day before yesterday", "vorgestern"), ("Today", "Heute"),
  ])
  func daysHaveNamesInBothLanguages(english: String, german: String) throws {
    let day = try #require(PointInTime.read(english, now: now))
    #expect(PointInTime.read(german, now: now) == day)
    #expect(day <= now)
  }

  @Test func eachNameIsADayOfItsOwn() throws {
    let days = try ["heute", "gestern", "vorgestern"].map { try #require(PointInTime.read($0, now: now)).seconds }
    // A day is 23 to 25 hours long where clocks change.
    for (later, earlier) in zip(days, days.dropFirst()) { #expect((82_800...90_000).contains(later - earlier)) }
  }

  @Test(arguments: [
    "morgen", "tomorrow", "vor 3 Monaten", "3 years ago", "vor Tagen", "vor nan Tagen", "vor 1e300 Tagen", "in 3 Tagen",
    "vor 3 Tagen ago", "",
  ])
  func otherWordsAreNoTime(text: String) {
    #expect(PointInTime.read(text, now: now) == nil)
  }
}

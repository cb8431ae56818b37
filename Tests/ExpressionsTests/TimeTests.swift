import Expressions
import Testing

struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0), ("2009-02-13T23:31:30Z", 1_234_567_890, 0),
    ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800, 0), ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
    ("2024-02-29T12:00:00Z", 1_709_208_000, 0), ("2000-02-29T00:00:00.000001Z", 951_782_400, 1000),
  ])
  func comesBackAsWritten(text: String, seconds: Int64, nanoseconds: Int32) {
    let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    #expect(Timestamp(rfc3339: text) == time)
    #expect(time.rfc3339 == text)
  }

  @Test func offsetsLeapSecondsAndLongFractionsAreRead() {
    #expect(Timestamp(rfc3339: "2009-02-14T01:31:30+02:00")?.seconds == 1_234_567_890)
    #expect(Timestamp(rfc3339: "2009-02-13t18:01:30-05:30")?.seconds == 1_234_567_890)
    #expect(Timestamp(rfc3339: "2016-12-31T23:59:60Z")?.rfc3339 == "2017-01-01T00:00:00Z")
    #expect(Timestamp(rfc3339: "1970-01-01T00:00:00.123456789987Z")?.nanoseconds == 123_456_789)
  }

  @Test(arguments: [
    "", "2009-02-13", "2009-02-13T23:31Z", "2009-02-13 23:31:30Z", "2009-02-13T23:31:30", "2009-13-01T00:00:00Z",
    "2009-02-30T00:00:00Z",
    "2023-02-29T00:00:00Z", "2009-02-13T24:00:00Z", "2009-02-13T23:60:00Z", "2009-02-13T23:31:30.Z",
    "2009-02-13T23:31:30+2:00",
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2009-02-13T23:31:30Zx",
    "२००९-02-13T23:31:30Z",
  ])
  func otherTextsAreRefused(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

  @Test func millisecondsHaveThreeDigits() {
    #expect(Timestamp(seconds: 0, nanoseconds: 7_999_999).rfc3339Milliseconds == "1970-01-01T00:00:00.007Z")
  }

  @Test func arithmeticStaysInRange() {
    let time = Timestamp(seconds: -1, nanoseconds: 900_000_000)
    #expect(time.adding(TimeSpan(nanoseconds: 200_000_000)) == Timestamp(seconds: 0, nanoseconds: 100_000_000))
    #expect(time.adding(TimeSpan(nanoseconds: -1_900_000_000)) == Timestamp(seconds: -2))
    #expect(Timestamp(seconds: 0).since(time) == TimeSpan(nanoseconds: 100_000_000))
    #expect(Timestamp(seconds: Timestamp.range.upperBound).adding(TimeSpan(nanoseconds: 1_000_000_000)) == nil)
    #expect(Timestamp(seconds: .max).adding(TimeSpan(nanoseconds: .max)) == nil)
    #expect(Timestamp(seconds: .min).since(Timestamp(seconds: .max)) == nil)
  }

  @Test func everyDayOfFourCenturiesComesBack() {
    for day in stride(from: Int64(-146_097), to: 146_097, by: 1) {
      let time = Timestamp(seconds: day * 86_400)
      if Timestamp(rfc3339: time.rfc3339) != time {
        Issue.record("day \(day) is written as \(time.rfc3339)")
        return
      }
    }
    #expect(Timestamp(seconds: 146_097 * 86_400).rfc3339 == "2370-01-01T00:00:00Z")
  }
}

struct TimeSpanTests {
  @Test(arguments: [
    ("0", 0), ("1s", 1_000_000_000), ("-1.5s", -1_500_000_000), ("1h30m", 5_400_000_000_000),
    ("2m3.5s", 123_500_000_000), ("100ms", 100_000_000),
    ("5us", 5000), ("5µs", 5000), ("7ns", 7), (".5s", 500_000_000), ("1.s", 1_000_000_000), ("+1s", 1_000_000_000),
    ("1.123456789s", 1_123_456_789),
    ("-9223372036.854775808s", .min), ("9223372036.854775807s", .max), ("0.000000000000000001h", 0),
    ("1.5h", 5_400_000_000_000),
  ])
  func reads(text: String, nanoseconds: Int64) {
    #expect(TimeSpan(text)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "-", "1", "s", ".s", "1 s", "1d", "1h-1m", "9223372036.854775808s", "99999999999999999999s", "1e3s", "３s",
  ])
  func otherTextsAreRefused(text: String) { #expect(TimeSpan(text) == nil) }

  @Test(arguments: [
    (0, "0s"), (1_500_000_000, "1.5s"), (-1, "-0.000000001s"), (5_400_000_000_000, "5400s"),
    (.min, "-9223372036.854775808s"),
  ])
  func prints(nanoseconds: Int64, text: String) {
    #expect(TimeSpan(nanoseconds: nanoseconds).text == text)
    #expect(TimeSpan(text)?.nanoseconds == nanoseconds)
  }

  @Test func sumsAreChecked() {
    #expect(TimeSpan(nanoseconds: .max).adding(TimeSpan(nanoseconds: 1)) == nil)
    #expect(TimeSpan(nanoseconds: .min).subtracting(TimeSpan(nanoseconds: 1)) == nil)
    #expect(TimeSpan(seconds: .max) == nil)
    #expect(TimeSpan(seconds: 9_223_372_037, nanoseconds: -145_224_193)?.nanoseconds == .max)
    #expect(TimeSpan(seconds: -1, nanoseconds: 500_000_000)?.seconds == -0.5)
  }
}

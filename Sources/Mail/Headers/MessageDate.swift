/// A point in time as a message states it: the instant and the sender's distance from UTC (RFC 5322 §3.3).
public struct MessageDate: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public var secondsSinceEpoch: Int
  /// Seconds the sender's clock is east of UTC.
  public var zoneOffset: Int

  /// Creates a date from an instant in seconds since 1970 and an offset in seconds east of UTC.
  ///
  /// An instant outside the years 1 to 9999, as a file may have, is clamped to the first or last second of these years.
  public init(secondsSinceEpoch: Int, zoneOffset: Int = 0) {
    self.secondsSinceEpoch = max(-62_135_596_800, min(253_402_300_799, secondsSinceEpoch))
    self.zoneOffset = max(-86_399, min(86_399, zoneOffset))
  }

  /// Creates a date from calendar fields on the sender's clock; `nil` if one is out of range.
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, zoneOffset: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second), (1...MessageDate.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    let days = MessageDate.daysSinceEpoch(year: year, month: month, day: day)
    self.init(
      secondsSinceEpoch: days * 86_400 + hour * 3600 + minute * 60 + second - zoneOffset, zoneOffset: zoneOffset)
  }

  /// The date as a `Date` header field states it: `Tue, 1 Jul 2003 10:52:37 +0200`.
  public var rfc5322: String {
    let (year, month, day, hour, minute, second, weekday) = fields(at: zoneOffset)
    let names = MessageDate.monthNames
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    return "\(weekdays[weekday]), \(day) \(names[month - 1]) \(MessageDate.pad(year, 4)) "
      + "\(MessageDate.pad(hour)):\(MessageDate.pad(minute)):\(MessageDate.pad(second)) \(zone)"
  }

  /// The date in the form of RFC 3339 with the sender's offset: `2003-07-01T10:52:37+02:00`.
  public var rfc3339: String {
    let (year, month, day, hour, minute, second, _) = fields(at: zoneOffset)
    let minutes = abs(zoneOffset) / 60
    return String(unsafeUninitializedCapacity: 25) { output in
      var count = 0
      func put(_ byte: UInt8) {
        output[count] = byte
        count += 1
      }
      func put(_ sign: UInt8, _ number: Int) {
        put(sign)
        put(pair: number)
      }
      func put(pair number: Int) {
        put(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10))
        put(UInt8(truncatingIfNeeded: 0x30 + number % 10))
      }
      // Four digits and two: `fields` keeps to the years 1 to 9999.
      put(pair: year / 100)
      put(pair: year)
      put(UInt8(ascii: "-"), month)
      put(UInt8(ascii: "-"), day)
      put(UInt8(ascii: "T"), hour)
      put(UInt8(ascii: ":"), minute)
      put(UInt8(ascii: ":"), second)
      guard zoneOffset != 0 else {
        put(UInt8(ascii: "Z"))
        return count
      }
      put(zoneOffset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      put(pair: minutes / 60)
      put(UInt8(ascii: ":"))
      put(pair: minutes % 60)
      return count
    }
  }

  /// The year on the sender's clock.
  var year: Int { fields(at: zoneOffset).0 }

  private var zone: String {
    let minutes = abs(zoneOffset) / 60
    return "\(zoneOffset < 0 ? "-" : "+")\(MessageDate.pad(minutes / 60))\(MessageDate.pad(minutes % 60))"
  }

  private func fields(at offset: Int) -> (Int, Int, Int, Int, Int, Int, weekday: Int) {
    // Years 1 to 9999, so that the arithmetic and the four digits hold.
    func clamped(_ seconds: Int) -> Int { max(-62_135_596_800, min(253_402_300_799, seconds)) }
    let local = clamped(clamped(secondsSinceEpoch) + offset)
    let days = Int((Double(local) / 86_400).rounded(.down))
    let second = local - days * 86_400
    // Days to civil date, after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let weekday = ((days % 7) + 7) % 7
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (year, month, day, second / 3600, second / 60 % 60, second % 60, weekday)
  }

  static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func pad(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

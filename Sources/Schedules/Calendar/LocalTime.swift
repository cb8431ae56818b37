/// A date and a time of day on a clock on the wall, without a zone.
public struct LocalTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00 on the same clock, every day counted as 24 hours.
  public var seconds: Int

  /// Creates a time from its seconds.
  public init(seconds: Int) { self.seconds = seconds }

  /// Creates a time; `nil` if no year has such a day or no clock shows such a time.
  ///
  /// - Parameters:
  ///   - year: 1 to 9999.
  ///   - month: 1 to 12.
  ///   - day: 1 to the length of the month.
  ///   - hour: 0 to 23.
  ///   - minute: 0 to 59.
  ///   - second: 0 to 59.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard Civil.years.contains(year), (1...12).contains(month), day >= 1, day <= Civil.length(year, month),
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
    else { return nil }
    seconds = Civil.day(year, month, day) * Civil.secondsPerDay + hour * 3600 + minute * 60 + second
  }

  /// Reads `2026-12-24`, `2026-12-24T18:00` or `2026-12-24T18:00:30` (ISO 8601; a space may represent the `T`).
  public init?(iso text: String) {
    let bytes = Array(text.utf8)
    guard [10, 16, 19].contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? { Digits.number(bytes[range]) }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    var time = [0, 0, 0]
    if bytes.count > 10 {
      guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
        let hour = number(11..<13), let minute = number(14..<16)
      else { return nil }
      time = [hour, minute, 0]
    }
    if bytes.count == 19 {
      guard bytes[16] == UInt8(ascii: ":"), let second = number(17..<19) else { return nil }
      time[2] = second
    }
    self.init(year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
  }

  /// The day, counted from 1970-01-01.
  var day: Int { Civil.floor(seconds, Civil.secondsPerDay) }
  /// Seconds since midnight.
  var timeOfDay: Int { Civil.modulo(seconds, Civil.secondsPerDay) }
  /// Year, month and day.
  var date: (year: Int, month: Int, day: Int) { Civil.date(day) }

  /// Whether a time is before another.
  public static func < (left: LocalTime, right: LocalTime) -> Bool { left.seconds < right.seconds }

  /// `2026-12-24T18:00:00`.
  public var description: String {
    let (year, month, day) = date
    let time = timeOfDay
    let clock = [time / 3600, time / 60 % 60, time % 60].map { Digits.padded($0, 2) }.joined(separator: ":")
    return "\(Digits.padded(year, 4))-\(Digits.padded(month, 2))-\(Digits.padded(day, 2))T\(clock)"
  }
}

/// Numbers as digits.
enum Digits {
  /// The number that bytes represent, where all of them are digits and there are 1 to 9 of them.
  static func number(_ bytes: some Collection<UInt8>) -> Int? {
    guard (1...9).contains(bytes.count) else { return nil }
    var number = 0
    for byte in bytes {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  /// A number with zeros in front.
  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(abs(number))
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}

extension Timestamp {
  /// Reads an RFC 3339 date and time: `2009-02-13T23:31:30Z`, `1972-01-01T10:00:20.021-05:00`.
  ///
  /// Fractions beyond nanoseconds are cut off; a leap second (`:60`) counts as the second after it.
  ///
  /// - Returns: `nil` for anything else, and for a point outside the years 0001 to 9999 in UTC.
  public init?(rfc3339 text: String) {
    var scanner = DigitScanner(bytes: Array(text.utf8))
    guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
      let day = scanner.digits(2), scanner.skip("T") || scanner.skip("t"), let hour = scanner.digits(2),
      scanner.skip(":"), let minute = scanner.digits(2), scanner.skip(":"), let second = scanner.digits(2)
    else { return nil }
    var fraction: Int64 = 0
    if scanner.skip(".") {
      guard let digits = scanner.fraction() else { return nil }
      fraction = digits
    }
    var offset: Int64 = 0
    if !(scanner.skip("Z") || scanner.skip("z")) {
      let isNegative = scanner.skip("-")
      guard isNegative || scanner.skip("+"), let hours = scanner.digits(2), scanner.skip(":"),
        let minutes = scanner.digits(2), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (isNegative ? -60 : 60)
    }
    guard scanner.isAtEnd, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60,
      day <= CivilDate.daysInMonth(month, year: year)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    self.init(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: fraction))
    guard isInRange else { return nil }
  }

  /// The point in UTC as RFC 3339, with as many fraction digits as it takes: `2009-02-13T23:31:30.5Z`.
  public var rfc3339: String {
    var text = dateAndTime
    if nanoseconds > 0 {
      var fraction = String(Int(nanoseconds) + 1_000_000_000).dropFirst()
      while fraction.last == "0" { fraction = fraction.dropLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// The point in UTC as RFC 3339 with exactly three fraction digits: `2009-02-13T23:31:30.500Z`.
  public var rfc3339Milliseconds: String {
    dateAndTime + "." + Self.padded(Int64(nanoseconds) / 1_000_000, 3) + "Z"
  }

  private var dateAndTime: String {
    let (days, second) = seconds.flooredDivision(by: 86_400)
    let date = CivilDate(daysSinceEpoch: days)
    return Self.padded(date.year, 4) + "-" + Self.padded(date.month, 2) + "-" + Self.padded(date.day, 2) + "T"
      + Self.padded(second / 3600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

/// Reads fixed-width decimal fields.
private struct DigitScanner {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    guard position + count <= bytes.count else { return nil }
    var number: Int64 = 0
    for byte in bytes[position..<position + count] {
      guard (48...57).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 48)
    }
    position += count
    return number
  }

  /// The fraction after a point, in nanoseconds.
  mutating func fraction() -> Int64? {
    var number: Int64 = 0
    var scale: Int64 = 100_000_000
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) {
      number += Int64(bytes[position] - 48) * scale
      scale /= 10
      position += 1
    }
    return position > start ? number : nil
  }
}

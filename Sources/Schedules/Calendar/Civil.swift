/// The Gregorian calendar in integers: days since 1970-01-01, which was a Thursday.
enum Civil {
  /// The seconds of a day on the clock.
  static let secondsPerDay = 86_400
  /// The years that this module knows.
  static let years = 1...9999

  /// The day of a date; the month is 1 to 12, the day may lie outside of the month.
  static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years that begin in March put the leap day at the end.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The date of a day.
  static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let position = (5 * dayOfYear + 2) / 153
    let month = position < 10 ? position + 3 : position - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * position + 2) / 5 + 1)
  }

  /// The weekday of a day, 0 for Sunday.
  static func weekday(_ day: Int) -> Int { modulo(day + 4, 7) }

  /// Whether a year has a 29th of February.
  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// How many days a month has; the month is 1 to 12.
  static func length(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The first day of a year's first week (ISO 8601, weeks that begin on `weekStart`): it has four days in the year.
  static func firstWeek(_ year: Int, weekStart: Int) -> Int {
    let first = day(year, 1, 1)
    let before = modulo(weekday(first) - weekStart, 7)
    return before <= 3 ? first - before : first + 7 - before
  }

  /// Division that rounds down.
  static func floor(_ number: Int, _ divisor: Int) -> Int {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }

  /// The remainder of a division that rounds down, 0 or more.
  static func modulo(_ number: Int, _ divisor: Int) -> Int {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

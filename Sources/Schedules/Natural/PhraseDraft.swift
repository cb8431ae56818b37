/// The meaning of a phrase, part by part.
struct PhraseDraft {
  /// Which day is meant.
  enum Day: Equatable {
    /// So many days from today.
    case offset(Int)
    /// A weekday, the coming one.
    case weekday(Int)
    /// `next`: the coming one, or that of next week.
    case nextWeekday(Int)
    /// A weekday of a week, so many from this one.
    case weekdayOfWeek(Int, weeks: Int)
    /// A weekday of this week, over or not.
    case weekdayOfThisWeek(Int)
    /// A date, of the coming year if none is given.
    case date(year: Int?, month: Int, day: Int)
    /// `03/04`: either may be the month.
    case either(year: Int?, Int, Int)
    /// A day of this or the next month.
    case dayOfMonth(Int)
    /// A day of a month so many from this one; 0 for the last.
    case dayInMonth(Int, months: Int)
    /// The nth weekday of a month, 0 for the last, so many from this one, or of a named one.
    case numbered(Int, weekday: Int, months: Int?, month: Int?)
    /// So many days from Easter.
    case feast(Int)
    /// The last day of the year, so many from this one.
    case endOfYear(Int)
    /// The first day of the year, so many from this one.
    case startOfYear(Int)
  }

  /// A time of day.
  struct Time: Equatable {
    /// 0 to 24.
    var hour: Int
    var minute = 0
    /// Whether the hour may as well be one after noon.
    var isOpen = false
  }

  /// How far from now.
  struct Distance: Equatable {
    var months = 0
    var days = 0
    var workdays = 0
    var seconds = 0

    /// Its seconds, with months of 30 days.
    var rough: Int { (months * 30 + days + workdays) * 86_400 + seconds }

    /// Whether a smaller distance may follow without a word between: `2 h 15 min`, `1 Tag 3 Stunden`.
    func isWhole(before other: Distance) -> Bool {
      guard other.months == 0, other.days == 0, other.workdays == 0 else { return false }
      if seconds == 0 { return other.seconds < 86_400 }
      return seconds % 3600 == 0 ? other.seconds < 3600 : seconds % 60 == 0 && other.seconds < 60
    }
  }

  /// The repetition.
  struct Repetition: Equatable {
    var frequency: PhraseWords.Unit
    var interval = 1
    var weekdays: [Int] = []
    /// The day of the month; -1 for the last.
    var monthDay: Int?
    /// Further days of the month: `am 1. und 15.`.
    var moreMonthDays: [Int] = []
    /// The nth weekday of the month, 0 for the last.
    var ordinal: Int?
    var month: Int?
  }

  var day: Day?
  /// The weekday that was said with a date.
  var statedWeekday: Int?
  var time: Time?
  /// Further times of what repeats: `um 8 und 17 Uhr`.
  var moreTimes: [Time] = []
  var dayPart: PhraseWords.DayPart?
  /// `in 3 days`.
  var delta: Distance?
  /// Whether `in` leads it, so that a weekday behind it is one of the week that it leads to.
  var isDeltaLed = false
  var repetition: Repetition?
  /// The day from which something repeats: `ab morgen`, `from Monday`.
  var begin: Day?
  /// Whether a day that is over was said: `gestern`, `last Monday`.
  var isPast = false
  /// Words that belong to a time and were not understood: `und Dienstag`, `kurz`.
  var unclear: String?
  /// Words that stay in the title and may tell a time as well: `Friday report`.
  var doubt: String?

  /// Whether a distance in hours is beside another day or time: `in 2 hours tomorrow at 9`.
  var isContradictory: Bool {
    guard let delta, delta.seconds > 0 else { return false }
    return time != nil || dayPart != nil || day != nil && day != .offset(0)
  }

  /// Whether anything was said.
  var isEmpty: Bool { day == nil && time == nil && dayPart == nil && delta == nil && repetition == nil }
}

/// Which days a cron expression names.
struct CronDays: Sendable, Hashable {
  /// The days of the month that a field names.
  struct OfMonth: Sendable, Hashable {
    /// A bit for each day, bit 1 for the first.
    var days: UInt64 = 0
    /// A bit for each distance from the last day: `L` is bit 0, `L-3` bit 3.
    var fromEnd: UInt64 = 0
    /// A bit for each day whose nearest weekday is meant: `15W`.
    var nearest: UInt64 = 0
    /// Whether the last weekday is meant: `LW`.
    var lastWeekday = false
  }

  /// The weekdays that a field names.
  struct OfWeek: Sendable, Hashable {
    /// A bit for each weekday, bit 0 for Sunday.
    var weekdays: UInt64 = 0
    /// Bit `7 * (n - 1) + weekday` for `weekday#n`.
    var numbered: UInt64 = 0
    /// A bit for each weekday of which the month's last is meant.
    var last: UInt64 = 0
  }

  let ofMonth: OfMonth
  let ofWeek: OfWeek
  let dayRule: CronExpression.DayRule

  init(ofMonth: OfMonth, ofWeek: OfWeek, dayRule: CronExpression.DayRule) {
    self.ofMonth = ofMonth
    self.ofWeek = ofWeek
    self.dayRule = dayRule
  }

  /// The matching days of a month: a bit for each, bit 1 for the first.
  func mask(_ year: Int, _ month: Int) -> UInt64 {
    let length = Civil.length(year, month)
    let all: UInt64 = (1 << UInt64(length + 1)) - 2
    if dayRule == .both, ofMonth.days == 0xFFFF_FFFE, ofWeek.weekdays == 0x7F { return all }
    let first = Civil.weekday(Civil.day(year, month, 1))
    let byMonth = mask(ofMonth, length, first)
    let byWeek = mask(ofWeek, length, first)
    return (dayRule == .both ? byMonth & byWeek : byMonth | byWeek) & all
  }

  private func mask(_ wanted: OfMonth, _ length: Int, _ first: Int) -> UInt64 {
    var mask = wanted.days
    for distance in bits(wanted.fromEnd) where distance < length { mask |= 1 << UInt64(length - distance) }
    for day in bits(wanted.nearest) where day <= length { mask |= 1 << UInt64(nearest(day, length, first)) }
    if wanted.lastWeekday { mask |= 1 << UInt64(nearest(length, length, first)) }
    return mask
  }

  /// The weekday from Monday to Friday that is nearest to a day, within the month.
  private func nearest(_ day: Int, _ length: Int, _ first: Int) -> Int {
    switch (first + day - 1) % 7 {
    case 6: day == 1 ? 3 : day - 1
    case 0: day == length ? day - 2 : day + 1
    default: day
    }
  }

  private func mask(_ wanted: OfWeek, _ length: Int, _ first: Int) -> UInt64 {
    var mask: UInt64 = 0
    for weekday in bits(wanted.weekdays) {
      mask |= 0x2040_8102 << UInt64((weekday - first + 7) % 7)
    }
    for bit in bits(wanted.numbered) {
      mask |= 1 << UInt64(1 + (bit % 7 - first + 7) % 7 + bit / 7 * 7)
    }
    for weekday in bits(wanted.last) {
      let earliest = 1 + (weekday - first + 7) % 7
      mask |= 1 << UInt64(earliest + (length - earliest) / 7 * 7)
    }
    return mask
  }

  private func bits(_ mask: UInt64) -> some Sequence<Int> {
    sequence(state: mask) { (rest: inout UInt64) -> Int? in
      guard rest != 0 else { return nil }
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      return bit
    }
  }
}

internal import Localization

/// Dates as text, read and written, and arithmetic on the calendar of a zone.
///
/// Patterns are those of `strftime` (POSIX), with `%-d` for a number without leading zero as GNU has it.
enum CalendarFunctions {
  static let functions: [StandardFunction] =
    [
      .many("format", isMethod: true, [.timestamp, .string, .string, .string, .string], body: format),
      .binary("timestamp", [.string, .string, .timestamp]) {
        (frame: inout Frame, text: Value, pattern: Value) throws(Fault) -> Value in try parse(&frame, [text, pattern])
      },
      .many("timestamp", [.string, .string, .string, .timestamp], body: parse),
      .unary("days", [.int, .duration]) { (_: inout Frame, count: Value) throws(Fault) -> Value in
        guard case .int(let count) = count else { throw .noOverload }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: 86_400)
        guard !overflows, let span = TimeSpan(seconds: seconds) else { throw .overflow("duration") }
        return .duration(span)
      },
    ]
    + inZone("addDays", [.timestamp, .int], .timestamp) { place, count throws(Fault) in
      try place.moved(days: count)
    }
    + inZone("addMonths", [.timestamp, .int], .timestamp) { place, count throws(Fault) in
      try place.moved(months: count)
    }
    + inZone("addYears", [.timestamp, .int], .timestamp) { place, count throws(Fault) in
      guard case .int(let years) = count else { throw .noOverload }
      let (months, overflows) = years.multipliedReportingOverflow(by: 12)
      if overflows { throw .overflow("timestamp") }
      return try place.moved(months: .int(months))
    }
    + inZone("startOf", [.timestamp, .string], .timestamp) { place, unit throws(Fault) in try place.start(of: unit) }
    + inZone("daysUntil", [.timestamp, .timestamp], .int) { place, other throws(Fault) in
      guard case .timestamp(let other) = other else { throw .noOverload }
      return .int(try place.local(other).date.daysSinceEpoch - place.local(place.time).date.daysSinceEpoch)
    }

  /// `time.name(argument)` in UTC, and `time.name(argument, zone)`.
  private static func inZone(
    _ name: String, _ parameters: [ValueType], _ result: ValueType,
    _ body: @escaping @Sendable (Place, Value) throws(Fault) -> Value
  ) -> [StandardFunction] {
    [
      .binary(name, isMethod: true, parameters + [result]) {
        (_: inout Frame, time: Value, argument: Value) throws(Fault) -> Value in
        guard case .timestamp(let time) = time else { throw .noOverload }
        return try body(Place(time: time, zone: "UTC"), argument)
      },
      .many(name, isMethod: true, parameters + [.string, result]) {
        (frame: inout Frame, arguments: [Value]) throws(Fault) -> Value in
        guard case .timestamp(let time) = arguments[0], case .string(let zone) = arguments[2] else {
          throw .noOverload
        }
        try frame.charge(50)
        return try body(Place(time: time, zone: zone), arguments[1])
      },
    ]
  }

  /// A point in time, seen from a zone.
  private struct Place {
    var time: Timestamp
    var zone: String

    func local(_ time: Timestamp) throws(Fault) -> TimeFunctions.LocalTime {
      TimeFunctions.LocalTime(time, offset: try offset(time.seconds))
    }

    private func offset(_ seconds: Int64) throws(Fault) -> Int64 {
      var frame = Frame(Bindings(), slotCount: 0, limits: EvaluationLimits(cost: .max, depth: 1))
      return try TimeFunctions.offset(of: zone, at: Timestamp(seconds: seconds), &frame)
    }

    /// The point at which the clocks of the zone show a date and a second of the day: the first one if they show it twice,
    /// and if a change leaves it out, so much later as the change is long (RFC 5545, section 3.3.5).
    func point(_ date: CivilDate, second: Int64, nanosecond: Int64) throws(Fault) -> Timestamp {
      let seconds = date.daysSinceEpoch * 86_400 + second
      let before = try offset(seconds - 86_400)
      let after = try offset(seconds + 86_400)
      var isLater = false
      if before != after {
        let isEarlierLeftOut = try offset(seconds - before) != before
        isLater = try isEarlierLeftOut ? offset(seconds - after) == after : false
      }
      let time = Timestamp(
        seconds: seconds - (isLater ? after : before), nanoseconds: Int32(truncatingIfNeeded: nanosecond))
      guard time.isInRange else { throw .overflow("timestamp") }
      return time
    }

    /// The same time of day so many days later.
    func moved(days count: Value) throws(Fault) -> Value {
      guard case .int(let count) = count else { throw .noOverload }
      guard count.magnitude < 4_000_000 else { throw .overflow("timestamp") }
      let local = try local(time)
      return .timestamp(
        try point(
          CivilDate(daysSinceEpoch: local.date.daysSinceEpoch + count), second: local.second,
          nanosecond: local.nanosecond))
    }

    /// The same day and time so many months later, the last day of a month that is too short.
    func moved(months count: Value) throws(Fault) -> Value {
      guard case .int(let count) = count else { throw .noOverload }
      guard count.magnitude < 120_000 else { throw .overflow("timestamp") }
      let local = try local(time)
      let (year, month) = (local.date.year * 12 + local.date.month - 1 + count).flooredDivision(by: 12)
      let day = min(local.date.day, CivilDate.daysInMonth(month + 1, year: year))
      return .timestamp(
        try point(
          CivilDate(year: year, month: month + 1, day: day), second: local.second, nanosecond: local.nanosecond))
    }

    /// The first moment of the hour, day, week (from Monday), month, quarter or year.
    func start(of unit: Value) throws(Fault) -> Value {
      guard case .string(let unit) = unit else { throw .noOverload }
      let local = try local(time)
      var date = local.date
      switch unit {
      case "hour": return .timestamp(Timestamp(seconds: time.seconds - local.second % 3600))
      case "day": break
      case "week":
        let days = date.daysSinceEpoch
        // 1970-01-01 was a Thursday.
        date = CivilDate(daysSinceEpoch: days - (days + 3).flooredDivision(by: 7).remainder)
      case "month": date.day = 1
      case "quarter": (date.month, date.day) = ((date.month - 1) / 3 * 3 + 1, 1)
      case "year": (date.month, date.day) = (1, 1)
      default:
        throw .evaluation(
          LocalizedText(
            "startOf() takes 'hour', 'day', 'week', 'month', 'quarter' or 'year'",
            de: "startOf() nimmt 'hour', 'day', 'week', 'month', 'quarter' oder 'year'"))
      }
      return .timestamp(try point(date, second: 0, nanosecond: 0))
    }
  }

  // MARK: Text

  /// The names of months from January and of days from Sunday.
  private struct Names {
    var months: [String]
    var days: [String]
    /// How many letters short names have.
    var shortMonth: Int
    var shortDay: Int

    static let english = Names(
      months: [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
      ], days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"], shortMonth: 3,
      shortDay: 3)
    static let german = Names(
      months: [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
      ], days: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"], shortMonth: 3,
      shortDay: 2)
  }

  private static func unknownDirective(_ directive: Unicode.Scalar?) -> Fault {
    let shown = directive.map { "%\($0)" } ?? "%"
    return .evaluation(
      LocalizedText(
        "'\(shown)' is not a part of a date; there are %Y %m %d %H %M %S, and others that docs/expressions.md lists",
        de: "'\(shown)' ist kein Teil eines Datums; es gibt %Y %m %d %H %M %S und andere, siehe docs/expressions.md"))
  }

  /// `time.format(pattern)` in UTC, with a zone, and with the language of the names.
  @Sendable static func format(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .timestamp(let time) = arguments[0], case .string(let pattern) = arguments[1] else { throw .noOverload }
    var (zone, names) = ("UTC", Names.english)
    if arguments.count > 2 {
      guard case .string(let given) = arguments[2] else { throw .noOverload }
      zone = given
    }
    if arguments.count > 3 {
      switch arguments[3] {
      case .string("en"): names = .english
      case .string("de"): names = .german
      default:
        throw .evaluation(
          LocalizedText(
            "format() knows the languages 'en' and 'de' for dates",
            de: "format() kennt für Daten die Sprachen 'en' und 'de'"))
      }
    }
    try frame.chargeBytes(pattern.utf8.count)
    let offset = try TimeFunctions.offset(of: zone, at: time, &frame)
    let local = TimeFunctions.LocalTime(time, offset: offset)
    var result = ""
    var scalars = Array(pattern.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "%" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let isPlain = scalars.first == "-"
      if isPlain { scalars.removeFirst() }
      let directive = scalars.popFirst()
      if directive == ":", scalars.first == "z" {
        scalars.removeFirst()
        result += shown(offset: offset, separator: ":")
        continue
      }
      result += try part(directive, local, time, offset: offset, names, isPlain: isPlain)
    }
    return .string(result)
  }

  private static func shown(offset: Int64, separator: String) -> String {
    let minutes = offset.magnitude / 60
    return (offset < 0 ? "-" : "+") + padded(Int64(minutes / 60), 2) + separator + padded(Int64(minutes % 60), 2)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func part(
    _ directive: Unicode.Scalar?, _ local: TimeFunctions.LocalTime, _ time: Timestamp, offset: Int64, _ names: Names,
    isPlain: Bool
  ) throws(Fault) -> String {
    func number(_ value: Int64, _ width: Int = 2) -> String { isPlain ? String(value) : padded(value, width) }
    let date = local.date
    let days = date.daysSinceEpoch
    let weekday = (days + 4).flooredDivision(by: 7).remainder
    let (hour, minute, second) = (local.second / 3600, local.second / 60 % 60, local.second % 60)
    // The week of a day is that of its Thursday (ISO 8601).
    let thursday = CivilDate(daysSinceEpoch: days - (days + 3).flooredDivision(by: 7).remainder + 3)
    switch directive {
    case "Y": return number(date.year, 4)
    case "y": return number(date.year % 100)
    case "m": return number(date.month)
    case "d": return number(date.day)
    case "e": return isPlain || date.day > 9 ? String(date.day) : " \(date.day)"
    case "H": return number(hour)
    case "I": return number((hour + 11) % 12 + 1)
    case "M": return number(minute)
    case "S": return number(second)
    case "L": return padded(local.nanosecond / 1_000_000, 3)
    case "p": return hour < 12 ? "AM" : "PM"
    case "j": return number(date.dayOfYear + 1, 3)
    case "u": return String(weekday == 0 ? 7 : weekday)
    case "w": return String(weekday)
    case "G": return number(thursday.year, 4)
    case "V": return number(thursday.dayOfYear / 7 + 1)
    case "A": return names.days[Int(weekday)]
    case "a": return String(names.days[Int(weekday)].prefix(names.shortDay))
    case "B": return names.months[Int(date.month) - 1]
    case "b", "h": return String(names.months[Int(date.month) - 1].prefix(names.shortMonth))
    case "F": return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    case "T": return "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    case "R": return "\(padded(hour, 2)):\(padded(minute, 2))"
    case "s": return String(time.seconds)
    case "z": return shown(offset: offset, separator: "")
    case "%": return "%"
    default: throw unknownDirective(directive)
    }
  }

  // MARK: Reading

  /// The parts of a time that a text names.
  private struct Fields {
    var year: Int64?
    var month: Int64 = 1
    var day: Int64 = 1
    var hour: Int64 = 0
    var minute: Int64 = 0
    var second: Int64 = 0
    var nanosecond: Int64 = 0
    var isAfternoon: Bool?
    var offset: Int64?
    var epoch: Int64?
  }

  /// `timestamp(text, pattern)` in UTC, and with a zone that counts if the text has none.
  @Sendable static func parse(_ frame: inout Frame, _ arguments: [Value]) throws(Fault) -> Value {
    guard case .string(let text) = arguments[0], case .string(let pattern) = arguments[1] else { throw .noOverload }
    var zone = "UTC"
    if arguments.count > 2 {
      guard case .string(let given) = arguments[2] else { throw .noOverload }
      zone = given
    }
    try frame.chargeBytes(text.utf8.count + pattern.utf8.count)
    try frame.charge(50)
    // An unknown zone is an error even if the text has an offset.
    _ = try TimeFunctions.offset(of: zone, at: Timestamp(seconds: 0), &frame)
    var rest = Array(text.unicodeScalars)[...]
    var fields = Fields()
    let directives =
      pattern.replacing("%F", with: "%Y-%m-%d").replacing("%T", with: "%H:%M:%S").replacing("%R", with: "%H:%M")
    var scalars = Array(directives.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      if scalar.properties.isWhitespace {
        rest = rest.drop { $0.properties.isWhitespace }
        continue
      }
      var directive: Unicode.Scalar?
      if scalar == "%" {
        if scalars.first == "-" || scalars.first == ":" { scalars.removeFirst() }
        directive = scalars.popFirst()
        guard directive != nil else { throw unknownDirective(nil) }
      }
      let isRead: Bool
      if let directive, directive != "%" {
        isRead = try read(directive, &rest, &fields)
      } else {
        isRead = rest.popFirst() == scalar
      }
      guard isRead else { throw unlike(pattern) }
    }
    guard rest.isEmpty else { throw unlike(pattern) }
    return .timestamp(try time(fields, zone: zone, pattern))
  }

  private static func unlike(_ pattern: String) -> Fault {
    .evaluation(
      LocalizedText(
        "this text is not a time of the form '\(pattern)'", de: "Dieser Text ist keine Zeit der Form '\(pattern)'"))
  }

  private static func time(_ fields: Fields, zone: String, _ pattern: String) throws(Fault) -> Timestamp {
    if let epoch = fields.epoch {
      guard Timestamp.range.contains(epoch) else { throw .overflow("timestamp") }
      return Timestamp(seconds: epoch)
    }
    var hour = fields.hour
    if let isAfternoon = fields.isAfternoon {
      guard (1...12).contains(hour) else { throw unlike(pattern) }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard let year = fields.year, (1...9999).contains(year), (1...12).contains(fields.month), fields.day >= 1,
      fields.day <= CivilDate.daysInMonth(fields.month, year: year), hour < 24, fields.minute < 60, fields.second < 60
    else { throw unlike(pattern) }
    let date = CivilDate(year: year, month: fields.month, day: fields.day)
    let second = hour * 3600 + fields.minute * 60 + fields.second
    guard let offset = fields.offset else {
      return try Place(time: Timestamp(seconds: 0), zone: zone).point(
        date, second: second, nanosecond: fields.nanosecond)
    }
    let time = Timestamp(
      seconds: date.daysSinceEpoch * 86_400 + second - offset,
      nanoseconds: Int32(truncatingIfNeeded: fields.nanosecond))
    guard time.isInRange else { throw .overflow("timestamp") }
    return time
  }

  /// Reads one part of a time; false if the text has something else there.
  private static func read(
    _ directive: Unicode.Scalar, _ rest: inout ArraySlice<Unicode.Scalar>, _ fields: inout Fields
  ) throws(Fault) -> Bool {
    func digits(_ most: Int) -> Int64? {
      var number: Int64?
      var count = 0
      while count < most, let scalar = rest.first, ("0"..."9").contains(scalar) {
        number = (number ?? 0) * 10 + Int64(scalar.value - 48)
        rest.removeFirst()
        count += 1
      }
      return number
    }
    func set(_ field: WritableKeyPath<Fields, Int64>, _ most: Int = 2) -> Bool {
      guard let number = digits(most) else { return false }
      fields[keyPath: field] = number
      return true
    }
    switch directive {
    case "Y":
      fields.year = digits(4)
      return fields.year != nil
    case "y":
      guard let year = digits(2) else { return false }
      fields.year = year + (year < 69 ? 2000 : 1900)
      return true
    case "m": return set(\.month)
    case "d", "e":
      rest = rest.drop { $0 == " " }
      return set(\.day)
    case "H", "I": return set(\.hour)
    case "M": return set(\.minute)
    case "S": return set(\.second)
    case "L":
      guard let milliseconds = digits(3) else { return false }
      fields.nanosecond = milliseconds * 1_000_000
      return true
    case "p":
      let word = String(String.UnicodeScalarView(rest.prefix(2))).lowercased()
      guard word == "am" || word == "pm" else { return false }
      rest = rest.dropFirst(2)
      fields.isAfternoon = word == "pm"
      return true
    case "s":
      let isNegative = rest.first == "-"
      if isNegative { rest.removeFirst() }
      fields.epoch = digits(12).map { isNegative ? -$0 : $0 }
      return fields.epoch != nil
    case "z": return readOffset(&rest, &fields)
    case "A", "a": return readName(&rest, Names.english.days + Names.german.days, shortest: 2) != nil
    case "B", "b", "h":
      guard let index = readName(&rest, Names.english.months + Names.german.months, shortest: 3) else { return false }
      fields.month = Int64(index % 12) + 1
      return true
    default: throw unknownDirective(directive)
    }
  }

  private static func readOffset(_ rest: inout ArraySlice<Unicode.Scalar>, _ fields: inout Fields) -> Bool {
    if rest.first == "Z" || rest.first == "z" {
      rest.removeFirst()
      fields.offset = 0
      return true
    }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return false }
    var digits = ""
    rest.removeFirst()
    while digits.utf8.count < 4, let scalar = rest.first {
      if ("0"..."9").contains(scalar) {
        digits.unicodeScalars.append(scalar)
      } else if scalar != ":" || digits.utf8.count != 2 {
        break
      }
      rest.removeFirst()
    }
    guard digits.utf8.count == 4, let number = Int64(digits), number / 100 < 24, number % 100 < 60 else { return false }
    fields.offset = (number / 100 * 3600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
    return true
  }

  /// Reads a name, whole or shortened, in any case; its index is the result.
  private static func readName(
    _ rest: inout ArraySlice<Unicode.Scalar>, _ names: [String], shortest: Int
  ) -> Int? {
    let word = rest.prefix { $0.properties.isAlphabetic }
    let text = String(String.UnicodeScalarView(word)).lowercased()
    guard word.count >= shortest,
      let index = names.firstIndex(where: { $0.lowercased() == text })
        ?? names.firstIndex(where: { word.count <= 3 && $0.lowercased().hasPrefix(text) })
    else { return nil }
    rest = rest.dropFirst(word.count)
    if rest.first == ".", word.count <= 3, names[index].unicodeScalars.count > word.count { rest.removeFirst() }
    return index
  }
}

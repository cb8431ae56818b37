internal import Localization

/// Functions of points and spans of time.
enum TimeFunctions {
  static let functions: [StandardFunction] =
    [
      .many("now", [.timestamp], isPure: false) { (frame: inout Frame, _: [Value]) throws(Fault) -> Value in
        guard let now = frame.bindings.now else {
          throw .evaluation(LocalizedText("there is no clock here", de: "Hier gibt es keine Uhr"))
        }
        return .timestamp(now)
      }
    ]
    + part("getFullYear") { $0.date.year }
    + part("getMonth") { $0.date.month - 1 }
    + part("getDate") { $0.date.day }
    + part("getDayOfMonth") { $0.date.day - 1 }
    + part("getDayOfYear") { $0.date.dayOfYear }
    // 1970-01-01 was a Thursday; Sunday is 0.
    + part("getDayOfWeek") { ($0.date.daysSinceEpoch + 4).flooredDivision(by: 7).remainder }
    + part("getHours", span: { $0 / 3_600_000_000_000 }) { $0.second / 3600 }
    + part("getMinutes", span: { $0 / 60_000_000_000 }) { $0.second / 60 % 60 }
    + part("getSeconds", span: { $0 / 1_000_000_000 }) { $0.second % 60 }
    // Of a span the millisecond part, where the others convert the whole of it: so the language defines it.
    + part("getMilliseconds", span: { $0 / 1_000_000 % 1000 }) { $0.nanosecond / 1_000_000 }

  /// A point in time as the clock and the calendar of some place show it.
  struct LocalTime {
    var date: CivilDate
    /// Since midnight.
    var second: Int64
    var nanosecond: Int64

    init(_ time: Timestamp, offset: Int64) {
      let (days, second) = (time.seconds + offset).flooredDivision(by: 86_400)
      date = CivilDate(daysSinceEpoch: days)
      self.second = second
      nanosecond = Int64(time.nanoseconds)
    }
  }

  /// The error in a constant name of a zone; `nil` for a known zone.
  static func zoneFault(_ zone: Value?) -> Fault? {
    guard case .string(let zone)? = zone, TimeZoneOffset.seconds(zone, at: Timestamp(seconds: 0)) == nil else {
      return nil
    }
    return unknownZone(zone)
  }

  private static func unknownZone(_ zone: String) -> Fault {
    let shown = String(zone.unicodeScalars.prefix(40))
    return .evaluation(
      LocalizedText(
        "unknown time zone '\(shown)'; write 'Europe/Zurich', 'UTC' or '+02:00'",
        de: "unbekannte Zeitzone '\(shown)'; schreib 'Europe/Zurich', 'UTC' oder '+02:00'"))
  }

  /// `time.name()` in UTC, `time.name(zone)`, and for some `span.name()`.
  private static func part(
    _ name: String, span: (@Sendable (Int64) -> Int64)? = nil,
    of point: @escaping @Sendable (LocalTime) -> Int64
  ) -> [StandardFunction] {
    var overloads: [[ValueType]] = [[.timestamp, .int]]
    if span != nil { overloads.append([.duration, .int]) }
    return [
      .unary(name, isMethod: true, overloads: overloads) { (_: inout Frame, value: Value) throws(Fault) -> Value in
        switch value {
        case .timestamp(let time): return .int(point(LocalTime(time, offset: 0)))
        case .duration(let duration):
          guard let span else { throw .noOverload }
          return .int(span(duration.nanoseconds))
        default: throw .noOverload
        }
      },
      .binary(name, isMethod: true, [.timestamp, .string, .int]) {
        (frame: inout Frame, value: Value, zone: Value) throws(Fault) -> Value in
        guard case .timestamp(let time) = value, case .string(let zone) = zone else { throw .noOverload }
        return .int(point(LocalTime(time, offset: try offset(of: zone, at: time, &frame))))
      }.checking { arguments in zoneFault(arguments.last ?? nil) },
    ]
  }

  /// How far the clocks of a zone are ahead of UTC at a time, in seconds.
  static func offset(of zone: String, at time: Timestamp, _ frame: inout Frame) throws(Fault) -> Int64 {
    try frame.charge(10)
    guard let offset = TimeZoneOffset.seconds(zone, at: time) else { throw unknownZone(zone) }
    return offset
  }
}

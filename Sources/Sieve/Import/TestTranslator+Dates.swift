import Localization

extension TestTranslator {
  /// `date` and `currentdate` (RFC 5260): parts that are numbers, compared as numbers.
  func date(_ arguments: inout ArgumentReader, isNow: Bool) throws(UnsupportedByFilter) -> Formula {
    let settings = try MatchSettings(&arguments)
    let zone = try self.zone(&arguments, isNow: isNow)
    var time = "now()"
    var guardTest = Formula.constant(true)
    if !isNow {
      let field = try arguments.text()
      guard try expansion.text(field, state).lowercased() == "date" else {
        throw problems.refuse(
          .init("filters know the time of the field Date alone", de: "Filter kennen nur die Zeit der Kopfzeile Date"),
          at: field.range)
      }
      time = "timestamp(message.date)"
      guardTest = Self.anyField(["date"], .constant(true))
    }
    let name = try arguments.text()
    let word = try expansion.text(name, state).lowercased()
    guard let part = DatePart(rawValue: word) else {
      let known = DatePart.allCases.map(\.rawValue).joined(separator: ", ")
      throw problems.refuse(
        .init("filters know these parts of dates: \(known)", de: "Filter kennen diese Teile von Daten: \(known)"),
        at: name.range)
    }
    let relation: String
    switch settings.kind {
    case .equal: relation = "eq"
    case .value(let word): relation = word
    default:
      throw problems.refuse(
        .init(
          "parts of dates are compared with ':is' and ':value'", de: "Teile von Daten vergleichen ':is' und ':value'"),
        at: name.range)
    }
    if settings.comparator == .numeric, part == .date || part == .time {
      throw problems.refuse(
        .init(
          "'\(word)' is not a number; leave the comparator out", de: "'\(word)' ist keine Zahl; ohne Vergleichsart"),
        at: name.range)
    }
    var parts: [Formula] = []
    for key in try comparison(settings, try arguments.texts()).keys {
      guard let number = part.number(key.text, isExact: settings.comparator != .numeric) else {
        throw problems.refuse(
          .init(
            "'\(key.text)' is not a '\(word)'; it is written as \(part.example)",
            de: "'\(key.text)' ist kein '\(word)'; man schreibt \(part.example)"), at: key.range)
      }
      parts.append(
        .test("\(part.expression(time, zone)) \(MatchSettings.relations[relation] ?? "==") \(number)", isRelation: true)
      )
    }
    return .all(of: [guardTest, .any(of: parts)])
  }

  /// The zone as an expression.
  private func zone(_ arguments: inout ArgumentReader, isNow: Bool) throws(UnsupportedByFilter) -> String {
    if !isNow, arguments.flag("originalzone") != nil {
      return #"message.date.endsWith("Z") ? "UTC" : message.date.substring(19)"#
    }
    if let zone = try arguments.texts(behind: "zone")?.first {
      let text = try expansion.text(zone, state)
      let digits = text.dropFirst()
      guard text.utf8.count == 5, text.first == "+" || text.first == "-",
        digits.allSatisfy({ ("0"..."9").contains($0) }), digits.prefix(2) < "24", digits.suffix(2) < "60"
      else {
        throw problems.refuse(
          .init("'\(text)' is not a zone; write +0100", de: "'\(text)' ist keine Zone; man schreibt +0100"),
          at: zone.range)
      }
      return ExpressionText.literal("\(text.prefix(3)):\(text.suffix(2))")
    }
    problems.note(
      "zone",
      .init(
        "Sieve means the zone of its server here; the filter takes \(options.zone)",
        de: "Sieve meint hier die Zone seines Servers; der Filter nimmt \(options.zone)"), at: arguments.place)
    return ExpressionText.literal(options.zone)
  }
}

/// A part of a date that is compared as a number.
private enum DatePart: String, CaseIterable {
  case year, month, day, date, hour, minute, second, time, weekday

  func expression(_ time: String, _ zone: String) -> String {
    func get(_ name: String) -> String { "\(time).get\(name)(\(zone))" }
    return switch self {
    case .year: get("FullYear")
    case .month: get("Month") + " + 1"
    case .day: get("Date")
    case .hour: get("Hours")
    case .minute: get("Minutes")
    case .second: get("Seconds")
    case .weekday: get("DayOfWeek")
    case .date: "\(get("FullYear")) * 10000 + (\(get("Month")) + 1) * 100 + \(get("Date"))"
    case .time: "\(get("Hours")) * 10000 + \(get("Minutes")) * 100 + \(get("Seconds"))"
    }
  }

  var example: String {
    switch self {
    case .year: "2026"
    case .date: "2026-01-31"
    case .time: "09:00:00"
    case .weekday: "0"
    default: "09"
    }
  }

  /// The number that a key represents; `nil` if it is not written as dates write it.
  func number(_ key: String, isExact: Bool) -> Int? {
    let form = example
    if isExact || self == .date || self == .time {
      guard key.utf8.count == form.utf8.count else { return nil }
      for (byte, wanted) in zip(key.utf8, form.utf8) {
        let isDigit = (0x30...0x39).contains(byte)
        guard (0x30...0x39).contains(wanted) ? isDigit : byte == wanted else { return nil }
      }
    }
    let digits = key.filter { ("0"..."9").contains($0) }
    guard digits.count == key.count || self == .date || self == .time, digits.count <= 9 else { return nil }
    return Int(digits)
  }
}

public import Mail
public import PluginKit

/// A date that a search compares messages with.
public enum DateBound: Sendable, Hashable {
  /// A point in time, in seconds since 1970.
  case instant(Int)
  /// A day, in days since 1970-01-01; compared with the day that the message itself states, whatever its time zone, as
  /// IMAP's SENTSINCE does (RFC 9051, 6.4.4).
  case day(Int)

  /// Reads `2026-01-31` or an RFC 3339 time such as `2026-01-31T08:00:00+01:00`.
  ///
  /// - Parameters:
  ///   - text: The date.
  ///   - name: The name of the key, for the message.
  /// - Throws: `invalid_input` for anything else.
  public init(_ text: String, name: String) throws(ActionError) {
    guard let bound = DateBound(parsing: text) else {
      throw ActionError(
        .invalidInput, "'\(name)' is neither a date nor a time: '\(DisplayedText.text(text))'.",
        german: "'\(name)' ist weder ein Datum noch ein Zeitpunkt: '\(DisplayedText.text(text))'.",
        advice: "Write 2026-01-31 or 2026-01-31T08:00:00Z.",
        adviceGerman: "Möglich sind 2026-01-31 und 2026-01-31T08:00:00Z.")
    }
    self = bound
  }

  private init?(parsing text: String) {
    var digits = DigitReader(text)
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
      let day = digits.number(2),
      let midnight = MessageDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0, zoneOffset: 0)
    else { return nil }
    if digits.isAtEnd {
      self = .day(midnight.secondsSinceEpoch / 86_400)
      return
    }
    guard digits.skip("T") || digits.skip("t") || digits.skip(" "), let hour = digits.number(2), digits.skip(":"),
      let minute = digits.number(2), digits.skip(":"), let second = digits.number(2), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    if digits.skip(".") { guard digits.skipDigits() else { return nil } }
    var offset = 0
    if !digits.skip("Z"), !digits.skip("z") {
      let sign = digits.skip("+") ? 1 : (digits.skip("-") ? -1 : 0)
      guard sign != 0, let hours = digits.number(2), digits.skip(":"), let minutes = digits.number(2), hours < 24,
        minutes < 60
      else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard digits.isAtEnd else { return nil }
    self = .instant(midnight.secondsSinceEpoch + hour * 3600 + minute * 60 + second - offset)
  }

  /// Whether a message is of this date or later.
  public func isReached(by date: MessageDate) -> Bool {
    switch self {
    case .instant(let seconds): date.secondsSinceEpoch >= seconds
    case .day(let day): Self.day(of: date) >= day
    }
  }

  private static func day(of date: MessageDate) -> Int {
    let local = date.secondsSinceEpoch + date.zoneOffset
    return local >= 0 ? local / 86_400 : -((86_399 - local) / 86_400)
  }
}

/// Reads numbers of a fixed width.
private struct DigitReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8.prefix(64))[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ width: Int) -> Int? {
    guard rest.count >= width else { return nil }
    var value = 0
    for byte in rest.prefix(width) {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = rest.dropFirst(width)
    return value
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func skipDigits() -> Bool {
    let count = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
    rest = rest.dropFirst(count)
    return count > 0
  }
}

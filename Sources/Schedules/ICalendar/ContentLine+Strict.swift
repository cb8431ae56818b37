import ICalendar
import Localization

/// The lines of a calendar, strictly: a line that cannot be read is an error with its place.
extension ContentLine {
  /// The lines of a text, continuations joined.
  ///
  /// - Throws: That a line is none, or that there are more than 200 000.
  static func lines(_ text: String) throws(ScheduleError) -> [ContentLine] {
    var lines: [ContentLine] = []
    var pending: [UInt8] = []
    var place = 0..<0
    let bytes = Array(text.utf8)
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count {
      let end = bytes[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let line = bytes[index..<end]
      if line.first == 0x20 || line.first == 0x09, !pending.isEmpty {
        guard pending.count < 1 << 20 else { throw damaged(place) }
        pending += line.dropFirst()
        place = place.lowerBound..<end
      } else if !line.isEmpty {
        if !pending.isEmpty { lines.append(try read(pending, place)) }
        (pending, place) = (Array(line), index..<end)
      }
      guard lines.count < 200_000 else { throw damaged(place) }
      index = end + 1
    }
    if !pending.isEmpty { lines.append(try read(pending, place)) }
    return lines
  }

  private static func read(_ bytes: [UInt8], _ range: Range<Int>) throws(ScheduleError) -> ContentLine {
    guard let line = ContentLine(bytes, range: range) else { throw damaged(range) }
    return line
  }

  static func damaged(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidCalendar,
      LocalizedText("this is not a line of iCalendar data", de: "das ist keine Zeile von iCalendar-Daten"),
      advice: LocalizedText(
        "lines look like DTSTART:20261124T090000 (RFC 5545)",
        de: "Zeilen sehen aus wie DTSTART:20261124T090000 (RFC 5545)"),
      range: range)
  }

  /// The line is ambiguous.
  func wrong() -> ScheduleError {
    ScheduleError(
      .invalidCalendar,
      LocalizedText(
        "'\(value.prefix(60))' is not a value for \(name)", de: "'\(value.prefix(60))' ist kein Wert für \(name)"),
      advice: LocalizedText(
        "times look like 20261124T090000, 20261124T080000Z or 20261124, durations like PT15M (RFC 5545)",
        de: "Zeiten sehen aus wie 20261124T090000, 20261124T080000Z oder 20261124, Dauern wie PT15M (RFC 5545)"),
      range: range)
  }
}

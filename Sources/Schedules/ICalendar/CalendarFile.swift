import ICalendar
import Localization

/// The content of an .ics file: its events and tasks (RFC 5545).
///
/// A zone is what the `VTIMEZONE` of its name says. Without one, names are those of the zone database and Microsoft's; any other
/// name is an error, since the time would be unknown.
public struct CalendarFile: Sendable, Hashable {
  /// The most items of one file.
  static let mostItems = 50_000

  /// Events and tasks in their order.
  public var items: [CalendarItem]

  /// Creates a file's content.
  public init(items: [CalendarItem]) { self.items = items }

  /// Reads the content of a file.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - zone: The zone of times that have none of their own; an `UNTIL` counts in it.
  /// - Throws: The first thing that is wrong, with the bytes of its line.
  public init(_ text: String, zone: Zone) throws(ScheduleError) {
    items = try Self.entries(text, isTolerant: false).map { entry throws(ScheduleError) in try entry.item.get() }
  }

  /// An event or a task, and where it begins.
  public struct Entry: Sendable {
    /// The summary; the UID if there is none, and empty if both are missing.
    public internal(set) var title: String
    /// Where its first line is in the text, in UTF-8 bytes.
    public internal(set) var offset: Int
    /// The item, or the first error in it.
    public internal(set) var item: Result<CalendarItem, ScheduleError>
  }

  /// Reads the content of a file, and goes on behind an event or a task that has a value that cannot be read.
  ///
  /// - Throws: The error in the file as a whole.
  public static func entries(_ text: String) throws(ScheduleError) -> [Entry] { try entries(text, isTolerant: true) }

  private static func entries(_ text: String, isTolerant: Bool) throws(ScheduleError) -> [Entry] {
    let lines = try ContentLine.lines(text)
    guard let first = lines.first, first.name == "BEGIN", first.value.uppercased() == "VCALENDAR" else {
      throw Self.noCalendar(lines.first?.range ?? 0..<text.utf8.count)
    }
    var reader = CalendarFileReader(zones: ZoneDefinition.zones(lines), isTolerant: isTolerant)
    for line in lines { try reader.take(line) }
    guard reader.isClosed else { throw Self.unfinished(lines.last?.range ?? 0..<0) }
    return reader.entries
  }

  private static func noCalendar(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidCalendar, LocalizedText("this is not iCalendar data", de: "das sind keine iCalendar-Daten"),
      advice: LocalizedText(
        "an .ics file begins with BEGIN:VCALENDAR", de: "eine .ics-Datei beginnt mit BEGIN:VCALENDAR"), range: range)
  }

  private static func unfinished(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidCalendar, LocalizedText("the calendar data ends too early", de: "die Kalenderdaten enden zu früh"),
      advice: LocalizedText(
        "export the file again; it ends with END:VCALENDAR",
        de: "die Datei neu exportieren; sie endet mit END:VCALENDAR"), range: range)
  }
}

/// Reads the lines of a calendar.
private struct CalendarFileReader {
  let zones: [String: Zone]
  /// Whether a value that cannot be read spoils only the item that has it.
  let isTolerant: Bool
  private(set) var entries: [CalendarFile.Entry] = []
  /// Components that are open, from the outermost.
  private var open: [String] = []
  private var item: CalendarItem?
  /// Where ``item`` begins, and the first thing that is wrong with it.
  private var offset = 0
  private var fault: ScheduleError?
  private var alarm: CalendarItem.Alarm?
  private var isAlarmKnown = false
  private var isAlarmBroken = false

  init(zones: [String: Zone], isTolerant: Bool) { (self.zones, self.isTolerant) = (zones, isTolerant) }

  /// Whether all components have ended.
  var isClosed: Bool { open.isEmpty }

  mutating func take(_ line: ContentLine) throws(ScheduleError) {
    switch line.name {
    case "BEGIN": try begin(line)
    case "END": try end(line)
    default:
      do throws(ScheduleError) {
        if open.last == "VALARM", item != nil {
          if !isAlarmBroken { try takeAlarm(line) }
          return
        }
        if open.last == item?.kind.rawValue { try takeProperty(line) }
      } catch {
        guard isTolerant else { throw error }
        // Without an alarm, or an end, the item still has its time.
        if open.last == "VALARM" || ["DTEND", "DURATION"].contains(line.name),
          item?.kind == .event || open.last == "VALARM"
        {
          item?.unreadable.append(error.text)
          if open.last == "VALARM" { (isAlarmKnown, isAlarmBroken) = (false, true) }
        } else {
          fault = fault ?? error
        }
      }
    }
  }

  private mutating func begin(_ line: ContentLine) throws(ScheduleError) {
    guard open.count < 20 else { throw ContentLine.damaged(line.range) }
    let component = line.value.uppercased()
    open.append(component)
    if item == nil, let kind = CalendarItem.Kind(rawValue: component) {
      item = CalendarItem(kind, uid: "", summary: "")
      (offset, fault) = (line.range.lowerBound, nil)
    } else if component == "VALARM" {
      alarm = CalendarItem.Alarm(.fromStart(0))
      (isAlarmKnown, isAlarmBroken) = (false, false)
    }
  }

  private mutating func end(_ line: ContentLine) throws(ScheduleError) {
    let component = line.value.uppercased()
    guard open.popLast() == component else { throw ContentLine.damaged(line.range) }
    if component == "VALARM" {
      if let alarm, isAlarmKnown, let count = item?.alarms.count, count < 100 { item?.alarms.append(alarm) }
      alarm = nil
    } else if let finished = item, component == finished.kind.rawValue {
      guard entries.count < CalendarFile.mostItems else { throw ContentLine.damaged(line.range) }
      entries.append(
        .init(
          title: finished.summary.isEmpty ? finished.uid : finished.summary, offset: offset,
          item: fault.map { .failure($0) } ?? .success(finished)))
      item = nil
    }
  }

  private mutating func takeProperty(_ line: ContentLine) throws(ScheduleError) {
    switch line.name {
    case "UID": item?.uid = line.text
    case "SUMMARY": item?.summary = line.text
    case "DESCRIPTION": item?.details = line.text
    case "STATUS": item?.status = line.value.uppercased()
    case "DTSTART": item?.start = try CalendarTime.one(line, zones: zones)
    case "DTEND", "DUE": item?.end = try CalendarTime.one(line, zones: zones)
    case "RECURRENCE-ID":
      if let range = line.parameter("RANGE") {
        throw ScheduleError(
          .unsupported, LocalizedText("RANGE=\(range) is not understood", de: "RANGE=\(range) wird nicht verstanden"),
          advice: LocalizedText(
            "let the calendar write a series of its own", de: "den Kalender eine eigene Reihe schreiben lassen"),
          range: line.range)
      }
      item?.replaces = try CalendarTime.one(line, zones: zones)
    case "DURATION": item?.duration = try CalendarDuration.seconds(line)
    case "RDATE": item?.additional += try CalendarTime.all(line, zones: zones)
    case "EXDATE": item?.excluded += try CalendarTime.all(line, zones: zones)
    case "RRULE":
      let rule = try line.rule(after: item?.rule)
      item?.rule = rule
    default: break
    }
  }

  private mutating func takeAlarm(_ line: ContentLine) throws(ScheduleError) {
    switch line.name {
    case "TRIGGER":
      if line.parameter("VALUE")?.uppercased() == "DATE-TIME" {
        alarm?.trigger = .at(try CalendarTime.one(line, zones: zones).moment(in: .utc))
      } else {
        let seconds = try CalendarDuration.seconds(line)
        alarm?.trigger = line.parameter("RELATED")?.uppercased() == "END" ? .fromEnd(seconds) : .fromStart(seconds)
      }
      isAlarmKnown = true
    case "REPEAT":
      guard let count = Digits.number(line.value.utf8) else { throw line.wrong() }
      alarm?.repetitions = count
    case "DURATION": alarm?.interval = try CalendarDuration.seconds(line)
    default: break
    }
  }
}

extension ContentLine {
  /// The rule of an `RRULE`.
  func rule(after other: RecurrenceRule?) throws(ScheduleError) -> RecurrenceRule {
    guard other == nil else {
      throw ScheduleError(
        .unsupported, LocalizedText("there are several RRULE", de: "es gibt mehrere RRULE"),
        advice: LocalizedText("write one rule for each schedule", de: "je Zeitplan eine Regel schreiben"), range: range)
    }
    do throws(ScheduleError) {
      return try RecurrenceRule(value)
    } catch {
      throw error.moved(by: range.lowerBound + "RRULE:".utf8.count)
    }
  }
}

/// Durations of iCalendar (RFC 5545, section 3.3.6).
enum CalendarDuration {
  /// The seconds of a line's duration, such as `PT1H30M`, `P2D`, `-PT15M`.
  static func seconds(_ line: ContentLine) throws(ScheduleError) -> Int {
    guard let seconds = seconds(line.value) else { throw line.wrong() }
    return seconds
  }

  private static func seconds(_ text: String) -> Int? {
    var bytes = Array(text.uppercased().utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    guard bytes.popFirst() == UInt8(ascii: "P") else { return nil }
    var total = 0
    var isTime = false
    var hasUnit = false
    while let byte = bytes.first {
      if byte == UInt8(ascii: "T"), !isTime {
        isTime = true
        bytes = bytes.dropFirst()
        continue
      }
      let digits = bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard let number = Digits.number(digits), let unit = bytes.dropFirst(digits.count).first else { return nil }
      switch (unit, isTime) {
      case (UInt8(ascii: "W"), false): total += number * 604_800
      case (UInt8(ascii: "D"), false): total += number * 86_400
      case (UInt8(ascii: "H"), true): total += number * 3600
      case (UInt8(ascii: "M"), true): total += number * 60
      case (UInt8(ascii: "S"), true): total += number
      default: return nil
      }
      hasUnit = true
      bytes = bytes.dropFirst(digits.count + 1)
    }
    return hasUnit && total < 1 << 40 ? (isNegative ? -total : total) : nil
  }

  /// A duration as iCalendar writes it.
  static func text(_ seconds: Int) -> String {
    let (days, rest) = (abs(seconds) / 86_400, abs(seconds) % 86_400)
    var text = seconds < 0 ? "-P" : "P"
    if days > 0 { text += "\(days)D" }
    guard rest > 0 || days == 0 else { return text }
    text += "T"
    if rest >= 3600 { text += "\(rest / 3600)H" }
    if rest / 60 % 60 > 0 { text += "\(rest / 60 % 60)M" }
    if rest % 60 > 0 || rest == 0 { text += "\(rest % 60)S" }
    return text
  }
}

import ICalendar

/// Reads iCalendar lines into events (RFC 5545 §3.1), forgivingly and in one pass.
struct CalendarReader {
  private let lines: [String]
  private var zones: [String: CalendarZone] = [:]
  private var method: String?
  private var events: [CalendarEvent] = []
  /// Components that are open, from the outermost.
  private var open: [String] = []
  private var event: CalendarEvent?
  private var duration: Int?
  /// Times whose zone may be defined further down.
  private var times: [String: ContentLine] = [:]
  private var zone: CalendarZone?

  init(_ text: String) { lines = CalendarReader.unfold(text) }

  mutating func read() -> (method: String?, events: [CalendarEvent])? {
    guard lines.contains(where: { $0.uppercased() == "BEGIN:VCALENDAR" }) else { return nil }
    // Zones first: some programs write them after the events.
    for line in lines { readZone(ContentLine(Array(line.utf8))) }
    open = []
    for line in lines { readEvent(ContentLine(Array(line.utf8))) }
    return (method, events)
  }

  /// Lines with their continuations joined; at most 20 000.
  private static func unfold(_ text: String) -> [String] {
    var lines: [String] = []
    for line in text.withPlainLineEnds.split(separator: "\n", omittingEmptySubsequences: true) {
      if line.first == " " || line.first == "\t", !lines.isEmpty {
        if lines[lines.count - 1].utf8.count < 100_000 { lines[lines.count - 1] += line.dropFirst() }
      } else if lines.count < 20_000 {
        lines.append(String(line))
      }
    }
    return lines
  }

  // MARK: Zones

  private mutating func readZone(_ line: ContentLine?) {
    guard let line else { return }
    switch (line.name, line.value.uppercased()) {
    case ("BEGIN", let component):
      if open.count < 20 { open.append(component) }
      if component == "VTIMEZONE" { zone = CalendarZone() }
      if component == "STANDARD" || component == "DAYLIGHT" { zone?.begin() }
    case ("END", let component):
      if let position = open.lastIndex(of: component) { open.removeSubrange(position...) }
      if component == "VTIMEZONE", let finished = zone {
        if zones.count < 50 { zones[finished.name] = finished }
        zone = nil
      }
    case ("TZID", _): zone?.name = line.value
    default: zone?.take(line)
    }
  }

  // MARK: Events

  private mutating func readEvent(_ line: ContentLine?) {
    guard let line else { return }
    switch (line.name, line.value.uppercased()) {
    case ("BEGIN", let component):
      if open.count < 20 { open.append(component) }
      if component == "VEVENT" || component == "VTODO", event == nil {
        event = CalendarEvent()
        duration = nil
        times = [:]
      }
    case ("END", let component):
      if let position = open.lastIndex(of: component) { open.removeSubrange(position...) }
      if component == "VEVENT" || component == "VTODO" { finishEvent() }
    case ("METHOD", _) where event == nil: method = method ?? line.value.trimmingASCIIWhitespace
    // Properties within an alarm belong to the alarm.
    case _ where open.last == "VEVENT" || open.last == "VTODO": takeProperty(line)
    default: break
    }
  }

  private mutating func takeProperty(_ line: ContentLine) {
    switch line.name {
    case "UID": event?.uid = line.value
    case "SEQUENCE": event?.sequence = max(0, Int(line.value.trimmingASCIIWhitespace) ?? 0)
    case "SUMMARY": event?.summary = line.text.collapsingWhitespace
    case "LOCATION": event?.location = line.text.trimmingASCIIWhitespace.nilIfEmpty
    case "DESCRIPTION": event?.details = line.text.trimmingASCIIWhitespace.nilIfEmpty
    case "STATUS": event?.status = line.value.trimmingASCIIWhitespace.uppercased()
    case "RRULE": if event?.recurrence == nil { event?.recurrence = line.value }
    case "ORGANIZER": event?.organizer = CalendarReader.participant(line)
    case "ATTENDEE":
      if let count = event?.attendees.count, count < 1000 {
        event?.attendees.append(CalendarReader.participant(line))
      }
    case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID": times[line.name] = times[line.name] ?? line
    case "DURATION": duration = CalendarReader.seconds(line.value)
    default: break
    }
  }

  private mutating func finishEvent() {
    guard var finished = event else { return }
    event = nil
    finished.start = times["DTSTART"].flatMap(time)
    finished.end = (times["DTEND"] ?? times["DUE"]).flatMap(time)
    finished.recurrenceID = times["RECURRENCE-ID"].flatMap(time)
    if finished.end == nil, let duration, var end = finished.start {
      end.date = MessageDate(
        secondsSinceEpoch: end.date.secondsSinceEpoch + duration, zoneOffset: end.date.zoneOffset)
      finished.end = end
    }
    if events.count < 500 { events.append(finished) }
  }

  private static func participant(_ line: ContentLine) -> CalendarEvent.Participant {
    let value = line.value.trimmingASCIIWhitespace
    let isMail = value.lowercased().hasPrefix("mailto:")
    let email = line.parameter("EMAIL")
    let address =
      isMail
      ? HTMLSanitizer.percentDecoded(String(value.dropFirst(7)))
      : email ?? (value.contains("@") && !value.contains(":") ? value : "")
    return CalendarEvent.Participant(
      address: Address(name: line.parameter("CN")?.nilIfEmpty, address: address.trimmingASCIIWhitespace),
      role: line.parameter("ROLE")?.uppercased(), status: line.parameter("PARTSTAT")?.uppercased(),
      isAnswerWanted: line.parameter("RSVP")?.uppercased() == "TRUE")
  }

  // MARK: Times

  private func time(_ line: ContentLine) -> EventTime? {
    guard let local = CalendarReader.localTime(line.value) else { return nil }
    if local.isDay || line.parameter("VALUE")?.uppercased() == "DATE" {
      return EventTime(date: local.date, isDay: true, zone: nil, isInstantKnown: false)
    }
    if local.isUTC { return EventTime(date: local.date, isDay: false, zone: "UTC", isInstantKnown: true) }
    guard let name = line.parameter("TZID") else {
      return EventTime(date: local.date, isDay: false, zone: nil, isInstantKnown: false)
    }
    guard let offset = zones[name]?.offset(atLocal: local.date.secondsSinceEpoch) else {
      let isUTC = ["UTC", "ETC/UTC", "GMT", "ETC/GMT"].contains(name.uppercased())
      return EventTime(date: local.date, isDay: false, zone: name, isInstantKnown: isUTC)
    }
    let date = MessageDate(secondsSinceEpoch: local.date.secondsSinceEpoch - offset, zoneOffset: offset)
    return EventTime(date: date, isDay: false, zone: name, isInstantKnown: true)
  }

  /// `20261130`, `20261130T140000`, `20261130T140000Z`, the time of day as if it were UTC.
  static func localTime(_ value: String) -> (date: MessageDate, isDay: Bool, isUTC: Bool)? {
    let text = Array(value.trimmingASCIIWhitespace.utf8)
    guard text.count >= 8, text[..<8].allSatisfy(\.isDigit) else { return nil }
    func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    let isDay = text.count < 15
    if !isDay, text[8] != UInt8(ascii: "T") || !text[9..<15].allSatisfy(\.isDigit) { return nil }
    let date = MessageDate(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: isDay ? 0 : number(9..<11),
      minute: isDay ? 0 : number(11..<13), second: isDay ? 0 : number(13..<15), zoneOffset: 0)
    return date.map { ($0, isDay, text.last == UInt8(ascii: "Z")) }
  }

  /// The seconds of a duration such as `PT1H30M`, `P2D`, `-PT15M`.
  private static func seconds(_ value: String) -> Int? {
    var total = 0
    var number = 0
    var hasDigits = false
    for byte in value.trimmingASCIIWhitespace.uppercased().utf8 {
      if byte.isDigit {
        number = min(number * 10 + Int(byte - 0x30), 1_000_000)
        hasDigits = true
        continue
      }
      let unit: Int
      switch byte {
      case UInt8(ascii: "W"): unit = 604_800
      case UInt8(ascii: "D"): unit = 86_400
      case UInt8(ascii: "H"): unit = 3600
      case UInt8(ascii: "M"): unit = 60
      case UInt8(ascii: "S"): unit = 1
      case UInt8(ascii: "P"), UInt8(ascii: "T"), UInt8(ascii: "+"): unit = 0
      default: return nil
      }
      total = min(total + number * unit, 1_000_000_000)
      number = 0
    }
    return hasDigits ? total : nil
  }
}

extension String {
  /// The text, or `nil` if it is empty.
  var nilIfEmpty: String? { isEmpty ? nil : self }
}

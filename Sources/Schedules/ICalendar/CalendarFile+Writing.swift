public import Foundation

extension CalendarFile {
  /// The items as the content of an .ics file (RFC 5545): lines of at most 75 bytes that end with CRLF.
  ///
  /// Zones are defined with their changes until ten years after the last date that an item names.
  ///
  /// - Parameter stamp: When the file is written.
  public func text(stamp: Date) -> String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sous//Sous//EN"]
    lines += zoneLines
    for item in items { lines += item.lines(stamp: stamp) }
    lines.append("END:VCALENDAR")
    return lines.map { Self.folded($0) + "\r\n" }.joined()
  }

  /// A line with continuations, none of which breaks a character.
  private static func folded(_ line: String) -> String {
    guard line.utf8.count > 75 else { return line }
    var output = ""
    var length = 0
    for scalar in line.unicodeScalars {
      let size = String(scalar).utf8.count
      if length + size > 75 {
        output += "\r\n "
        length = 1
      }
      output.unicodeScalars.append(scalar)
      length += size
    }
    return output
  }

  private var zoneLines: [String] {
    var years: [Zone: ClosedRange<Int>] = [:]
    for item in items {
      let times = [item.start, item.end, item.replaces].compactMap(\.self) + item.additional + item.excluded
      for time in times {
        guard let zone = time.zone, zone != .utc else { continue }
        let year = time.local.date.year
        let known = years[zone] ?? year...year
        years[zone] = min(known.lowerBound, year)...max(known.upperBound, year)
      }
    }
    return years.sorted { $0.key.identifier < $1.key.identifier }.flatMap { $0.key.definition($0.value) }
  }
}

extension Zone {
  /// `VTIMEZONE` with the changes of some years and ten more.
  fileprivate func definition(_ years: ClosedRange<Int>) -> [String] {
    let first = Civil.day(years.lowerBound - 1, 1, 1) * Civil.secondsPerDay
    let last = Civil.day(min(years.upperBound + 10, 9998), 12, 31) * Civil.secondsPerDay
    var segment = segment(at: first)
    let base = segment.offset
    // The offsets before and after each change, with the local times at which it happens.
    var changes: [(from: Int, to: Int, times: [LocalTime])] = [(base, base, [LocalTime(seconds: first + base)])]
    while segment.end <= last {
      let next = self.segment(at: segment.end)
      if next.offset != segment.offset {
        let time = LocalTime(seconds: segment.end + segment.offset)
        if let known = changes.firstIndex(where: { $0.from == segment.offset && $0.to == next.offset }) {
          changes[known].times.append(time)
        } else {
          changes.append((segment.offset, next.offset, [time]))
        }
      }
      segment = next
    }
    var lines = ["BEGIN:VTIMEZONE", "TZID:\(identifier)"]
    let standard = changes.map(\.to).min() ?? base
    for change in changes {
      let name = change.to == standard ? "STANDARD" : "DAYLIGHT"
      let times = change.times.map { CalendarTime($0).text }
      lines += ["BEGIN:\(name)", "DTSTART:\(times.first ?? "")"]
      if times.count > 1 { lines.append("RDATE:\(times.dropFirst().joined(separator: ","))") }
      lines += ["TZOFFSETFROM:\(Self.text(change.from))", "TZOFFSETTO:\(Self.text(change.to))", "END:\(name)"]
    }
    return lines + ["END:VTIMEZONE"]
  }

  private static func text(_ offset: Int) -> String {
    let seconds = abs(offset) % 60 == 0 ? "" : Digits.padded(abs(offset) % 60, 2)
    return (offset < 0 ? "-" : "+") + Digits.padded(abs(offset) / 3600, 2) + Digits.padded(abs(offset) / 60 % 60, 2)
      + seconds
  }
}

extension CalendarItem {
  fileprivate func lines(stamp: Date) -> [String] {
    let now = CalendarTime(Zone.utc.local(stamp), zone: .utc)
    var lines = ["BEGIN:\(kind.rawValue)", "UID:\(Self.escaped(uid))", now.line("DTSTAMP")]
    if let start { lines.append(start.line("DTSTART")) }
    if let end { lines.append(end.line(kind == .event ? "DTEND" : "DUE")) }
    if let duration, end == nil { lines.append("DURATION:\(CalendarDuration.text(duration))") }
    if let replaces { lines.append(replaces.line("RECURRENCE-ID")) }
    lines.append("SUMMARY:\(Self.escaped(summary))")
    if let details { lines.append("DESCRIPTION:\(Self.escaped(details))") }
    if let rule { lines.append("RRULE:\(rule.source.uppercased())") }
    lines += additional.map { $0.line("RDATE") }
    lines += excluded.map { $0.line("EXDATE") }
    if let status { lines.append("STATUS:\(Self.escaped(status))") }
    for alarm in alarms { lines += self.lines(alarm) }
    return lines + ["END:\(kind.rawValue)"]
  }

  private func lines(_ alarm: Alarm) -> [String] {
    var lines = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(Self.escaped(summary))"]
    switch alarm.trigger {
    case .fromStart(let seconds): lines.append("TRIGGER:\(CalendarDuration.text(seconds))")
    case .fromEnd(let seconds): lines.append("TRIGGER;RELATED=END:\(CalendarDuration.text(seconds))")
    case .at(let date):
      lines.append("TRIGGER;VALUE=DATE-TIME:\(CalendarTime(Zone.utc.local(date), zone: .utc).text)")
    }
    if alarm.repetitions > 0 {
      lines += ["REPEAT:\(alarm.repetitions)", "DURATION:\(CalendarDuration.text(alarm.interval))"]
    }
    return lines + ["END:VALARM"]
  }

  /// Text with escapes (RFC 5545, section 3.3.11); control characters but the end of a line and the tab are left out.
  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": output += "\\" + String(scalar)
      case "\n": output += "\\n"
      case _ where scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F: break
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}

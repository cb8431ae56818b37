import Localization

/// A content line of iCalendar: `NAME;PARAMETER=value:value` (RFC 5545, section 3.1).
struct ContentLine {
  /// The name in upper case.
  let name: String
  /// Names in upper case, and their values without quotes.
  let parameters: [(name: String, value: String)]
  /// The value as written.
  let value: String
  /// Where the line stands in the text, in UTF-8 bytes.
  let range: Range<Int>

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
        if !pending.isEmpty { lines.append(try ContentLine(pending, place)) }
        (pending, place) = (Array(line), index..<end)
      }
      guard lines.count < 200_000 else { throw damaged(place) }
      index = end + 1
    }
    if !pending.isEmpty { lines.append(try ContentLine(pending, place)) }
    return lines
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>) throws(ScheduleError) {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var isQuoted = false
    var colon: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        pieces.append(bytes[start..<index])
        start = index + 1
        if byte == UInt8(ascii: ":") {
          colon = index
          break
        }
      }
    }
    guard let colon, let first = pieces.first, !first.isEmpty, first.count <= 100, pieces.count <= 50 else {
      throw Self.damaged(range)
    }
    name = String(decoding: first, as: UTF8.self).uppercased()
    value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    self.range = range
    parameters = pieces.dropFirst().compactMap { piece in
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let content = piece[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
      return (String(decoding: piece[..<equals], as: UTF8.self).uppercased(), String(decoding: content, as: UTF8.self))
    }
  }

  /// A parameter by its name in upper case.
  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The value as text: escapes decoded (RFC 5545, section 3.3.11).
  var text: String {
    var output = ""
    var isEscaped = false
    for character in value.unicodeScalars {
      if isEscaped {
        output.unicodeScalars.append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        output.unicodeScalars.append(character)
      }
    }
    return output
  }

  static func damaged(_ range: Range<Int>) -> ScheduleError {
    ScheduleError(
      .invalidCalendar,
      LocalizedText("this is no line of iCalendar data", de: "das ist keine Zeile von iCalendar-Daten"),
      advice: LocalizedText(
        "lines look like DTSTART:20261124T090000 (RFC 5545)",
        de: "Zeilen sehen aus wie DTSTART:20261124T090000 (RFC 5545)"),
      range: range)
  }

  /// What the line means is not clear.
  func wrong() -> ScheduleError {
    ScheduleError(
      .invalidCalendar,
      LocalizedText(
        "'\(value.prefix(60))' is no value for \(name)", de: "'\(value.prefix(60))' ist kein Wert für \(name)"),
      advice: LocalizedText(
        "times look like 20261124T090000, 20261124T080000Z or 20261124, durations like PT15M (RFC 5545)",
        de: "Zeiten sehen aus wie 20261124T090000, 20261124T080000Z oder 20261124, Dauern wie PT15M (RFC 5545)"),
      range: range)
  }
}

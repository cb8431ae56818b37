import Localization

/// The formats of texts that are checked; others are notes for readers.
enum SchemaFormat: String, CaseIterable {
  /// RFC 3339 `date-time`.
  case dateTime = "date-time"
  /// RFC 3339 `full-date`.
  case date
  /// An address as RFC 5321 has it, simple form.
  case email
  /// Whom a message is from or goes to, as RFC 5322 has it: `me@example.com`, or `Me <me@example.com>`.
  case address
  /// RFC 3986, with a scheme.
  case uri
  /// `90s`, `1m30s`, or the ISO 8601 form `PT1M30S`.
  case duration
  /// The name of a mail folder with levels separated by `/`. It does not begin with `/` and has no level `.` or `..`: with these,
  /// a server that stores mail in files could leave the mailbox.
  case mailFolder = "mail-folder"

  var message: LocalizedText {
    switch self {
    case .dateTime:
      LocalizedText(
        "must be a date with time, like 2027-01-01T08:00:00Z",
        de: "muss ein Datum mit Zeit sein, wie 2027-01-01T08:00:00Z")
    case .date: LocalizedText("must be a date, like 2027-01-01", de: "muss ein Datum sein, wie 2027-01-01")
    case .email: LocalizedText("must be a mail address", de: "muss eine Mail-Adresse sein")
    case .address:
      LocalizedText(
        "must be one mail address, like me@example.com or Me <me@example.com>",
        de: "muss eine einzelne Mail-Adresse sein, wie me@example.com oder Me <me@example.com>")
    case .uri:
      LocalizedText("must be a URI, like https://example.com", de: "muss eine URI sein, wie https://example.com")
    case .duration: LocalizedText("must be a duration, like 90s", de: "muss eine Dauer sein, wie 90s")
    case .mailFolder:
      LocalizedText(
        "must be the name of a mail folder, like Archive/2026: no '/' at the beginning, no level '.' or '..'",
        de: "muss der Name eines Mail-Ordners sein, wie Archiv/2026: kein '/' am Anfang, keine Ebene '.' oder '..'")
    }
  }

  func accepts(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    switch self {
    case .dateTime: return Self.isDateTime(bytes)
    case .date: return bytes.count == 10 && Self.isDate(bytes[...])
    case .email: return Self.isEmail(bytes)
    case .address: return MailAddressText.isAddress(text)
    case .uri: return Self.isURI(bytes)
    case .duration: return DurationText.seconds(text) != nil || Self.isISODuration(bytes)
    case .mailFolder: return Self.isMailFolder(bytes)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int? {
    guard bytes.count >= count else { return nil }
    var result = 0
    for byte in bytes.prefix(count) {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      result = result * 10 + Int(byte - 0x30)
    }
    return result
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(bytes)
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0...], 4), let month = number(bytes[5...], 2), let day = number(bytes[8...], 2),
      (1...12).contains(month), day >= 1
    else { return false }
    let isLeap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day <= days[month - 1]
  }

  private static func isDateTime(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 20, isDate(bytes[0...]), bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = number(bytes[11...], 2), let minute = number(bytes[14...], 2), let second = number(bytes[17...], 2),
      hour < 24, minute < 60, second <= 60
    else { return false }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.count == 1, let zone = rest.first { return zone == UInt8(ascii: "Z") || zone == UInt8(ascii: "z") }
    let zone = Array(rest)
    guard zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"), zone[3] == UInt8(ascii: ":"),
      let hours = number(zone[1...], 2), let minutes = number(zone[4...], 2)
    else { return false }
    return hours < 24 && minutes < 60
  }

  private static func isEmail(_ bytes: [UInt8]) -> Bool {
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > 0, at + 1 < bytes.count, bytes.count <= 254 else {
      return false
    }
    let isClean = bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    let domain = bytes[(at + 1)...]
    return isClean && !bytes[..<at].contains(UInt8(ascii: "@")) && domain.first != UInt8(ascii: ".")
      && domain.last != UInt8(ascii: ".") && !domain.contains(UInt8(ascii: ","))
  }

  private static func isMailFolder(_ bytes: [UInt8]) -> Bool {
    let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
    guard bytes.first != slash, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return false }
    return bytes.split(separator: slash).allSatisfy { $0 != [dot] && $0 != [dot, dot] }
  }

  private static func isURI(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < bytes.count else { return false }
    let scheme = bytes[..<colon]
    let isLetter = { (byte: UInt8) in (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
    guard let first = scheme.first, isLetter(first) else { return false }
    let isScheme = scheme.allSatisfy { isLetter($0) || ($0 >= 0x30 && $0 <= 0x39) || [0x2B, 0x2D, 0x2E].contains($0) }
    let forbidden: Set<UInt8> = [0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D]
    return isScheme && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }
  }

  /// `P[nY][nM][nD][T[nH][nM][nS]]` or `PnW`.
  private static func isISODuration(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == UInt8(ascii: "P"), bytes.count > 2 else { return false }
    var units: [UInt8] = Array("YMWD".utf8)
    var inTime = false
    var index = 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "T"), !inTime {
        inTime = true
        units = Array("HMS".utf8)
        index += 1
        guard index < bytes.count else { return false }
      }
      let digits = bytes[index...].prefix { $0 >= 0x30 && $0 <= 0x39 }
      index += digits.count
      guard !digits.isEmpty, index < bytes.count, let unit = units.firstIndex(of: bytes[index]) else { return false }
      units.removeFirst(unit + 1)
      index += 1
    }
    return true
  }
}

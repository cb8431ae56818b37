extension MessageDate {
  /// Reads a date in the form of RFC 5322, its obsolete forms, or one of the forms that broken writers use instead:
  /// RFC 3339, `asctime`, a month by number or in German, a clock with AM or PM, an offset with a colon.
  ///
  /// Of a `Received` field's value the part after the last semicolon is read. A missing zone means UTC, as `-0000` does; a
  /// two-digit year below 50 is in this century.
  ///
  /// - Returns: `nil` if the text names no day and no time of day, or one that does not exist.
  public init?(parsing text: String) {
    if let date = MessageDate.canonical(text) {
      self = date
      return
    }
    var state = ParsingState()
    let start = text.lastIndex(of: ";").map { text.index(after: $0) } ?? text.startIndex
    for token in MessageDate.tokens(of: text[start...]) { state.take(token) }
    guard let date = state.date else { return nil }
    self = date
  }

  /// Reads the form of RFC 5322 that nearly every message has, `Thu, 5 Nov 2026 09:02:13 +0100`; `nil` for all others.
  private static func canonical(_ text: String) -> MessageDate? {
    var text = text
    return text.withUTF8 { bytes -> MessageDate? in
      var index = 0
      func number(_ digits: ClosedRange<Int>) -> Int? {
        let start = index
        var value = 0
        while index < bytes.count, bytes[index].isDigit, index - start < digits.upperBound {
          value = value * 10 + Int(bytes[index] - 0x30)
          index += 1
        }
        return digits.contains(index - start) ? value : nil
      }
      func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
      }
      if bytes.count > 5, bytes[3] == UInt8(ascii: ","), bytes[4] == UInt8.space { index = 5 }
      let space = UInt8.space
      guard let day = number(1...2), skip(space), let month = month(bytes, at: index) else { return nil }
      index += 3
      guard skip(space), let year = number(4...4), skip(space), let hour = number(2...2), skip(UInt8(ascii: ":")),
        let minute = number(2...2), skip(UInt8(ascii: ":")), let second = number(2...2), skip(space),
        index < bytes.count
      else { return nil }
      let sign = bytes[index]
      index += 1
      guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let zone = number(4...4), index == bytes.count,
        zone % 100 < 60, zone < 1500, year >= 1900
      else { return nil }
      let offset = (zone / 100 * 60 + zone % 100) * 60
      return MessageDate(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        zoneOffset: sign == UInt8(ascii: "-") ? -offset : offset)
    }
  }

  private static func month(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    guard index + 3 <= bytes.count else { return nil }
    switch (bytes[index] | 0x20, bytes[index + 1] | 0x20, bytes[index + 2] | 0x20) {
    case (0x6A, 0x61, 0x6E): return 1
    case (0x66, 0x65, 0x62): return 2
    case (0x6D, 0x61, 0x72): return 3
    case (0x61, 0x70, 0x72): return 4
    case (0x6D, 0x61, 0x79): return 5
    case (0x6A, 0x75, 0x6E): return 6
    case (0x6A, 0x75, 0x6C): return 7
    case (0x61, 0x75, 0x67): return 8
    case (0x73, 0x65, 0x70): return 9
    case (0x6F, 0x63, 0x74): return 10
    case (0x6E, 0x6F, 0x76): return 11
    case (0x64, 0x65, 0x63): return 12
    default: return nil
    }
  }

  private enum Token {
    case number(Int, digits: Int)
    case word(String)
    /// `+` or `-` right before digits, or another sign.
    case sign(UInt8)
  }

  /// Words, numbers and signs, comments left out; at most 64, more than any date has.
  private static func tokens(of text: Substring) -> [Token] {
    var tokens: [Token] = []
    let bytes = Array(text.utf8.prefix(512))
    var index = 0
    var depth = 0
    while index < bytes.count, tokens.count < 64 {
      let byte = bytes[index]
      if byte == UInt8(ascii: "(") {
        depth += 1
        index += 1
      } else if byte == UInt8(ascii: ")") {
        depth = max(0, depth - 1)
        index += 1
      } else if depth > 0 || byte.isMailWhitespace || byte == UInt8(ascii: ",") {
        index += 1
      } else if byte.isDigit {
        let start = index
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        let digits = index - start
        let number = Int(String(decoding: bytes[start..<index].prefix(9), as: UTF8.self)) ?? 0
        tokens.append(.number(number, digits: digits))
      } else if byte.isASCIILetter || byte >= 0x80 {
        let start = index
        while index < bytes.count, bytes[index].isASCIILetter || bytes[index] >= 0x80 { index += 1 }
        tokens.append(.word(String(decoding: bytes[start..<index], as: UTF8.self).lowercased()))
      } else {
        tokens.append(.sign(byte))
        index += 1
      }
    }
    return tokens
  }

  /// The parts that have been recognised so far. Day, month, year and clock may come in any order that leaves no doubt.
  private struct ParsingState {
    private var day: Int?
    private var month: Int?
    private var year: Int?
    private var clock: [Int] = []
    private var offset: Int?
    private var sign: UInt8?
    private var offsetHours: Int?
    private var afternoon: Bool?
    /// A colon was read: the next number continues the clock or the offset.
    private var afterColon = false
    /// The number just read and what it was taken for, as long as a colon may still show it to be an hour.
    private var lastNumber: Int?
    private var lastRole: WritableKeyPath<ParsingState, Int?>?
    private var isFraction = false
    /// Day and month are written with slashes, before the year.
    private var isSlashed = false
    /// The clock is written with dots.
    private var isDotted = false

    /// Whether the number just read is none of the date's.
    private var startsDottedClock: Bool {
      clock.isEmpty && day != nil && month != nil && year != nil && lastNumber != nil && lastRole == nil
    }

    mutating func take(_ token: Token) {
      switch token {
      case .sign(let byte):
        if byte == UInt8(ascii: ":") {
          afterColon = true
          if clock.isEmpty, let hour = lastNumber {
            clock = [hour]
            if let lastRole { self[keyPath: lastRole] = nil }
          }
        } else if byte == UInt8(ascii: "."), clock.count == 3 {
          isFraction = true
        } else if byte == UInt8(ascii: "."), startsDottedClock || isDotted {
          // `10.00.00` behind a whole date.
          if let hour = lastNumber, clock.isEmpty { clock = [hour] }
          isDotted = true
          afterColon = true
        } else {
          if byte == UInt8(ascii: "/"), year == nil { isSlashed = true }
          sign = byte
        }
      case .number(let number, let digits):
        takeNumber(number, digits: digits)
        sign = nil
        afterColon = false
        isFraction = false
      case .word(let word):
        takeWord(word)
        sign = nil
        afterColon = false
      }
    }

    private mutating func takeNumber(_ number: Int, digits: Int) {
      if isFraction { return }
      if afterColon {
        if let hours = offsetHours {
          offset = (offset ?? 0) + (hours < 0 ? -1 : 1) * min(number, 59) * 60
          offsetHours = nil
        } else if !clock.isEmpty, clock.count < 3 {
          clock.append(number)
        }
        lastNumber = nil
        return
      }
      if let sign, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), clock.count >= 2, offset == nil {
        takeOffset(number, digits: digits, isNegative: sign == UInt8(ascii: "-"))
        return
      }
      lastNumber = number
      lastRole = role(digits: digits)
      guard let lastRole else { return }
      if lastRole == \.year, digits < 4 {
        year = digits == 3 || number >= 50 ? 1900 + number : 2000 + number
      } else {
        self[keyPath: lastRole] = number
      }
    }

    /// The meaning of a number that is neither clock nor zone, by its width and by the parts that are missing.
    private func role(digits: Int) -> WritableKeyPath<ParsingState, Int?>? {
      if digits >= 3 { return year == nil ? \.year : nil }
      // Year first, so the month comes next.
      if year != nil, month == nil { return \.month }
      if day == nil { return \.day }
      if month == nil { return \.month }
      return year == nil ? \.year : nil
    }

    private mutating func takeOffset(_ number: Int, digits: Int, isNegative: Bool) {
      let direction = isNegative ? -1 : 1
      if digits <= 2 {
        offset = direction * min(number, 23) * 3600
        offsetHours = direction
      } else {
        // A zone beyond a day is a mistake; the instant is then read as UTC.
        let hours = number / 100 % 100
        let minutes = number % 100
        offset = hours > 23 || minutes > 59 ? 0 : direction * (hours * 3600 + minutes * 60)
      }
    }

    private mutating func takeWord(_ word: String) {
      if word == "am" || word == "pm" {
        afternoon = word == "pm"
      } else if let number = MessageDate.month(named: word) {
        if month == nil {
          month = number
        } else if day == nil, let misread = month {
          // A number before the name was the day after all.
          day = misread
          month = number
        }
      } else if clock.count >= 2, offset == nil, let hours = MessageDate.zones[word] {
        offset = hours * 3600 / 10
        // `GMT+0200`: the sign that follows decides.
        if word == "gmt" || word == "utc" || word == "ut" { offset = nil }
      }
    }

    var date: MessageDate? {
      guard var day, var month, let year, clock.count >= 2 else { return nil }
      // `11/25/2026`, as in America, where it can be nothing else, or where the clock is American too.
      if month > 12 || isSlashed && afternoon != nil, day <= 12 { swap(&day, &month) }
      var hour = clock[0]
      if let afternoon, hour >= 1, hour <= 12 { hour = hour % 12 + (afternoon ? 12 : 0) }
      return MessageDate(
        year: year, month: month, day: day, hour: hour, minute: clock[1], second: clock.count > 2 ? clock[2] : 0,
        zoneOffset: offset ?? 0)
    }
  }

  private static func month(named word: String) -> Int? {
    switch word.prefix(3) {
    case "jan", "jän": 1
    case "feb": 2
    case "mar", "mär", "mrz": 3
    case "apr": 4
    case "may", "mai": 5
    case "jun": 6
    case "jul": 7
    case "aug": 8
    case "sep": 9
    case "oct", "okt": 10
    case "nov": 11
    case "dec", "dez": 12
    default: nil
    }
  }

  /// Zones by name in tenths of an hour east of UTC (RFC 5322 §4.3, and those of Europe, Asia and Australia that turn up).
  /// Military letters mean UTC there, as their signs were defined wrongly.
  private static let zones: [String: Int] = [
    "z": 0, "gmt": 0, "utc": 0, "ut": 0, "wet": 0, "west": 10, "bst": 10, "cet": 10, "mez": 10, "met": 10,
    "cest": 20, "mesz": 20, "mest": 20, "eet": 20, "eest": 30, "msk": 30, "ist": 55, "hkt": 80, "sgt": 80, "awst": 80,
    "jst": 90, "kst": 90, "aest": 100, "aedt": 110, "nzst": 120, "nzdt": 130,
    "est": -50, "edt": -40, "cst": -60, "cdt": -50, "mst": -70, "mdt": -60, "pst": -80, "pdt": -70, "akst": -90,
    "akdt": -80, "hst": -100,
  ]
}

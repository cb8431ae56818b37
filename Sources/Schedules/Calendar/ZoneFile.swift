private import Glibc

/// The clock changes of a zone as the system's zone database has them (TZif, RFC 9636).
///
/// Foundation brings a zone database of its own, which is as old as the toolchain; that of the system follows the law by
/// ordinary updates.
struct ZoneFile: Sendable {
  /// The folder of the zone database.
  static let folder = "/usr/share/zoneinfo"
  /// The longest file that is read.
  private static let longest = 256 * 1024

  /// When the clock changes, in seconds since 1970, sorted.
  private let changes: [Int]
  /// The distance from UTC after each change, in seconds east.
  private let offsets: [Int]
  /// The distance before the first change.
  private let first: Int
  /// The rule after the last change.
  private let rule: ZoneRule?

  /// Finds a zone by its name; `nil` if the system has none of that name.
  static func named(_ identifier: String) -> ZoneFile? {
    let isName = identifier.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            || "_-+".utf8.contains(byte)
        }
    }
    guard isName, let bytes = contents(of: "\(folder)/\(identifier)") else { return nil }
    return ZoneFile(bytes)
  }

  /// A zone whose clock changes are known.
  ///
  /// - Parameters:
  ///   - changes: When the clock changes, in seconds since 1970, sorted, with the distance from UTC after it.
  ///   - first: The distance before the first change.
  ///   - rule: The rule after the last change.
  init(changes: [(moment: Int, offset: Int)], first: Int, rule: ZoneRule? = nil) {
    (self.changes, offsets) = (changes.map(\.moment), changes.map(\.offset))
    (self.first, self.rule) = (first, rule)
  }

  /// The bytes of a file; `nil` if it cannot be read.
  static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: longest)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Reads the contents of a file; `nil` if they are not a zone.
  init?(_ bytes: [UInt8]) {
    guard let old = Header(bytes, at: 0), old.version >= 2,
      let header = Header(bytes, at: old.end(timeSize: 4)), header.types > 0,
      header.end(timeSize: 8) <= bytes.count
    else { return nil }
    func number(_ at: Int, _ count: Int) -> Int {
      let value = bytes[at..<at + count].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return count == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(Int64(bitPattern: value))
    }
    let times = header.start
    let indexes = times + 8 * header.times
    let types = indexes + header.times
    let known = (0..<header.types).map { number(types + 6 * $0, 4) }
    guard known.allSatisfy({ abs($0) < 26 * 3600 }) else { return nil }
    let found = (0..<header.times).map { (number(times + 8 * $0, 8), Int(bytes[indexes + $0])) }
    guard found.allSatisfy({ known.indices.contains($0.1) }), zip(found, found.dropFirst()).allSatisfy({ $0.0 < $1.0 })
    else { return nil }
    changes = found.map(\.0)
    offsets = found.map { known[$0.1] }
    first = known[0]
    let footer = bytes[header.end(timeSize: 8)...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
    rule = footer.isEmpty ? nil : ZoneRule(String(decoding: footer, as: UTF8.self))
  }

  /// Seconds east of UTC at a moment in seconds since 1970.
  func offset(at moment: Int) -> Int {
    guard let last = changes.last else { return rule?.offset(at: moment) ?? first }
    if moment >= last { return rule?.offset(at: moment) ?? offsets[offsets.count - 1] }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  /// The header of a block of data.
  private struct Header {
    var version: Int
    var start: Int
    var times: Int
    var types: Int
    private var others: Int
    private var leaps: Int

    init?(_ bytes: [UInt8], at offset: Int) {
      guard offset >= 0, bytes.count >= offset + 44, Array(bytes[offset..<offset + 4]) == Array("TZif".utf8) else {
        return nil
      }
      let counts = (0..<6).map { index in
        bytes[offset + 20 + 4 * index..<offset + 24 + 4 * index].reduce(0) { $0 << 8 | Int($1) }
      }
      guard counts.allSatisfy({ $0 <= 1 << 17 }) else { return nil }
      version = bytes[offset + 4] == 0 ? 1 : Int(bytes[offset + 4]) - 0x30
      start = offset + 44
      (times, types, leaps) = (counts[3], counts[4], counts[2])
      others = counts[0] + counts[1] + counts[5]
    }

    /// Where the block ends.
    func end(timeSize: Int) -> Int { start + times * (timeSize + 1) + types * 6 + others + leaps * (timeSize + 4) }
  }
}

/// The rule that holds after the last change of a file: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX `TZ`, with the extensions of
/// RFC 9636).
struct ZoneRule: Sendable, Equatable {
  /// A day of the year and a time, which may lie on another day.
  private enum Day: Sendable, Equatable {
    /// The nth weekday of a month, 5 for the last.
    case weekday(month: Int, week: Int, day: Int)
    /// A day from 1 to 365 that leaves 29 February out.
    case julian(Int)
    /// A day from 0 to 365.
    case ordinal(Int)
  }

  private struct Change: Sendable, Equatable {
    var day: Day
    var time: Int
  }

  private let standard: Int
  private let summer: (offset: Int, begin: Change, end: Change)?

  static func == (left: ZoneRule, right: ZoneRule) -> Bool {
    left.standard == right.standard && left.summer?.offset == right.summer?.offset
      && left.summer?.begin == right.summer?.begin && left.summer?.end == right.summer?.end
  }

  /// Reads a rule; `nil` if the text is none.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard Self.skipName(&rest), let standard = Self.time(&rest) else { return nil }
    self.standard = -standard
    guard !rest.isEmpty else {
      summer = nil
      return
    }
    guard Self.skipName(&rest) else { return nil }
    var offset = self.standard + 3600
    if rest.first != UInt8(ascii: ",") {
      guard let written = Self.time(&rest) else { return nil }
      offset = -written
    }
    guard let begin = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else { return nil }
    summer = (offset, begin, end)
  }

  /// Seconds east of UTC at a moment in seconds since 1970.
  func offset(at moment: Int) -> Int {
    guard let summer else { return standard }
    let year = Civil.date(Civil.floor(moment + standard, Civil.secondsPerDay)).year
    let begin = Self.seconds(summer.begin, year) - standard
    let end = Self.seconds(summer.end, year) - summer.offset
    let isSummer = begin < end ? moment >= begin && moment < end : !(moment >= end && moment < begin)
    return isSummer ? summer.offset : standard
  }

  /// A change of a year on the clock before it, in seconds since 1970.
  private static func seconds(_ change: Change, _ year: Int) -> Int {
    let day: Int
    switch change.day {
    case .weekday(let month, let week, let weekday):
      let first = Civil.day(year, month, 1)
      var found = first + (weekday - Civil.weekday(first) + 7) % 7 + 7 * (week - 1)
      while found >= first + Civil.length(year, month) { found -= 7 }
      day = found
    case .julian(let number):
      let isLeap = Civil.length(year, 2) == 29
      day = Civil.day(year, 1, 1) + number - 1 + (isLeap && number >= 60 ? 1 : 0)
    case .ordinal(let number): day = Civil.day(year, 1, 1) + number
    }
    return day * Civil.secondsPerDay + change.time
  }

  // MARK: Reading

  /// `CET`, `<+03>`.
  private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
    if rest.first == UInt8(ascii: "<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let count = rest.prefix { (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }.count
    rest = rest.dropFirst(count)
    return count >= 3
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// `[+-]HH[:MM[:SS]]` in seconds, hours up to 167.
  private static func time(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var sign = 1
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      sign = first == UInt8(ascii: "-") ? -1 : 1
      rest = rest.dropFirst()
    }
    guard let hours = number(&rest), hours <= 167 else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
      rest = rest.dropFirst()
      guard let part = number(&rest), part < 60 else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }

  /// `,M3.5.0/2`, `,J60`, `,59/1`.
  private static func change(_ rest: inout ArraySlice<UInt8>) -> Change? {
    guard rest.first == UInt8(ascii: ",") else { return nil }
    rest = rest.dropFirst()
    let day: Day
    switch rest.first {
    case UInt8(ascii: "M"):
      var parts: [Int] = []
      for index in 0..<3 {
        guard rest.first == UInt8(ascii: index == 0 ? "M" : ".") else { return nil }
        rest = rest.dropFirst()
        guard let part = number(&rest) else { return nil }
        parts.append(part)
      }
      guard (1...12).contains(parts[0]), (1...5).contains(parts[1]), (0...6).contains(parts[2]) else { return nil }
      day = .weekday(month: parts[0], week: parts[1], day: parts[2])
    case UInt8(ascii: "J"):
      rest = rest.dropFirst()
      guard let number = number(&rest), (1...365).contains(number) else { return nil }
      day = .julian(number)
    default:
      guard let number = number(&rest), number <= 365 else { return nil }
      day = .ordinal(number)
    }
    guard rest.first == UInt8(ascii: "/") else { return Change(day: day, time: 7200) }
    rest = rest.dropFirst()
    return time(&rest).map { Change(day: day, time: $0) }
  }
}

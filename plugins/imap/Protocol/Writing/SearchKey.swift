import Mail

/// A condition of SEARCH (RFC 9051 §6.4.4).
indirect enum SearchKey: Sendable, Equatable {
  /// A condition on a text in a message.
  enum Place: String, Sendable {
    case from = "FROM"
    case to = "TO"
    case cc = "CC"
    case bcc = "BCC"
    case subject = "SUBJECT"
    case text = "TEXT"
    case body = "BODY"
  }

  /// A condition on a day, without time and zone.
  enum DayKey: String, Sendable {
    case sentSince = "SENTSINCE"
    case sentBefore = "SENTBEFORE"
    case since = "SINCE"
    case before = "BEFORE"
  }

  case all
  /// No message.
  case none
  case uid(UIDSet)
  /// A flag with its backslash, or a keyword.
  case flag(String)
  case larger(Int)
  case smaller(Int)
  case on(DayKey, SearchDay)
  case text(Place, String)
  case header(String, String)
  /// A conversation by Gmail's number.
  case gmailThread(UInt64)
  /// What Gmail finds for a text in its own search language (X-GM-RAW).
  case gmail(String)
  case not(SearchKey)
  case and([SearchKey])
  case or([SearchKey])

  /// Whether it holds text beyond ASCII, for which a charset has to be named.
  var isInternational: Bool {
    switch self {
    case .text(_, let text): !text.utf8.allSatisfy { $0 < 0x80 }
    case .header(let name, let text): !(name + text).utf8.allSatisfy { $0 < 0x80 }
    case .gmail(let text): !text.utf8.allSatisfy { $0 < 0x80 }
    case .not(let key): key.isInternational
    case .and(let keys), .or(let keys): keys.contains(where: \.isInternational)
    default: false
    }
  }
}

/// A day as searches name it: `17-Jul-1996`.
struct SearchDay: Sendable, Equatable {
  /// Days since 1970-01-01.
  var number: Int

  /// The day of a moment in UTC, some days later.
  init(seconds: Int, later days: Int = 0) {
    let seconds = max(-62_135_596_800, min(253_402_300_799, seconds))
    number = (seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400) + days
  }

  /// A moment as APPEND writes it, in UTC: `17-Jul-1996 09:44:25 +0000`.
  static func dateTime(_ seconds: Int) -> String {
    let fields = fields(seconds)
    return "\(fields[1].count == 1 ? " " : "")\(fields[1...3].joined(separator: "-")) \(fields[4]) +0000"
  }

  var text: String { Self.fields(number * 86_400)[1...3].joined(separator: "-") }

  /// Weekday, day, month, year, time and zone of a moment in UTC.
  private static func fields(_ seconds: Int) -> [Substring] {
    MessageDate(secondsSinceEpoch: seconds).rfc5322.split(separator: " ")
  }
}

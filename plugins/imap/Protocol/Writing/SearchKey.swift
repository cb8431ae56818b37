/// A condition of SEARCH (RFC 9051 §6.4.4).
indirect enum SearchKey: Sendable, Equatable {
  /// What holds for a text somewhere in a message.
  enum Place: String, Sendable {
    case from = "FROM"
    case to = "TO"
    case cc = "CC"
    case bcc = "BCC"
    case subject = "SUBJECT"
    case text = "TEXT"
    case body = "BODY"
  }

  /// What holds for a day; without time and zone.
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
  case not(SearchKey)
  case and([SearchKey])
  case or([SearchKey])

  /// Whether it holds text beyond ASCII, for which a charset has to be named.
  var isInternational: Bool {
    switch self {
    case .text(_, let text): !text.utf8.allSatisfy { $0 < 0x80 }
    case .header(let name, let text): !(name + text).utf8.allSatisfy { $0 < 0x80 }
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

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The day of a moment in UTC, some days later.
  init(seconds: Int, later days: Int = 0) {
    let seconds = max(-62_135_596_800, min(253_402_300_799, seconds))
    number = (seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400) + days
  }

  /// A moment as APPEND writes it, in UTC: `17-Jul-1996 09:44:25 +0000`.
  static func dateTime(_ seconds: Int) -> String {
    let day = SearchDay(seconds: seconds)
    let rest = max(0, min(86_399, seconds - day.number * 86_400))
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let date = day.text
    return (date.dropFirst(1).first == "-" ? " " : "") + date + " \(time) +0000"
  }

  var text: String {
    // Days to civil date, after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let shifted = max(-719_162, min(2_932_896, number)) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let digits = String(year)
    return "\(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)-\(Self.months[month - 1])-"
      + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

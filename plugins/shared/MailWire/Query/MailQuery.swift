/// A condition on messages: the tree `query` of `mail.search`.
///
/// Texts are compared whatever their case. If a server cannot decide a condition exactly, it gets a weaker one, and the result
/// is decided by ``evaluate(_:)``.
public indirect enum MailQuery: Sendable, Hashable {
  /// The lists of addresses in a header.
  public enum AddressField: String, Sendable, CaseIterable {
    /// The authors, and who sent it on their behalf (`From`, `Sender`).
    case from
    /// The main recipients.
    case to
    /// The other recipients.
    case cc
    /// The hidden recipients, where the message still names them.
    case bcc
  }

  /// Every message.
  case all
  /// No message.
  case nothing
  /// All of several conditions.
  case and([MailQuery])
  /// One of several conditions.
  case or([MailQuery])
  /// Not a condition.
  case not(MailQuery)
  /// A header field whose decoded value holds a text; with an empty text, one that exists.
  case header(name: String, contains: TextPattern)
  /// Part of a name or address in a list of addresses; a domain in Unicode or in ASCII.
  case address(AddressField, TextPattern)
  /// Part of the subject.
  case subject(TextPattern)
  /// Part of any header field's value or of the readable text.
  case text(TextPattern)
  /// Part of the readable text.
  case body(TextPattern)
  /// A flag or keyword, in its usual spelling.
  case flag(String)
  /// More bytes than this.
  case larger(Int)
  /// Fewer bytes than this.
  case smaller(Int)
  /// Written at this time or later.
  case since(DateBound)
  /// Written before this time.
  case before(DateBound)
  /// Received at this time or later.
  case receivedSince(DateBound)
  /// Received before this time.
  case receivedBefore(DateBound)
  /// One of the messages with these names.
  case uids([String])
  /// What Gmail finds for a text in its own search language, as its search box does.
  case gmail(String)

  /// The parts of a message that deciding the condition needs.
  public var need: MessageNeed {
    switch self {
    case .all, .nothing, .flag, .larger, .smaller, .receivedSince, .receivedBefore, .uids, .gmail: []
    case .header, .address, .subject, .since, .before: .header
    case .text, .body: [.header, .text]
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.need) }
    case .not(let part): part.need
    }
  }

  /// An equal condition with nothing superfluous: no `and` in an `and`, no double `not`, no constant but at the top.
  public var simplified: MailQuery {
    switch self {
    case .and(let parts): Self.joined(parts, isAnd: true)
    case .or(let parts): Self.joined(parts, isAnd: false)
    case .not(let part):
      switch part.simplified {
      case .all: .nothing
      case .nothing: .all
      case .not(let inner): inner
      case let other: .not(other)
      }
    case .uids(let uids) where uids.isEmpty: .nothing
    default: self
    }
  }

  private static func joined(_ parts: [MailQuery], isAnd: Bool) -> MailQuery {
    var kept: [MailQuery] = []
    var seen: Set<MailQuery> = []
    for part in parts.map(\.simplified) {
      switch part {
      case .all where isAnd, .nothing where !isAnd: continue
      case .nothing where isAnd: return .nothing
      case .all where !isAnd: return .all
      case .and(let inner) where isAnd, .or(let inner) where !isAnd:
        for part in inner where seen.insert(part).inserted { kept.append(part) }
      default:
        if seen.insert(part).inserted { kept.append(part) }
      }
    }
    if kept.isEmpty { return isAnd ? .all : .nothing }
    if kept.count == 1, let only = kept.first { return only }
    return isAnd ? .and(kept) : .or(kept)
  }
}

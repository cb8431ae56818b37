public import PluginKit

/// The input of `mail.search`; every condition that is given must hold.
public struct SearchRequest: Decodable, Sendable {
  /// The folder; the inbox where absent.
  public var folder: String?
  /// Only unread messages, or only read ones.
  public var unseen: Bool?
  /// Only flagged messages, or only others.
  public var flagged: Bool?
  /// Only answered messages, or only others.
  public var answered: Bool?
  /// Part of the sender's name or address.
  public var from: String?
  /// Part of the name or address of any recipient.
  public var to: String?
  /// Part of the subject.
  public var subject: String?
  /// Part of the readable text.
  public var text: String?
  /// This date or later.
  public var since: String?
  /// Before this date.
  public var before: String?
  /// More bytes than this.
  public var larger: Int?
  /// Fewer bytes than this.
  public var smaller: Int?
  /// At most this many messages; 50 where absent.
  public var limit: Int?
  /// `newest` or `oldest` first.
  public var order: String?
  /// Further conditions, as a tree.
  public var query: JSONValue?
  /// The fields that are wanted of each message.
  public var fields: [String]?
  /// Header fields that are wanted by name.
  public var headers: [String]?
  /// Where the page before ended.
  public var cursor: String?

  /// The most messages of one page.
  public static let maximumLimit = 1000

  /// Creates a request for everything in the inbox.
  public init() {}
}

extension SearchRequest {
  /// All conditions as one, simplified.
  ///
  /// The flat keys are those of version 1: `to` means recipients of every kind, `text` the readable text.
  ///
  /// - Throws: `invalid_input` for dates that are none and for a broken tree.
  public var conditions: MailQuery {
    get throws(ActionError) {
      var parts: [MailQuery] = []
      func add(_ wanted: Bool?, _ flag: String) {
        if let wanted { parts.append(wanted ? .flag(flag) : .not(.flag(flag))) }
      }
      add(unseen.map { !$0 }, MailFlag.seen)
      add(flagged, MailFlag.flagged)
      add(answered, MailFlag.answered)
      if let larger { parts.append(.larger(larger)) }
      if let smaller { parts.append(.smaller(smaller)) }
      if let since { parts.append(.since(try DateBound(since, name: "since"))) }
      if let before { parts.append(.before(try DateBound(before, name: "before"))) }
      if let subject { parts.append(.subject(TextPattern(subject))) }
      if let from { parts.append(.address(.from, TextPattern(from))) }
      if let to { parts.append(.or([MailQuery.AddressField.to, .cc, .bcc].map { .address($0, TextPattern(to)) })) }
      if let text { parts.append(.body(TextPattern(text))) }
      if let query { parts.append(try MailQuery(query)) }
      return MailQuery.and(parts).simplified
    }
  }

  /// How many messages a page has.
  ///
  /// - Throws: `invalid_input` outside of 1 to ``maximumLimit``.
  public var pageSize: Int {
    get throws(ActionError) {
      let limit = limit ?? 50
      guard (1...Self.maximumLimit).contains(limit) else {
        throw ActionError(
          .invalidInput, "'limit' is \(limit); it must be between 1 and \(Self.maximumLimit).",
          german: "'limit' ist \(limit); erlaubt sind 1 bis \(Self.maximumLimit).")
      }
      return limit
    }
  }

  /// Whether the newest messages come first.
  ///
  /// - Throws: `invalid_input` for an order that is none.
  public var isNewestFirst: Bool {
    get throws(ActionError) {
      switch order ?? "newest" {
      case "newest": return true
      case "oldest": return false
      default:
        throw ActionError(
          .invalidInput, "'order' is neither 'newest' nor 'oldest'.",
          german: "'order' ist weder 'newest' noch 'oldest'.")
      }
    }
  }

  /// The requested fields of each message.
  ///
  /// - Throws: `invalid_input` for a name that is not a field.
  public var messageFields: MessageFields {
    get throws(ActionError) { try MessageFields(fields, headers: headers) }
  }
}

import Mail

/// A response of a server (RFC 9051 §7).
enum Response: Sendable {
  /// `+ …`: it waits for the rest of a command.
  case continuation(String)
  /// How a command has ended.
  case completion(tag: String, StatusResponse)
  /// News, at any time.
  case untagged(Untagged)
}

/// `OK`, `NO` and their like, with what they say for programs and for people.
struct StatusResponse: Sendable {
  /// The word at the beginning.
  enum Condition: String, Sendable {
    case ok = "OK"
    case no = "NO"
    case bad = "BAD"
    case bye = "BYE"
    case preauth = "PREAUTH"
  }

  var condition: Condition
  var code: ResponseCode?
  /// For people; the server's own words.
  var text: String

  var isOK: Bool { condition == .ok }
}

/// The code in brackets behind `OK`, `NO` and their like (RFC 9051 §7.1, RFC 4315, 5530, 7162).
enum ResponseCode: Sendable, Equatable {
  case capability([String])
  case uidValidity(UInt32)
  case uidNext(UInt32)
  case permanentFlags([String])
  case readOnly
  case readWrite
  /// The highest mod-sequence of the mailbox (RFC 7162).
  case highestModSeq(UInt64)
  /// Messages that have changed since, and were left alone (RFC 7162).
  case modified(UIDSet)
  /// Where APPEND has put messages.
  case appendUID(validity: UInt32, UIDSet)
  /// Where COPY or MOVE has put which messages.
  case copyUID(validity: UInt32, from: UIDSet, to: UIDSet)
  /// Any other: its name in capitals.
  case other(String)

  /// The name in capitals, of those that matter to errors.
  var name: String? { if case .other(let name) = self { name } else { nil } }
}

/// Untagged data.
enum Untagged: Sendable {
  case status(StatusResponse)
  case capability([String])
  case enabled([String])
  case flags([String])
  case exists(UInt32)
  case recent(UInt32)
  /// The message with a sequence number is gone.
  case expunge(UInt32)
  /// Messages that are gone, by UID (RFC 7162).
  case vanished(UIDSet, isEarlier: Bool)
  case fetch(FetchedMessage)
  /// Results of SEARCH and SORT, in the server's order.
  case search([UInt32])
  case extendedSearch(SearchResult)
  case list(ListedMailbox)
  /// A line of LIST that cannot be read, without its first word.
  case unreadableMailbox(String)
  case mailboxStatus(MailboxStatus)
  case namespace(Namespace)
  /// Anything else.
  case other(String)
}

/// An answer of ESEARCH (RFC 4731).
struct SearchResult: Sendable, Equatable {
  var tag: String?
  var all = UIDSet()
  var count: UInt32?
  var minimum: UInt32?
  var maximum: UInt32?
}

/// A line of LIST (RFC 9051 §7.3.1).
struct ListedMailbox: Sendable, Equatable {
  /// With their backslashes, as the server spells them.
  var attributes: [String]
  /// The separator of levels in names; `nil` if there are none.
  var delimiter: UInt8?
  /// The name as the server writes it.
  var name: [UInt8]

  func has(_ attribute: String) -> Bool {
    attributes.contains { $0.lowercased() == attribute.lowercased() }
  }
}

/// What STATUS says of a mailbox.
struct MailboxStatus: Sendable, Equatable {
  var name: [UInt8]
  var messages: UInt32?
  var unseen: UInt32?
  var uidNext: UInt32?
  var uidValidity: UInt32?
}

/// Where one's own mailboxes are (RFC 2342): the first personal namespace.
struct Namespace: Sendable, Equatable {
  /// The prefix of their names; may be empty.
  var prefix: [UInt8]
  var delimiter: UInt8?
}

/// What FETCH says of one message; absent what was not asked for.
struct FetchedMessage: Sendable {
  /// A part of the text of a message.
  struct Section: Sendable {
    /// The section in capitals: `HEADER`, `1.2`, `` for all.
    var name: String
    /// The first byte, where only some were asked for.
    var origin: Int?
    /// `nil` if the message has no such part.
    var content: ArraySlice<UInt8>?
  }

  var sequenceNumber: UInt32
  var uid: UInt32?
  var flags: [String]?
  var size: Int?
  /// When it came to its mailbox.
  var internalDate: MessageDate?
  var sections: [Section] = []
  var structure: BodyNode?
  var gmailLabels: [String]?
  var gmailThread: UInt64?
  /// Grows with every change of the message's flags (RFC 7162).
  var modSeq: UInt64?
  /// How large the response was, in bytes.
  var byteCount = 0
  /// Whether a part of the response could not be read. Then later items and all sections are absent.
  var isDamaged = false

  /// The content of a section, if it was sent.
  func section(_ name: String) -> ArraySlice<UInt8>? { sections.first { $0.name == name }?.content }
}

public import PluginKit

/// A field of a message in the contract `mail.store`; the raw value is its name in JSON.
public enum MessageField: String, Sendable, CaseIterable {
  case uid, folder
  case messageID = "message_id"
  case date, received, from, to, cc, bcc
  case replyTo = "reply_to"
  case subject, size, flags, labels, seen, flagged, answered, text, truncated, snippet, html, attachments, bulk, human
  case category
  case listID = "list_id"
  case listUnsubscribe = "list_unsubscribe"
  case inReplyTo = "in_reply_to"
  case references, thread, modseq, headers

  /// A bit of its own: no two cases are stored as the same byte.
  fileprivate var bit: UInt64 { withUnsafeBytes(of: self) { 1 << UInt64($0[0] & 63) } }

  /// The parts of a message that the field needs.
  var need: MessageNeed {
    switch self {
    case .uid, .folder, .received, .size, .flags, .labels, .seen, .flagged, .answered, .modseq: []
    case .messageID, .date, .from, .to, .cc, .bcc, .replyTo, .subject, .bulk, .human, .listID, .listUnsubscribe,
      .inReplyTo, .references, .thread, .headers:
      .header
    case .attachments: [.structure]
    // Calendar parts and files named as bills decide about some categories.
    case .category: [.header, .structure]
    case .text, .truncated, .snippet: [.header, .text]
    case .html: [.header, .html]
    }
  }
}

/// The parts of messages to read. Empty: a listing is enough.
public struct MessageNeed: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8
  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The header.
  public static let header = MessageNeed(rawValue: 1)
  /// The structure of the parts, as in BODYSTRUCTURE.
  public static let structure = MessageNeed(rawValue: 2)
  /// The readable text.
  public static let text = MessageNeed(rawValue: 4)
  /// The text as HTML.
  public static let html = MessageNeed(rawValue: 8)

  /// Whether more than the header is needed.
  public var reachesBody: Bool { !isDisjoint(with: [.structure, .text, .html]) }
}

/// The requested fields of messages.
public struct MessageFields: Sendable, Hashable {
  /// The fields; `uid` and `folder` are always among them.
  public private(set) var names: Set<MessageField>
  /// The header fields that are wanted by name, as they were written.
  public private(set) var headers: [String]
  /// The parts to read for them.
  public let need: MessageNeed
  /// A bit for each of ``names``.
  private let bits: UInt64

  /// More header fields than these are refused.
  static let headerLimit = 50

  /// Everything but `html`, `modseq` and `headers`: the default fields of a message.
  public static let standard = MessageFields(names: Set(MessageField.allCases).subtracting([.html, .modseq, .headers]))

  /// Chooses fields.
  public init(names: some Sequence<MessageField>, headers: [String] = []) {
    self.names = Set(names).union([.uid, .folder])
    self.headers = headers
    if headers.isEmpty { self.names.remove(.headers) } else { self.names.insert(.headers) }
    need = self.names.reduce(into: []) { $0.formUnion($1.need) }
    bits = self.names.reduce(0) { $0 | $1.bit }
  }

  /// Reads `fields` and `headers` of an input.
  ///
  /// - Parameters:
  ///   - fields: The names; absent for ``standard``.
  ///   - headers: Header fields wanted by name.
  /// - Throws: `invalid_input` for a name that is not a field, or one that no header field can have.
  public init(_ fields: [String]?, headers: [String]? = nil) throws(ActionError) {
    var names = MessageFields.standard.names
    if let fields {
      names = []
      for name in fields {
        guard let field = MessageField(rawValue: name) else { throw Self.unknown(name) }
        names.insert(field)
      }
    }
    for name in headers ?? [] {
      guard (1...76).contains(name.utf8.count), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x3a }) else {
        throw ActionError(
          .invalidInput, "'headers' holds '\(DisplayedText.text(name))', which is not the name of a header field.",
          german: "'headers' enthält '\(DisplayedText.text(name))'; so heißt keine Kopfzeile.")
      }
    }
    guard headers?.count ?? 0 <= Self.headerLimit else {
      throw ActionError(
        .invalidInput, "'headers' names more than \(Self.headerLimit) header fields.",
        german: "'headers' nennt mehr als \(Self.headerLimit) Kopfzeilen.")
    }
    self.init(names: names, headers: headers ?? [])
  }

  private static func unknown(_ name: String) -> ActionError {
    let list = MessageField.allCases.filter { $0 != .headers }.map(\.rawValue).joined(separator: ", ")
    return ActionError(
      .invalidInput, "'fields' holds '\(DisplayedText.text(name))', which is not a field of a message.",
      german: "'fields' enthält '\(DisplayedText.text(name))'; ein solches Feld hat eine Nachricht nicht.",
      advice: "The fields are: \(list).", adviceGerman: "Die Felder sind: \(list).")
  }

  /// Whether a field is wanted.
  public func contains(_ field: MessageField) -> Bool { bits & field.bit != 0 }

  /// These fields and one more.
  public func adding(_ field: MessageField) -> MessageFields {
    MessageFields(names: names.union([field]), headers: headers)
  }
}

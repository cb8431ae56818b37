import PluginKit

/// The state of a message that was sent to a server, stored in the host's state store by the idempotency key of its step: two
/// steps may choose one Message-ID, and the sender's domain, which it ends with, may change between attempts.
///
/// It is written before the end of the message goes out, so its absence proves that the message was not sent:
///
/// | connection or process lost | record | verdict | next attempt |
/// |---|---|---|---|
/// | before or while connecting, TLS, sign-in | none | not done | sends |
/// | after MAIL, RCPT, DATA or their replies | none | not done | sends |
/// | while the content goes out, its end excepted | none | not done | sends |
/// | after the record was written, before the end went out, by a crash | sending | unknown | a person decides |
/// | the same, and the process lives on | removed | not done | sends |
/// | after the end, before the reply | sending | unknown, or as the reply says that still comes | a person decides |
/// | after a reply that refuses | removed | not done | as the kind of the error says |
/// | after a reply that accepts | sent | done | returns what was answered |
struct SendRecord: Codable, Sendable, Hashable {
  /// How far it came.
  enum Stage: String, Codable, Sendable {
    /// The end was about to go out; there is no reply yet.
    case sending
    /// The server has taken it.
    case sent
  }

  /// A recipient whom the server did not accept, as the contract has it.
  struct Refusal: Codable, Sendable, Hashable {
    var address: String
    var reason: String
    var code: Int?
    var status: String?
    var temporary: Bool
  }

  var stage: Stage
  /// Without angle brackets.
  var messageID: String
  /// When the message was written, in seconds since 1970: its `Date`.
  var at: Int
  var accepted: [String]
  var refused: [Refusal]
  var queueID: String?
  /// The server's words.
  var reply: String?
  /// Whether a copy is in the Sent folder; absent if none is wanted.
  var isCopied: Bool?
}

/// A message that a recipe wants sent or stored, as the contracts `mail.transport` and `mail.store` describe it.
struct OutgoingMail: Decodable, Sendable {
  /// A file to go with it.
  struct Attachment: Decodable, Sendable {
    /// Where the file is.
    var path: String?
    /// The content in Base64, instead of a path.
    var content: String?
    /// The name that recipients see.
    var name: String?
    /// The media type; by the name where absent.
    var type: String?
  }

  /// The author.
  var from: String?
  /// The recipients, `Name <address>` each.
  var to: [String]?
  /// Recipients of a copy.
  var cc: [String]?
  /// Hidden recipients.
  var bcc: [String]?
  /// Where answers should go.
  var replyTo: String?
  /// The subject.
  var subject: String?
  /// The text.
  var text: String?
  /// The text as HTML.
  var html: String?
  /// Files.
  var attachments: [Attachment]?
  /// The message this one answers.
  var inReplyTo: String?
  /// The thread before it.
  var references: [String]?
  /// Further header fields.
  var headers: [String: String]?
}

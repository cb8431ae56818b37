public import PluginKit

/// A message that a recipe wants sent or stored, as the contracts `mail.transport` and `mail.store` describe it.
public struct OutgoingMail: Decodable, Sendable {
  /// A file to go with it.
  public struct Attachment: Decodable, Sendable {
    /// Where the file is.
    public var path: String?
    /// The content in Base64, instead of a path.
    public var content: String?
    /// The content beside the JSON, instead of a path.
    public var blob: Blob?
    /// The name that recipients see.
    public var name: String?
    /// The media type; by the name where absent.
    public var type: String?

    /// Describes a file.
    public init(
      path: String? = nil, content: String? = nil, blob: Blob? = nil, name: String? = nil, type: String? = nil
    ) {
      self.path = path
      self.content = content
      self.blob = blob
      self.name = name
      self.type = type
    }
  }

  /// The author.
  public var from: String?
  /// The recipients, `Name <address>` each.
  public var to: [String]?
  /// Recipients of a copy.
  public var cc: [String]?
  /// Hidden recipients.
  public var bcc: [String]?
  /// Where answers should go.
  public var replyTo: String?
  /// The subject.
  public var subject: String?
  /// The text.
  public var text: String?
  /// The text as HTML.
  public var html: String?
  /// Files.
  public var attachments: [Attachment]?
  /// A whole message that goes on as it is, instead of all but the addresses; see ``RedirectedMail``.
  public var blob: Blob?
  /// The message this one answers.
  public var inReplyTo: String?
  /// The thread before it.
  public var references: [String]?
  /// Further header fields.
  public var headers: [String: String]?

  /// Creates a message without anything.
  public init() {}
}

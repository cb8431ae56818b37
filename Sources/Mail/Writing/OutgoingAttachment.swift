/// A file to send with a message.
public struct OutgoingAttachment: Sendable, Hashable {
  /// The name the recipient sees; may hold any character but control characters.
  public var name: String
  /// The media type, such as `application/pdf`.
  public var type: String
  /// The content.
  public var data: [UInt8]
  /// The identifier, without angle brackets, by which the message's HTML refers to it as `cid:…`; only for files in
  /// ``OutgoingMessage/relatedFiles``.
  public var contentID: String?

  /// Creates an attachment.
  public init(name: String, type: String = "application/octet-stream", data: [UInt8], contentID: String? = nil) {
    self.name = name
    self.type = type
    self.data = data
    self.contentID = contentID
  }
}

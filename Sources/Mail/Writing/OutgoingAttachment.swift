/// A file to send with a message.
public struct OutgoingAttachment: Sendable, Hashable {
  /// Where the content of an attachment is.
  public enum Content: Sendable, Hashable {
    /// In memory.
    case bytes([UInt8])
    /// Supplied while the message is written: a number chosen by the caller, and the size in bytes.
    case source(Int, size: Int)
  }

  /// The content if it is in memory, and empty otherwise.
  public var data: [UInt8] {
    get { if case .bytes(let bytes) = content { bytes } else { [] } }
    set { content = .bytes(newValue) }
  }

  /// The name the recipient sees; may hold any character but control characters.
  public var name: String
  /// The media type, such as `application/pdf`.
  public var type: String
  /// Where the content is.
  public var content: Content
  /// The identifier, without angle brackets, by which the message's HTML refers to it as `cid:…`; only for files in
  /// ``OutgoingMessage/relatedFiles``.
  public var contentID: String?

  /// Creates an attachment.
  public init(name: String, type: String = "application/octet-stream", data: [UInt8], contentID: String? = nil) {
    self.name = name
    self.type = type
    content = .bytes(data)
    self.contentID = contentID
  }

  /// Creates an attachment whose content is supplied while the message is written; see ``MessageStream``.
  ///
  /// - Parameters:
  ///   - name: The name the recipient sees.
  ///   - type: The media type.
  ///   - source: A number by which the writer asks for the content.
  ///   - size: The content's size in bytes.
  ///   - contentID: The identifier by which the message's HTML refers to it.
  public init(
    name: String, type: String = "application/octet-stream", source: Int, size: Int, contentID: String? = nil
  ) {
    self.name = name
    self.type = type
    content = .source(source, size: max(0, size))
    self.contentID = contentID
  }
}

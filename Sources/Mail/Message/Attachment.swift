/// A file in a message.
public struct Attachment: Sendable {
  /// The part that holds it; its data is ``Part/decodedBytes``.
  public let part: Part

  /// The name of the file without folders; `nil` if the message gives none.
  public var name: String? { part.fileName }
  /// The media type in lower case, such as `application/pdf`.
  public var type: String { part.contentType.mediaType }
  /// The size in bytes, decoded.
  public var size: Int { part.decodedSize }
  /// How it wants to be shown, or `nil` if the message does not say.
  public var disposition: ContentDisposition? { part.disposition }
  /// The identifier HTML refers to it by, without angle brackets.
  public var contentID: String? { part.contentID }
  /// The number by which IMAP names the part, such as `2.1`.
  public var partNumber: String { part.number }
}

public import Localization

/// Why a message could not be written.
///
/// Reading never fails; see ``Defect`` for what is wrong with a message that was read.
public struct MailError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A header value holds a line end or another control character.
    public static let headerInjection = Code(rawValue: "header_injection")
    /// A header field's name is none, or one that the writer sets itself.
    public static let invalidHeaderName = Code(rawValue: "invalid_header_name")
    /// An address is not one.
    public static let invalidAddress = Code(rawValue: "invalid_address")
    /// A message identifier is not of the form `left@right`.
    public static let invalidMessageID = Code(rawValue: "invalid_message_id")
    /// A media type is not of the form `type/subtype`.
    public static let invalidMediaType = Code(rawValue: "invalid_media_type")
    /// The content of an attachment was not supplied, or is not as long as was said.
    public static let wrongContent = Code(rawValue: "wrong_content")
  }

  /// The kind of error.
  public var code: Code
  /// The problem and the remedy; never contains the body of a message.
  public var message: LocalizedText
  /// The header field or the property it is about, such as `Subject`.
  public var field: String

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, field: String) {
    self.code = code
    self.message = message
    self.field = field
  }
}

/// What a server sent that is no IMAP, or more of it than is accepted.
///
/// Holds nothing of what was sent: that could be a message.
struct ProtocolFault: Error, Sendable, Equatable {
  /// What sort of fault it was.
  enum Code: String, Sendable {
    /// A line without an end within the limit.
    case lineTooLong
    /// A literal, or a response as a whole, beyond the limit.
    case tooLarge
    /// Lists within lists beyond the limit.
    case tooDeep
    /// More elements than are accepted.
    case tooMany
    /// A NUL outside a literal.
    case nul
    /// A CR or LF where none may stand.
    case lineEnd
    /// What does not follow the grammar.
    case syntax
    /// A response that belongs to no command, or comes in a state that does not allow it.
    case unexpected
  }

  /// What sort of fault it was.
  var code: Code
  /// Where it stood or what was expected, in a few English words of our own.
  var detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

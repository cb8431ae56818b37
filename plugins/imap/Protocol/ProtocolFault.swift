/// A response that violates IMAP, or exceeds a limit.
///
/// Contains nothing of the response, which could be a message.
struct ProtocolFault: Error, Sendable, Equatable {
  /// The kind of fault.
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
    /// A CR or LF that is not allowed.
    case lineEnd
    /// A violation of the grammar.
    case syntax
    /// A response that belongs to no command, or comes in a state that does not allow it.
    case unexpected

    /// The description for people.
    var text: (english: String, german: String) {
      switch self {
      case .lineTooLong: ("a line does not end", "eine Zeile endet nicht")
      case .tooLarge: ("it sends more than is accepted", "er schickt mehr, als angenommen wird")
      case .tooDeep: ("lists in lists without end", "Listen in Listen ohne Ende")
      case .tooMany: ("it sends more than is accepted", "er schickt mehr, als angenommen wird")
      case .nul: ("a NUL is not allowed here", "ein NUL steht, wo keines stehen darf")
      case .lineEnd: ("a line ends in the wrong way", "eine Zeile endet falsch")
      case .syntax: ("a response cannot be understood", "eine Antwort ist nicht zu verstehen")
      case .unexpected: ("a response belongs to nothing", "eine Antwort gehört zu nichts")
      }
    }
  }

  /// The kind of fault.
  var code: Code
  /// Where it stood or what was expected, in a few English words of our own.
  var detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

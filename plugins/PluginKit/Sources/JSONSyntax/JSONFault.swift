/// Where a text stops being JSON, and why.
public struct JSONFault: Error, Equatable {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// The text ends inside a string.
    case unterminated
    /// A control character stands inside a string.
    case control
    /// A letter that stands for nothing follows a backslash.
    case escape
    /// Four hexadecimal digits are missing after `\u`.
    case hexadecimal
    /// Half of a surrogate pair.
    case surrogate
    /// A string is not UTF-8.
    case encoding
    /// Digits of a number are missing.
    case digits
    /// A number that a double cannot hold.
    case range
  }

  /// What is wrong.
  public let reason: Reason
  /// Where, in bytes from the start of the text; its length where it ends too early.
  public let offset: Int
  /// Where the token or escape sequence begins that is wrong.
  public let start: Int
}

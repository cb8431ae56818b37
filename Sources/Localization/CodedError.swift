/// An error with a stable code for programs and a message for people.
///
/// Two errors of one type are equal if their codes are, so that neither a caller nor a test compares texts. A type whose
/// errors also differ by their place declares `==` itself.
public protocol CodedError: Error, Equatable, CustomStringConvertible {
  /// The kinds of errors; the raw value is a name in snake_case.
  associatedtype Code: RawRepresentable, Hashable, Sendable where Code.RawValue == String

  /// The kind of error.
  var code: Code { get }
  /// What happened, to what, and what to do about it.
  var message: LocalizedText { get }
  /// Everything a person has to read: the message, with the advice if the type has one.
  var text: LocalizedText { get }
}

extension CodedError {
  /// The message alone.
  public var text: LocalizedText { message }

  /// The English text.
  public var description: String { text.english }

  /// Whether the codes are equal.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

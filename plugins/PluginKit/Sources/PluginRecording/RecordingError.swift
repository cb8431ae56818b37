/// What went wrong with a recording. Two are equal when their codes are.
public struct RecordingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The sort of trouble.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file is missing, or no recording.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file cannot be written.
    public static let unwritable = Code(rawValue: "unwritable")
    /// A request or a turn came that is not recorded, or not like this.
    public static let unexpected = Code(rawValue: "unexpected")
    /// Something recorded was not asked for.
    public static let unused = Code(rawValue: "unused")
  }

  /// The sort of trouble.
  public let code: Code
  /// What happened, and what to do.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Two are equal when their codes are.
  public static func == (left: RecordingError, right: RecordingError) -> Bool { left.code == right.code }
}

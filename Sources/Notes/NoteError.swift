public import Localization

/// Why something was not done with notes. Nothing was changed.
public struct NoteError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such note or category.
    public static let notFound = Code(rawValue: "not_found")
    /// Several notes are meant.
    public static let ambiguous = Code(rawValue: "ambiguous")
    /// The input cannot be stored.
    public static let invalid = Code(rawValue: "invalid_input")
    /// The file is one of another program, or of a newer Sous.
    public static let foreign = Code(rawValue: "foreign_file")
    /// The disk or the database is at fault.
    public static let failed = Code(rawValue: "io")
  }

  /// The kind of error.
  public var code: Code
  /// The problem and the remedy.
  public var message: LocalizedText

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText) { (self.code, self.message) = (code, message) }

  init(_ code: Code, _ english: String, de german: String) { self.init(code, LocalizedText(english, de: german)) }
}

public import Localization

/// One thing that is wrong, or doubtful, in a source file.
public struct Diagnostic: CodedError {
  /// How grave it is.
  public enum Severity: String, Sendable {
    /// The file cannot be used.
    case error
    /// The file works, but probably not as meant.
    case warning
  }

  /// A stable name for a kind of problem.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Another place that has to do with the problem: "first defined here".
  public struct Related: Sendable {
    /// What is at that place.
    public var message: LocalizedText
    /// The place.
    public var range: SourceRange
    /// The file; `nil` means that of the diagnostic.
    public var path: String?

    /// Creates a related place.
    public init(_ message: LocalizedText, at range: SourceRange, path: String? = nil) {
      self.message = message
      self.range = range
      self.path = path
    }
  }

  /// The kind of problem.
  public var code: Code
  /// How grave it is.
  public var severity: Severity
  /// What is wrong and what to do about it.
  public var message: LocalizedText
  /// The file as the user named it.
  public var path: String
  /// Where in the file; `nil` for the file as a whole (it cannot be read, it is empty).
  public var range: SourceRange?
  /// A replacement for the text in `range` that was probably meant.
  public var suggestion: String?
  /// Other places that have to do with it.
  public var related: [Related]

  /// Creates a diagnostic.
  public init(
    _ code: Code, _ message: LocalizedText, path: String, range: SourceRange?, severity: Severity = .error,
    suggestion: String? = nil, related: [Related] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.path = path
    self.range = range
    self.suggestion = suggestion
    self.related = related
  }

  /// Two diagnostics are equal when they report the same kind of problem at the same place.
  public static func == (left: Diagnostic, right: Diagnostic) -> Bool {
    left.code == right.code && left.path == right.path && left.range == right.range
  }
}

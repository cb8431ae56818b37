public import Localization

/// An error in an expression, a template or an evaluation.
public struct ExpressionError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not an expression.
    public static let syntax = Code(rawValue: "expression_syntax")
    /// A name that nothing declares.
    public static let unknownName = Code(rawValue: "unknown_name")
    /// A field that the type does not have.
    public static let unknownField = Code(rawValue: "unknown_field")
    /// A comparison with a text that the value never is.
    public static let unknownWord = Code(rawValue: "unknown_word")
    /// No overload of the function takes these types.
    public static let wrongType = Code(rawValue: "wrong_type")
    /// The evaluation failed: division by zero, missing key, overflow.
    public static let evaluation = Code(rawValue: "evaluation_failed")
    /// The evaluation used up its cost or depth limit.
    public static let limit = Code(rawValue: "expression_limit")
    /// `{{` without `}}`.
    public static let unclosedTemplate = Code(rawValue: "unclosed_template")
    /// JSON text that is malformed or nests too deep.
    public static let json = Code(rawValue: "json_invalid")
    /// JSON text that is too long, or represents a value that is too large.
    public static let jsonTooLarge = Code(rawValue: "json_too_large")
  }

  /// The kind of error.
  public var code: Code
  /// The problem and the remedy.
  public var message: LocalizedText
  /// Where, as UTF-8 offsets into the text that was parsed; `nil` if no place can be named.
  public var range: Range<Int>?
  /// A replacement for the text in `range` that was probably meant.
  public var suggestion: String?

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, range: Range<Int>? = nil, suggestion: String? = nil) {
    self.code = code
    self.message = message
    self.range = range
    self.suggestion = suggestion
  }
}

public import Localization

/// Why a text cannot be neutralised. Holds nothing of the text.
public struct NeutralisationError: CodedError {
  /// The kinds of problems.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// Stable, in snake case.
    public let rawValue: String
    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A pattern of one's own is not a regular expression.
    public static let invalidPattern = Code(rawValue: "invalid_pattern")
    /// The text is longer than ``Neutraliser/mostBytes``.
    public static let tooLarge = Code(rawValue: "too_large")
    /// The mapping would have more than ``PlaceholderMapping/mostEntries`` entries.
    public static let tooMany = Code(rawValue: "too_many")
    /// The file is not a mapping.
    public static let invalidMapping = Code(rawValue: "invalid_mapping")
  }

  /// The kind of problem.
  public let code: Code
  /// The problem and the remedy.
  public let message: LocalizedText

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }
}

public import Localization
public import RecipeSyntax

/// One point at which a value does not satisfy a schema, or a schema is wrong itself.
public struct SchemaViolation: CodedError {
  /// One step down into a value.
  public enum PathElement: Sendable, Hashable, CustomStringConvertible {
    /// Into a map, by name.
    case key(String)
    /// Into a list, by position from 0.
    case index(Int)

    /// `.name` or `[0]`.
    public var description: String {
      switch self {
      case .key(let name): ".\(name)"
      case .index(let position): "[\(position)]"
      }
    }
  }

  /// Where in the value; empty for the value as a whole. For an unknown key the path ends with that key.
  public var path: [PathElement]
  /// What is wrong.
  public var message: LocalizedText
  /// The kind of problem; the same codes as diagnostics have.
  public var code: Diagnostic.Code
  /// What was probably meant instead.
  public var suggestion: String?
  /// How grave it is; a value that does not satisfy its schema is always an error.
  public var severity: Diagnostic.Severity

  /// Creates a violation.
  public init(
    path: [PathElement], message: LocalizedText, code: Diagnostic.Code, suggestion: String? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    self.path = path
    self.message = message
    self.code = code
    self.suggestion = suggestion
    self.severity = severity
  }

  /// The path as people write it: `messages[0].role`; empty for the value as a whole.
  public var pathText: String {
    let text = path.map(\.description).joined()
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }

  /// Its place and what is wrong there.
  public var located: LocalizedText {
    path.isEmpty ? message : LocalizedText(verbatim: "\(pathText): ") + message
  }

  /// Two violations are equal when they report the same kind of problem at the same place.
  public static func == (left: SchemaViolation, right: SchemaViolation) -> Bool {
    left.code == right.code && left.path == right.path
  }
}

extension LocalizedText {
  /// Several problems as one text: `city: …; warm: …`.
  ///
  /// - Parameter areAll: Whether there are no others, which are then hinted at.
  public static func joined(_ problems: [LocalizedText], areAll: Bool) -> LocalizedText {
    let more = areAll ? "" : "; …"
    return LocalizedText(
      problems.map(\.english).joined(separator: "; ") + more, de: problems.map(\.german).joined(separator: "; ") + more)
  }
}

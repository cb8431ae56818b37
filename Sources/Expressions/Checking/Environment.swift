/// The names that an expression may use: variables with their types, and the names of keywords.
public struct Environment: Sendable {
  /// The declared variables by name; a dotted name (`a.b`) is looked up as CEL's namespaces are.
  public var variables: [String: ValueType]
  /// The keywords that a template may name bare: `{{ Anrede }}`. They evaluate through ``Bindings/keywords``.
  public var keywords: Set<String>
  /// The namespace in which names are resolved (CEL's container); empty for none.
  public var container: String
  /// Whether types are checked before evaluation; without, every mismatch shows only when it is met.
  public var checksTypes: Bool
  /// Functions beyond the standard ones, known to the checker alone; calling one fails.
  public var functions: [FunctionSignature]
  /// The spelling of literals that are compared with a field; `nil` if they stay as written.
  public var spelling: LiteralSpelling?

  /// Creates an environment.
  public init(
    variables: [String: ValueType] = [:], keywords: Set<String> = [], container: String = "",
    checksTypes: Bool = true, functions: [FunctionSignature] = [], spelling: LiteralSpelling? = nil
  ) {
    self.variables = variables
    self.keywords = keywords
    self.container = container
    self.checksTypes = checksTypes
    self.functions = functions
    self.spelling = spelling
  }
}

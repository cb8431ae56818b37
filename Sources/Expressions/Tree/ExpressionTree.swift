/// A compiled expression as a read-only tree, for code that translates it: a condition into the search of a mail server.
///
/// Names are resolved: a local variable of a macro never looks like a variable from outside. Operators are functions with the
/// names of the CEL specification (`_==_`, `_<_`, `!_`, `@in`), and the target of a method is its first argument.
public struct ExpressionTree: Sendable {
  /// The kind of a part of an expression.
  public indirect enum Kind: Sendable {
    /// A constant.
    case literal(Value)
    /// A declared variable; a dotted name is one variable.
    case variable(String)
    /// The value of a keyword.
    case keyword(String)
    /// The map of all keywords.
    case keywords
    /// A name that a macro around this part introduced.
    case local(String)
    /// A type as a value: `int`.
    case type(ValueType)
    /// `target.name`, also written `target["name"]`; an optional one (`target.?name`) gives an optional.
    case field(of: ExpressionTree, name: String, isOptional: Bool)
    /// `has(target.name)`.
    case presence(of: ExpressionTree, name: String)
    /// `target[index]` with an index that is not a constant string.
    case element(of: ExpressionTree, at: ExpressionTree, isOptional: Bool)
    /// An operator, a function (`size`, `math.abs`) or a method (`startsWith`).
    case call(function: String, arguments: [ExpressionTree])
    /// `a && b && c`.
    case and([ExpressionTree])
    /// `a || b || c`.
    case or([ExpressionTree])
    /// `condition ? first : second`.
    case conditional(ExpressionTree, then: ExpressionTree, otherwise: ExpressionTree)
    /// A list literal.
    case list([Element])
    /// A map literal.
    case map([Entry])
    /// A macro over a list or a map.
    case comprehension(Comprehension)
    /// `cel.bind(name, value, body)`.
    case bind(name: String, value: ExpressionTree, body: ExpressionTree)
    /// `target.optMap(name, body)`; flat: `optFlatMap`, whose body is an optional itself.
    case optionalMap(of: ExpressionTree, name: String, body: ExpressionTree, isFlat: Bool)
    /// A name without a meaning; only where types are not checked.
    case unknown(String)
  }

  /// An element of a list literal.
  public struct Element: Sendable {
    /// The element.
    public let value: ExpressionTree
    /// Whether it is left out where it has no value: `?e`.
    public let isOptional: Bool
  }

  /// An entry of a map literal.
  public struct Entry: Sendable {
    /// The key.
    public let key: ExpressionTree
    /// The value.
    public let value: ExpressionTree
    /// Whether it is left out where it has no value: `?k: v`.
    public let isOptional: Bool
  }

  /// A macro over the elements of a list or the entries of a map.
  public struct Comprehension: Sendable {
    /// The macro.
    public let macro: ComprehensionMacro
    /// The list or map.
    public let target: ExpressionTree
    /// One name for an element or key, or two: index and element, or key and value.
    public let variables: [String]
    /// Which elements count, in the forms that have such a condition.
    public let condition: ExpressionTree?
    /// The expression for each element.
    public let body: ExpressionTree
  }

  /// The kind.
  public let kind: Kind
  /// The type of its value; `dynamic` if it is not known before evaluation.
  public let type: ValueType
  /// Its UTF-8 offsets in the text that was compiled.
  public let range: Range<Int>
}

extension ExpressionTree {
  /// The variable and the fields it goes through, for a chain such as `message.from.address`; `nil` for anything else.
  public var path: (variable: String, fields: [String])? {
    switch kind {
    case .variable(let name): return (name, [])
    case .field(let target, let name, isOptional: false):
      guard let (variable, fields) = target.path else { return nil }
      return (variable, fields + [name])
    default: return nil
    }
  }
}

extension Expression {
  /// The expression as a tree; made anew with each call.
  public var tree: ExpressionTree { compiled.tree }
}

extension Template {
  /// The tree of the expression, where the text is one single `{{ … }}`; `nil` otherwise.
  public var tree: ExpressionTree? {
    guard pieces.count == 1, case .expression(let single) = pieces.first else { return nil }
    return single.tree
  }
}

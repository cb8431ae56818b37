/// A node of a parsed expression.
struct SyntaxNode: Sendable {
  /// A name with its place.
  struct Name: Sendable {
    var text: String
    var range: Range<Int>
  }

  /// An element of a list literal; an optional one (`?e`) is left out where it has no value.
  struct Element: Sendable {
    var value: SyntaxNode
    var isOptional: Bool
  }

  /// An entry of a map literal; an optional one (`?k: v`) is left out where it has no value.
  struct Entry: Sendable {
    var key: SyntaxNode
    var value: SyntaxNode
    var isOptional: Bool
  }

  /// A macro over a list or a map.
  struct Comprehension: Sendable {
    var macro: ComprehensionMacro
    var target: SyntaxNode
    /// One name for the element (of a list) or key (of a map), or two for index and element, or key and value.
    var variables: [Name]
    /// Which elements count, in the forms that have such a condition.
    var condition: SyntaxNode?
    var body: SyntaxNode
  }

  indirect enum Kind: Sendable {
    case literal(Value)
    /// A name; an absolute one (`.a`) is not looked up in the container.
    case name(String, isAbsolute: Bool)
    /// `target.field`, or `target.?field`.
    case select(SyntaxNode, Name, isOptional: Bool)
    /// `has(target.field)`.
    case presence(SyntaxNode, Name)
    /// `target[index]`, or `target[?index]`.
    case index(SyntaxNode, SyntaxNode, isOptional: Bool)
    /// An operator or a function: `_+_`, `size`.
    case call(Name, [SyntaxNode])
    /// `target.function(arguments)`, or a function of a namespace: `math.abs(x)`.
    case method(SyntaxNode, Name, [SyntaxNode])
    case list([Element])
    case map([Entry])
    /// `a && b && c`.
    case and([SyntaxNode])
    /// `a || b || c`.
    case or([SyntaxNode])
    case conditional(SyntaxNode, SyntaxNode, SyntaxNode)
    case comprehension(Comprehension)
    /// `cel.bind(name, value, body)`.
    case bind(Name, value: SyntaxNode, body: SyntaxNode)
    /// `target.optMap(name, body)`; flat: `optFlatMap`, whose body is an optional itself.
    case optionalMap(SyntaxNode, Name, body: SyntaxNode, isFlat: Bool)
    /// The bare name of a keyword in a template.
    case keyword(String)
  }

  var kind: Kind
  /// UTF-8 offsets into the whole text.
  var range: Range<Int>
  /// How many nodes lie on the longest way down from here.
  var depth: Int

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
    depth = 1 + Self.childDepth(kind)
  }

  private static func childDepth(_ kind: Kind) -> Int {
    switch kind {
    case .literal, .name, .keyword:
      0
    case .select(let target, _, _), .presence(let target, _):
      target.depth
    case .index(let target, let index, _):
      max(target.depth, index.depth)
    case .call(_, let arguments), .and(let arguments), .or(let arguments):
      arguments.reduce(0) { max($0, $1.depth) }
    case .method(let target, _, let arguments):
      arguments.reduce(target.depth) { max($0, $1.depth) }
    case .list(let elements):
      elements.reduce(0) { max($0, $1.value.depth) }
    case .map(let entries):
      entries.reduce(0) { max($0, $1.key.depth, $1.value.depth) }
    case .conditional(let condition, let first, let second):
      max(condition.depth, first.depth, second.depth)
    case .comprehension(let comprehension):
      max(comprehension.target.depth, comprehension.condition?.depth ?? 0, comprehension.body.depth)
    case .bind(_, let value, let body):
      max(value.depth, body.depth)
    case .optionalMap(let target, _, let body, _):
      max(target.depth, body.depth)
    }
  }
}

extension SyntaxNode {
  /// The names of a chain `a.b.c` of plain selections, `nil` for anything else.
  var qualifiedName: (components: [Name], isAbsolute: Bool)? {
    switch kind {
    case .name(let name, let isAbsolute):
      return ([Name(text: name, range: range)], isAbsolute)
    case .select(let target, let field, isOptional: false):
      guard let (components, isAbsolute) = target.qualifiedName else { return nil }
      return (components + [field], isAbsolute)
    default:
      return nil
    }
  }
}

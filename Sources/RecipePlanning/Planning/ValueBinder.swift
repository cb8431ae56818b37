import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax

/// Turns nodes with `{{ … }}` into values that a run can evaluate.
struct ValueBinder {
  let compiler: ExpressionCompiler
  let scope: Scope

  /// A bound value and its shape: the value where it is literal, ``Value/type(_:)`` where an expression makes it.
  struct Bound {
    var value: BoundValue
    var shape: Value

    /// What was reported already: nothing more is said about it.
    static let unknown = Bound(value: .literal(.null), shape: .type(.dynamic))

    /// A list of bound values.
    static func list(_ elements: [Bound]) -> Bound {
      let shape = Value.list(elements.map(\.shape))
      return elements.allSatisfy(\.isLiteral)
        ? Bound(value: .literal(shape), shape: shape) : Bound(value: .list(elements.map(\.value)), shape: shape)
    }

    /// A map of bound values.
    static func map(_ entries: [(name: String, bound: Bound)]) -> Bound {
      var map = ValueMap()
      for entry in entries { map[entry.name] = entry.bound.shape }
      return entries.allSatisfy(\.bound.isLiteral)
        ? Bound(value: .literal(.map(map)), shape: .map(map))
        : Bound(value: .map(entries.map { ($0.name, $0.bound.value) }), shape: .map(map))
    }

    var isLiteral: Bool {
      if case .literal = value { return shape.isPlain }
      return false
    }
  }

  func bind(_ node: Node) -> Bound {
    switch node.content {
    case .invalid: return .unknown
    case .scalar(let scalar):
      return bind(PlacedText(text: scalar.text, node: node, document: compiler.reader.document), literal: scalar.value)
    case .sequence(let elements):
      return .list(elements.map { bind($0) })
    case .mapping(let mapping):
      return .map(
        mapping.entries.map { entry in
          checkKey(entry)
          return (entry.name, bind(entry.value))
        })
    }
  }

  /// A text that may hold expressions; without any it is the literal value.
  func bind(_ text: PlacedText, literal: Value) -> Bound {
    guard case .string = literal, text.text.contains("{{") else {
      if case .string = literal { compiler.checkBare(text, scope) }
      return Bound(value: .literal(literal), shape: literal)
    }
    guard let template = compiler.template(text, scope) else { return .unknown }
    return Bound(value: .template(template), shape: .type(template.resultType))
  }

  /// Reports a key that holds an expression.
  func checkKey(_ entry: Node.Mapping.Entry) {
    guard entry.name.contains("{{") else { return }
    compiler.reader.report(
      .invalidName,
      LocalizedText("a key cannot hold an expression", de: "ein Schlüssel kann keinen Ausdruck enthalten"),
      at: entry.nameRange)
  }
}

extension Value {
  /// Whether no part of it is a type, the mark for what is not known before the run.
  fileprivate var isPlain: Bool {
    if case .type = self { return false }
    return true
  }
}

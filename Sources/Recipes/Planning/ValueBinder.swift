import Expressions
import Localization

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
      let bound = elements.map { bind($0) }
      let shape = Value.list(bound.map(\.shape))
      return bound.allSatisfy(\.isLiteral)
        ? Bound(value: .literal(shape), shape: shape) : Bound(value: .list(bound.map(\.value)), shape: shape)
    case .mapping(let mapping):
      var shape = ValueMap()
      var values: [(name: String, value: BoundValue)] = []
      var isLiteral = true
      for entry in mapping.entries {
        if entry.name.contains("{{") { reportKey(entry) }
        let bound = bind(entry.value)
        isLiteral = isLiteral && bound.isLiteral
        shape[entry.name] = bound.shape
        values.append((entry.name, bound.value))
      }
      return isLiteral
        ? Bound(value: .literal(.map(shape)), shape: .map(shape)) : Bound(value: .map(values), shape: .map(shape))
    }
  }

  /// A text that may hold expressions; without any it is the literal value.
  func bind(_ text: PlacedText, literal: Value) -> Bound {
    guard case .string = literal, text.text.contains("{{") else {
      return Bound(value: .literal(literal), shape: literal)
    }
    guard let template = compiler.template(text, scope) else { return .unknown }
    return Bound(value: .template(template), shape: .type(template.resultType))
  }

  private func reportKey(_ entry: Node.Mapping.Entry) {
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

internal import Localization

/// A text with `{{ … }}` in it, compiled.
///
/// `{{ … }}` holds a CEL expression or the bare name of a keyword. A text that is one single `{{ … }}` keeps the type
/// of its value; anything else renders to a string: strings as they are, null as nothing, numbers and truth values
/// plain, lists and maps as compact JSON. `{{ "{{" }}` renders two braces.
public struct Template: Sendable {
  /// A piece of the text.
  enum Piece: Sendable {
    case text(String)
    case expression(CompiledExpression)
  }

  /// The text it was compiled from.
  public let source: String
  /// The type of the rendered value as far as it is known.
  public let resultType: ValueType
  let pieces: [Piece]

  /// Whether there is no `{{ … }}` in the text.
  public var isLiteral: Bool {
    pieces.allSatisfy {
      if case .text = $0 { true } else { false }
    }
  }

  /// The names that the expressions read: variables and keywords with the fields they go through, in source order.
  public var references: [Reference] {
    pieces.flatMap { (piece) -> [Reference] in
      if case .expression(let expression) = piece { expression.references } else { [] }
    }
  }

  /// The parts of the expressions that fail in each evaluation that reaches them, as their operands are constants.
  public var constantFailures: [ExpressionError] {
    pieces.flatMap { (piece) -> [ExpressionError] in
      if case .expression(let expression) = piece { expression.constantFailures } else { [] }
    }
  }

  /// The type of the smallest part of an expression at a place, with the place of that part.
  ///
  /// - Parameter offset: A UTF-8 offset into ``source``; the place behind the last letter of a name counts to the name.
  /// - Returns: `nil` outside of expressions, and where types are not checked.
  public func type(at offset: Int) -> TypedRange? {
    pieces.lazy.compactMap { piece in
      if case .expression(let expression) = piece { expression.types.smallest(at: offset) } else { nil }
    }.first
  }

  /// Whether each `{{` of a text has its `}}`.
  package static func isClosed(_ source: String) -> Bool {
    let bytes = Array(source.utf8)
    var position = 0
    while let open = TemplateScanner.opening(in: bytes, from: position) {
      guard let end = TemplateScanner.closing(in: bytes, from: open + 2) else { return false }
      position = end + 2
    }
    return true
  }

  /// Parses and checks a template.
  ///
  /// - Throws: ``ExpressionErrors`` with every problem; ranges are UTF-8 offsets into `source`.
  public init(_ source: String, in environment: Environment) throws(ExpressionErrors) {
    self.source = source
    let bytes = Array(source.utf8)
    var pieces: [Piece] = []
    var problems: [ExpressionError] = []
    var position = 0
    while let open = TemplateScanner.opening(in: bytes, from: position) {
      if open > position { pieces.append(.text(String(decoding: bytes[position..<open], as: UTF8.self))) }
      guard let end = TemplateScanner.closing(in: bytes, from: open + 2) else {
        problems.append(
          ExpressionError(
            .unclosedTemplate,
            LocalizedText(
              "'{{' without '}}'; two braces as text are written {{ \"{{\" }}",
              de: "'{{' ohne '}}'; zwei Klammern als Text schreiben sich {{ \"{{\" }}"), range: open..<open + 2))
        position = bytes.count
        break
      }
      do {
        let syntax = try Self.parse(bytes, open + 2..<end, environment)
        pieces.append(.expression(try CompiledExpression(syntax, in: environment)))
      } catch {
        problems += error.all
      }
      position = end + 2
    }
    if !problems.isEmpty { throw ExpressionErrors(problems) }
    if position < bytes.count || pieces.isEmpty {
      pieces.append(.text(String(decoding: bytes[position...], as: UTF8.self)))
    }
    self.pieces = pieces
    if pieces.count == 1, case .expression(let single) = pieces[0] {
      resultType = single.type
    } else {
      resultType = .string
    }
  }

  /// Renders the template. Its expressions share the cost limit.
  ///
  /// - Throws: ``ExpressionError`` with the place in ``source`` that failed.
  public func render(_ bindings: Bindings, limits: EvaluationLimits = .standard) throws(ExpressionError) -> Value {
    if pieces.count == 1 {
      switch pieces[0] {
      case .text(let text): return .string(text)
      case .expression(let single): return try single.evaluate(bindings, limits: limits)
      }
    }
    var result = ""
    var cost = limits.cost
    for piece in pieces {
      switch piece {
      case .text(let text):
        result += text
      case .expression(let expression):
        let text = try expression.evaluate(bindings, cost: &cost, limits: limits).rendered
        cost -= text.utf8.count / Frame.bytesPerUnit
        if cost < 0 { throw Fault.outOfCost.error }
        result += text
      }
    }
    return .string(result)
  }

  /// The expression between braces, or the bare name of a keyword.
  private static func parse(
    _ bytes: [UInt8], _ range: Range<Int>, _ environment: Environment
  ) throws(ExpressionErrors) -> SyntaxNode {
    if let (name, nameRange) = TemplateScanner.bareName(in: bytes, range) {
      let isVariable = environment.variables[name] != nil
      if !isVariable, environment.keywords.contains(name), !ReservedWords.keywords.contains(name) || name == "in" {
        return SyntaxNode(.keyword(name), nameRange)
      }
      // A name that the language cannot spell can only be a keyword that does not exist. With a hyphen it may be a
      // subtraction, unless it looks like a keyword mistyped.
      let scope = NameScope(environment)
      let suggestion = TypeChecker.suggestion(forName: name, scope)
      let isForeign = !name.utf8.allSatisfy { $0 < 0x80 }
      if isForeign || (name.contains("-") && suggestion?.contains("-") == true) {
        throw ExpressionErrors([
          ExpressionError(
            .unknownName, LocalizedText("unknown name '\(name)'", de: "unbekannter Name '\(name)'"),
            range: nameRange, suggestion: suggestion)
        ])
      }
    }
    do {
      return try Parser.parse(bytes, range: range)
    } catch {
      throw ExpressionErrors([error])
    }
  }
}

extension Value {
  /// The value as a part of a text.
  var rendered: String {
    switch self {
    case .null, .optional(nil): ""
    case .string(let text): text
    case .bool(let condition): condition ? "true" : "false"
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .double(let number): number.text
    case .timestamp(let time): time.rfc3339
    case .duration(let span): span.text
    case .bytes(let bytes): Base64.encode(bytes)
    case .type(let type): type.name
    case .optional(let wrapped?): wrapped.rendered
    case .list, .map: jsonString
    }
  }
}

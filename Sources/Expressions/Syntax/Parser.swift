internal import Localization

/// Parses an expression by the grammar of the CEL language definition, macros expanded.
struct Parser {
  /// How deep an expression may nest. Everything that walks the tree recurses, so this bounds the stack.
  static let maximumDepth = 250
  /// The longest text of an expression in bytes.
  static let maximumLength = 200_000

  private var tokens: [Token]
  private var position = 0
  private var depth = 0

  /// Parses a part of a text; ranges are offsets into the whole text.
  static func parse(_ bytes: [UInt8], range: Range<Int>) throws(ExpressionError) -> SyntaxNode {
    guard range.count <= maximumLength else {
      throw ExpressionError(
        .limit,
        LocalizedText(
          "this expression is longer than \(maximumLength) bytes",
          de: "Dieser Ausdruck ist länger als \(maximumLength) Bytes"), range: range)
    }
    var lexer = Lexer(bytes: bytes, range: range)
    var parser = Parser(tokens: try lexer.tokens())
    if case .end = parser.token.kind {
      throw .syntax(
        LocalizedText("an expression is missing here", de: "Hier fehlt ein Ausdruck"), at: range)
    }
    let node = try parser.expression()
    guard case .end = parser.token.kind else { throw parser.unexpected() }
    return node
  }

  private init(tokens: [Token]) {
    self.tokens = tokens
  }

  // MARK: Tokens

  /// The token at the position; the last token, the end, is never passed.
  var token: Token { tokens[position] }

  private var following: Token { tokens[min(position + 1, tokens.count - 1)] }

  /// Where the token before ended.
  private var previousEnd: Int { position > 0 ? tokens[position - 1].range.upperBound : token.range.lowerBound }

  private mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  mutating func skip(_ symbol: Token.Symbol) -> Bool {
    guard token.symbol == symbol else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: Token.Symbol) throws(ExpressionError) {
    if skip(symbol) { return }
    throw unexpected(expecting: "'\(symbol.rawValue)'")
  }

  func unexpected(expecting wanted: String? = nil) -> ExpressionError {
    let found: LocalizedText =
      switch token.kind {
      case .end: LocalizedText("the expression ends too early", de: "Der Ausdruck endet zu früh")
      case .name(let name): LocalizedText("unexpected '\(name)'", de: "unerwartetes '\(name)'")
      case .symbol(let symbol):
        LocalizedText("unexpected '\(symbol.rawValue)'", de: "unerwartetes '\(symbol.rawValue)'")
      case .string, .bytes: LocalizedText("unexpected string", de: "unerwarteter Text")
      default: LocalizedText("unexpected number", de: "unerwartete Zahl")
      }
    guard let wanted else { return .syntax(found, at: token.range) }
    return .syntax(found + LocalizedText(", \(wanted) expected", de: ", \(wanted) erwartet"), at: token.range)
  }

  private func node(_ kind: SyntaxNode.Kind, from start: Int) throws(ExpressionError) -> SyntaxNode {
    try bounded(SyntaxNode(kind, start..<previousEnd))
  }

  private func bounded(_ node: SyntaxNode) throws(ExpressionError) -> SyntaxNode {
    if node.depth > Self.maximumDepth { throw tooDeep(node.range) }
    return node
  }

  private func tooDeep(_ range: Range<Int>) -> ExpressionError {
    ExpressionError(
      .limit,
      LocalizedText(
        "this expression nests deeper than \(Self.maximumDepth) levels",
        de: "Dieser Ausdruck ist tiefer als \(Self.maximumDepth) Ebenen verschachtelt"), range: range)
  }

  // MARK: Operators

  /// `condition ? first : second`, or anything that binds tighter.
  mutating func expression() throws(ExpressionError) -> SyntaxNode {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw tooDeep(token.range) }
    let start = token.range.lowerBound
    let condition = try disjunction()
    guard skip(.question) else { return condition }
    let first = try disjunction()
    try expect(.colon)
    let second = try expression()
    return try node(.conditional(condition, first, second), from: start)
  }

  private mutating func disjunction() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    let first = try conjunction()
    guard token.symbol == .or else { return first }
    var operands = [first]
    while skip(.or) { operands.append(try conjunction()) }
    return try node(.or(operands), from: start)
  }

  private mutating func conjunction() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    let first = try relation()
    guard token.symbol == .and else { return first }
    var operands = [first]
    while skip(.and) { operands.append(try relation()) }
    return try node(.and(operands), from: start)
  }

  private mutating func relation() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    var left = try sum()
    while let function = relationFunction {
      let name = SyntaxNode.Name(text: function, range: token.range)
      advance()
      let right = try sum()
      left = try node(.call(name, [left, right]), from: start)
    }
    return left
  }

  private var relationFunction: String? {
    switch token.kind {
    case .symbol(.less): "_<_"
    case .symbol(.lessOrEqual): "_<=_"
    case .symbol(.greater): "_>_"
    case .symbol(.greaterOrEqual): "_>=_"
    case .symbol(.equal): "_==_"
    case .symbol(.notEqual): "_!=_"
    case .name("in"): "@in"
    default: nil
    }
  }

  private mutating func sum() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    var left = try product()
    while token.symbol == .plus || token.symbol == .minus {
      let name = SyntaxNode.Name(text: token.symbol == .plus ? "_+_" : "_-_", range: token.range)
      advance()
      let right = try product()
      left = try node(.call(name, [left, right]), from: start)
    }
    return left
  }

  private mutating func product() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    var left = try unary()
    while let symbol = token.symbol, symbol == .times || symbol == .divide || symbol == .modulo {
      let name = SyntaxNode.Name(text: "_\(symbol.rawValue)_", range: token.range)
      advance()
      let right = try unary()
      left = try node(.call(name, [left, right]), from: start)
    }
    return left
  }

  private mutating func unary() throws(ExpressionError) -> SyntaxNode {
    var signs: [SyntaxNode.Name] = []
    while token.symbol == .not || token.symbol == .minus {
      // A minus directly before a number belongs to it: the least integer has no positive counterpart.
      if token.symbol == .minus, following.isSignedNumber { break }
      signs.append(SyntaxNode.Name(text: token.symbol == .not ? "!_" : "-_", range: token.range))
      advance()
      if signs.count > Self.maximumDepth { throw tooDeep(token.range) }
    }
    var operand = try postfix()
    for sign in signs.reversed() {
      operand = try node(.call(sign, [operand]), from: sign.range.lowerBound)
    }
    return operand
  }

  // MARK: Selections and calls

  private mutating func postfix() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    var target = try primary()
    while true {
      if skip(.dot) {
        let isOptional = skip(.question)
        let (name, isQuoted) = try selector()
        if !isOptional, !isQuoted, token.symbol == .openParenthesis {
          let arguments = try callArguments()
          target = try bounded(
            try Self.expand(target, name, arguments, range: start..<previousEnd)
              ?? SyntaxNode(.method(target, name, arguments), start..<previousEnd))
        } else {
          target = try node(.select(target, name, isOptional: isOptional), from: start)
        }
      } else if skip(.openBracket) {
        let isOptional = skip(.question)
        let index = try expression()
        try expect(.closeBracket)
        target = try node(.index(target, index, isOptional: isOptional), from: start)
      } else if token.symbol == .openBrace, target.qualifiedName != nil {
        throw .syntax(
          LocalizedText("message types are not supported", de: "Nachrichtentypen werden nicht unterstützt"),
          at: start..<token.range.upperBound)
      } else {
        return target
      }
    }
  }

  private mutating func selector() throws(ExpressionError) -> (SyntaxNode.Name, isQuoted: Bool) {
    switch token.kind {
    case .name(let text) where !ReservedWords.keywords.contains(text):
      let name = SyntaxNode.Name(text: text, range: token.range)
      advance()
      return (name, false)
    case .quotedName(let text):
      let name = SyntaxNode.Name(text: text, range: token.range)
      advance()
      return (name, true)
    default:
      throw unexpected(expecting: "name")
    }
  }

  private mutating func callArguments() throws(ExpressionError) -> [SyntaxNode] {
    try expect(.openParenthesis)
    var arguments: [SyntaxNode] = []
    if skip(.closeParenthesis) { return arguments }
    repeat { arguments.append(try expression()) } while skip(.comma)
    try expect(.closeParenthesis)
    return arguments
  }

  // MARK: Primary expressions

  private mutating func primary() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    switch token.kind {
    case .int, .double:
      return try number(isNegative: false, from: start)
    case .symbol(.minus):
      advance()
      return try number(isNegative: true, from: start)
    case .uint(let value):
      return try literal(.uint(value))
    case .string(let value):
      return try literal(.string(value))
    case .bytes(let value):
      return try literal(.bytes(value))
    case .name("true"):
      return try literal(.bool(true))
    case .name("false"):
      return try literal(.bool(false))
    case .name("null"):
      return try literal(.null)
    case .name, .symbol(.dot):
      return try nameOrCall()
    case .symbol(.openParenthesis):
      advance()
      let inner = try expression()
      try expect(.closeParenthesis)
      return inner
    case .symbol(.openBracket):
      return try list()
    case .symbol(.openBrace):
      return try map()
    case .symbol, .quotedName, .end:
      throw unexpected()
    }
  }

  private mutating func literal(_ value: Value) throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    advance()
    return try node(.literal(value), from: start)
  }

  private mutating func number(isNegative: Bool, from start: Int) throws(ExpressionError) -> SyntaxNode {
    let range = start..<token.range.upperBound
    switch token.kind {
    case .double(let value):
      advance()
      return SyntaxNode(.literal(.double(isNegative ? -value : value)), range)
    case .int(let magnitude):
      let value = magnitude.flatMap { magnitude -> Int64? in
        if isNegative, magnitude == Int64.min.magnitude { return .min }
        return Int64(exactly: magnitude).map { isNegative ? -$0 : $0 }
      }
      guard let value else {
        throw .syntax(
          LocalizedText(
            "this number is too large for int; a 'u' behind it makes it a uint",
            de: "Diese Zahl ist zu groß für int; ein 'u' dahinter macht sie zu uint"), at: range)
      }
      advance()
      return SyntaxNode(.literal(.int(value)), range)
    default:
      throw unexpected()
    }
  }

  private mutating func nameOrCall() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    let isAbsolute = skip(.dot)
    guard case .name(let text) = token.kind, !ReservedWords.keywords.contains(text) else {
      throw unexpected(expecting: isAbsolute ? "name" : nil)
    }
    if ReservedWords.reserved.contains(text) {
      throw .syntax(
        LocalizedText(
          "'\(text)' is a reserved word and cannot be a name", de: "'\(text)' ist reserviert und kann kein Name sein"),
        at: token.range)
    }
    let name = SyntaxNode.Name(text: text, range: token.range)
    advance()
    guard token.symbol == .openParenthesis else { return try node(.name(text, isAbsolute: isAbsolute), from: start) }
    let arguments = try callArguments()
    let range = start..<previousEnd
    return try bounded(
      try Self.expand(name, arguments, range: range) ?? SyntaxNode(.call(name, arguments), range))
  }

  private mutating func list() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    try expect(.openBracket)
    var elements: [SyntaxNode.Element] = []
    while token.symbol != .closeBracket {
      let isOptional = skip(.question)
      elements.append(SyntaxNode.Element(value: try expression(), isOptional: isOptional))
      guard skip(.comma) else { break }
    }
    try expect(.closeBracket)
    return try node(.list(elements), from: start)
  }

  private mutating func map() throws(ExpressionError) -> SyntaxNode {
    let start = token.range.lowerBound
    try expect(.openBrace)
    var entries: [SyntaxNode.Entry] = []
    while token.symbol != .closeBrace {
      let isOptional = skip(.question)
      let key = try expression()
      try expect(.colon)
      entries.append(SyntaxNode.Entry(key: key, value: try expression(), isOptional: isOptional))
      guard skip(.comma) else { break }
    }
    try expect(.closeBrace)
    return try node(.map(entries), from: start)
  }
}

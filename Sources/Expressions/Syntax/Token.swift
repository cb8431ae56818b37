/// One token of an expression.
struct Token: Sendable {
  enum Kind: Sendable {
    /// A name; also the reserved words, which may follow a dot.
    case name(String)
    /// A name in backquotes, which may follow a dot.
    case quotedName(String)
    /// A whole number without its sign; `nil` if it exceeds 64 bits.
    case int(UInt64?)
    case uint(UInt64)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case symbol(Symbol)
    /// The end of the text.
    case end
  }

  enum Symbol: String, Sendable {
    case question = "?"
    case colon = ":"
    case comma = ","
    case dot = "."
    case minus = "-"
    case not = "!"
    case plus = "+"
    case times = "*"
    case divide = "/"
    case modulo = "%"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case and = "&&"
    case or = "||"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
  }

  var kind: Kind
  /// UTF-8 offsets into the whole text.
  var range: Range<Int>

  /// Whether this is a number that a minus before it may belong to.
  var isSignedNumber: Bool {
    switch kind {
    case .int, .double: true
    default: false
    }
  }

  var symbol: Symbol? {
    if case .symbol(let symbol) = kind { symbol } else { nil }
  }
}

/// Names that mean something in expressions.
enum ReservedWords {
  /// Never names, not even after a dot.
  static let keywords: Set<String> = ["true", "false", "null", "in"]
  /// Not names, but allowed after a dot.
  static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
    "namespace", "return", "var", "void", "while",
  ]
}

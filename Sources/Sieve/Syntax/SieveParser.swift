import Localization

/// Reads a Sieve script: the grammar of RFC 5228, 8.2. It does not know the meaning of commands.
struct SieveParser {
  /// Blocks and tests may occur in each other this deep.
  private static let deepest = 32
  /// The most commands and tests of a script.
  private static let most = 10_000

  private var lexer: SieveLexer
  private var token: SieveToken
  private var count = 0

  private init(_ bytes: [UInt8]) throws(SieveSyntaxError) {
    lexer = SieveLexer(bytes)
    token = try lexer.next()
  }

  /// The commands of a script.
  ///
  /// - Throws: The first thing that is not a Sieve, with its place.
  static func parse(_ bytes: [UInt8]) throws(SieveSyntaxError) -> [SieveCommand] {
    var parser = try SieveParser(bytes)
    let commands = try parser.commands(depth: 0)
    if parser.token.kind != .end { throw parser.unexpected(.init("a command", de: "ein Befehl")) }
    return commands
  }

  private mutating func advance() throws(SieveSyntaxError) { token = try lexer.next() }

  private mutating func take(_ mark: Character) throws(SieveSyntaxError) -> Bool {
    guard let byte = mark.asciiValue, token.kind == .mark(byte) else { return false }
    try advance()
    return true
  }

  private func unexpected(_ wanted: LocalizedText) -> SieveSyntaxError {
    SieveSyntaxError(
      message: LocalizedText("expected here: ", de: "hier wird erwartet: ") + wanted,
      range: token.range.isEmpty ? token.range : token.range)
  }

  private mutating func counted(depth: Int) throws(SieveSyntaxError) {
    count += 1
    guard depth <= Self.deepest, count <= Self.most else {
      throw SieveSyntaxError(
        message: .init(
          "a script has at most \(Self.most) commands and tests, and \(Self.deepest) of them within each other",
          de: "ein Skript hat höchstens \(Self.most) Befehle und Tests, davon \(Self.deepest) ineinander"),
        range: token.range)
    }
  }

  private mutating func commands(depth: Int) throws(SieveSyntaxError) -> [SieveCommand] {
    var commands: [SieveCommand] = []
    while case .identifier(let name) = token.kind {
      try counted(depth: depth)
      let (place, title) = (token.range, token.title)
      try advance()
      let (arguments, tests) = try argumentsAndTests(depth: depth)
      var command = SieveCommand(name: name, place: place, arguments: arguments, tests: tests, title: title)
      if try take("{") {
        command.block = try self.commands(depth: depth + 1)
        guard try take("}") else { throw unexpected(.init("a command or '}'", de: "ein Befehl oder '}'")) }
      } else if try !take(";") {
        throw unexpected(.init("';' or a block", de: "';' oder ein Block"))
      }
      commands.append(command)
    }
    return commands
  }

  private mutating func argumentsAndTests(
    depth: Int
  ) throws(SieveSyntaxError) -> (arguments: [SieveArgument], tests: [SieveTest]) {
    var arguments: [SieveArgument] = []
    while let argument = try argument() { arguments.append(argument) }
    if case .identifier = token.kind { return (arguments, [try test(depth: depth + 1)]) }
    guard try take("(") else { return (arguments, []) }
    var tests = [try test(depth: depth + 1)]
    while try take(",") { tests.append(try test(depth: depth + 1)) }
    guard try take(")") else { throw unexpected(.init("',' or ')'", de: "',' oder ')'")) }
    return (arguments, tests)
  }

  private mutating func test(depth: Int) throws(SieveSyntaxError) -> SieveTest {
    guard case .identifier(let name) = token.kind else { throw unexpected(.init("a test", de: "ein Test")) }
    try counted(depth: depth)
    let place = token.range
    try advance()
    let (arguments, tests) = try argumentsAndTests(depth: depth)
    return SieveTest(name: name, place: place, arguments: arguments, tests: tests)
  }

  private mutating func argument() throws(SieveSyntaxError) -> SieveArgument? {
    let start = token.range
    switch token.kind {
    case .tag(let name):
      try advance()
      return SieveArgument(kind: .tag(name), range: start)
    case .number(let number):
      try advance()
      return SieveArgument(kind: .number(number), range: start)
    case .string(let text):
      try advance()
      return SieveArgument(kind: .strings([SieveString(text: text, range: start)]), range: start)
    case .mark(UInt8(ascii: "[")):
      try advance()
      return try list(from: start)
    default: return nil
    }
  }

  private mutating func list(from start: Range<Int>) throws(SieveSyntaxError) -> SieveArgument {
    var strings: [SieveString] = []
    repeat {
      guard case .string(let text) = token.kind else {
        throw unexpected(.init("a text in quotes", de: "ein Text in Anführungszeichen"))
      }
      strings.append(SieveString(text: text, range: token.range))
      try advance()
    } while try take(",")
    let end = token.range.upperBound
    guard try take("]") else { throw unexpected(.init("',' or ']'", de: "',' oder ']'")) }
    return SieveArgument(kind: .strings(strings), range: start.lowerBound..<end)
  }
}

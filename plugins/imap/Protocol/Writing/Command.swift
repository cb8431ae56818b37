/// A command without its tag (RFC 9051 §6): words, quoted strings and literals.
///
/// Whatever comes from people goes through ``astring(_:)``, ``mailbox(_:)`` or ``literal(_:)``, so that no value can end the
/// line it is in.
struct Command: Sendable {
  fileprivate enum Part: Sendable {
    case text([UInt8])
    case literal([UInt8], isBinary: Bool = false)
  }

  /// The command's name, for messages.
  let name: String
  fileprivate var parts: [Part]

  /// A command with words of our own behind its name.
  init(_ name: String, _ words: String = "") {
    self.name = name
    parts = [.text(Array((words.isEmpty ? name : name + " " + words).utf8))]
  }

  /// Adds words of our own, after a space.
  mutating func word(_ text: String) { add(Array((" " + text).utf8)) }

  /// Adds our own words unchanged.
  mutating func raw(_ text: String) { add(Array(text.utf8)) }

  private mutating func add(_ bytes: [UInt8]) {
    if case .text(let before)? = parts.last {
      parts[parts.count - 1] = .text(before + bytes)
    } else {
      parts.append(.text(bytes))
    }
  }

  /// Adds a string after a space: quoted if that is possible, else as a literal.
  mutating func astring(_ bytes: [UInt8]) {
    let isQuotable = bytes.count <= 1000 && bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    guard isQuotable else { return literal(bytes) }
    var quoted: [UInt8] = [0x20, 0x22]
    for byte in bytes {
      if byte == 0x22 || byte == 0x5C { quoted.append(0x5C) }
      quoted.append(byte)
    }
    quoted.append(0x22)
    add(quoted)
  }

  /// Adds text after a space, as UTF-8.
  mutating func astring(_ text: String) { astring(Array(text.utf8)) }

  /// Adds a mailbox's name after a space, as the server writes it.
  mutating func mailbox(_ name: [UInt8]) { astring(name) }

  /// Adds a literal after a space.
  mutating func literal(_ bytes: [UInt8]) {
    add([0x20])
    parts.append(.literal(bytes))
  }

  /// Adds a literal that may hold any bytes (RFC 3516 `literal8`), without a space.
  mutating func binaryLiteral(_ bytes: [UInt8]) { parts.append(.literal(bytes, isBinary: true)) }

  /// How literals are announced.
  enum LiteralForm: Sendable {
    /// The server has to ask for each.
    case synchronizing
    /// LITERAL+ (RFC 7888): sent at once.
    case immediate
    /// LITERAL-: sent at once up to 4096 bytes.
    case immediateIfSmall
  }

  /// A piece to send.
  struct Chunk: Sendable, Equatable {
    var bytes: [UInt8]
    /// Whether the server has to ask for it first.
    var awaitsContinuation: Bool
  }

  /// The pieces to send, the last with its line end.
  func encoded(tag: String, literals form: LiteralForm) -> [Chunk] {
    var chunks: [Chunk] = []
    var current = Chunk(bytes: Array((tag + " ").utf8), awaitsContinuation: false)
    for part in parts {
      switch part {
      case .text(let bytes): current.bytes += bytes
      case .literal(let bytes, let isBinary):
        let isImmediate = form == .immediate || (form == .immediateIfSmall && bytes.count <= 4096)
        current.bytes += Array("\(isBinary ? "~" : ""){\(bytes.count)\(isImmediate ? "+" : "")}\r\n".utf8)
        if !isImmediate {
          chunks.append(current)
          current = Chunk(bytes: [], awaitsContinuation: true)
        }
        current.bytes += bytes
      }
    }
    current.bytes += [0x0D, 0x0A]
    chunks.append(current)
    return chunks
  }

  /// Adds what a condition of a search says.
  mutating func search(_ key: SearchKey) {
    switch key {
    case .all: word("ALL")
    case .none: word("NOT ALL")
    case .uid(let set): word("UID \(set.text)")
    case .flag(let flag): flagKey(flag, "")
    case .larger(let size): word("LARGER \(size)")
    case .smaller(let size): word("SMALLER \(size)")
    case .on(let name, let day): word("\(name.rawValue) \(day.text)")
    case .text(let name, let text):
      word(name.rawValue)
      astring(text)
    case .header(let name, let text):
      word("HEADER")
      astring(name)
      astring(text)
    case .gmailThread(let number): word("X-GM-THRID \(number)")
    case .gmail(let text):
      word("X-GM-RAW")
      astring(text)
    case .not(.flag(let flag)): flagKey(flag, "UN")
    case .not(let key):
      word("NOT")
      group([key])
    case .and(let keys): group(keys)
    case .or(let keys):
      // OR takes two.
      guard let first = keys.first else { return word("NOT ALL") }
      guard keys.count > 1 else { return search(first) }
      word("OR")
      group([first])
      search(.or(Array(keys.dropFirst())))
    }
  }

  private mutating func flagKey(_ flag: String, _ prefix: String) {
    switch flag.lowercased() {
    case "\\seen", "\\answered", "\\flagged", "\\deleted", "\\draft": word(prefix + flag.dropFirst().uppercased())
    default: word("\(prefix)KEYWORD \(flag)")
    }
  }

  private mutating func group(_ keys: [SearchKey]) {
    guard !keys.isEmpty else { return word("ALL") }
    word("(")
    // No space behind the parenthesis.
    var inner = Command("")
    for key in keys { inner.search(key) }
    for (index, part) in inner.parts.enumerated() {
      switch part {
      case .text(let bytes): add(index == 0 ? Array(bytes.drop { $0 == 0x20 }) : bytes)
      case .literal: parts.append(part)
      }
    }
    raw(")")
  }
}

import Localization

/// Writes header fields: folded at 78 columns, text beyond ASCII in encoded words (RFC 5322 §2.2.3, RFC 2047).
struct HeaderWriter {
  private(set) var bytes: [UInt8] = []

  /// Columns a line should keep to, without its line end (RFC 5322 §2.1.1).
  private static let width = 78
  /// The longest encoded word (RFC 2047 §2).
  private static let encodedWordLength = 75

  /// Writes a field of free text.
  mutating func unstructured(_ name: String, _ value: String) throws(MailError) {
    let text = try HeaderWriter.checked(value, field: name).trimmingASCIIWhitespace
    write(name, tokens: HeaderWriter.unstructuredTokens(text, column: name.utf8.count + 2))
  }

  /// Writes a list of addresses; nothing for an empty list.
  mutating func addresses(_ name: String, _ list: [Address]) throws(MailError) {
    guard !list.isEmpty else { return }
    var tokens: [String] = []
    for (index, address) in list.enumerated() {
      var parts = try HeaderWriter.mailboxTokens(address, field: name)
      if index + 1 < list.count { parts[parts.count - 1] += "," }
      tokens += parts
    }
    write(name, tokens: tokens)
  }

  /// Writes message identifiers, each in angle brackets.
  mutating func messageIDs(_ name: String, _ identifiers: [String]) throws(MailError) {
    guard !identifiers.isEmpty else { return }
    var tokens: [String] = []
    for identifier in identifiers { tokens.append("<\(try HeaderWriter.checkedMessageID(identifier, field: name))>") }
    write(name, tokens: tokens)
  }

  /// Writes a value with parameters; those beyond ASCII or too long for a line take the form of RFC 2231.
  mutating func parameterized(
    _ name: String, _ value: String, _ parameters: [(name: String, value: String)]
  ) throws(MailError) {
    var tokens = [value]
    for parameter in parameters {
      let content = try HeaderWriter.checked(parameter.value, field: name)
      for token in HeaderWriter.parameterTokens(parameter.name, content) {
        tokens[tokens.count - 1] += ";"
        tokens.append(token)
      }
    }
    write(name, tokens: tokens)
  }

  /// Writes a field whose value is known to be plain.
  mutating func plain(_ name: String, _ value: String) { write(name, tokens: [value]) }

  /// Ends the header.
  mutating func end() { bytes += [UInt8.carriageReturn, UInt8.lineFeed] }

  /// Writes tokens with a space between them, on a new line where the next would reach beyond the width.
  private mutating func write(_ name: String, tokens: [String]) {
    bytes += name.utf8
    bytes.append(UInt8(ascii: ":"))
    var column = name.utf8.count + 1
    for (index, token) in tokens.enumerated() where !token.isEmpty || index == 0 {
      if column + 1 + token.utf8.count > HeaderWriter.width, index > 0 {
        bytes += [UInt8.carriageReturn, UInt8.lineFeed]
        column = 0
      }
      bytes.append(UInt8.space)
      bytes += token.utf8
      column += 1 + token.utf8.count
    }
    end()
  }

  // MARK: Tokens

  private static func unstructuredTokens(_ text: String, column: Int) -> [String] {
    // Runs of spaces would not survive folding, and very long words could not be folded at all.
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !needsEncodedWord(text)
    if isPlain {
      let words = text.split(separator: " ").map(String.init)
      if words.allSatisfy({ $0.utf8.count < 900 }) { return words }
    }
    return encodedWords(text, column: column)
  }

  /// Whether text in ASCII would not stay what it is: it looks like an encoded word, or has a run of spaces.
  private static func needsEncodedWord(_ text: String) -> Bool {
    zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
      first == UInt8(ascii: "=") && second == UInt8(ascii: "?") || first == UInt8.space && second == UInt8.space
    }
  }

  /// Cuts text into encoded words between characters, in the shorter of the two encodings.
  ///
  /// - Parameter column: The columns the first line has used.
  private static func encodedWords(_ text: String, column: Int) -> [String] {
    let quotedLength = text.utf8.reduce(0) { $0 + (isPlainInWord($1) || $1 == UInt8.space ? 1 : 3) }
    let isBase64 = quotedLength > (text.utf8.count + 2) / 3 * 4
    let overhead = "=?utf-8?q??=".utf8.count
    var words: [String] = []
    var pending: [UInt8] = []
    var length = 0
    func flush() {
      guard !pending.isEmpty else { return }
      let content = isBase64 ? Base64.encode(pending) : quoted(pending)
      words.append("=?utf-8?\(isBase64 ? "b" : "q")?\(String(decoding: content, as: UTF8.self))?=")
      pending = []
      length = 0
    }
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      let added = bytes.reduce(0) { $0 + (isPlainInWord($1) || $1 == UInt8.space ? 1 : 3) }
      let next = isBase64 ? (pending.count + bytes.count + 2) / 3 * 4 : length + added
      let limit = words.isEmpty ? max(30, min(encodedWordLength, width - column)) : encodedWordLength
      if next + overhead > limit { flush() }
      pending += bytes
      length += added
    }
    flush()
    return words.isEmpty ? [""] : words
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes {
      if byte == UInt8.space {
        output.append(UInt8(ascii: "_"))
      } else if isPlainInWord(byte) {
        output.append(byte)
      } else {
        output += [UInt8(ascii: "="), byte.hexadecimalHigh, byte.hexadecimalLow]
      }
    }
    return output
  }

  /// Characters that need no escape in an encoded word inside a display name, the strictest place (RFC 2047 §5).
  private static func isPlainInWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "*")
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
  }

  private static func mailboxTokens(_ address: Address, field: String) throws(MailError) -> [String] {
    // A text without an address is read as a name alone; an error shows it.
    let mailbox = try checkedAddress(address.address, shown: address.name ?? "", field: field)
    let name = try checked(address.name ?? "", field: field).trimmingASCIIWhitespace
    if name.isEmpty { return [mailbox] }
    if name.utf8.contains(where: { $0 >= 0x80 }) || needsEncodedWord(name) {
      return encodedWords(name, column: field.utf8.count + 2) + ["<\(mailbox)>"]
    }
    let words = name.split(separator: " ").map(String.init)
    if words.allSatisfy({ $0.utf8.allSatisfy { $0.isToken && $0 != UInt8(ascii: ".") } }) {
      return words + ["<\(mailbox)>"]
    }
    return [quotedString(name), "<\(mailbox)>"]
  }

  private static func quotedString(_ text: String) -> String {
    var output = "\""
    for character in text {
      if character == "\"" || character == "\\" { output.append("\\") }
      output.append(character)
    }
    return output + "\""
  }

  private static func parameterTokens(_ name: String, _ value: String) -> [String] {
    if value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), value.utf8.count <= 60 {
      let isToken = !value.isEmpty && value.utf8.allSatisfy(\.isToken)
      return ["\(name)=\(isToken && name != "boundary" ? value : quotedString(value))"]
    }
    // RFC 2231: percent-encoded, cut into sections if it is long.
    var sections: [String] = [""]
    for byte in value.utf8 {
      let isPlain = byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      let piece =
        isPlain
        ? String(Unicode.Scalar(byte))
        : "%" + String(decoding: [byte.hexadecimalHigh, byte.hexadecimalLow], as: UTF8.self)
      if sections[sections.count - 1].utf8.count + piece.utf8.count > 50 { sections.append("") }
      sections[sections.count - 1] += piece
    }
    if sections.count == 1 { return ["\(name)*=utf-8''\(sections[0])"] }
    return sections.enumerated().map { "\(name)*\($0.offset)*=\($0.offset == 0 ? "utf-8''" : "")\($0.element)" }
  }

  // MARK: Checks

  /// Refuses line ends and control characters, which would let a value add header fields of its own.
  static func checked(_ value: String, field: String) throws(MailError) -> String {
    if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
      throw MailError(
        .headerInjection,
        LocalizedText(
          "The value of \(field) holds a line end or another control character. Put it on one line.",
          de:
            "Der Wert von \(field) enthält einen Zeilenumbruch oder ein anderes Steuerzeichen. Er muss in einer Zeile "
            + "stehen."),
        field: field)
    }
    return value.utf8.contains(0x09) ? value.replacing("\t", with: " ") : value
  }

  private static func checkedAddress(_ text: String, shown name: String = "", field: String) throws(MailError) -> String
  {
    let address = try checked(text, field: field)
    let shown = try address.isEmpty ? checked(name, field: field) : address
    let mailbox = Address(address: address)
    let local = mailbox.localPart
    let domain = mailbox.domain
    let quote = UInt8(ascii: "\"")
    let isQuoted = local.utf8.count > 2 && local.utf8.first == quote && local.utf8.last == quote
    let isValid =
      !local.isEmpty && !domain.isEmpty && address.utf8.count <= 320
      && (isQuoted || !local.utf8.contains(where: isSeparator))
      && !domain.utf8.contains {
        isSeparator($0) && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: ":")
      }
    guard isValid else {
      throw MailError(
        .invalidAddress,
        LocalizedText(
          "'\(shown)' in \(field) is not a mail address. It should look like name@example.org.",
          de: "'\(shown)' in \(field) ist keine Mailadresse. Erwartet wird eine Form wie name@example.org."),
        field: field)
    }
    return mailbox.sent
  }

  /// Separators of addresses and their parts; an address contains them only in quotes.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8.space, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "@"),
      UInt8(ascii: "["),
      UInt8(ascii: "]"):
      true
    default: false
    }
  }

  static func checkedMessageID(_ text: String, field: String) throws(MailError) -> String {
    let identifier = try checked(text, field: field)
    let isValid =
      identifier.utf8.contains(UInt8(ascii: "@")) && identifier.utf8.count <= 900
      && identifier.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    guard isValid else {
      throw MailError(
        .invalidMessageID,
        LocalizedText(
          "‘\(identifier)’ in \(field) is not a message identifier. It should look like 1234@example.org, without "
            + "brackets.",
          de: "'\(identifier)' in \(field) ist keine Nachrichtenkennung. Erwartet wird eine Form wie 1234@example.org "
            + "ohne Klammern."),
        field: field)
    }
    return identifier
  }
}

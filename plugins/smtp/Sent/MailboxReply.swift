import PluginKit

/// A line of an IMAP server (RFC 9051, section 7), as much of it as finding a folder and storing a message needs.
///
/// Literals have been put into the line as quoted strings.
struct MailboxReply: Sendable, Hashable {
  /// The first word: a tag, `*` or `+`.
  let tag: Substring
  /// The rest.
  let text: Substring

  init(_ line: String) {
    let space = line.firstIndex(of: " ") ?? line.endIndex
    tag = line[..<space]
    text = space == line.endIndex ? "" : line[line.index(after: space)...]
  }

  /// The first word of the text in upper case: `OK`, `CAPABILITY`, `LIST`.
  var word: String { text.prefix { $0 != " " }.uppercased() }

  /// The text behind the first word.
  var rest: Substring { text.drop { $0 != " " }.dropFirst() }

  /// The code in brackets of a status response in upper case, with what belongs to it: `TRYCREATE`.
  var code: String {
    guard rest.hasPrefix("["), let end = rest.firstIndex(of: "]") else { return "" }
    return rest[rest.index(after: rest.startIndex)..<end].uppercased()
  }

  /// The server's words on one line, at most 300 characters.
  var words: String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }).prefix(300))
  }

  /// A folder of `LIST`: its attributes, the separator of its levels, its name as the server writes it.
  ///
  /// - Returns: `nil` for another line.
  var folder: (attributes: [String], delimiter: Character?, name: String)? {
    guard tag == "*", word == "LIST" || word == "XLIST", rest.hasPrefix("("), let end = rest.firstIndex(of: ")") else {
      return nil
    }
    let attributes = rest[rest.index(after: rest.startIndex)..<end].split(separator: " ").map(String.init)
    var cursor = rest[rest.index(after: end)...]
    guard let delimiter = Self.string(&cursor), let name = Self.string(&cursor) else { return nil }
    return (attributes, delimiter.uppercased() == "NIL" ? nil : delimiter.first, name)
  }

  /// The numbers of `SEARCH`; empty for another line.
  var numbers: [UInt32] { word == "SEARCH" ? rest.split(separator: " ").compactMap { UInt32($0) } : [] }

  /// The next atom or quoted string.
  private static func string(_ text: inout Substring) -> String? {
    text = text.drop { $0 == " " }
    guard text.first == "\"" else {
      let atom = text.prefix { $0 != " " }
      text = text.dropFirst(atom.count)
      return atom.isEmpty ? nil : String(atom)
    }
    var value = ""
    var isEscaped = false
    text = text.dropFirst()
    while let character = text.popFirst() {
      if !isEscaped, character == "\"" { return value }
      isEscaped = !isEscaped && character == "\\"
      if !isEscaped { value.append(character) }
    }
    return nil
  }

  /// Text as a quoted string (RFC 9051, section 4.3).
  ///
  /// - Throws: `invalid_input` for what cannot occur in one.
  static func quoted(_ text: String) throws(ActionError) -> String {
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw ActionError(
        .invalidInput, "A value for the mail server holds characters beyond ASCII, or control characters.",
        german: "Ein Wert für den Mailserver enthält Zeichen jenseits von ASCII oder Steuerzeichen.")
    }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

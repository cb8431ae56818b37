/// How a text is written.
public enum TextFormat: String, CaseIterable, Sendable {
  /// Found out from the text.
  case auto
  /// Plain text.
  case text
  /// Markdown: its signs stay.
  case markdown
  /// HTML: text nodes, attributes, comments; the tags stay.
  case html
  /// A message as it is sent (RFC 5322): its fields and its text are what comes out, without attachments.
  case mail
  /// Comma-separated values (RFC 4180); also with semicolons or tabs. The names of columns are considered.
  case csv

  /// The format that a text looks like.
  static func detected(_ bytes: UnsafeBufferPointer<UInt8>) -> TextFormat {
    let head = String(decoding: bytes.prefix(4_000), as: UTF8.self).lowercased()
    if isMessage(head) { return .mail }
    for sign in [
      "<!doctype html", "<html", "<body", "<p>", "<p ", "<div", "<br>", "<br/>", "<table", "</a>", "</td>", "</span>",
      "</b>",
    ]
    where head.contains(sign) {
      return .html
    }
    let line = head.prefix { !$0.isNewline }
    let columns = CSVView.columns(String(line))
    if columns.count >= 2,
      columns.filter({ CSVView.kind(ofColumn: $0) != nil || SecretNames.strength(of: $0) != nil }).count >= 2,
      head.contains(where: \.isNewline)
    {
      return .csv
    }
    return .text
  }

  /// Whether a text, in lower case, begins with the header of a message as it was sent; "From:" and "Subject:" alone are
  /// what people copy.
  private static func isMessage(_ head: String) -> Bool {
    var names: Set<Substring> = []
    for line in head.split(separator: "\n", omittingEmptySubsequences: false).prefix(60) {
      if line.allSatisfy(\.isWhitespace) { break }
      if line.first == " " || line.first == "\t", !names.isEmpty { continue }
      let name = line.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
      guard !name.isEmpty, line.dropFirst(name.count).first == ":" else { return false }
      names.insert(name)
    }
    return names.count > 1
      && names.contains { ["content-transfer-encoding", "mime-version", "received", "message-id"].contains($0) }
  }
}

/// Subjects of answers and forwarded messages.
public enum SubjectLine {
  /// Prefixes that programs put before the subject of an answer, in lower case and without the colon.
  private static let answers: Set<String> = [
    "re", "aw", "antw", "antwort", "sv", "vs", "odp", "rif", "ris", "res", "回复", "答复",
  ]
  /// Prefixes that programs put before the subject of a forwarded message.
  private static let forwards: Set<String> = [
    "fwd", "fw", "wg", "weitergeleitet", "tr", "vb", "vl", "enc", "rv", "doorst", "转发",
  ]

  /// The subject of an answer: one `Re:` in the place of all marks of answers at its beginning.
  public static func answer(_ subject: String) -> String {
    let base = strip(subject, answers)
    return base.isEmpty ? "Re:" : "Re: \(base)"
  }

  /// The subject of a forwarded message: one `Fwd:` in the place of all marks of forwarding at its beginning.
  public static func forward(_ subject: String) -> String {
    let base = strip(subject, forwards)
    return base.isEmpty ? "Fwd:" : "Fwd: \(base)"
  }

  /// The subject without the marks of answers and forwarding at its beginning, which is the same in all messages of a thread.
  public static func base(_ subject: String) -> String { strip(subject, answers.union(forwards)) }

  /// Whether the subject begins with a mark of an answer.
  public static func isAnswer(_ subject: String) -> Bool {
    mark(subject[...]).map { answers.contains($0.word) } ?? false
  }

  private static func strip(_ subject: String, _ marks: Set<String>) -> String {
    var rest = subject.trimmingASCIIWhitespace[...]
    while let found = mark(rest), marks.contains(found.word) { rest = found.rest.drop { $0.isWhitespace } }
    return String(rest)
  }

  /// The mark at the beginning, `Re:`, `AW :`, `Re[2]:`, `Re (3)：`; `nil` if there is none.
  private static func mark(_ text: Substring) -> (word: String, rest: Substring)? {
    let word = text.prefix { $0.isLetter }
    guard !word.isEmpty, word.count <= 15 else { return nil }
    var rest = text.dropFirst(word.count)
    if let open = rest.first, open == "[" || open == "(" || open == "^" {
      let digits = rest.dropFirst().prefix { $0.isNumber }
      rest = rest.dropFirst(digits.count + 1)
      if open != "^" {
        guard rest.first == (open == "[" ? "]" : ")") else { return nil }
        rest = rest.dropFirst()
      }
    }
    rest = rest.drop { $0 == " " || $0 == "\u{A0}" }
    guard rest.first == ":" || rest.first == "：" else { return nil }
    return (word.lowercased(), rest.dropFirst())
  }
}

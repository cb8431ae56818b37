/// Text beside the message itself: links to look at them elsewhere or to leave a list, the history of a conversation,
/// signatures.
public enum Boilerplate {
  /// Words of lines that lead to a web page of the message, or out of a list.
  private static let links = [
    "view in browser", "view this email in your browser", "view online", "view it in your browser",
    "im browser ansehen",
    "im browser öffnen", "im browser anzeigen", "online ansehen", "online-version", "webversion", "web version",
    "manage preferences", "manage your preferences", "update your preferences", "email preferences",
    "einstellungen verwalten", "newsletter abbestellen", "se désabonner", "you are receiving this", "you received this",
    "this email was sent to", "this message was sent to", "sie erhalten diese", "du erhältst diese",
    "diese e-mail wurde an", "diese mail wurde an", "diese nachricht wurde an",
    "nicht richtig dargestellt", "nicht korrekt dargestellt", "trouble viewing", "having trouble reading",
    "add us to your address book",
  ]
  /// Words that a person may write as well: they count in lines of few words, and beside one of ``linkWords``.
  private static let doubtful = [
    "unsubscribe", "abmelden", "abzumelden", "abbestellen", "abzubestellen", "austragen", "auszutragen", "opt out",
    "privacy policy", "datenschutz",
  ]
  private static let linkWords = [
    "http", "www.", "click", "klick", "here", "hier", "newsletter", "mailing", "emails", "e-mails", "|", "·",
  ]
  private static let persons: Set<Substring> = [
    "i", "i'm", "we", "my", "our", "ich", "mich", "wir", "uns", "mein", "unser", "je", "nous",
  ]
  private static let mobile = [
    "sent from my", "gesendet von meine", "von meinem iphone gesendet", "get outlook for",
    "diese nachricht wurde von meinem",
  ]
  private static let forwarded = [
    "-----original message-----", "-----ursprüngliche nachricht-----", "-----originalnachricht-----",
    "________________________________",
  ]
  /// The longest line that is looked at as one of these.
  private static let longest = 300

  /// The text of a message without quoted history, signature, lines of links and preview padding. The whole text if nothing
  /// would be left. Linear.
  public static func removed(from text: String) -> String {
    var kept: [Substring] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let bare = String(String.UnicodeScalarView(line.unicodeScalars.filter { !isPadding($0) }))
      let trimmed = bare.trimmed
      if trimmed == "--" || line == "-- " || isHistory(trimmed, next: lines.dropFirst(index + 1).first ?? "") { break }
      if trimmed.hasPrefix(">") || isLink(trimmed) { continue }
      kept.append(Substring(bare))
    }
    let result = collapsed(kept)
    return result.isEmpty ? text : result
  }

  /// The signs that newsletters fill the preview line with.
  private static func isPadding(_ scalar: Unicode.Scalar) -> Bool {
    [0x200B, 0x200C, 0xFEFF, 0x34F, 0xAD, 0x2007].contains(scalar.value)
  }

  private static func isLink(_ line: String) -> Bool {
    guard !line.isEmpty, line.utf8.count <= longest else { return false }
    let text = line.lowercased()
    if links.contains(where: { text.contains($0) }) || mobile.contains(where: { text.hasPrefix($0) }) { return true }
    guard doubtful.contains(where: { text.contains($0) }) else { return false }
    let words = text.split { $0.isWhitespace || $0 == "," }
    if words.contains(where: persons.contains) { return false }
    return words.count <= 4 || linkWords.contains { text.contains($0) }
  }

  /// Whether the history of the conversation begins here; its first line may be broken in two.
  private static func isHistory(_ line: String, next: Substring) -> Bool {
    guard !line.isEmpty, line.utf8.count <= longest else { return false }
    let text = line.lowercased()
    if forwarded.contains(where: { text.hasPrefix($0) }) { return true }
    let whole = text.hasSuffix(":") ? text : text + " " + String(next.prefix(longest)).lowercased().trimmed
    guard whole.hasSuffix(":"), whole.hasPrefix("on ") || whole.hasPrefix("am ") || whole.hasPrefix("le ") else {
      return false
    }
    return whole.contains(" wrote:") || whole.contains("schrieb") || whole.contains(" a écrit")
  }

  /// Lines with at most one empty one between two.
  private static func collapsed(_ lines: [Substring]) -> String {
    var output: [Substring] = []
    for line in lines where !(line.allSatisfy(\.isWhitespace) && (output.last?.allSatisfy(\.isWhitespace) ?? true)) {
      output.append(line)
    }
    while let last = output.last, last.allSatisfy(\.isWhitespace) { output.removeLast() }
    return output.joined(separator: "\n")
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

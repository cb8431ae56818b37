public import PluginKit

/// The names of flags and keywords (RFC 9051 §2.3.2).
///
/// System flags begin with a backslash; `flags` of a message lists them, and the registered keywords that tell what
/// programs have done (`$Forwarded`). All other keywords are labels, which belong to the user, `$label1` of Thunderbird
/// among them.
public enum MailFlag {
  /// Read.
  public static let seen = "\\Seen"
  /// Answered.
  public static let answered = "\\Answered"
  /// Marked as important.
  public static let flagged = "\\Flagged"
  /// To be removed.
  public static let deleted = "\\Deleted"
  /// Being written.
  public static let draft = "\\Draft"
  /// Passed on.
  public static let forwarded = "$Forwarded"

  private static let known: [String: String] = [
    "seen": seen, "answered": answered, "flagged": flagged, "deleted": deleted, "draft": draft, "recent": "\\Recent",
    "forwarded": forwarded, "passed": forwarded,
  ]

  /// The usual spelling: `\Seen` for `seen`, `Seen` and `\SEEN`; a keyword stays as it is.
  public static func canonical(_ name: String) -> String {
    switch name {
    case seen, answered, flagged, deleted, draft, forwarded: return name
    default: break
    }
    let plain = name.first == "\\" || name.first == "$" ? String(name.dropFirst()) : name
    return known[plain.lowercased()] ?? name
  }

  /// Whether a name in its usual spelling is the user's own rather than the system's.
  public static func isLabel(_ name: String) -> Bool {
    guard let first = name.utf8.first else { return false }
    if first == UInt8(ascii: "\\") { return false }
    return first != UInt8(ascii: "$") || name.lowercased().hasPrefix("$label")
  }

  /// Sorts names, as a server gives them, into flags and labels.
  public static func sorted(_ names: some Sequence<String>) -> (flags: [String], labels: [String]) {
    var result: (flags: [String], labels: [String]) = ([], [])
    for name in names.map(canonical) {
      if isLabel(name) { result.labels.append(name) } else { result.flags.append(name) }
    }
    return result
  }

  /// Checks a flag or keyword that a recipe sets.
  ///
  /// - Returns: Its usual spelling.
  /// - Throws: `invalid_input` for what no store can keep: a name that is not an atom of IMAP (letters, digits and signs of
  ///   ASCII but `( ) { ] % * " \` and white space), one of more than 100 bytes, or an unknown system flag.
  public static func checked(_ name: String) throws(ActionError) -> String {
    let name = canonical(name)
    if name.hasPrefix("\\") {
      guard name != "\\Recent", known.values.contains(name) else {
        throw ActionError(
          .invalidInput, "The flag '\(DisplayedText.text(name))' cannot be set.",
          german: "Die Markierung '\(DisplayedText.text(name))' lässt sich nicht setzen.",
          advice: "Flags are \\Seen, \\Answered, \\Flagged, \\Deleted and \\Draft; a label has no backslash.",
          adviceGerman: "Markierungen sind \\Seen, \\Answered, \\Flagged, \\Deleted und \\Draft; ein Label hat "
            + "keinen umgekehrten Schrägstrich.")
      }
      return name
    }
    let isAtom = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !#"(){]%*"\"#.utf8.contains($0) }
    guard (1...100).contains(name.utf8.count), isAtom else {
      throw ActionError(
        .invalidInput, "'\(DisplayedText.text(name))' cannot be a label.",
        german: "'\(DisplayedText.text(name))' kann kein Label sein.",
        advice: "A label has up to 100 letters, digits or signs of ASCII, no spaces and none of ( ) { ] % * \" \\.",
        adviceGerman:
          "Ein Label hat bis zu 100 Buchstaben, Ziffern oder Zeichen aus ASCII, keine Leerzeichen und keines "
          + "von ( ) { ] % * \" \\.")
    }
    return name
  }
}

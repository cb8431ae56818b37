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
    "forwarded": forwarded,
  ]

  /// The usual spelling: `\Seen` for `seen`, `Seen` and `\SEEN`; a keyword stays as it is.
  public static func canonical(_ name: String) -> String {
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
}

/// The form of a mail address as people write it: RFC 5322, section 3.4, with the letters of RFC 6532.
///
/// It is a check against slips, not against servers: whatever a server might take passes.
enum MailAddressText {
  /// Whether a text is an address with or without a name: `me@example.com`, `Me <me@example.com>`.
  static func isAddress(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.contains(where: isControl) else { return false }
    guard let open = scalars.lastIndex(of: "<") else { return isPlain(scalars[...]) }
    let tail = scalars[(open + 1)...]
    guard let close = tail.firstIndex(of: ">"), scalars[(close + 1)...].allSatisfy({ $0 == " " }) else { return false }
    return isPlain(tail[..<close])
  }

  /// Whether a text has something before one `@` and a domain after it.
  private static func isPlain(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let at = scalars.lastIndex(of: "@") else { return false }
    let local = scalars[..<at]
    let domain = scalars[(at + 1)...]
    guard !local.isEmpty, !domain.isEmpty else { return false }
    let isQuoted = local.count > 2 && local.first == "\"" && local.last == "\""
    guard isQuoted || !local.contains(where: { separators.contains($0) }) else { return false }
    // An address literal: [192.0.2.1]
    if domain.first == "[", domain.last == "]" { return domain.count > 2 && !domain.contains(" ") }
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    return !domain.contains(where: { separators.contains($0) }) && labels.allSatisfy { !$0.isEmpty }
  }

  /// What stands between or around addresses and in none of them.
  private static let separators: Set<Unicode.Scalar> = [" ", ",", ";", "<", ">", "@", "\"", "(", ")", "[", "]"]

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}

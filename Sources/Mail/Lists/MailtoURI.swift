/// A `mailto:` URI (RFC 6068): whom to write to, and what.
public struct MailtoURI: Sendable, Hashable {
  /// The main recipients.
  public var to: [Address]
  /// The other recipients.
  public var cc: [Address]
  /// The subject, on one line; `nil` if the URI names none.
  public var subject: String?
  /// The text, its lines ended by LF; `nil` if the URI names none.
  public var body: String?

  /// Reads a URI; fields other than those above are skipped, as RFC 6068 §7 advises.
  ///
  /// - Returns: `nil` for another scheme, and where no recipient is an address.
  public init?(_ uri: String) {
    guard uri.prefix(7).lowercased() == "mailto:" else { return nil }
    let rest = uri.dropFirst(7)
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    let query = rest.dropFirst(path.count).prefix { $0 != "#" }.dropFirst()
    var to = MailtoURI.addresses(path)
    var cc: [Address] = []
    for pair in query.replacing("&amp;", with: "&").split(separator: "&").prefix(50) {
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1)
      switch name.lowercased() {
      case "to": to += MailtoURI.addresses(value)
      case "cc": cc += MailtoURI.addresses(value)
      case "subject": subject = HTMLSanitizer.percentDecoded(String(value)).collapsingWhitespace
      case "body": body = HTMLSanitizer.percentDecoded(String(value)).withPlainLineEnds
      default: break
      }
    }
    guard !to.isEmpty else { return nil }
    self.to = to
    self.cc = cc
  }

  private static func addresses(_ text: some StringProtocol) -> [Address] {
    text.split(separator: ",").flatMap { Address.parseList(HTMLSanitizer.percentDecoded(String($0))) }
      .filter { $0.address.contains("@") }
  }
}

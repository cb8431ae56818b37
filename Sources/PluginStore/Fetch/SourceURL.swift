import Foundation

/// A URL that plugins are fetched from. Its query and user info may be secret, so that they are neither recorded nor shown.
struct SourceURL: Sendable {
  /// The whole URL.
  let text: String
  /// The URL without user info, query and fragment. A question mark at its end means that the URL has a query.
  let shown: String
  /// The URL of the signature, with the same query.
  let signature: String
  /// The name of the file; may be empty.
  let name: String

  /// Takes a URL apart (RFC 3986, section 3).
  init(_ text: String) {
    self.text = text
    let whole = text.prefix { $0 != "#" }
    let path = whole.prefix { $0 != "?" }
    let query = whole.dropFirst(path.count)
    signature = path + ".minisig" + query
    name = path.split(separator: "/").last.map(String.init) ?? ""
    shown = Self.withoutUser(path) + (query.isEmpty ? "" : "?")
  }

  /// Whether a recorded URL lacks its query.
  static func lacksQuery(_ recorded: String) -> Bool { recorded.contains("://") && recorded.hasSuffix("?") }

  /// Whether a URL has user info, such as a password.
  var namesUser: Bool { Self.withoutUser(Substring(text)) != text }

  private static func withoutUser(_ url: Substring) -> String {
    guard let scheme = url.range(of: "://") else { return String(url) }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return String(url) }
    return String(url[..<scheme.upperBound] + url[url.index(after: at)...])
  }
}

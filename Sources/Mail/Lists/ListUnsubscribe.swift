/// How a message says one can leave its list (RFC 2369 §3.2, RFC 8058).
public struct ListUnsubscribe: Sendable, Hashable {
  /// Addresses of the web in the order the sender prefers them, `https:` before `http:`.
  public var http: [String]
  /// Addresses to write to, as `mailto:` URIs with subject and body where the sender wants them; see ``MailtoURI``.
  public var mailto: [String]
  /// Whether a POST of `List-Unsubscribe=One-Click` to the first address of ``http``, which is `https:` then, is enough. RFC
  /// 8058 wants a valid DKIM signature over both fields as well, which this type does not check.
  public var isOneClick: Bool

  /// The body of the POST that leaves a list (RFC 8058 §3.1), of the type `application/x-www-form-urlencoded`.
  public static let oneClickBody = "List-Unsubscribe=One-Click"

  /// Creates a way out of a list.
  public init(http: [String] = [], mailto: [String] = [], isOneClick: Bool = false) {
    self.http = http
    self.mailto = mailto
    self.isOneClick = isOneClick
  }

  /// Reads the header fields.
  ///
  /// - Returns: `nil` if they name no address that can be used.
  init?(headers: Headers) {
    var secure: [String] = []
    var open: [String] = []
    var mail: [String] = []
    for field in headers.all("List-Unsubscribe") {
      for uri in ListURI.parseList(field.rawValue).prefix(10) {
        let lowercased = uri.lowercased()
        if lowercased.hasPrefix("https://") {
          secure.append(uri)
        } else if lowercased.hasPrefix("http://") {
          open.append(uri)
        } else if lowercased.hasPrefix("mailto:"), MailtoURI(uri) != nil {
          mail.append(uri)
        }
      }
    }
    if secure.isEmpty, open.isEmpty, mail.isEmpty { return nil }
    let post = headers["List-Unsubscribe-Post"]?.filter { !$0.isWhitespace }.lowercased()
    self.init(
      http: secure + open, mailto: mail,
      isOneClick: !secure.isEmpty && post == ListUnsubscribe.oneClickBody.lowercased())
  }
}

/// The addresses in the `List-…` fields (RFC 2369 §2).
enum ListURI {
  /// The URIs in angle brackets; white space in them is dropped, comments around them are skipped. A field without
  /// brackets is read as URIs with commas between them.
  static func parseList(_ value: ArraySlice<UInt8>) -> [String] {
    var found: [String] = []
    var index = value.startIndex
    while let start = value[index...].firstIndex(of: UInt8(ascii: "<")) {
      let end = value[start...].firstIndex(of: UInt8(ascii: ">")) ?? value.endIndex
      append(value[(start + 1)..<end], to: &found)
      index = min(end + 1, value.endIndex)
    }
    if found.isEmpty {
      for piece in value.split(separator: UInt8(ascii: ",")) { append(piece, to: &found) }
    }
    return found
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to found: inout [String]) {
    let text = bytes.filter { $0 > 0x20 && $0 < 0x7F }
    if text.contains(UInt8(ascii: ":")), text.count <= 4000 { found.append(String(decoding: text, as: UTF8.self)) }
  }
}

extension Message {
  /// How one can leave the list the message was sent to; `nil` if it does not say.
  public var listUnsubscribe: ListUnsubscribe? { ListUnsubscribe(headers: headers) }

  /// The address to write to for the whole list (`List-Post`, RFC 2369 §3.4); `nil` if there is none, or if the list is closed.
  public var listPost: Address? {
    guard let field = headers.first("List-Post") else { return nil }
    for uri in ListURI.parseList(field.rawValue) {
      if let mailto = MailtoURI(uri), let address = mailto.to.first { return address }
    }
    return nil
  }
}

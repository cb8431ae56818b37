public import Mail
import PluginKit

/// The ways out of a mailing list that a message offers (RFC 2369, RFC 8058).
public struct ListUnsubscribe: Sendable, Hashable {
  /// Web addresses, `https` and `http`, in the order given.
  public var http: [String]
  /// `mailto:` URIs, in the order given.
  public var mailto: [String]
  /// Whether one POST request to the first `https` address is enough.
  public var isOneClick: Bool

  /// More ways than these are left out.
  private static let limit = 20

  /// Reads the header of a message; `nil` if it offers no way.
  public init?(_ headers: Headers) {
    http = []
    mailto = []
    for field in headers.all("List-Unsubscribe") {
      for uri in Self.uris(field.rawValue) {
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        if scheme == "https" || scheme == "http" { http.append(uri) }
        if scheme == "mailto" { mailto.append(uri) }
      }
    }
    guard !http.isEmpty || !mailto.isEmpty else { return nil }
    let post = headers["List-Unsubscribe-Post"]
    isOneClick =
      post.map { $0.lowercased().contains("list-unsubscribe=one-click") } ?? false
      && http.contains { $0.lowercased().hasPrefix("https:") }
  }

  /// The URI between angle brackets; folds and white space inside belong to no URI.
  private static func uris(_ value: ArraySlice<UInt8>) -> [String] {
    var uris: [String] = []
    var rest = value
    while uris.count < limit, let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let bytes = rest[rest.index(after: open)..<close].filter { $0 > 0x20 && $0 != 0x7f }
      let uri = String(decoding: bytes, as: UTF8.self)
      if !uri.isEmpty, bytes.count <= 4096 { uris.append(uri) }
      rest = rest[rest.index(after: close)...]
    }
    return uris
  }

  /// The shape of the contract.
  var json: JSONValue {
    [
      "http": .array(http.map(JSONValue.string)), "mailto": .array(mailto.map(JSONValue.string)),
      "one_click": .bool(isOneClick),
    ]
  }
}

import Foundation

/// Paths as the URIs of the protocol, and back.
enum FileAddress {
  /// The path of a `file:` URI; another URI stands for itself.
  static func path(of uri: String) -> String {
    guard uri.hasPrefix("file://") else { return uri }
    let rest = uri.dropFirst(7)
    let path = rest.hasPrefix("/") ? String(rest) : String(rest.drop { $0 != "/" })
    return path.removingPercentEncoding ?? path
  }

  /// The `file:` URI of a path.
  static func uri(of path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    return "file://" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)
  }
}

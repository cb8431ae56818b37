import Foundation

/// Paths as the URIs of the protocol, and back.
enum FileAddress {
  /// The path of a `file:` URI; another URI stays as it is.
  static func path(of uri: String) -> String {
    guard uri.hasPrefix("file://") else { return uri }
    let rest = uri.dropFirst(7)
    let path = rest.hasPrefix("/") ? String(rest) : String(rest.drop { $0 != "/" })
    let decoded = path.removingPercentEncoding ?? path
    // The planner names files by their shortest paths.
    return decoded.contains("//") || decoded.contains("/.") ? self.path(decoded, beside: "/") : decoded
  }

  /// The `file:` URI of a path.
  static func uri(of path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    return "file://" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)
  }

  /// The folder of a path, without a slash at its end.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// A path as seen from the folder of a file, without `.`, `..` and empty parts.
  static func path(_ path: String, beside file: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : folder(of: file) + "/" + path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

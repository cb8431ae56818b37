/// Paths that files of recipes and configurations contain.
package enum RecipePath {
  /// The folder of a file: `.` for a bare name.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path as the process can use it: relative ones start at the folder.
  package static func resolve(_ path: String, in directory: String) -> String {
    if path.hasPrefix("/") || directory == "." { return path }
    let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return directory.hasSuffix("/") ? directory + relative : directory + "/" + relative
  }

  /// A path without `.` and without `..` where it can be.
  package static func normalized(_ path: String) -> String {
    var parts: [String] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(String(part)) }
    }
    var result = ""
    for part in parts {
      if path.hasPrefix("/") || !result.isEmpty { result += "/" }
      result += part
    }
    return result.isEmpty && path.hasPrefix("/") ? "/" : result
  }
}

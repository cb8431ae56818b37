import Glibc

/// What is Sous's own and out of reach of the actions on files, wherever it lies: its state, secrets, configuration, code.
///
/// A place is protected under the path without links that it has, and every link on the way that is named for it is
/// protected against changes: who may put something else in the place of a link decides what lies there.
struct ProtectedPlaces {
  /// What a place is.
  enum Kind {
    /// The folder of the run log and what else Sous keeps for itself. Neither read nor changed.
    case state
    /// Secrets, and keys of them. Neither read nor changed.
    case secret
    /// What says what recipes may do. Read, but not changed.
    case configuration
    /// A file that Sous runs. Read, but not changed.
    case code
    /// A folder that Sous looks for plugins in: the libraries in it are code.
    case plugins
  }

  private struct Entry {
    let path: String
    let kind: Kind
    /// Whether it is a link on the way, of which only the name counts.
    let isLink: Bool
  }

  private let entries: [Entry]

  /// Finds out where places are now.
  ///
  /// - Parameter places: Absolute paths; what does not exist is protected all the same.
  init(_ places: [(path: String, kind: Kind)]) {
    entries = places.flatMap { place in
      let (links, end) = Self.way(to: place.path)
      return links.map { Entry(path: $0, kind: place.kind, isLink: true) }
        + [Entry(path: end, kind: place.kind, isLink: false)]
    }
  }

  /// What keeps a place from being read; `nil` where nothing does.
  ///
  /// - Parameter path: The path without links.
  func closed(_ path: String) -> Kind? {
    entries.first { entry in
      [.state, .secret].contains(entry.kind) && !entry.isLink && Self.holds(entry.path, path)
    }?.kind
  }

  /// Whether an open file is a secret under another name.
  func isSecret(_ information: stat) -> Bool {
    entries.contains { entry in
      var found = stat()
      return entry.kind == .secret && !entry.isLink && stat(entry.path, &found) == 0
        && found.st_dev == information.st_dev && found.st_ino == information.st_ino
    }
  }

  /// What keeps a place from being written, moved, deleted or replaced; `nil` where nothing does.
  ///
  /// - Parameter path: The path without links.
  func fixed(_ path: String) -> Kind? {
    closed(path)
      ?? entries.first { entry in
        // It, or a folder with it inside.
        Self.holds(path, entry.path)
          || entry.kind == .plugins && !entry.isLink && Self.isLibrary(path, in: entry.path)
      }?.kind
  }

  /// Whether a path is a folder's or below it.
  private static func holds(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
  }

  private static func isLibrary(_ path: String, in folder: String) -> Bool {
    guard let slash = path.lastIndex(of: "/"), path[..<slash] == (folder == "/" ? "" : folder[...]) else {
      return false
    }
    let name = path[path.index(after: slash)...]
    return name.hasSuffix(".so") || name.contains(".so.")
  }

  /// The links that a path leads through, each by its path without links, and where it ends.
  private static func way(to path: String) -> (links: [String], end: String) {
    var links: [String] = []
    var current = ""
    var names = Array(path.split(separator: "/").reversed())
    while let name = names.popLast() {
      if name == "." { continue }
      if name == ".." {
        current = current.lastIndex(of: "/").map { String(current[..<$0]) } ?? ""
        continue
      }
      let next = current + "/" + name
      // As many as the system follows.
      guard links.count < 40, let target = target(of: next) else {
        current = next
        continue
      }
      links.append(next)
      if target.hasPrefix("/") { current = "" }
      names += target.split(separator: "/").reversed().map { Substring(String($0)) }
    }
    return (links, current.isEmpty ? "/" : current)
  }

  /// Where a link leads; `nil` for what is none.
  private static func target(of path: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(validating: buffer[..<count], as: UTF8.self)
    }
  }
}

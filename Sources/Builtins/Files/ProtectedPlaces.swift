import Glibc
import OperatingSystem

/// The files of Sous that the file actions must not touch: its state, secrets, configuration, code.
///
/// A place is protected under the path without links that it has, and every link on the way that is named for it is protected
/// against changes: replacing a link changes what lies there. The contents of a file are protected under every name that it
/// has.
struct ProtectedPlaces {
  /// The kind of a place.
  enum Kind {
    /// The folder of the run log and what else Sous keeps for itself. Neither read nor changed.
    case state
    /// Secrets, and keys of them. Neither read nor changed.
    case secret
    /// Files that grant permissions to recipes: readable, not writable.
    case configuration
    /// A file that Sous runs. Read, but not changed.
    case code
    /// A folder that Sous looks for plugins in: the libraries in it are code.
    case plugins
    /// A file that Sous or another program executes later: a folder of recipes or prompts, a recipe, a hook of Git. Recipes may
    /// read it, and change it only if the configuration names its folder under `files: folders`.
    case executed
  }

  private struct Entry {
    let path: String
    let kind: Kind
    /// Whether it is a link on the way, of which only the name counts.
    let isLink: Bool
  }

  private let entries: [Entry]

  /// Resolves the places.
  ///
  /// - Parameter places: Absolute paths; missing ones are protected too.
  init(_ places: [(path: String, kind: Kind)]) {
    entries = places.flatMap { place in
      let (links, end) = Self.way(to: place.path)
      return links.map { Entry(path: $0, kind: place.kind, isLink: true) }
        + [Entry(path: end, kind: place.kind, isLink: false)]
    }
  }

  /// The reason why a place must not be read; `nil` if it may.
  ///
  /// - Parameter path: The path without links.
  func closed(_ path: String) -> Kind? {
    entries.first { entry in
      [.state, .secret].contains(entry.kind) && !entry.isLink && Self.holds(entry.path, path)
    }?.kind
  }

  /// The kind of a file of Sous that has another name here, such as a hard link; `nil` if it is not one.
  ///
  /// - Parameter isRead: Whether only unreadable files count.
  func owned(_ information: stat, isRead: Bool) -> Kind? {
    entries.first { entry in
      guard !entry.isLink, !isRead || [.state, .secret].contains(entry.kind) else { return false }
      var found = stat()
      guard stat(entry.path, &found) == 0 else { return false }
      if found.isSameFile(as: information) { return true }
      // A file that is identified by its inode alone has at least two names.
      guard found.st_mode & S_IFMT == S_IFDIR, information.st_nlink > 1 else { return false }
      if entry.kind == .plugins {
        return Self.libraries(in: entry.path).contains { library in
          var found = stat()
          return stat(library, &found) == 0 && found.isSameFile(as: information)
        }
      }
      return Self.contains(information, entry.path, depth: 0)
    }?.kind
  }

  /// Whether a folder, or one below it, has a file. No link is followed.
  private static func contains(_ information: stat, _ folder: String, depth: Int) -> Bool {
    names(in: folder).contains { name in
      var found = stat()
      let path = folder + "/" + name
      guard lstat(path, &found) == 0 else { return false }
      guard found.st_mode & S_IFMT == S_IFDIR else { return found.isSameFile(as: information) }
      return depth < Self.depth && contains(information, path, depth: depth + 1)
    }
  }

  /// How many folders deep Sous keeps something in its own.
  private static let depth = 8

  /// The libraries that a folder of plugins has; some may be links.
  private static func libraries(in folder: String) -> [String] {
    names(in: folder).map { (folder == "/" ? "" : folder) + "/" + $0 }.filter { isLibrary($0, in: folder) }
  }

  /// The names in a folder; none where it cannot be read.
  private static func names(in folder: String) -> [String] {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return [] }
    return (try? Descriptor(number).names(folder)) ?? []
  }

  /// The reason why a place must not be written, moved, deleted or replaced; `nil` if it may.
  ///
  /// - Parameters:
  ///   - path: The path without links.
  ///   - root: The folder of `files: folders` that the path is in, without links.
  ///   - isNamed: Whether the configuration names that folder.
  func fixed(_ path: String, root: String = "", isNamed: Bool = false) -> Kind? {
    closed(path)
      ?? entries.first { entry in
        if entry.kind == .executed, !entry.isLink, Self.holds(entry.path, path) {
          // Recipes may work in the protected folder itself or in a folder below it.
          guard !root.isEmpty, Self.holds(entry.path, root) else { return true }
          return !isNamed && Self.isDocument(path)
        }
        // It, or a folder with it inside.
        return Self.holds(path, entry.path)
          || entry.kind == .plugins && !entry.isLink
            && (Self.isLibrary(path, in: entry.path) || Self.holdsTarget(path, of: entry.path))
      }?.kind
  }

  /// Whether a path is that of what a library leads to which is a link in a folder of plugins, or of a folder with that
  /// inside.
  private static func holdsTarget(_ path: String, of folder: String) -> Bool {
    libraries(in: folder).contains { library in
      guard target(of: library) != nil else { return false }
      let (links, end) = way(to: library)
      return (links + [end]).contains { holds(path, $0) }
    }
  }

  /// Whether a folder is, or lies in, a folder that recipes or prompts are read from.
  func isServed(_ folder: String) -> Bool {
    entries.contains { $0.kind == .executed && !$0.isLink && Self.holds($0.path, folder) }
  }

  /// Whether a path is a folder's or below it.
  private static func holds(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
  }

  /// Whether a path has the ending of recipes, configurations and prompts.
  static func isDocument(_ path: String) -> Bool { path.hasSuffix(".yaml") || path.hasSuffix(".yml") }

  /// Whether other programs run code from a path without asking: hooks, start files of shells, tasks of editors, keys.
  ///
  /// - Parameter names: The parts of the path below the folder that recipes may work in. Upper and lower case are equal, as in
  ///   some file systems.
  static func isRunByOthers(_ names: [String]) -> Bool {
    let names = names.map { $0.lowercased() }
    if names.contains(where: runFolders.contains) { return true }
    guard let last = names.last else { return false }
    if runFiles.contains(last) || last.hasSuffix(".test.yaml") || last.hasSuffix(".test.yml") { return true }
    guard let place = names.firstIndex(of: ".config"), names.indices.contains(place + 1) else { return false }
    return runSettings.contains(names[place + 1])
  }

  private static let runFolders: Set<String> = [
    ".git", ".hg", ".svn", ".ssh", ".gnupg", ".husky", ".githooks", ".github", ".vscode", ".devcontainer", ".idea",
    ".direnv",
    ".emacs.d",
  ]
  /// Folders in `.config`.
  private static let runSettings: Set<String> = [
    "systemd", "autostart", "fish", "environment.d", "git", "direnv", "nvim", "emacs", "zsh", "tmux",
  ]
  private static let runFiles: Set<String> = [
    ".envrc", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile",
    ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".xprofile", ".xinitrc", ".xsession", ".vimrc",
    ".exrc", ".nvimrc", ".nvim.lua", ".emacs", ".gdbinit", ".lldbinit", ".tmux.conf", ".screenrc", ".forward",
    ".procmailrc",
    ".gitconfig", ".pre-commit-config.yaml", "sous.yaml",
  ]

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

extension stat {
  /// Whether both speak of one file, whatever its names.
  fileprivate func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}

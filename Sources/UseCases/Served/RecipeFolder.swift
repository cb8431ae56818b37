import Foundation
import Glibc
import Recipes

/// The files of recipes below a folder.
struct RecipeFolder {
  /// The folder and those below it that were looked through.
  private(set) var folders: [String] = []
  /// What below the folders could not be looked at, a problem for each folder at most.
  private(set) var problems: [Problem] = []
  /// Paths of recipes, and of folders, whose names are not UTF-8, as people can read them; a hundred at most.
  private(set) var unusable: [String] = []
  private var links: [(path: String, facts: stat)] = []

  /// A folder of which something may be there that was not seen.
  struct Problem {
    var folder: String
    /// The file in it that the kernel tells nothing of; `nil` where it is the folder.
    var file: String?
    /// The error of the system.
    var reason: Int32
  }

  /// Looks through a folder: recipes below it, without tests, prompts of a `catalog` and what is hidden.
  ///
  /// - Parameter visit: Gets each file and what the kernel knows of it. Links come last, where they lead to a file that was
  ///   not visited.
  /// - Returns: Whether the folder could be opened; `errno` tells why not. What could not be looked at below it is among
  ///   the ``problems``.
  mutating func look(_ folder: String, _ visit: (String, stat) -> Void) -> Bool {
    guard walk(folder, visit) else { return false }
    guard !links.isEmpty else { return true }
    var seen: Set<String> = []
    for (path, facts) in links.sorted(by: { $0.path < $1.path }) {
      let target = CheckedFiles.canonical(path)
      // Below one of the folders it is visited as itself, or will be once that folder can be looked through.
      let isVisited =
        Self.isRecipe(target)
        && (folders.contains { target == "\($0)/\(Self.name(target))" }
          || problems.contains { target.hasPrefix($0.folder + "/") })
      if !isVisited, seen.insert(target).inserted { visit(path, facts) }
    }
    links = []
    return true
  }

  private mutating func walk(_ folder: String, _ visit: (String, stat) -> Void) -> Bool {
    guard let directory = opendir(folder) else { return false }
    folders.append(folder)
    defer { closedir(directory) }
    while true {
      // Only this tells an error from the end.
      errno = 0
      guard let entry = readdir(directory) else {
        note(errno, folder)
        return true
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in bytes.prefix { $0 != 0 }.map(\.self) }
      guard bytes.first != UInt8(ascii: ".") else { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
        if unusable.count < 100, isFolder || Self.isRecipe(String(decoding: bytes, as: UTF8.self)) {
          unusable.append("\(folder)/\(UnusableName.shown(bytes))")
        }
        continue
      }
      let path = "\(folder)/\(name)"
      var facts = stat()
      if entry.pointee.d_type == UInt8(DT_DIR) {
        if name != "catalog" { walkBelow(path, visit) }
      } else if Self.isRecipe(name) {
        guard fstatat(dirfd(directory), name, &facts, 0) == 0 else {
          note(errno, folder, file: path)
          continue
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { continue }
        if entry.pointee.d_type == UInt8(DT_LNK) { links.append((path, facts)) } else { visit(path, facts) }
      } else if entry.pointee.d_type == UInt8(DT_UNKNOWN), name != "catalog" {
        guard fstatat(dirfd(directory), name, &facts, Int32(AT_SYMLINK_NOFOLLOW)) == 0 else {
          note(errno, folder, file: path)
          continue
        }
        if facts.st_mode & S_IFMT == S_IFDIR { walkBelow(path, visit) }
      }
    }
  }

  private mutating func walkBelow(_ folder: String, _ visit: (String, stat) -> Void) {
    guard !walk(folder, visit) else { return }
    note(errno, folder)
  }

  /// Notes what could not be looked at; what has gone since its folder was read, and links that lead nowhere, are no problem.
  private mutating func note(_ reason: Int32, _ folder: String, file: String? = nil) {
    guard ![0, ENOENT, ENOTDIR, ELOOP].contains(reason), !problems.contains(where: { $0.folder == folder }) else {
      return
    }
    problems.append(Problem(folder: folder, file: file, reason: reason))
  }

  private static func name(_ path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }

  private static func isRecipe(_ path: String) -> Bool {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return false }
    return !path.hasSuffix(".test.yaml") && !path.hasSuffix(".test.yml") && name(path) != "sous.yaml"
  }
}

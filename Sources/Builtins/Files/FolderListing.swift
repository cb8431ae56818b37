import Engine
import Expressions
import Glibc
import Localization
import OperatingSystem

/// Lists the entries of a folder. Follows no link, and leaves out the state of Sous and its unfinished files. Fails if an entry
/// that belongs to the list has a name that is not UTF-8.
struct FolderListing {
  private static let depth = 64

  let files: FolderAccess
  let pattern: String
  let isRecursive: Bool
  let hidden: Bool
  let limit: Int

  private var found: [(path: String, entry: Value)] = []

  init(files: FolderAccess, pattern: String, isRecursive: Bool, hidden: Bool, limit: Int) {
    self.files = files
    self.pattern = pattern
    self.isRecursive = isRecursive
    self.hidden = hidden
    self.limit = limit
  }

  /// The entries, by the bytes of their paths.
  ///
  /// - Throws: ``Engine/ActionFailure``; of kind `invalid_input` if there are too many.
  mutating func entries(of path: String) throws(ActionFailure) -> [Value] {
    let (folder, full) = try files.openFolder(at: path)
    try collect(folder, full, depth: 0)
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }.map(\.entry)
  }

  private mutating func collect(_ folder: Descriptor, _ path: String, depth: Int) throws(ActionFailure) {
    for entry in try folder.entryNames(path) {
      guard let name = entry.text else {
        try check(entry, in: folder, path)
        continue
      }
      if name == ".sous" || name.hasPrefix(FileReplacement.prefix) || (!hidden && name.hasPrefix(".")) { continue }
      var information = stat()
      // It may be gone by now.
      guard fstatat(folder.number, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      let full = path == "/" ? "/" + name : path + "/" + name
      let type = information.st_mode & S_IFMT
      var below: Descriptor?
      if type == S_IFDIR {
        do {
          below = try files.folder(name, in: folder, path: full)
        } catch {
          // The state of Sous under another name, or a folder that is not ours to read: the latter still is an entry.
          if files.isState(name, in: folder) { continue }
        }
      }
      if fnmatch(pattern, name, 0) == 0 {
        guard found.count < limit else { throw tooMany }
        found.append((full, Self.entry(name, full, information)))
      }
      if isRecursive, let below, depth < Self.depth { try collect(below, full, depth: depth + 1) }
    }
  }

  /// Fails if an entry whose name is not UTF-8 would belong to the list; a silent omission would look like an empty folder.
  private func check(_ entry: EntryName, in folder: Descriptor, _ path: String) throws(ActionFailure) {
    if !hidden, entry.bytes.first == CChar(bitPattern: UInt8(ascii: ".")) { return }
    var information = stat()
    guard fstatat(folder.number, entry.bytes, &information, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    let isSearched = isRecursive && information.st_mode & S_IFMT == S_IFDIR
    if isSearched || fnmatch(pattern, entry.bytes, 0) != FNM_NOMATCH { throw .notUTF8(entry, in: path) }
  }

  private static func entry(_ name: String, _ path: String, _ information: stat) -> Value {
    let type =
      switch information.st_mode & S_IFMT {
      case S_IFREG: "file"
      case S_IFDIR: "folder"
      case S_IFLNK: "link"
      default: "other"
      }
    return [
      "name": .string(name), "path": .string(path), "type": .string(type), "size": .int(Int64(information.st_size)),
      "modified": .string(information.modified),
    ]
  }

  private var tooMany: ActionFailure {
    ActionFailure(
      .invalidInput,
      LocalizedText("there are more than \(limit) entries", de: "es gibt mehr als \(limit) Einträge"),
      advice: LocalizedText("raise 'limit', or narrow 'pattern'", de: "'limit' erhöhen oder 'pattern' einengen"))
  }
}

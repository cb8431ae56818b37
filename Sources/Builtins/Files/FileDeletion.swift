import Engine
import Glibc
import Localization
import OperatingSystem

/// Takes files and folders away. Follows no link: of a link the link itself goes.
struct FileDeletion {
  private static let depth = 64

  let files: FolderAccess
  let isRecursive: Bool

  /// Deletes a file, or a folder with its contents. If a file in the folder cannot be deleted, nothing is.
  ///
  /// - Returns: Whether there was something.
  /// - Throws: ``Engine/ActionFailure``; of kind `failed` for a folder that is not empty.
  func delete(_ place: FolderAccess.Place) throws(ActionFailure) -> Bool {
    let name = Array(place.name.utf8CString)
    if isRecursive { try check(name, in: place.folder, place.path, depth: 0) }
    let was = try delete(name, in: place.folder, place.path, depth: 0)
    fsync(place.folder.number)
    return was
  }

  /// Checks that a file, or a folder with its contents, can be deleted; run before the first deletion.
  private func check(
    _ name: [CChar], in folder: Descriptor, _ path: String, depth: Int
  ) throws(ActionFailure) {
    var (own, parent) = (stat(), stat())
    guard fstatat(folder.number, name, &own, AT_SYMLINK_NOFOLLOW) == 0, fstat(folder.number, &parent) == 0 else {
      if errno == ENOENT { return }
      throw .file(path, error: errno)
    }
    let user = geteuid()
    let isOthers = user != 0 && user != own.st_uid && user != parent.st_uid
    if parent.st_mode & S_ISVTX != 0, isOthers { throw .file(path, error: EPERM) }
    guard own.st_mode & S_IFMT == S_IFDIR else { return }
    guard own.st_dev == parent.st_dev else { throw .file(path, error: EBUSY) }
    guard depth < Self.depth else { throw .file(path, error: ELOOP) }
    let inner = try open(name, in: folder, path)
    let names = try inner.entryNames(path)
    if !names.isEmpty, faccessat(inner.number, ".", W_OK | X_OK, AT_EACCESS) != 0 { throw .file(path, error: errno) }
    for child in names { try check(child.bytes, in: inner, path + "/" + child.shown, depth: depth + 1) }
  }

  private func open(_ name: [CChar], in folder: Descriptor, _ path: String) throws(ActionFailure) -> Descriptor {
    if let text = EntryName(bytes: name).text { return try files.folder(text, in: folder, path: path) }
    return try files.folder(named: name, in: folder, path: path)
  }

  private func delete(
    _ name: [CChar], in folder: Descriptor, _ path: String, depth: Int
  ) throws(ActionFailure) -> Bool {
    if unlinkat(folder.number, name, 0) == 0 { return true }
    switch errno {
    case ENOENT: return false
    case EISDIR, EPERM: break
    default: throw .file(path, error: errno)
    }
    if isRecursive {
      guard depth < Self.depth else { throw .file(path, error: ELOOP) }
      let inner = try open(name, in: folder, path)
      for child in try inner.entryNames(path) {
        _ = try delete(child.bytes, in: inner, path + "/" + child.shown, depth: depth + 1)
      }
    }
    guard unlinkat(folder.number, name, AT_REMOVEDIR) == 0 else {
      if errno == ENOENT { return true }
      throw .file(path, error: errno)
    }
    return true
  }
}

import Engine
import Glibc
import Localization

/// Takes files and folders away. Follows no link: of a link the link itself goes.
struct FileDeletion {
  private static let depth = 64

  let files: FolderAccess
  let isRecursive: Bool

  /// Deletes what is at a place.
  ///
  /// - Returns: Whether there was something.
  /// - Throws: ``Engine/ActionFailure``; of kind `failed` for a folder that is not empty.
  func delete(_ place: FolderAccess.Place) throws(ActionFailure) -> Bool {
    let was = try delete(place.name, in: place.folder, place.path, depth: 0)
    fsync(place.folder.number)
    return was
  }

  private func delete(
    _ name: String, in folder: Descriptor, _ path: String, depth: Int
  ) throws(ActionFailure) -> Bool {
    if unlinkat(folder.number, name, 0) == 0 { return true }
    switch errno {
    case ENOENT: return false
    case EISDIR, EPERM: break
    default: throw .file(path, error: errno)
    }
    if isRecursive {
      guard depth < Self.depth else { throw .file(path, error: ELOOP) }
      let inner = try files.folder(name, in: folder, path: path)
      for child in try inner.names(path) {
        _ = try delete(child, in: inner, path + "/" + child, depth: depth + 1)
      }
    }
    guard unlinkat(folder.number, name, AT_REMOVEDIR) == 0 else {
      if errno == ENOENT { return true }
      throw .file(path, error: errno)
    }
    return true
  }
}

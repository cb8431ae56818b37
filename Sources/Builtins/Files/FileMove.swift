import Engine
import Glibc
import Localization

/// Moves a file: by its name alone, and onto another file system by a copy.
struct FileMove {
  let from: FolderAccess.Place
  let to: FolderAccess.Place
  let replaces: Bool
  let key: String
  let attempt: Int

  /// Whether there is something at a place.
  static func exists(_ place: FolderAccess.Place?) -> Bool {
    guard let place else { return false }
    var information = stat()
    return fstatat(place.folder.number, place.name, &information, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Moves it, and brings that to the disk.
  ///
  /// - Throws: ``Engine/ActionFailure``: `not_found`, `failed` where the new name is taken, `unsupported` for a folder that
  ///   would have to be copied, `auth`, `quota`, `io`.
  func run() throws(ActionFailure) {
    guard !to.realPath.hasPrefix(from.realPath + "/") else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "'\(from.path)' cannot be moved into itself", de: "'\(from.path)' lässt sich nicht in sich selbst verschieben"
        ))
    }
    let result = AtomicFile.rename(from.name, in: from.folder, to: to, replaces: replaces)
    switch result {
    case 0:
      fsync(to.folder.number)
      fsync(from.folder.number)
    case EXDEV: try copy()
    case ENOENT: throw .file(from.path, error: ENOENT)
    default: throw .file(result == EEXIST ? to.path : from.path, error: result)
    }
  }

  private func copy() throws(ActionFailure) {
    var information = stat()
    guard fstatat(from.folder.number, from.name, &information, AT_SYMLINK_NOFOLLOW) == 0,
      information.st_mode & S_IFMT == S_IFREG, Int(information.st_size) <= BuiltinAction.fileLimit
    else {
      throw ActionFailure(
        .unsupported,
        LocalizedText(
          "'\(from.path)' would have to be copied onto another file system, which works for files up to 64 MiB",
          de: "'\(from.path)' müsste auf ein anderes Dateisystem kopiert werden, was für Dateien bis 64 MiB geht"))
    }
    let source = try OpenFile(reading: from)
    let bytes = try source.read(limit: BuiltinAction.fileLimit)
    do throws(ActionFailure) {
      try AtomicFile(place: to, key: key, attempt: attempt).write(bytes, mode: source.mode, replaces: replaces)
    } catch {
      // An earlier attempt may have copied it already.
      guard error.kind == .failed, let old = try? OpenFile(reading: to), old.size == bytes.count,
        (try? old.read(limit: bytes.count)) == bytes
      else { throw error }
    }
    guard unlinkat(from.folder.number, from.name, 0) == 0 else { throw .file(from.path, error: errno) }
    fsync(from.folder.number)
  }
}

import Engine
import Glibc
import Localization

/// Writes files as a whole: whoever reads sees the old contents or the new, and after a power cut it is one of both.
///
/// The new contents are written to a file beside the old one, brought to the disk, and given its name; then the folder is
/// brought to the disk. The other file's name tells the call and its attempt, so that a later attempt clears away what an
/// earlier one has left behind when the process died.
struct AtomicFile {
  let place: FolderAccess.Place
  let key: String
  let attempt: Int

  /// How the names of unfinished files begin.
  static let prefix = ".sous-unfinished-"

  /// Puts a file in place.
  ///
  /// - Parameters:
  ///   - mode: Its permissions; `nil` for those of the file it replaces, or the usual ones.
  ///   - replaces: Whether a file of that name may be replaced.
  /// - Throws: ``Engine/ActionFailure``; of kind `failed` where the name is taken.
  func write(_ bytes: [UInt8], mode: mode_t? = nil, replaces: Bool) throws(ActionFailure) {
    var old = stat()
    let exists = fstatat(place.folder.number, place.name, &old, AT_SYMLINK_NOFOLLOW) == 0
    if exists, old.st_mode & S_IFMT == S_IFDIR { throw .file(place.path, error: EISDIR) }
    for earlier in 1..<max(2, min(attempt, 100)) { unlinkat(place.folder.number, name(earlier), 0) }
    let name = name(attempt)
    unlinkat(place.folder.number, name, 0)
    let number = openat(
      place.folder.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw .file(place.path, error: errno) }
    let file = Descriptor(number)
    var error: Int32 = 0
    let kept = exists && old.st_mode & S_IFMT == S_IFREG ? old.st_mode & 0o7777 : nil
    if let mode = mode ?? kept, fchmod(number, mode) != 0 { error = errno }
    if error == 0 { error = file.write(bytes) }
    if error == 0, fsync(number) != 0 { error = errno }
    if error == 0 { error = Self.rename(name, in: place.folder, to: place, replaces: replaces) }
    guard error == 0 else {
      unlinkat(place.folder.number, name, 0)
      throw .file(place.path, error: error)
    }
    fsync(place.folder.number)
  }

  private func name(_ attempt: Int) -> String {
    let hash = "\(key)/\(place.name)".stableHash
    return "\(Self.prefix)\(String(hash, radix: 36))-\(attempt)"
  }
}

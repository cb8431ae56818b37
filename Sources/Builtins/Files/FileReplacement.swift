import Engine
import Glibc
import Localization
import OperatingSystem

/// Writes files as a whole: a reader sees the old contents or the new, and so does a power cut.
///
/// The name of the unfinished file is made from the call and its attempt, so that a later attempt removes what an earlier
/// one has left behind when the process died.
struct FileReplacement {
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
    let kept = exists && old.st_mode & S_IFMT == S_IFREG ? old.st_mode & 0o7777 : nil
    do {
      try AtomicFile.write(
        bytes, to: place.name, in: place.folder, temporary: name(attempt), mode: mode ?? kept, replacing: replaces)
    } catch {
      throw .file(place.path, error: error.code)
    }
  }

  private func name(_ attempt: Int) -> String {
    let hash = "\(key)/\(place.name)".stableHash
    return "\(Self.prefix)\(String(hash, radix: 36))-\(attempt)"
  }
}

import CBuiltins
import Glibc

extension AtomicFile {
  /// Gives a file another name.
  ///
  /// - Returns: 0, or an errno value; EEXIST where the name is taken and must not be replaced.
  static func rename(
    _ name: String, in folder: Descriptor, to place: FolderAccess.Place, replaces: Bool
  ) -> Int32 {
    if replaces { return renameat(folder.number, name, place.folder.number, place.name) == 0 ? 0 : errno }
    let result = builtins_rename_to_free(folder.number, name, place.folder.number, place.name)
    guard result == EINVAL || result == ENOSYS else { return result }
    // File systems that cannot do it in one: a hard link does not replace anything either.
    guard linkat(folder.number, name, place.folder.number, place.name, 0) == 0 else { return errno }
    return unlinkat(folder.number, name, 0) == 0 ? 0 : errno
  }
}

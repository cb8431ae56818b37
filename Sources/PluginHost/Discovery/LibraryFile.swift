import Foundation

/// What identifies the contents of a library file without reading them.
struct LibraryFile: Sendable, Hashable {
  let path: String
  let size: Int64
  let modified: Int64
  let inode: UInt64

  /// Looks at a file; `nil` where it cannot be looked at.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    inode = UInt64(status.st_ino)
  }

  /// The absolute path of a folder without symbolic links; `nil` where there is none.
  static func canonicalFolder(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The absolute path without symbolic links; `nil` where there is no such file, or it is a folder.
  static func canonicalPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return String(cString: resolved)
  }
}

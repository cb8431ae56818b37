import Foundation
import Hashing

/// A library with what identifies its contents.
struct LibraryFile: Sendable, Hashable {
  let path: String
  /// The SHA-256 of the contents, 64 hexadecimal digits: size and time of a file can be made to stay the same.
  let digest: String

  /// Reads a file; `nil` where it cannot be read.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let hash = RunningHash()
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      hash.update(piece.prefix(count))
    }
    self.path = path
    digest = hash.finish()
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

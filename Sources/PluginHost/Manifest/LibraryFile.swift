import Foundation
import Hashing
import OperatingSystem

/// A library with what identifies its contents.
struct LibraryFile: Sendable, Hashable {
  let path: String
  /// The SHA-256 of the contents, 64 hexadecimal digits: size and time of a file can be made to stay the same.
  let digest: String

  /// Reads a file; `nil` if it cannot be read.
  init?(path: String) {
    let hash = RunningHash()
    do throws(SystemError) {
      let file = try Descriptor(opening: path, O_RDONLY)
      try file.readPieces { piece in
        hash.update(piece)
        return true
      }
    } catch {
      return nil
    }
    self.path = path
    digest = hash.finish()
  }

  /// The absolute path without symbolic links; `nil` if there is no such file, or it is a folder.
  static func canonicalPath(_ path: String) -> String? {
    guard let resolved = SystemPath.resolved(path) else { return nil }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return resolved
  }
}

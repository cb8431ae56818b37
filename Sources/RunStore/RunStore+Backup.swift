internal import GRDB
internal import Glibc

extension RunStore {
  /// Writes a compact copy of the run log, as it stands at one moment, while runs go on.
  ///
  /// See "VACUUM INTO", <https://www.sqlite.org/lang_vacuum.html>. The copy has mode 0600 and is complete on its own.
  ///
  /// - Parameter destination: A file that does not exist yet.
  /// - Throws: ``RunStoreError``: `destination_exists`, `database_read_only` or `disk_full` for the copy's place; no
  ///   incomplete copy is left behind.
  public func backup(to destination: String) async throws(RunStoreError) {
    let source = try file.openReader()
    let descriptor = open(destination, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      let cause = String(cString: strerror(code))
      switch code {
      case EEXIST: throw .destinationExists(path: destination)
      case EACCES, EPERM, EROFS: throw .readOnly(path: destination, cause: cause)
      case ENOSPC, EDQUOT: throw .diskFull(path: destination, cause: cause)
      default: throw .notReadable(path: destination, cause: cause)
      }
    }
    Glibc.close(descriptor)
    do {
      try await source.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [destination]) }
      try source.close()
    } catch {
      unlink(destination)
      throw RunStoreError(error, path: destination)
    }
  }
}

internal import Glibc

/// A lock on a folder, held while the schema of the database in it is made or changed.
///
/// It is flock(2) on the folder itself, which leaves no file behind and ends with the process; SQLite's own locks, on
/// the database file, are not touched.
struct FolderLock {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Throws: ``RunStoreError`` with code `database_locked` after `timeout` seconds; `path` is the file it names.
  init(_ folder: String, timeout: Double, path: String) throws(RunStoreError) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .notReadable(path: folder, cause: String(cString: strerror(errno))) }
    let wait = BusyWait(seconds: timeout)
    var calls = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      // A file system without such locks: SQLite's own must do.
      guard code == EWOULDBLOCK || code == EINTR else { return }
      guard wait.shouldTryAgain(calls) else {
        close(descriptor)
        throw .locked(path: path)
      }
      calls += 1
    }
  }

  /// Gives the lock back.
  func release() { close(descriptor) }
}

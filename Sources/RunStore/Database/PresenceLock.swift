internal import Glibc
internal import Synchronization

/// Shows other processes that one works with a database, also where the database's file has been deleted.
///
/// It is flock(2) on a file of its own beside the database: shared by all that work with the database, exclusive while a
/// new database is made. Its name begins with a dot, so that `rm sous.db*` leaves it. It ends with the process.
final class PresenceLock: Sendable {
  /// The file, to be named in errors.
  let path: String
  private let descriptor: Mutex<Int32?>

  /// The lock's file for a database.
  static func path(of database: String) -> String {
    guard let slash = database.lastIndex(of: "/") else { return ".\(database).lock" }
    return "\(database[...slash]).\(database[database.index(after: slash)...]).lock"
  }

  /// Opens the lock's file; makes it where it is missing.
  ///
  /// - Throws: ``RunStoreError`` where the folder may not be written.
  init(_ database: String) throws(RunStoreError) {
    path = Self.path(of: database)
    let opened = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard opened >= 0 else { throw .notOpened(database, errno) }
    descriptor = Mutex(opened)
  }

  deinit { release() }

  /// Takes the lock alone.
  ///
  /// - Returns: Whether nobody else works with the database. A file system without such locks counts as nobody.
  func isAlone() -> Bool {
    descriptor.withLock { descriptor in
      guard let descriptor else { return true }
      return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
  }

  /// Shares the lock with others; waits while somebody makes the database.
  ///
  /// - Throws: ``RunStoreError`` with code `database_locked` after `timeout` seconds.
  func share(_ database: String, timeout: Double) throws(RunStoreError) {
    let wait = BusyWait(seconds: timeout)
    var calls = 0
    while true {
      let code = descriptor.withLock { descriptor -> Int32 in
        guard let descriptor, flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return 0 }
        return errno
      }
      guard code == EWOULDBLOCK || code == EINTR else { return }
      guard wait.shouldTryAgain(calls) else { throw .locked(path: database) }
      calls += 1
    }
  }

  /// Gives the lock up.
  func release() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }
}

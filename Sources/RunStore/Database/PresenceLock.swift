internal import Glibc
internal import OperatingSystem
internal import Synchronization

/// Shows other processes that one works with a database, also where the database's file has been deleted.
///
/// It is flock(2) on a file of its own beside the database: shared by all that work with the database, exclusive while a
/// new database is made. Its name begins with a dot, so that `rm sous.db*` leaves it. It ends with the process.
final class PresenceLock: Sendable {
  /// The file, to be named in errors.
  let path: String
  /// The open file; closing it gives the lock up.
  private let file: Mutex<Descriptor?>

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
    let opened: Descriptor
    do throws(SystemError) {
      opened = try Descriptor(opening: path, O_RDONLY | O_CREAT | O_NOFOLLOW, mode: 0o644)
    } catch {
      throw .notOpened(database, error.code)
    }
    file = Mutex(opened)
  }

  /// Takes the lock alone.
  ///
  /// - Returns: Whether nobody else works with the database. A file system without such locks counts as nobody.
  func isAlone() -> Bool {
    guard let file = self.file.withLock({ $0 }) else { return true }
    return (try? FileLock(file) != nil) ?? true
  }

  /// Shares the lock with others; waits while another process makes the database.
  ///
  /// - Throws: ``RunStoreError`` with code `database_locked` after `timeout` seconds.
  func share(_ database: String, timeout: Double) throws(RunStoreError) {
    guard let file = self.file.withLock({ $0 }) else { return }
    do throws(SystemError) {
      if try FileLock(file, .shared, patience: timeout) != nil { return }
    } catch {
      return
    }
    throw .locked(path: database)
  }

  /// Whether another process has the lock alone: it makes or upgrades the database. The lock is given back.
  func isTakenAlone() -> Bool {
    defer { unlock() }
    guard let file = self.file.withLock({ $0 }) else { return false }
    return (try? FileLock(file, .shared) == nil) ?? false
  }

  /// Lets others have the lock; it can be taken again.
  func unlock() {
    file.withLock { file in
      if let file { flock(file.number, LOCK_UN) }
    }
  }

  /// Gives the lock up.
  func release() { file.withLock { $0 = nil } }
}

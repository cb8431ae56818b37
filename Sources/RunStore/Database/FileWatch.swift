internal import Glibc
internal import Synchronization

/// Notices that a database file was deleted or replaced while it is open.
///
/// SQLite keeps using the file that it has opened, whatever stands at its path by then: what it writes into a file that
/// was deleted is lost with the process.
final class FileWatch: Sendable {
  private struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
  }

  private let path: String
  private let logPath: String
  private let file: Identity?
  private let log: Identity?

  /// Remembers which files are there; to be made once the database is open.
  ///
  /// - Parameter watchesLog: Whether the connection keeps the -wal file from being removed, as one that writes does.
  init(_ path: String, watchesLog: Bool) {
    self.path = path
    logPath = path + "-wal"
    file = Self.look(path)?.identity
    log = watchesLog ? Self.look(logPath)?.identity : nil
  }

  /// Makes sure that the files are those that were opened.
  ///
  /// - Throws: ``RunStoreError`` with code `database_replaced`.
  func check() throws(RunStoreError) {
    // An emptied file is as good as a deleted one: a database has a page at least.
    guard let found = Self.look(path), found.identity == file, found.size > 0 else { throw .replaced(path: path) }
    guard let log else { return }
    guard Self.look(logPath)?.identity == log else { throw .replaced(path: path) }
  }

  private static func look(_ path: String) -> (identity: Identity, size: Int)? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return (Identity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino)), Int(facts.st_size))
  }
}

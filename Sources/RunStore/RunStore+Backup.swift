internal import GRDB
internal import Glibc
internal import OperatingSystem

extension RunStore {
  /// Writes a compact copy of the run log, as it stands at one moment, while runs go on.
  ///
  /// See "VACUUM INTO", <https://www.sqlite.org/lang_vacuum.html>. The copy has mode 0600, is complete on its own, and
  /// appears under its name when it is on the disk: never in part.
  ///
  /// - Parameters:
  ///   - destination: The copy.
  ///   - replaces: Whether it takes the place of a file that is there.
  /// - Throws: ``RunStoreError``: `destination_in_use` where the copy would take the place of the run log itself or of a
  ///   database that somebody works with, `destination_exists`, `database_read_only` or `disk_full` for the copy's
  ///   place; no incomplete copy is left behind.
  public func backup(to destination: String, replaces: Bool = false) async throws(RunStoreError) {
    let destination = Self.target(of: destination)
    // Beside a new file, what another one has left in its -wal would be taken for a part of it.
    if Self.isPart(destination, of: path) || Self.size(of: destination + "-wal") > 0 {
      throw .destinationInUse(path: destination)
    }
    if !replaces, access(destination, F_OK) == 0 { throw .destinationExists(path: destination) }
    // A pipe or a device must not make room for a file.
    var facts = stat()
    if stat(destination, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      throw .notReadable(path: destination, cause: nil)
    }
    let source = try file.openReader()
    let copy: AtomicFile
    do throws(SystemError) {
      copy = try AtomicFile(destination, mode: 0o600)
    } catch {
      throw Self.writeFailure(error.code, destination)
    }
    let temporary = copy.temporary
    do {
      try await source.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [temporary]) }
      try source.close()
    } catch {
      throw RunStoreError(error, path: destination)
    }
    do throws(SystemError) {
      try Self.finish(copy, replaces: replaces)
    } catch {
      throw Self.writeFailure(error.code, destination)
    }
  }

  /// The file behind a link, where there is one.
  private static func target(of path: String) -> String {
    SystemPath.resolved(path) ?? path
  }

  private static func finish(_ file: AtomicFile, replaces: Bool) throws(SystemError) {
    do throws(SystemError) {
      try file.finish(replacing: replaces)
    } catch {
      // Not every file system can refuse a name that is taken; this one was free a moment ago.
      if replaces || [EEXIST, ENOSPC, EDQUOT, EIO].contains(error.code) { throw error }
      try file.finish()
    }
  }

  static func writeFailure(_ code: Int32, _ path: String) -> RunStoreError {
    code == EEXIST ? .destinationExists(path: path) : .notOpened(path, code)
  }
}

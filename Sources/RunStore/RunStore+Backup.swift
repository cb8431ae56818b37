internal import GRDB
internal import Glibc

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
    let temporary = destination + ".\(getpid()).partial"
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.writeFailure(errno, destination) }
    defer { Glibc.close(descriptor) }
    do {
      try await source.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [temporary]) }
      try source.close()
    } catch {
      unlink(temporary)
      throw RunStoreError(error, path: destination)
    }
    guard fsync(descriptor) == 0 else {
      let code = errno
      unlink(temporary)
      throw Self.writeFailure(code, destination)
    }
    try Self.move(temporary, to: destination, replaces: replaces)
  }

  /// The file behind a link, where there is one.
  private static func target(of path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Gives a finished file its name, on the disk when it returns.
  private static func move(_ temporary: String, to destination: String, replaces: Bool) throws(RunStoreError) {
    // A link refuses where something has come to be there meanwhile; not every file system has links.
    let refusal = replaces ? ENOTSUP : link(temporary, destination) == 0 ? 0 : errno
    if refusal == 0 || refusal == EEXIST { unlink(temporary) }
    if refusal == EEXIST { throw .destinationExists(path: destination) }
    if refusal != 0, rename(temporary, destination) != 0 {
      let code = errno
      unlink(temporary)
      throw writeFailure(code, destination)
    }
    let folder = destination.lastIndex(of: "/").map { String(destination[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    Glibc.close(descriptor)
  }

  private static func writeFailure(_ code: Int32, _ path: String) -> RunStoreError {
    code == EEXIST ? .destinationExists(path: path) : .notOpened(path, code)
  }
}

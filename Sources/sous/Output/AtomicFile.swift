import Foundation
import Glibc
import Localization
import UseCases

/// A file that appears under its name when it is complete: never in part, whatever happens on the way.
///
/// What is no regular file, such as a pipe or a device, is written to as it is: no file takes its place; nor does one take
/// the place of what a name below `/dev` or `/proc` leads to, such as `/dev/stdout`. Links are followed.
final class AtomicFile {
  /// Bytes that are gathered before they are written.
  private static let buffer = 256 << 10

  private let path: String
  /// Where the file comes to be; `nil` where it is no regular file.
  private let temporary: String?
  private var descriptor: Int32
  private var pending: [UInt8] = []

  /// Begins a file that Sous itself chooses, such as the configuration, beside the place where it is to be.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - keepingMode: Whether it gets the permissions of the file whose place it takes.
  ///   - mode: The permissions otherwise, less those of the umask.
  /// - Throws: ``CommandError`` if it cannot be made.
  init(own path: String, keepingMode: Bool = false, mode: mode_t = 0o600) throws(CommandError) {
    self.path = Self.target(of: path)
    var facts = stat()
    let isThere = stat(path, &facts) == 0
    if isThere, path.hasPrefix("/dev/") || path.hasPrefix("/proc/") || facts.st_mode & S_IFMT != S_IFREG {
      temporary = nil
      descriptor = Self.copy(of: facts) ?? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
    } else {
      let place = self.path + ".\(getpid()).partial"
      temporary = place
      descriptor = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
    }
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    if keepingMode, isThere, temporary != nil { fchmod(descriptor, facts.st_mode & 0o7777) }
  }

  /// Begins a file that a person has named, unless it belongs to the workspace. Every option and argument that names a file to
  /// write comes here.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - workspace: The workspace whose files are not overwritten.
  ///   - mode: The permissions, less those of the umask; by default only its owner may read it.
  /// - Throws: ``CommandError`` if it cannot be created; `UseCaseError` with code `destination_in_use` if it belongs to the
  ///   workspace.
  convenience init(_ path: String, in workspace: Workspace, mode: mode_t = 0o600) throws {
    try workspace.requireForeign(path)
    try self.init(own: path, mode: mode)
  }

  /// Writes a text as a whole; on the disk when it returns.
  ///
  /// - Throws: As ``init(_:in:mode:)``.
  static func write(_ text: String, to path: String, in workspace: Workspace, mode: mode_t = 0o600) throws {
    let file = try AtomicFile(path, in: workspace, mode: mode)
    try file.write(Array(text.utf8))
    try file.finish()
  }

  deinit { discard() }

  /// Another descriptor of the standard output or error, where that is meant: it goes on where others have written.
  private static func copy(of facts: stat) -> Int32? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var own = stat()
      guard fstat(descriptor, &own) == 0, own.st_dev == facts.st_dev, own.st_ino == facts.st_ino else { continue }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      return copy >= 0 ? copy : nil
    }
    return nil
  }

  /// The file behind a link, where there is one.
  private static func target(of path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    pending += bytes
    if pending.count >= Self.buffer { try flush() }
  }

  /// Completes the file; on the disk when it returns.
  func finish() throws(CommandError) {
    try flush()
    if let temporary {
      guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
        let code = errno
        discard()
        throw Self.failure(path, code)
      }
    }
    close(descriptor)
    descriptor = -1
  }

  /// Leaves nothing behind where the file is not complete.
  private func discard() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if let temporary { unlink(temporary) }
    descriptor = -1
  }

  private func flush() throws(CommandError) {
    var start = 0
    while start < pending.count {
      let written = pending[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        start += written
      } else if errno != EINTR {
        let code = errno
        discard()
        throw Self.failure(path, code)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  private static func failure(_ path: String, _ code: Int32) -> CommandError {
    CommandError(
      ExitStatus.environment,
      LocalizedText("'\(path)' cannot be written: ", de: "'\(path)' lässt sich nicht schreiben: ")
        + .systemError(code), code: "output")
  }
}

import Foundation
import Glibc
import Localization
import OperatingSystem
import UseCases

/// A file that appears under its name when it is complete: never in part, whatever happens on the way.
///
/// Pipes and devices are written to directly and never replaced by a file, and so are targets of names below `/dev` or `/proc`,
/// such as `/dev/stdout`. Links are followed.
final class OutputFile {
  /// Bytes that are gathered before they are written.
  private static let buffer = 256 << 10

  private enum Place {
    /// A regular file, which gets its name at the end.
    case file(AtomicFile)
    /// A pipe or device.
    case descriptor(Descriptor)
  }

  private let path: String
  private let place: Place
  private var pending: [UInt8] = []

  /// Begins a file that Sous itself chooses, such as the configuration, beside the place if it is to be.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - keepingMode: Whether it gets the permissions of the file whose place it takes.
  ///   - mode: The permissions otherwise, less those of the umask.
  /// - Throws: ``CommandError`` if it cannot be made.
  init(own path: String, keepingMode: Bool = false, mode: mode_t = 0o600) throws(CommandError) {
    self.path = SystemPath.resolved(path) ?? path
    var facts = stat()
    let isThere = stat(path, &facts) == 0
    do throws(SystemError) {
      if isThere, path.hasPrefix("/dev/") || path.hasPrefix("/proc/") || facts.st_mode & S_IFMT != S_IFREG {
        if let copy = Self.copy(of: facts) {
          place = .descriptor(copy)
        } else {
          place = .descriptor(try Descriptor(opening: path, O_WRONLY | O_APPEND | O_NOCTTY))
        }
      } else {
        let kept = keepingMode && isThere ? facts.st_mode & 0o7777 : nil
        place = .file(try AtomicFile(self.path, mode: kept, usualMode: mode))
      }
    } catch {
      throw Self.failure(path, error.code)
    }
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
    let file = try OutputFile(path, in: workspace, mode: mode)
    try file.write(Array(text.utf8))
    try file.finish()
  }

  /// Another descriptor of the standard output or error, if that is meant: it goes on where others have written.
  private static func copy(of facts: stat) -> Descriptor? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var own = stat()
      guard fstat(descriptor, &own) == 0, own.st_dev == facts.st_dev, own.st_ino == facts.st_ino else { continue }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      return copy >= 0 ? Descriptor(copy) : nil
    }
    return nil
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    pending += bytes
    if pending.count >= Self.buffer { try flush() }
  }

  /// Completes the file; on the disk when it returns. A file that is not completed leaves nothing behind.
  func finish() throws(CommandError) {
    try flush()
    guard case .file(let file) = place else { return }
    do throws(SystemError) {
      try file.finish()
    } catch {
      throw Self.failure(path, error.code)
    }
  }

  private func flush() throws(CommandError) {
    do throws(SystemError) {
      switch place {
      case .file(let file): try file.write(pending)
      case .descriptor(let descriptor): try descriptor.write(pending)
      }
    } catch {
      throw Self.failure(path, error.code)
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

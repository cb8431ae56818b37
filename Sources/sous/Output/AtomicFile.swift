import Foundation
import Glibc
import Localization

/// A file that appears under its name when it is complete: never in part, whatever happens on the way.
final class AtomicFile {
  /// Bytes that are gathered before they are written.
  private static let buffer = 256 << 10

  private let path: String
  private let temporary: String
  private var descriptor: Int32
  private var pending: [UInt8] = []

  /// Begins a file, beside the place where it is to be.
  ///
  /// - Throws: ``CommandError`` where it cannot be made.
  init(_ path: String) throws(CommandError) {
    self.path = path
    temporary = path + ".\(getpid()).partial"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
  }

  deinit { discard() }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    pending += bytes
    if pending.count >= Self.buffer { try flush() }
  }

  /// Completes the file; on the disk when it returns.
  func finish() throws(CommandError) {
    try flush()
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      let code = errno
      discard()
      throw Self.failure(path, code)
    }
    close(descriptor)
    descriptor = -1
  }

  /// Leaves nothing behind where the file is not complete.
  private func discard() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporary)
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
    let cause = String(cString: strerror(code))
    return CommandError(
      ExitStatus.environment,
      LocalizedText("'\(path)' cannot be written: \(cause)", de: "'\(path)' lässt sich nicht schreiben: \(cause)"),
      code: "output")
  }
}

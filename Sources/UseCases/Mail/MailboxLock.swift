import Glibc
import Hashing
import Localization

/// Held while one process works on a mailbox, so that no second one does the same.
final class MailboxLock {
  private var file: Int32

  /// - Parameters:
  ///   - folder: Where its file is.
  ///   - work: What is done, with the names of provider and folder.
  ///   - busy: What to say where another process does it.
  /// - Throws: ``UseCaseError`` with code `wrong_input` where another process holds it, `environment`.
  init(_ folder: String, for work: String, busy: LocalizedText) throws(UseCaseError) {
    let path = "\(folder)/mailbox-\(ContentHash.hexadecimal(of: Array(work.utf8)).prefix(16)).lock"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw .environment(LocalizedText(verbatim: "\(path): ") + .systemError(errno))
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(file)
      file = -1
      guard code == EWOULDBLOCK else { throw .environment(LocalizedText(verbatim: "\(path): ") + .systemError(code)) }
      throw .wrongInput(busy)
    }
  }

  deinit { release() }

  /// Lets it go.
  func release() {
    if file >= 0 { close(file) }
    file = -1
  }
}

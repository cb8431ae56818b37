import Glibc
import Hashing
import Localization

/// Held while one process copies from one provider to another, so that no second one copies the same.
final class PullLock {
  private var file: Int32

  /// - Throws: ``UseCaseError`` with code `wrong_input` where another process holds it, `environment`.
  init(_ folder: String, of what: String) throws(UseCaseError) {
    let path = "\(folder)/pull-\(ContentHash.hexadecimal(of: Array(what.utf8)).prefix(16)).lock"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw .environment(LocalizedText(verbatim: "\(path): ") + .systemError(errno))
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(file)
      file = -1
      guard code == EWOULDBLOCK else { throw .environment(LocalizedText(verbatim: "\(path): ") + .systemError(code)) }
      throw .wrongInput(
        LocalizedText(
          "another process is pulling the same mailbox; wait until it has ended",
          de: "ein anderer Prozess kopiert dasselbe Postfach; sein Ende abwarten"))
    }
  }

  deinit { release() }

  /// Lets it go.
  func release() {
    if file >= 0 { close(file) }
    file = -1
  }
}

import Foundation
import Glibc
import Localization

/// Held while a process changes what is kept of bookmarks.
final class BookmarkLock {
  private let file: Int32

  /// - Throws: ``UseCaseError`` with code `wrong_input` where another process holds it, `environment`.
  init(_ folder: String) throws(UseCaseError) {
    // The state may not have been there before either; nobody else may look into it.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder + "/lock"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .environment(LocalizedText(verbatim: "\(path): ") + .systemError(errno)) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw .wrongInput(
        LocalizedText(
          "another process is syncing the bookmarks; wait until it has ended",
          de: "ein anderer Prozess synchronisiert die Lesezeichen; sein Ende abwarten"))
    }
    self.file = file
  }

  deinit { close(file) }
}

import Foundation
import Localization
import OperatingSystem
import UseCases

/// Held while a process changes what is kept of bookmarks.
final class BookmarkLock {
  private let lock: FileLock

  /// - Throws: ``UseCaseError`` with code `wrong_input` where another process holds it, `environment`.
  init(_ folder: String) throws(UseCaseError) {
    // The state may be new as well; no other user may read it.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder + "/lock"
    let lock: FileLock?
    do throws(SystemError) {
      lock = try FileLock(path: path)
    } catch {
      throw .environment(LocalizedText(verbatim: "\(path): ") + .systemError(error.code))
    }
    guard let lock else {
      throw .wrongInput(
        LocalizedText(
          "another process is syncing the bookmarks; wait until it has ended",
          de: "ein anderer Prozess synchronisiert die Lesezeichen; sein Ende abwarten"))
    }
    self.lock = lock
  }

  deinit { lock.release() }
}

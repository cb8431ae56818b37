import Foundation
import Glibc
import Hashing
import Localization
import OperatingSystem
import UseCases

/// Files of recipes below a folder, which are replaced together: all or none.
struct RecipeFileSet {
  /// The folder, canonical.
  let root: String
  /// The earlier text of each file, to restore it; `nil` for a file that did not exist.
  private var before: [(path: String, bytes: [UInt8]?)] = []

  init(root: String) { self.root = root }

  func absolute(_ path: String) -> String { root + "/" + path }

  /// The bytes of a file; `nil` if it does not exist.
  ///
  /// - Throws: ``UseCaseError`` if it cannot be read, or if a link on the way leads out of the folder.
  func bytes(_ path: String) throws(UseCaseError) -> [UInt8]? {
    let file = absolute(path)
    let folder = (file as NSString).deletingLastPathComponent
    let real = CheckedFiles.canonical(folder)
    guard real == root || real.hasPrefix(root + "/") else {
      throw .wrongInput(
        .init(
          "'\(folder)' is a link that leads out of \(root): nothing is written there",
          de: "'\(folder)' ist ein Link, der aus \(root) hinausführt: Dort wird nichts geschrieben"))
    }
    var facts = stat()
    guard lstat(file, &facts) == 0 else { return nil }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw .wrongInput(
        .init(
          "'\(file)' is not a file: move it away, so that the sync can write there",
          de: "'\(file)' ist keine Datei: wegräumen, damit die Synchronisierung dort schreiben kann"))
    }
    guard let data = FileManager.default.contents(atPath: file) else { throw Self.failed(file, errno) }
    return Array(data)
  }

  /// The digests of those of some files that exist.
  func digests(_ paths: some Sequence<String>) throws(UseCaseError) -> [String: String] {
    var digests: [String: String] = [:]
    for path in paths {
      if let bytes = try bytes(path) { digests[path] = ContentHash.hexadecimal(of: bytes) }
    }
    return digests
  }

  /// Replaces files. If one cannot be written, those that were written are as before.
  ///
  /// - Parameter contents: The new bytes by path; `nil` for a file that is deleted.
  mutating func replace(_ contents: [(path: String, bytes: [UInt8]?)]) throws(UseCaseError) {
    var staged: [String] = []
    // Everything that needs room or a right is done before the first file changes.
    do throws(UseCaseError) {
      for (path, bytes) in contents {
        before.append((path, try self.bytes(path)))
        guard let bytes else { continue }
        let file = absolute(path)
        try? FileManager.default.createDirectory(
          atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        // A folder that was a link since the look.
        _ = try self.bytes(path)
        do {
          try AtomicFile.write(bytes, to: file + Self.ending, mode: mode(of: file))
        } catch {
          throw Self.failed(file, error.code)
        }
        staged.append(file + Self.ending)
      }
    } catch {
      for file in staged { unlink(file) }
      throw error
    }
    do throws(UseCaseError) {
      for (path, bytes) in contents {
        let file = absolute(path)
        let result = bytes == nil ? unlink(file) : rename(file + Self.ending, file)
        guard result == 0 || bytes == nil && errno == ENOENT else { throw Self.failed(file, errno) }
      }
    } catch {
      for file in staged { unlink(file) }
      putBack()
      throw error
    }
    let folders = Dictionary(grouping: contents.map { absolute($0.path) }) {
      ($0 as NSString).deletingLastPathComponent
    }
    for files in folders.values { if let file = files.first { AtomicFile.synchronizeFolder(of: file) } }
  }

  /// Files with this ending are not recipes, so the daemon does not see them.
  private static let ending = ".sync"

  private func mode(of file: String) -> mode_t? {
    var facts = stat()
    return stat(file, &facts) == 0 ? facts.st_mode & 0o777 : nil
  }

  private func putBack() {
    for (path, bytes) in before {
      let file = absolute(path)
      if let bytes {
        try? AtomicFile.write(bytes, to: file, mode: mode(of: file))
      } else {
        unlink(file)
      }
    }
  }

  private static func failed(_ path: String, _ code: Int32) -> UseCaseError {
    .environment(
      LocalizedText("cannot write \(path): ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(code))
  }
}

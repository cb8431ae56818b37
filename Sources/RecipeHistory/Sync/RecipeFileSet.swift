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
  /// The paths that are to be deleted: a folder that holds nothing else may become a file.
  private let leaving: Set<String>
  /// The earlier text of each file, to restore it; `nil` for a file that did not exist.
  private var before: [(path: String, bytes: [UInt8]?)] = []
  /// Whether all files are as they were after a failure of ``replace(_:)``.
  private(set) var isRestored = true

  init(root: String, leaving: Set<String> = []) { (self.root, self.leaving) = (root, leaving) }

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
    if facts.st_mode & S_IFMT == S_IFDIR, holdsOnlyLeaving(path) { return nil }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw .wrongInput(
        .init(
          "'\(file)' is not a file: move it away, so that the sync can write there",
          de: "'\(file)' ist keine Datei: wegräumen, damit die Synchronisierung dort schreiben kann"))
    }
    guard let data = FileManager.default.contents(atPath: file) else { throw Self.failed(file, errno) }
    return Array(data)
  }

  /// Whether a folder holds nothing but files that are to be deleted, and folders of them.
  private func holdsOnlyLeaving(_ path: String) -> Bool {
    guard !leaving.isEmpty, let entries = try? FileManager.default.subpathsOfDirectory(atPath: absolute(path)) else {
      return false
    }
    return entries.allSatisfy { entry in
      let below = path + "/" + entry
      if leaving.contains(below) || below.hasSuffix(Self.ending) { return true }
      var facts = stat()
      return lstat(absolute(below), &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
  }

  /// The digests of those of some files that exist.
  func digests(_ paths: some Sequence<String>) throws(UseCaseError) -> [String: String] {
    var digests: [String: String] = [:]
    for path in paths {
      if let bytes = try bytes(path) { digests[path] = ContentHash.hexadecimal(of: bytes) }
    }
    return digests
  }

  /// Replaces files. If one cannot be written, those that were written are as before; ``isRestored`` says whether that has succeeded.
  ///
  /// - Parameter contents: The new bytes by path; `nil` for a file that is deleted. A file may become a folder, and the reverse.
  mutating func replace(_ contents: [(path: String, bytes: [UInt8]?)]) throws(UseCaseError) {
    var staged: [String] = []
    // Everything that needs room or a right is done before the first file changes.
    do throws(UseCaseError) {
      for (path, bytes) in contents {
        before.append((path, try self.bytes(path)))
        guard let bytes else { continue }
        let (file, place) = (absolute(path), stage(of: path))
        try? FileManager.default.createDirectory(
          atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        // A folder that was a link since the look.
        _ = try self.bytes(path)
        do {
          try AtomicFile.write(bytes, to: place, mode: mode(of: file))
        } catch {
          throw Self.failed(file, error.code)
        }
        staged.append(place)
      }
    } catch {
      for file in staged { unlink(file) }
      throw error
    }
    do throws(UseCaseError) {
      // Deletions first: they make room for a folder where a file was, and the reverse.
      for (path, bytes) in contents where bytes == nil {
        let file = absolute(path)
        guard unlink(file) == 0 || errno == ENOENT || errno == ENOTDIR else { throw Self.failed(file, errno) }
      }
      for (path, bytes) in contents where bytes != nil {
        let (file, place) = (absolute(path), stage(of: path, in: staged))
        removeEmptyFolders(at: file)
        try? FileManager.default.createDirectory(
          atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        guard rename(place, file) == 0 else { throw Self.failed(file, errno) }
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

  /// Removes what an interrupted sync has left beside the files.
  func removeStaged(_ paths: some Sequence<String>) {
    for path in paths {
      for file in [absolute(path) + Self.ending, aside(path)] { unlink(file) }
    }
  }

  /// The place of the new text until all texts are written: beside the file, or at the top where a file is that becomes a folder.
  private func stage(of path: String) -> String {
    var folder = (path as NSString).deletingLastPathComponent
    while !folder.isEmpty {
      var facts = stat()
      if stat(absolute(folder), &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR { return aside(path) }
      folder = (folder as NSString).deletingLastPathComponent
    }
    return absolute(path) + Self.ending
  }

  /// The place where a text was put.
  private func stage(of path: String, in staged: [String]) -> String {
    staged.contains(aside(path)) ? aside(path) : absolute(path) + Self.ending
  }

  private func aside(_ path: String) -> String {
    root + "/" + ContentHash.hexadecimal(of: Array(path.utf8)) + Self.ending
  }

  /// Removes a folder that holds nothing but folders.
  private func removeEmptyFolders(at file: String) {
    var facts = stat()
    guard lstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return }
    let below = ((try? FileManager.default.subpathsOfDirectory(atPath: file)) ?? []).sorted(by: >)
    // Folders only, as rmdir refuses any other, and texts that an interrupted sync has left.
    for entry in below {
      if entry.hasSuffix(Self.ending) { unlink(file + "/" + entry) } else { rmdir(file + "/" + entry) }
    }
    rmdir(file)
  }

  private func mode(of file: String) -> mode_t? {
    var facts = stat()
    return stat(file, &facts) == 0 ? facts.st_mode & 0o777 : nil
  }

  private mutating func putBack() {
    for (path, bytes) in before where bytes == nil { unlink(absolute(path)) }
    for (path, bytes) in before {
      guard let bytes else { continue }
      let file = absolute(path)
      removeEmptyFolders(at: file)
      try? FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      do {
        try AtomicFile.write(bytes, to: file, mode: mode(of: file))
      } catch {
        isRestored = false
      }
    }
  }

  private static func failed(_ path: String, _ code: Int32) -> UseCaseError {
    .environment(
      LocalizedText("cannot write \(path): ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(code))
  }
}

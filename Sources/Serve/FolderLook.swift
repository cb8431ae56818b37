import Builtins
import Foundation
import Glibc
import Localization
import OperatingSystem
import Plans
import RecipeSyntax
import UseCases

/// The findings of a look at a folder.
struct FolderLook: Sendable {
  /// The identity of the folder: another one may be in its place.
  var inode: UInt64
  /// The files whose names count, without folders and links.
  var files: [FileName: FileStamp] = [:]
  /// Names that would count but are not UTF-8, escaped for messages; at most 100.
  var unusable: [String] = []

  /// Looks at a folder, on a thread of its own: a disk may keep it waiting for long.
  ///
  /// - Parameter most: How many files there may be.
  /// - Throws: ``UseCaseError`` where any of it cannot be read.
  static func at(_ event: FileEvent, most: Int) async throws(UseCaseError) -> FolderLook {
    try await NamedThread.run("folder") { () throws(UseCaseError) in
      try FolderLook(event.folder, most: most, event.matches)
    }
  }

  /// Looks at a folder.
  ///
  /// - Throws: ``UseCaseError`` where any of it cannot be read: half of it is worse than nothing.
  init(_ path: String, most: Int, _ matches: (String) -> Bool) throws(UseCaseError) {
    guard let folder = opendir(path) else { throw FolderWatcher.failure(path, errno) }
    defer { closedir(folder) }
    var facts = stat()
    guard fstat(dirfd(folder), &facts) == 0 else { throw FolderWatcher.failure(path, errno) }
    inode = UInt64(facts.st_ino)
    while true {
      // Only this tells an error from the end.
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw FolderWatcher.failure(path, errno) }
        return
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in bytes.prefix { $0 != 0 }.map(\.self) }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        if unusable.count < 100, matches(String(decoding: bytes, as: UTF8.self)) {
          unusable.append(UnusableName.shown(bytes))
        }
        continue
      }
      guard matches(name) else { continue }
      guard fstatat(dirfd(folder), name, &facts, Int32(AT_SYMLINK_NOFOLLOW)) == 0 else {
        // It has gone since the folder was read.
        guard errno == ENOENT else { throw FolderWatcher.failure(path, errno) }
        continue
      }
      guard facts.st_mode & S_IFMT == S_IFREG else { continue }
      files[FileName(name)] = FileStamp(
        size: Int64(facts.st_size), seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec,
        inode: UInt64(facts.st_ino))
      guard files.count <= most else {
        throw .wrongInput(
          LocalizedText(
            "the folder '\(path)' has more than \(most) files", de: "der Ordner '\(path)' hat mehr als \(most) Dateien")
        )
      }
    }
  }
}

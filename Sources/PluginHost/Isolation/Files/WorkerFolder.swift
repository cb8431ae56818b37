import Foundation
import OperatingSystem
import Synchronization

/// The folder of one provider whose plugin runs in a worker: it has the worker's private temporary folder and the files that
/// calls name.
///
/// This process holds a lock on it. The next process removes folders that a killed process has left behind.
final class WorkerFolder: Sendable {
  private static let prefix = "sous-worker-"
  /// With more entries than this, the temporary folder counts as full.
  private static let mostEntries = 10_000
  private static let hasSwept: Void = sweep()

  /// The folder that the worker may write to.
  let temporary: String
  /// The folder that the worker may read, with a folder for each call.
  let files: String
  private let path: String
  private let lock: FileLock

  /// Creates the folder below the system's temporary folder; `nil` if that fails.
  init?() {
    _ = WorkerFolder.hasSwept
    guard let base = WorkerFolder.base else { return nil }
    var made: (path: String, lock: FileLock)?
    // The sweep of another process may remove a folder before it is locked.
    for _ in 0..<5 {
      var template = Array((base + "/" + WorkerFolder.prefix + "XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else { return nil }
      let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let lock = try? FileLock(Descriptor(opening: path, O_RDONLY | O_DIRECTORY)), access(path, F_OK) == 0 {
        made = (path, lock)
        break
      }
    }
    guard let made else { return nil }
    (path, lock) = made
    temporary = path + "/tmp"
    files = path + "/files"
    guard mkdir(files, 0o700) == 0 else { return nil }
  }

  deinit {
    discard()
    lock.release()
  }

  /// Removes the folder when the provider is closed.
  func discard() { try? FileManager.default.removeItem(atPath: path) }

  /// Empties the temporary folder for a new worker.
  func clear() {
    try? FileManager.default.removeItem(atPath: temporary)
    mkdir(temporary, 0o700)
  }

  /// The bytes of the temporary folder on the disk; at least `limit` + 1 if it has too many entries.
  func bytes(limit: UInt64) -> UInt64 {
    guard let entries = FileManager.default.enumerator(atPath: temporary) else { return 0 }
    var total: UInt64 = 0
    var count = 0
    while let name = entries.nextObject() as? String {
      count += 1
      if count > WorkerFolder.mostEntries { return limit &+ 1 }
      var status = stat()
      guard lstat(temporary + "/" + name, &status) == 0 else { continue }
      total = total.addingReportingOverflow(UInt64(clamping: status.st_blocks) &* 512).partialValue
      if total > limit { return total }
    }
    return total
  }

  /// Makes a file readable for the worker.
  ///
  /// - Parameters:
  ///   - source: The path of a regular file.
  ///   - folder: A new folder within ``files``, such as `12/1`.
  /// - Returns: The path for the worker; the name of the file stays.
  func add(_ source: String, in folder: String) throws -> String {
    let place = files + "/" + folder
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let target = place + "/" + ((source as NSString).lastPathComponent)
    let resolved = (source as NSString).resolvingSymlinksInPath
    // A hard link costs nothing. A file on another disk is copied, and a file of another user, which only root may read.
    var status = stat()
    let isOwn = stat(resolved, &status) == 0 && status.st_uid == geteuid()
    if !isOwn || link(resolved, target) != 0 { try FileManager.default.copyItem(atPath: resolved, toPath: target) }
    return target
  }

  /// Removes the files of a call.
  func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: files + "/" + folder) }

  private static var base: String? { SystemPath.resolved(SystemPath.temporaryFolder) }

  /// Removes folders that no process has locked.
  private static func sweep() {
    guard let base else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      let path = base + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { continue }
      guard let lock = try? FileLock(Descriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      lock.release()
    }
  }
}

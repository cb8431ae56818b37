import Expressions
import Foundation
import Localization
import OperatingSystem

/// A `sous.lock` on the disk.
public struct PluginLockFile: Sendable, Hashable {
  /// The largest file in bytes.
  private static let longest = 4 << 20

  /// The path of the file, which need not exist.
  public let path: String

  /// Names a file. Touches nothing.
  public init(path: String) { self.path = path }

  /// Reads the file; a file that does not exist is an empty lock.
  ///
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/badLock`` or ``PluginStoreError/Code/unusableFile``.
  public func read() throws(PluginStoreError) -> PluginLock {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Descriptor(opening: path, O_RDONLY).readAll(limit: Self.longest)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return PluginLock() }
      throw .unusable(path, .systemError(error.code))
    }
    return try PluginLock(json: bytes, path: path)
  }

  /// Changes the file in one step. The caller holds the lock of the plugin folder, see ``PluginFolder/lock(patience:)``.
  ///
  /// - Throws: ``PluginStoreError``; the file is as it was.
  func change(_ body: (inout PluginLock) -> Void) throws(PluginStoreError) {
    let old = try read()
    var lock = old
    body(&lock)
    guard lock != old else { return }
    let folder = (path as NSString).deletingLastPathComponent
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    do throws(SystemError) {
      try AtomicFile.write(lock.json.json(pretty: true) + [0x0A], to: path, mode: nil)
    } catch {
      throw .unusable(path, .systemError(error.code))
    }
  }
}

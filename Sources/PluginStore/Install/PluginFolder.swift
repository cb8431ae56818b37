import Foundation
import Localization
import OperatingSystem
public import PluginHost

/// The user's folder of plugins: the newest libraries `lib<id>.so`, other versions in folders named by their SHA-256, and hidden
/// folders of installations that are under way.
public struct PluginFolder: Sendable {
  private static let stagingPrefix = ".staging-"

  /// The absolute path. It need not exist.
  public let path: String

  /// Finds the folder of the user on a search path.
  ///
  /// - Throws: ``PluginStoreError`` if the user has no home folder.
  public init(_ searchPath: PluginSearchPath) throws(PluginStoreError) {
    guard let folder = searchPath.folders.first(where: { $0.origin == .user }) else {
      throw PluginStoreError(
        .unusableFile,
        LocalizedText(
          "neither HOME nor XDG_DATA_HOME is set, so there is no folder for plugins; set HOME",
          de: "weder HOME noch XDG_DATA_HOME ist gesetzt, also gibt es keinen Ordner für Plugins; HOME setzen"))
    }
    path = folder.path
  }

  /// The newest library of a plugin, which projects without a lock use.
  func library(_ id: String) -> String { path + "/lib\(id).so" }

  /// The library of a version that is kept beside the newest one.
  func library(_ id: String, sha256: String) -> String {
    PluginSearchPath.versionPath(of: id, sha256: sha256, in: path)
  }

  /// The libraries that are kept beside the newest one.
  func versions(_ id: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { PluginSearchPath.isDigest($0) }.map { library(id, sha256: $0) }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  /// Keeps the newest library as a version of its own, before another one takes its place. Links are not kept: what they lead to
  /// can change.
  func keep(_ id: String, sha256: String) throws(PluginStoreError) {
    let (newest, kept) = (library(id), library(id, sha256: sha256))
    var facts = stat()
    guard lstat(newest, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return }
    do throws(SystemError) {
      try Self.make((kept as NSString).deletingLastPathComponent)
      try uninterrupted { link(newest, kept) }
      AtomicFile.synchronizeFolder(of: kept)
    } catch {
      if error.code == EEXIST { return }
      // Some file systems have no hard links.
      guard (try? FileManager.default.copyItem(atPath: newest, toPath: kept)) != nil else {
        throw .unusable(kept, .systemError(error.code))
      }
    }
  }

  /// Makes the folder of a version.
  func makeVersion(sha256: String) throws(PluginStoreError) {
    do throws(SystemError) {
      try Self.make(path + "/" + sha256)
    } catch {
      throw .unusable(path + "/" + sha256, .systemError(error.code))
    }
  }

  /// Makes the folder, and refuses one that another user owns or may write to.
  func prepare() throws(PluginStoreError) {
    do throws(SystemError) {
      try Self.make(path)
    } catch {
      throw unwritable(error.code)
    }
    if let objection = WriteAccess.objection(to: path) {
      throw PluginStoreError(
        .unusableFile,
        LocalizedText(
          "plugins are not installed into \(path): ", de: "in \(path) werden keine Plugins installiert: ") + objection)
    }
    do throws(SystemError) {
      try uninterrupted { access(path, W_OK | X_OK) }
    } catch {
      throw unwritable(error.code)
    }
  }

  /// Makes a folder and those above it that are missing.
  private static func make(_ path: String) throws(SystemError) {
    let above = (path as NSString).deletingLastPathComponent
    do throws(SystemError) {
      try uninterrupted { mkdir(path, 0o700) }
    } catch {
      if error.code == EEXIST { return }
      guard error.code == ENOENT, above.count < path.count, !above.isEmpty else { throw error }
      try make(above)
      let isMade = mkdir(path, 0o700) == 0
      let failure = SystemError.last
      // Another process may have made it since.
      if !isMade, failure.code != EEXIST { throw failure }
    }
  }

  private func unwritable(_ code: Int32) -> PluginStoreError {
    PluginStoreError(
      .unusableFile,
      LocalizedText("\(path) cannot be written: ", de: "\(path) lässt sich nicht schreiben: ") + .systemError(code)
        + LocalizedText(
          ". Correct the rights of the folder, or set XDG_DATA_HOME to another one",
          de: ". Die Rechte des Ordners berichtigen, oder XDG_DATA_HOME auf einen anderen setzen"))
  }

  /// Makes the changes of one process at a time: libraries and locks.
  ///
  /// - Parameter patience: The seconds to wait for another process.
  func lock(patience: Double = 30) throws(PluginStoreError) -> FileLock {
    do throws(SystemError) {
      if let lock = try FileLock(path: path + "/.lock", patience: patience) { return lock }
    } catch {
      throw .unusable(path + "/.lock", .systemError(error.code))
    }
    throw PluginStoreError(
      .unusableFile,
      LocalizedText(
        "another Sous is changing plugins in \(path); try again when it is done",
        de: "ein anderes Sous ändert gerade Plugins in \(path); erneut versuchen, wenn es fertig ist"))
  }

  /// A new hidden folder for one installation. It is locked for as long as the descriptor is open.
  func makeStaging() throws(PluginStoreError) -> (path: String, lock: FileLock) {
    removeStale()
    let staging = path + "/" + Self.stagingPrefix + String(UInt64.random(in: 0 ... .max), radix: 36)
    do throws(SystemError) {
      try uninterrupted { mkdir(staging, 0o700) }
      if let lock = try FileLock(Descriptor(opening: staging, O_RDONLY | O_DIRECTORY)) { return (staging, lock) }
    } catch {
      throw .unusable(staging, .systemError(error.code))
    }
    throw .unusable(staging, .systemError(EBUSY))
  }

  /// Removes the folders of installations that were interrupted: those that no process has locked.
  private func removeStale() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where name.hasPrefix(Self.stagingPrefix) {
      let staging = path + "/" + name
      guard let folder = try? Descriptor(opening: staging, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
        let lock = try? FileLock(folder)
      else { continue }
      // A process makes its folder before it locks it: an empty folder stays for a minute.
      if let status = try? folder.status, time(nil) - status.st_ctim.tv_sec > 60 || hasContents(staging) {
        try? FileManager.default.removeItem(atPath: staging)
      }
      lock.release()
    }
  }

  private func hasContents(_ staging: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: staging))?.isEmpty == false
  }
}
